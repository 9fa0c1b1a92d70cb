"""Colours that everybody can tell apart (Okabe and Ito), axes, and names short enough to be read."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

from geco.answers.values import show
from geco.errors import GecoError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

BLUE, ORANGE, GREEN, GREY, BLACK = "#0072B2", "#D55E00", "#009E73", "#999999", "#222222"
SERIES = (BLUE, ORANGE, GREEN, "#CC79A7", "#E69F00", "#56B4E9", GREY)
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
LONGEST = 26  # characters of a name on an axis before it is broken into lines
WIDTH = 7.0  # inches; legible at half of it


def new_figure(height: float, width: float = WIDTH) -> Figure:
    """A figure of its own, which no global state holds on to."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError as error:
        raise GecoError(
            "plot needs matplotlib, which is not installed; install it, or geco-explain with its extra 'plot'"
        ) from error
    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def axes_of(ax: Axes | None, height: float) -> Axes:
    """The axes to draw in: those given, or new ones; sizes that can be read at half width."""
    chosen = new_figure(height).subplots() if ax is None else ax
    tidy(chosen)
    return chosen


def tidy(ax: Axes) -> None:
    """No frame that says nothing, and letters that can be read at half width."""
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    ax.tick_params(labelsize=13)
    for label in (ax.xaxis.label, ax.yaxis.label, ax.title):
        label.set_fontsize(14)


def broken(text: str, width: int = LONGEST, lines: int = 3) -> str:
    """A long name over several lines; what is still too long is cut."""
    parts = textwrap.wrap(text, width) or [text]
    if len(parts) > lines:
        parts = [*parts[: lines - 1], textwrap.shorten(" ".join(parts[lines - 1 :]), width, placeholder="…")]
    return "\n".join(parts)


def short(value: Any) -> str:
    """A value beside a point."""
    return textwrap.shorten(show(value), 20, placeholder="…")
