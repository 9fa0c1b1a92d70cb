"""Where x and an answer stand among the people of D: a strip for each changed feature."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from geco.answers.speech import Speech
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

    from geco.answers.explanation import Action
    from geco.answers.labels import Wording
    from geco.answers.range import Range
    from geco.data.domain import Domain

MOST = 6  # strips
WIDEST = 50  # characters that stand side by side below a strip
BINS = 40
MOST_CATEGORIES = 8


class Drawn(NamedTuple):
    """What is drawn beside x: its changes, what else would do, and what it is called."""

    changes: Sequence[Action]
    ranges: Mapping[str, Range]
    called: str


def draw_strips(domain: Domain, wording: Wording, drawn: Drawn, figure: Figure | None) -> Figure:
    """Histograms of D with x, the answer, and the range in which the answer would hold."""
    actions = [action for action in drawn.changes if action.feature in domain.names][:MOST]
    names = [[] if _is_number(domain, action) else _shown(domain, action) for action in actions] or [[]]
    heights = [1.75 + (0.6 if _slanted(each) else 0.0) for each in names]
    figure = new_figure(0.5 + sum(heights)) if figure is None else figure
    panels = figure.subplots(len(heights), 1, squeeze=False, height_ratios=heights)[:, 0]
    for ax, action, values in zip(panels, actions, names, strict=False):
        label = wording.label(action.feature)
        unit = f", {label.unit}" if label.unit else ""
        if _is_number(domain, action):
            _numbers(ax, domain, wording, action, drawn)
        else:
            _categories(ax, domain, wording, action, drawn, values)
        tidy(ax)
        ax.set_yticks([])
        ax.spines["left"].set_visible(False)
        ax.set_title(broken(f"{label.label or action.feature}{unit}", 52), loc="left")
    panels[0].legend(fontsize=12, frameon=False, loc="upper left", bbox_to_anchor=(1.0, 1.1))
    return figure


def _is_number(domain: Domain, action: Action) -> bool:
    known = action.before is not None and action.after is not None
    return known and domain.features[action.feature].type in ("integer", "number") and not action.categorical


def _numbers(ax: Axes, domain: Domain, wording: Wording, action: Action, drawn: Drawn) -> None:
    table = domain.tables[domain.group_of[action.feature]]
    numbers, counts = table.numbers[action.feature][1:], table.counts[1:]
    known = ~np.isnan(numbers)
    before, after = (domain.number(action.feature, value) for value in (action.before, action.after))
    part = close_up(numbers[known].min(), numbers[known].max(), [before, after])
    heights, edges = np.histogram(numbers[known], BINS, range=part, weights=counts[known])
    ax.bar(edges[:-1], heights, np.diff(edges), align="edge", color=GREY, alpha=0.45, label="how many have it")
    low = -0.13 * heights.max()
    run = drawn.ranges.get(action.feature)
    ends = [] if run is None else [run.low, run.high]
    if len(ends) == 2 and all(isinstance(end, int | float) for end in ends) and ends[0] != ends[1]:
        seen = ends if part is None else np.clip(ends, *part)
        ax.plot(seen, [low, low], color=GREEN, linewidth=7, alpha=0.45, solid_capstyle="butt", label="would also do")
    _mark(ax, before, after, drawn.called, low)
    ax.set_ylim(2 * low, None)
    thousands(ax.xaxis, action.feature not in wording.years | wording.codes)
    ax.locator_params(axis="x", nbins=6, integer=domain.features[action.feature].type == "integer")
    if part is not None:
        ax.set_xlim(part)
        ax.set_xlabel("only a part of its values is drawn")


def _shown(domain: Domain, action: Action) -> list[Any]:
    """The values that have a bar: both ends of the change, and the most frequent of the others; in their order."""
    table = domain.tables[domain.group_of[action.feature]]
    counts = _counts(domain, action.feature)
    meant = [action.before, action.after]
    most = [*meant, *(v for v in sorted(counts, key=lambda v: -counts[v]) if v not in meant)][:MOST_CATEGORIES]
    _, rows = table.distinct(action.feature)
    ordered = [value for value in table.values[action.feature][rows] if value in most]
    return [*ordered, *dict.fromkeys(value for value in meant if value not in ordered)]


def _counts(domain: Domain, feature: str) -> dict[Any, float]:
    table = domain.tables[domain.group_of[feature]]
    counts: dict[Any, float] = {}
    for value, count in zip(table.values[feature][1:], table.counts[1:], strict=True):
        counts[value] = counts.get(value, 0) + float(count)
    return counts


def _slanted(values: Sequence[Any]) -> bool:
    """Would their names run into each other side by side?"""
    return len(values) * max((len(_name(value)) for value in values), default=0) > WIDEST


def _name(value: Any) -> str:
    return max(broken(cut("missing" if value is None else show(value)), 12).split("\n"), key=len)


def _categories(
    ax: Axes, domain: Domain, wording: Wording, action: Action, drawn: Drawn, values: Sequence[Any]
) -> None:
    counts, speech = _counts(domain, action.feature), Speech(wording)
    heights = [counts.get(value, 0.0) for value in values]
    ax.bar(range(len(values)), heights, 0.8, color=GREY, alpha=0.45, label="how many have it")
    names = [cut(speech.value(action.feature, value)) for value in values]
    if _slanted(values):
        ax.set_xticks(range(len(values)), names, rotation=25, ha="right", rotation_mode="anchor")
    else:
        ax.set_xticks(range(len(values)), [broken(name, 12) for name in names])
    low = -0.15 * max(heights)
    _mark(ax, values.index(action.before), values.index(action.after), drawn.called, low)
    ax.set_ylim(2 * low, None)


def _mark(ax: Axes, before: float, after: float, called: str, low: float) -> None:
    """Both ends of the change, and an arrow from one to the other."""
    arrow = {"arrowstyle": "->", "color": BLUE, "linewidth": 2, "shrinkA": 6, "shrinkB": 8}  # its head beside the mark
    ax.annotate("", (after, low), (before, low), arrowprops=arrow)
    style: dict[str, Any] = {"markersize": 12, "markeredgecolor": "white", "zorder": 5, "clip_on": False}
    ax.plot([before], [low], "X", color=ORANGE, label="x", **style)
    ax.plot([after], [low], "D", color=GREEN, label=called, **style)
