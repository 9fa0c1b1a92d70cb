"""The model along one feature, with x, the answer, and the part that the rules allow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from geco.questions.pictures.style import BLUE, GREEN, GREY, ORANGE, axes_of, broken, close_up, short, thousands

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from geco.questions.smallest import Curve, Smallest


def draw_smallest(answer: Smallest, ax: Axes | None) -> Axes:
    """The curve of one feature; points for categories."""
    ax = axes_of(ax, 3.8)
    curve = answer.curve
    label = answer.wording.label(answer.feature)
    title = label.label or answer.feature
    named = f"{title}, {label.unit}" if label.unit else title
    ax.set_xlabel(broken(named, 40))
    ax.set_ylabel("M")
    ax.set_title(broken(f"M along {title}, wanted {answer.target}", 52), loc="left")
    if curve is None:
        ax.text(0.5, 0.5, "a GROUP has no line to go along", ha="center", transform=ax.transAxes, fontsize=13)
        return ax
    places, numeric = _places(curve)
    outcomes, allowed, good = (np.array(each, float) for each in (curve.outcomes, curve.allowed, curve.good))
    style: dict[str, Any] = {"drawstyle": "steps-mid"} if numeric else {"linestyle": "none"}
    ax.plot(places, outcomes, color=GREY, marker="" if numeric else "o", linewidth=2, label="not allowed", **style)
    ax.plot(
        places,
        np.where(allowed > 0, outcomes, np.nan),
        color=BLUE,
        marker="." if numeric else "o",
        linewidth=3,
        label="allowed by the rules",
        **style,
    )
    _shade_good(ax, places, good, numeric)
    _mark(ax, answer, curve, places)
    if numeric and places.dtype.kind == "f":
        thousands(ax.xaxis)
        if part := close_up(places.min(), places.max(), _marked(answer, curve)):
            ax.set_xlim(part)
            ax.set_xlabel(broken(f"{named} (a part of its values)", 40))
    if not numeric:
        ax.set_xticks(places, [broken(short(value), 12) for value in curve.values])
    ax.margins(y=0.18)
    ax.legend(fontsize=12, frameon=False, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    return ax


def _marked(answer: Smallest, curve: Curve) -> list[float]:
    """Where x and the answer lie on a line of numbers."""
    values = [answer.x[curve.feature], *(cf.values[curve.feature] for cf in answer.counterfactuals[:1])]
    return [float(value) for value in values if value in curve.values] or [0.0]


def _places(curve: Curve) -> tuple[Any, bool]:
    values = curve.values
    if all(isinstance(v, int | float | np.number) and not isinstance(v, bool) for v in values):
        return np.array(values, float), True
    if values and all(hasattr(v, "isoformat") for v in values):
        return np.array(values, "datetime64[us]"), True
    return np.arange(len(values)), False


def _shade_good(ax: Axes, places: Any, good: Any, numeric: bool) -> None:
    """Where the model says yes; around each category that it says yes to."""
    if not good.any():
        return
    low, high = ax.get_ylim()
    style: dict[str, Any] = {"color": GREEN, "alpha": 0.15, "linewidth": 0}
    if numeric:
        ax.fill_between(places, low, high, where=good > 0, step="mid", label="good", **style)
    else:
        ax.bar(places[good > 0], high - low, 0.9, bottom=low, label="good", **style)
    ax.set_ylim(low, high)


def _mark(ax: Axes, answer: Smallest, curve: Curve, places: Any) -> None:
    """x and the nearest answer, with their values."""
    name = curve.feature
    now = answer.x.get(name, next((f for f in answer.x if f in curve.values and answer.x[f]), None))
    marks = [(now, "x", "X", ORANGE)]
    for cf in answer.counterfactuals[:1]:
        after = cf.values.get(name, next((f for f in cf.values if f in curve.values and cf.values[f]), None))
        marks.append((after, "answer", "D", GREEN))
    for value, label, marker, color in marks:
        if value in curve.values:
            at = curve.values.index(value)
            ax.plot(
                places[at : at + 1],
                [curve.outcomes[at]],
                marker,
                color=color,
                markersize=13,
                markeredgecolor="white",
                label=f"{label}: {short(value)}",
                zorder=5,
            )
