"""Bars of what each rule costs, and of how much each reason weighs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from geco.answers.values import shorten
from geco.questions.pictures.style import BLUE, GREY, axes_of, broken

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from geco.questions.obstacles import Obstacles

MOST = 10


def draw_obstacles(found: Obstacles, ax: Axes | None) -> Axes:
    """What each rule costs; where there is no answer, how far the one is that giving it up brings."""
    title, axis = "what each rule costs", "distance saved without it"
    bars = [
        (found.name(each.rule), each.answer.distance if each.price is None else each.price, each.proven)
        for each in found
        if each.matters and each.answer is not None
    ]
    if found.nearest is None and found.status != "good already":
        title, axis = "no answer: what giving up a rule brings", "distance of the answer without it"
        if not bars and found.without is not None:
            bars = [(" and ".join(map(found.name, found.give_up)), found.without.distance, found.proven)]
            title, axis = "no answer: what giving up rules brings", "distance of the answer without them"
    names, sizes, sure = [bar[0] for bar in bars], [bar[1] for bar in bars], [bar[2] for bar in bars]
    waiting = len(found.unsettled)
    note = f"{waiting} {'rule' if waiting == 1 else 'rules'} not settled in time" if waiting else ""
    return draw_bars(names, sizes, sure, title, axis, ax, _bare(found), note)


def _bare(found: Obstacles) -> str:
    """What is said where there is no bar."""
    if found.status != "answer":
        return {"good already": "x is good already"}.get(found.status, found.status)
    sure = all(each.proven for each in found)
    return "no rule costs anything" if sure else "nothing nearer was found without a rule"


def draw_bars(
    names: Sequence[str],
    sizes: Sequence[float],
    sure: Sequence[bool],
    title: str,
    axis: str,
    ax: Axes | None,
    bare: str = "nothing",
    note: str = "",
) -> Axes:
    """In the order given, what is only the best found hatched; ``bare`` is said where there is none, ``note`` below."""
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
    ax.set_xlabel("\n".join(filter(None, (broken(axis, 34), note))))
    ax.locator_params(axis="x", nbins=4)
    ax.set_title(broken(title, 60), loc="left")
    if not names:
        ax.set_xticks([])
        ax.text(0.5, 0.5, bare, ha="center", va="center", transform=ax.transAxes, fontsize=13)
    return ax
