"""The front of tradeoffs: distance against outcome, marked by the number of changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from geco.questions.pictures.style import GREY, MARKERS, SERIES, axes_of, broken

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from geco.questions.tradeoffs import Tradeoffs


def draw_tradeoffs(answer: Tradeoffs, ax: Axes | None) -> Axes:
    """One series per number of changes."""
    ax = axes_of(ax, 3.8)
    ax.set_xlabel("distance: how much changes")
    ax.set_ylabel("M: how sure")
    ax.set_title(broken(f"what may be had for what, wanted {answer.target}", 52), loc="left")
    counts = sorted({point.changed for point in answer.points})
    for place, changed in enumerate(counts):
        alike = [point.counterfactual for point in answer.points if point.changed == changed]
        ax.plot(
            [cf.distance for cf in alike],
            [cf.outcome for cf in alike],
            MARKERS[place % len(MARKERS)],
            color=SERIES[place % len(SERIES)],
            markersize=8 + 3 * place,  # where two meet, one stands around the other
            zorder=9 - place,
            fillstyle="none" if place else "full",
            markeredgewidth=2,
            label=f"{changed} change{'s' if changed > 1 else ''}",
        )
    if answer.points:
        ax.legend(fontsize=12, frameon=False, loc="upper left", bbox_to_anchor=(1.0, 1.0), labelspacing=0.9)
        ax.margins(0.12)
        ax.set_xlim(left=0)
    else:
        ax.text(0.5, 0.5, "no answer was found", ha="center", transform=ax.transAxes, fontsize=13)
    ax.grid(color=GREY, alpha=0.25)
    return ax
