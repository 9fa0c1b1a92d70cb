"""The model along one feature, with x, the answer, and the part that the rules allow."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from geco.answers.speech import Speech
from geco.questions.pictures.style import BLUE, GREEN, GREY, ORANGE, axes_of, broken, close_up, cut, thousands

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from geco.questions.smallest import Curve, Smallest

SHADE: dict[str, Any] = {"color": GREEN, "alpha": 0.15, "linewidth": 0}


def draw_smallest(answer: Smallest, ax: Axes | None) -> Axes:
    """The curve of one feature; a line of points for each category, so that names have room."""
    curve = answer.curve
    rows = 0 if curve is None or _numeric(curve) else len(curve.values)
    ax = axes_of(ax, 3.8 if not rows else 1.7 + 0.45 * rows)
    label = answer.wording.label(answer.feature)
    title = label.label or answer.feature
    ax.set_title(broken(f"M along {title}, wanted {answer.target}", 52), loc="left")
    if curve is None:
        ax.text(0.5, 0.5, "a GROUP has no line to go along", ha="center", transform=ax.transAxes, fontsize=13)
        return ax
    if rows:
        _categories(ax, answer, curve)
    else:
        _numbers(ax, answer, curve, f"{title}, {label.unit}" if label.unit else title)
    ax.legend(fontsize=12, frameon=False, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    return ax


def _numbers(ax: Axes, answer: Smallest, curve: Curve, named: str) -> None:
    places, (outcomes, allowed, good) = _places(curve), _columns(curve)
    style: dict[str, Any] = {"drawstyle": "steps-mid"}
    ax.plot(places, outcomes, color=GREY, linewidth=2, label="not allowed", **style)
    fits = np.where(allowed, outcomes, np.nan)
    ax.plot(places, fits, color=BLUE, marker=".", linewidth=3, label="allowed by the rules", **style)
    low, high = ax.get_ylim()
    if good.any():  # where the model says yes
        ax.fill_between(places, low, high, where=good, step="mid", label="good", **SHADE)
    ax.set_ylim(low, high)
    for at, label, style in _marks(answer, curve):
        ax.plot(places[at : at + 1], [curve.outcomes[at]], label=label, **style)
    ax.set_xlabel(broken(named, 40))
    ax.set_ylabel("M")
    if places.dtype.kind == "f":
        thousands(ax.xaxis)
        if part := close_up(places.min(), places.max(), [places[at] for at, *_ in _marks(answer, curve)] or [0.0]):
            ax.set_xlim(part)
            ax.set_xlabel(broken(f"{named} (only a part is drawn)", 40))
    ax.margins(y=0.18)


def _categories(ax: Axes, answer: Smallest, curve: Curve) -> None:
    outcomes, allowed, good = _columns(curve)
    places = np.arange(len(curve.values))
    ax.plot(outcomes[~allowed], places[~allowed], "o", color=GREY, markersize=8, label="not allowed")
    ax.plot(outcomes[allowed], places[allowed], "o", color=BLUE, markersize=8, label="allowed by the rules")
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
    ax.set_xlabel("M")


def _columns(curve: Curve) -> tuple[Any, Any, Any]:
    """Outcomes, and where they are allowed and good."""
    return np.array(curve.outcomes, float), np.array(curve.allowed, bool), np.array(curve.good, bool)


def _numeric(curve: Curve) -> bool:
    """Numbers and dates have places on a line."""
    numbers = all(isinstance(v, int | float | np.number) and not isinstance(v, bool) for v in curve.values)
    return bool(curve.values) and (numbers or all(hasattr(v, "isoformat") for v in curve.values))


def _places(curve: Curve) -> Any:
    dates = hasattr(curve.values[0], "isoformat")
    return np.array(curve.values, "datetime64[us]" if dates else float)


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
