"""Bars of what each rule costs, and of how much each reason weighs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from geco.answers.values import shorten
from geco.questions.pictures.style import BLUE, GREY, axes_of, broken

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST = 10


def draw_bars(
    names: Sequence[str], sizes: Sequence[float], sure: Sequence[bool], title: str, axis: str, ax: Axes | None
) -> Axes:
    """The longest first; what is only the best found is hatched."""
    names, sizes, sure = names[:MOST], sizes[:MOST], sure[:MOST]
    ax = axes_of(ax, 1.5 + 0.75 * max(1, len(names)))
    places = range(len(names))
    bars = ax.barh(places, sizes, color=BLUE, height=0.62)
    for bar, proved in zip(bars, sure, strict=True):
        if not proved:
            bar.set_hatch("//")
            bar.set_facecolor(GREY)
    for place, size in zip(places, sizes, strict=True):
        ax.annotate(shorten(size), (size, place), (5, 0), textcoords="offset points", va="center", fontsize=13)
    ax.set_yticks(places, [broken(name, 30, 4) for name in names])
    ax.invert_yaxis()
    ax.margins(x=0.18)
    ax.set_xlim(left=0)
    ax.set_xlabel(broken(axis, 34))
    ax.locator_params(axis="x", nbins=4)
    ax.set_title(broken(title, 60), loc="left")
    if not names:
        ax.set_xticks([])
        ax.text(0.5, 0.5, "nothing", ha="center", va="center", transform=ax.transAxes, fontsize=13)
    return ax
