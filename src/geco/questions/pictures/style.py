"""Colours that everybody can tell apart (Okabe and Ito), axes, and names short enough to be read."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING

from geco.errors import GecoError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure

BLUE, ORANGE, GREEN, GREY, BLACK = "#0072B2", "#D55E00", "#009E73", "#999999", "#222222"
SKY = "#56B4E9"
SERIES = (BLUE, ORANGE, GREEN, "#CC79A7", "#E69F00", SKY, GREY)
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
LONGEST = 26  # characters of a name on an axis before it is broken into lines
WIDTH = 7.0  # inches; legible at half of it
_KEPT = re.compile(r"(?<=\(by) (?=\S)|(?<=\d) (?=[^\s\d▶…(\[|]{1,8}(?:$|[\s),]))")  # spaces not to break a line at
TOO_CLOSE = 12  # marks nearer to each other than this part of the axis run into one


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


def close_up(low: float, high: float, marks: Sequence[float]) -> tuple[float, float] | None:
    """Where to look, if the marks lie too close together to be told apart over all of the values; else None.

    Examples
    --------
    >>> close_up(0, 50_000, [20, 400]), close_up(0, 50_000, [20, 20_000])
    ((0, 2300), None)
    """
    left, right = min(marks), max(marks)
    span = right - left
    if not span or span >= (high - low) / TOO_CLOSE:
        return None
    return max(low, left - 5 * span), min(high, right + 5 * span)


def thousands(axis: Axis, grouped: bool = True) -> None:
    """Numbers of people: 10,000; but years and codes as they are."""
    axis.set_major_formatter(lambda number, _: f"{number:,.10g}" if grouped else f"{number:.10g}")


def broken(text: str, width: int = LONGEST, lines: int = 3) -> str:
    """A long name over several lines; what is still too long is cut. A number keeps its unit, a bracket its words.

    Examples
    --------
    >>> print(broken("raise StockOptionLevel (by 1)"))
    raise StockOptionLevel
    (by 1)
    """
    parts = textwrap.wrap(_KEPT.sub("\xa0", text), width) or [text]
    if len(parts) > lines:
        parts = [*parts[: lines - 1], cut(" ".join(parts[lines - 1 :]), width)]
    return "\n".join(parts).replace("\xa0", " ")


def cut(text: str, most: int = 20) -> str:
    """The beginning of a text that is too long.

    Examples
    --------
    >>> cut("Research_Director"), cut("Manufacturing_Director_of_all")
    ('Research_Director', 'Manufacturing_Direc…')
    """
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"
