"""Bars of a summary: who is helped, what it costs, by what; groups side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from geco.questions.intervals import FEWEST
from geco.questions.pictures.style import BLACK, SERIES, broken, new_figure, tidy

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from geco.questions.summary import GroupSummary, Summary

MOST_MOVES = 6
MOST_GROUPS = 6
TOO_FEW = "too few people"


def draw_summary(answer: Summary, figure: Figure | None) -> Figure:
    """Three panels, one below the other."""
    largest = sorted(answer.groups, key=lambda group: -group.asking)[:MOST_GROUPS]
    groups = [group for group in answer.groups if group in largest] or [answer.everyone]
    moves = [(move.feature, move.verb, move.to) for move in answer.everyone.moves[:MOST_MOVES]]
    heights = [0.5 + 0.42 * len(groups), 0.5 + 0.42 * len(groups), 0.6 + len(moves) * (0.25 + 0.2 * len(groups))]
    figure = new_figure(1.6 + sum(heights)) if figure is None else figure
    helped, cost, by = figure.subplots(3, 1, height_ratios=heights)
    _helped(helped, groups)
    _cost(cost, groups)
    if answer.by is not None:
        helped.set_ylabel(broken(answer.by, 18))
        cost.set_ylabel(broken(answer.by, 18))
    _moves(by, groups, moves, [answer.in_words(move) for move in answer.everyone.moves[:MOST_MOVES]])
    for ax in (helped, cost, by):
        tidy(ax)
    return figure


def _names(ax: Axes, groups: Sequence[GroupSummary]) -> Any:
    places = np.arange(len(groups))[::-1]
    ax.set_yticks(places, [broken(f"{group.name} ({group.asking:,})") for group in groups])
    return places


def _helped(ax: Axes, groups: Sequence[GroupSummary]) -> None:
    places = _names(ax, groups)
    shares = [0.0 if np.isnan(group.helped) else 100 * group.helped for group in groups]
    bars = ax.barh(places, shares, color=_colors(groups), height=0.7)
    for bar, place, share, group in zip(bars, places, shares, groups, strict=True):
        few = group.asking < FEWEST
        bar.set_alpha(0.35 if few else 1.0)
        ax.text(share + 1, place, TOO_FEW if few else f"{share:.0f} %", va="center", fontsize=13)
    ax.set_xlim(0, 112 if all(group.asking >= FEWEST for group in groups) else 150)
    ax.set_xticks([0, 25, 50, 75, 100])
    ax.set_title("helped, % of those asking", loc="left")


def _cost(ax: Axes, groups: Sequence[GroupSummary]) -> None:
    places = _names(ax, groups)
    for place, group, color in zip(places, groups, _colors(groups), strict=True):
        if sum(group.changes.values()) < FEWEST:
            ax.text(0.01, place, TOO_FEW, va="center", fontsize=13, transform=ax.get_yaxis_transform())
        elif group.cost:
            ax.plot([group.cost[0.1], group.cost[0.9]], [place, place], color=color, linewidth=2)
            ax.plot([group.cost[0.25], group.cost[0.75]], [place, place], color=color, linewidth=9, alpha=0.6)
            ax.plot([group.cost[0.5]], [place], "|", color=BLACK, markersize=16, markeredgewidth=3)
    ax.set_ylim(-0.6, len(groups) - 0.4)
    ax.set_xlim(left=0)
    ax.set_title("cost: median, middle half, middle 80 %", loc="left")


def _moves(ax: Axes, groups: Sequence[GroupSummary], moves: Sequence[Any], words: Sequence[str]) -> None:
    height = 0.8 / len(groups)
    for number, (group, color) in enumerate(zip(groups, _colors(groups), strict=True)):
        people = {(move.feature, move.verb, move.to): move.people for move in group.moves}
        found = sum(group.changes.values())
        shares = [100 * people.get(move, 0) / found if found else 0.0 for move in moves]
        places = np.arange(len(moves))[::-1] + 0.4 - height * (number + 0.5)
        faint = 0.35 if found < FEWEST else 1.0
        ax.barh(places, shares, height=height * 0.9, color=color, alpha=faint, label=broken(group.name))
    ax.set_yticks(np.arange(len(moves))[::-1], [broken(text) for text in words])
    ax.set_title("what helps, % of those helped", loc="left")
    if len(groups) > 1 and moves:
        ax.legend(fontsize=12, frameon=False, loc="lower right")


def _colors(groups: Sequence[GroupSummary]) -> list[str]:
    return [SERIES[number % len(SERIES)] for number in range(len(groups))]
