"""Where x and an answer stand among the people of D: a strip for each changed feature."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from geco.answers.values import show
from geco.questions.pictures.style import (
    BLUE,
    GREEN,
    GREY,
    ORANGE,
    broken,
    close_up,
    cut,
    new_figure,
    thousands,
    tidy,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from geco.answers.explanation import Action, Counterfactual
    from geco.answers.labels import Wording
    from geco.data.domain import Domain

MOST = 6  # strips
BINS = 40
MOST_CATEGORIES = 8


def draw_strips(domain: Domain, wording: Wording, cf: Counterfactual, figure: Figure | None) -> Figure:
    """Histograms of D with x, the answer, and the range in which the answer would hold."""
    actions = [action for action in cf.changes if action.feature in domain.names][:MOST]
    figure = new_figure(0.5 + 1.75 * max(1, len(actions))) if figure is None else figure
    panels = figure.subplots(max(1, len(actions)), 1, squeeze=False)[:, 0]
    for ax, action in zip(panels, actions, strict=False):
        label = wording.label(action.feature)
        unit = f", {label.unit}" if label.unit else ""
        numeric = domain.features[action.feature].type in ("integer", "number") and not action.categorical
        (_numbers if numeric else _categories)(ax, domain, action, cf)
        tidy(ax)
        ax.set_yticks([])
        ax.spines["left"].set_visible(False)
        ax.set_title(broken(f"{label.label or action.feature}{unit}", 52), loc="left")
    panels[0].legend(fontsize=12, frameon=False, loc="upper left", bbox_to_anchor=(1.0, 1.1))
    return figure


def _numbers(ax: Axes, domain: Domain, action: Action, cf: Counterfactual) -> None:
    table = domain.tables[domain.group_of[action.feature]]
    numbers, counts = table.numbers[action.feature][1:], table.counts[1:]
    known = ~np.isnan(numbers)
    before, after = (domain.number(action.feature, value) for value in (action.before, action.after))
    part = close_up(numbers[known].min(), numbers[known].max(), [before, after])
    heights, edges = np.histogram(numbers[known], BINS, range=part, weights=counts[known])
    ax.bar(edges[:-1], heights, np.diff(edges), align="edge", color=GREY, alpha=0.45, label="how many have it")
    low = -0.13 * heights.max()
    run = cf.ranges.get(action.feature)
    ends = [] if run is None else [run.low, run.high]
    if len(ends) == 2 and all(isinstance(end, int | float) for end in ends) and ends[0] != ends[1]:
        seen = ends if part is None else np.clip(ends, *part)
        ax.plot(seen, [low, low], color=GREEN, linewidth=7, alpha=0.45, solid_capstyle="butt", label="would also do")
    _mark(ax, before, after, action, low)
    ax.set_ylim(2 * low, None)
    thousands(ax.xaxis)
    ax.locator_params(axis="x", integer=domain.features[action.feature].type == "integer")
    if part is not None:
        ax.set_xlim(part)
        ax.set_xlabel("only a part of its values is drawn")


def _categories(ax: Axes, domain: Domain, action: Action, cf: Counterfactual) -> None:
    table = domain.tables[domain.group_of[action.feature]]
    values = table.values[action.feature][1:]
    counts: dict[Any, float] = {}
    for value, count in zip(values, table.counts[1:], strict=True):
        counts[value] = counts.get(value, 0) + float(count)
    meant = [action.before, action.after]
    shown = [*meant, *(v for v in sorted(counts, key=lambda v: -counts[v]) if v not in meant)][:MOST_CATEGORIES]
    shown = [value for value in counts if value in shown] or shown
    heights = [counts.get(value, 0.0) for value in shown]
    ax.bar(range(len(shown)), heights, 0.8, color=GREY, alpha=0.45, label="how many have it")
    ax.set_xticks(range(len(shown)), [broken(cut(show(value)), 12) for value in shown])
    low = -0.15 * max(heights)
    at = [shown.index(value) if value in shown else -1 for value in meant]
    _mark(ax, at[0], at[1], action, low)
    ax.set_ylim(2 * low, None)


def _mark(ax: Axes, before: float, after: float, action: Action, low: float) -> None:
    """Both ends of the change, and an arrow from one to the other."""
    arrow = {"arrowstyle": "->", "color": BLUE, "linewidth": 2, "shrinkA": 6, "shrinkB": 8}  # its head beside the mark
    ax.annotate("", (after, low), (before, low), arrowprops=arrow)
    style: dict[str, Any] = {"markersize": 12, "markeredgecolor": "white", "zorder": 5, "clip_on": False}
    ax.plot([before], [low], "X", color=ORANGE, label="x", **style)
    ax.plot([after], [low], "D", color=GREEN, label="answer", **style)
