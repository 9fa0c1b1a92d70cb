"""The steps of an answer as a staircase: what the model says after each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from geco.answers.speech import Speech
from geco.answers.values import shorten
from geco.questions.pictures.style import BLUE, GREEN, GREY, ORANGE, axes_of, broken
from geco.questions.shown import changes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from geco.answers.explanation import Explanation


def draw_steps(explanation: Explanation, way: int, bar: float | None, ax: Axes | None) -> Axes:
    """One line per step, from top to bottom; ``bar`` is the number that good is above."""
    cf = explanation.counterfactuals[way - 1]
    ax = axes_of(ax, 1.7 + 0.62 * len(cf.steps))
    names = ["x", *(changes(step.changes, Speech(explanation.wording)) for step in cf.steps)]
    numbers = [explanation.outcome, *(step.outcome for step in cf.steps)]
    known = [(place, number) for place, number in enumerate(numbers) if number is not None]
    places, outcomes = [place for place, _ in known], [number for _, number in known]
    ax.step(outcomes, places, where="pre", color=BLUE, linewidth=3)
    good = [False, *(bool(step.good) for step in cf.steps)]
    for place, number in known:
        ax.plot([number], [place], "D" if good[place] else "X", color=GREEN if good[place] else ORANGE, markersize=12,
                markeredgecolor="white", zorder=5)  # fmt: skip
        ax.annotate(shorten(number), (number, place), (9, 0), textcoords="offset points", va="center", fontsize=13)
    if bar is not None:
        ax.axvline(bar, color=GREY, linestyle="--", linewidth=2)
        ax.annotate("good", (bar, -0.75), (6, 0), textcoords="offset points", va="center", fontsize=13, color="#555555")
    ax.set_yticks(range(len(names)), [broken(name, 30) for name in names])
    ax.set_ylim(len(names) - 0.4, -1.1)
    ax.margins(x=0.2)
    ax.set_xlabel("M after each step")
    return ax
