"""The model along one feature, with x, the answer, and the part that the rules allow."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from geco.answers.speech import Speech
from geco.answers.values import is_missing
from geco.questions.pictures.style import BLUE, GREEN, GREY, ORANGE, SKY, axes_of, broken, close_up, cut, thousands

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from geco.questions.smallest import Curve, Smallest

MOST_ROWS = 24  # categories that are drawn
SHADE: dict[str, Any] = {"color": GREEN, "alpha": 0.15, "linewidth": 0}


def draw_smallest(answer: Smallest, ax: Axes | None) -> Axes:
    """The curve of one feature; a line of points for each category, so that names have room."""
    curve = answer.curve
    rows = 0 if curve is None or _numeric(curve) else min(len(curve.values), MOST_ROWS)
    ax = axes_of(ax, 3.8 if not rows else 1.7 + 0.45 * rows)
    label = answer.wording.label(answer.feature)
    title = label.label or answer.feature
    ax.set_title(broken(f"M along {title}, wanted {answer.target}", 52), loc="left")
    if curve is None:
        ax.text(0.5, 0.5, "a GROUP has no line to go along", ha="center", transform=ax.transAxes, fontsize=13)
        return ax
    if rows:
        _categories(ax, answer, _some(answer, curve), len(curve.values))
    else:
        _numbers(ax, answer, curve, f"{title}, {label.unit}" if label.unit else title)
    ax.legend(fontsize=12, frameon=False, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    return ax


def _numbers(ax: Axes, answer: Smallest, curve: Curve, named: str) -> None:
    places, known = _places(curve)
    style: dict[str, Any] = {"drawstyle": "steps-mid"}
    ax.plot(places[known], np.array(curve.outcomes, float)[known], color=GREY, linewidth=1, **style)  # no gaps
    for words, fits, look in _states(curve):
        outcomes = np.where(fits, curve.outcomes, np.nan)[known]
        ax.plot(places[known], outcomes, label=words, **{"linewidth": 3, "marker": ".", **look, **style})
    low, high = ax.get_ylim()
    good = np.array(curve.good, bool)[known]
    if good.any():  # where the model says yes
        ax.fill_between(places[known], low, high, where=good, step="mid", label="good", **SHADE)
    ax.set_ylim(low, high)
    marks = list(_marks(answer, curve))
    for at, label, style in marks:
        ax.plot(places[at : at + 1], [curve.outcomes[at]], label=label, **style)
    ax.set_xlabel(broken(named, 40))
    ax.set_ylabel("M")
    if places.dtype.kind == "f":
        thousands(ax.xaxis, curve.feature not in answer.wording.years | answer.wording.codes)
        ax.locator_params(axis="x", nbins=6, integer=all(isinstance(v, int) for v in curve.values if not is_missing(v)))
        seen = [places[at] for at, *_ in marks if known[at]] or [0.0]
        if part := close_up(places[known].min(), places[known].max(), seen) if known.all() else None:
            ax.set_xlim(part)
            ax.set_xlabel(broken(f"{named} (only a part is drawn)", 40))
    if not known.all():
        ax.axvline((places[~known][0] + (places[known].min() - places[~known][0]) / 2), color=GREY, linestyle=":")
        ax.annotate(
            "missing",
            (places[~known][0], 0.9),
            xycoords=("data", "axes fraction"),
            rotation=90,
            ha="center",
            va="top",
            fontsize=12,
        )
    ax.margins(y=0.18)


def _categories(ax: Axes, answer: Smallest, curve: Curve, known: int) -> None:
    outcomes, good = np.array(curve.outcomes, float), np.array(curve.good, bool)
    places = np.arange(len(curve.values))
    for words, fits, look in _states(curve):
        ax.plot(outcomes[fits], places[fits], "o", markersize=8, label=words, **look)
    for at, label, style in _marks(answer, curve):
        ax.plot([curve.outcomes[at]], places[at : at + 1], label=label, **style)
    ax.margins(x=0.12)
    low, high = ax.get_xlim()
    if good.any():
        ax.barh(places[good], high - low, 0.9, left=low, label="good", **SHADE)
    ax.set_xlim(low, high)
    speech = Speech(answer.wording)
    ax.set_yticks(places, [broken(cut(speech.value(curve.feature, v), 40)) for v in curve.values])
    ax.set_ylim(len(places) - 0.4, -0.6)
    ax.set_xlabel("M" if len(places) == known else f"M ({len(places)} of {known} values are drawn)")


def _states(curve: Curve) -> list[tuple[str, Any, dict[str, Any]]]:
    """What the rules say of each value: in words, of which, and how it is drawn."""
    allowed, dragging = np.array(curve.allowed, bool), np.array(curve.dragging, bool)
    states = [
        ("not allowed", ~allowed & ~dragging, {"color": GREY}),
        ("allowed with\nmore changes", dragging, {"color": SKY}),
        ("allowed by the rules", allowed, {"color": BLUE}),
    ]
    return [state for state in states if state[1].any()]


def _some(answer: Smallest, curve: Curve) -> Curve:
    """x, the answer, and of the others those with the highest M, if there are too many to draw."""
    if len(curve.values) <= MOST_ROWS:
        return curve
    marked = [at for at, *_ in _marks(answer, curve)]
    best = sorted(range(len(curve.values)), key=lambda at: (at not in marked, -curve.outcomes[at]))[:MOST_ROWS]
    columns = (curve.values, curve.outcomes, curve.good, curve.allowed, curve.dragging)
    drawn: list[Any] = [tuple(column[at] for at in sorted(best)) for column in columns]
    return type(curve)(curve.feature, *drawn)


def _numeric(curve: Curve) -> bool:
    """Numbers and dates have places on a line; what is missing has one apart."""
    known = [v for v in curve.values if not is_missing(v)]
    numbers = all(isinstance(v, int | float | np.number) and not isinstance(v, bool) for v in known)
    return bool(known) and (numbers or all(hasattr(v, "isoformat") for v in known))


def _places(curve: Curve) -> tuple[Any, Any]:
    """Where each value is drawn, and which of them are known; what is missing stands to the left of all."""
    known = np.array([not is_missing(v) for v in curve.values])
    dates = any(hasattr(v, "isoformat") for v in curve.values)
    places = np.full(len(known), "NaT" if dates else np.nan, "datetime64[us]" if dates else float)
    places[known] = [v for v in curve.values if not is_missing(v)]
    if not known.all():
        low, high = places[known].min(), places[known].max()
        places[~known] = low - (high - low) / 8
    return places, known


def _marks(answer: Smallest, curve: Curve) -> Iterator[tuple[int, str, dict[str, Any]]]:
    """x and the nearest answer: where on the curve, what it is called, how it is drawn."""
    speech = Speech(answer.wording)
    marks = [("x", answer.x, "X", ORANGE), *(("answer", cf.values, "D", GREEN) for cf in answer.counterfactuals[:1])]
    for name, values, marker, color in marks:
        value = values.get(curve.feature, next((f for f in values if f in curve.values and values[f]), None))
        if value in curve.values:
            style = {"marker": marker, "color": color, "linestyle": "none", "markersize": 13, "zorder": 5}
            label = f"{name}: {speech.value(curve.feature, value)}" if _numeric(curve) else name
            yield curve.values.index(value), label, {**style, "markeredgecolor": "white"}
