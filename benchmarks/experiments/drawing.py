"""Figures that stay legible at half width: large type, one palette, hatches and markers beside colours."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.experiments.harness import PALETTE

HATCHES = ("", "//", "..", "\\\\", "xx", "--", "oo", "++")
MARKERS = "os^Dv*Px"


def panels(rows: int, columns: int, width: float = 6.0, height: float = 4.6) -> tuple[Any, Any]:
    """A figure and its axes, always a matrix."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    plt.close("all")
    plt.rcParams.update({"font.size": 18, "svg.hashsalt": "geco", "svg.fonttype": "none", "hatch.linewidth": 0.6})
    size = (width * columns, height * rows)
    return plt.subplots(rows, columns, figsize=size, squeeze=False, layout="constrained")


def hide_after(used: int, axes: Any) -> None:
    """Panels that are not used."""
    for axis in axes.flat[used:]:
        axis.set_visible(False)


def bars(axis: Any, heights: Mapping[str, float | None], label: str, log: bool = False) -> None:
    """One bar per name, its figure above it."""
    names = [name for name, height in heights.items() if height is not None]
    for place, name in enumerate(names):
        look = list(heights).index(name) % len(PALETTE)
        bar = axis.bar(place, heights[name], color=PALETTE[look], hatch=HATCHES[look], edgecolor="white")
        axis.bar_label(bar, [_short(heights[name])], fontsize=13, padding=2)
    axis.set_xticks(range(len(names)), names, rotation=40, ha="right", rotation_mode="anchor", fontsize=15)
    axis.set_ylabel(label)
    axis.margins(y=0.18)
    if log and names:
        # From one power of ten to another: bars that nearly agree must look so.
        shown = [height for height in heights.values() if height]
        axis.set_yscale("log")
        axis.set_ylim(10 ** math.floor(math.log10(min(shown)) - 0.05), 10 ** math.ceil(math.log10(max(shown)) + 0.2))
    tidy(axis)


def shares(axis: Any, rows: Mapping[str, Mapping[str, float]], xlabel: str) -> None:
    """Percentages, one row per name: as colour and as figure."""
    columns = list(next(iter(rows.values())))
    table = [[row[column] for column in columns] for row in rows.values()]
    axis.imshow(table, cmap="Blues", vmin=0, vmax=100, aspect="auto")
    for y, row in enumerate(table):
        for x, share in enumerate(row):
            if share:
                axis.text(x, y, f"{share:.0f}", ha="center", va="center", color="white" if share > 55 else "black")
    axis.set_xticks(range(len(columns)), columns)
    axis.set_yticks(range(len(rows)), list(rows), fontsize=15)
    axis.set_xlabel(xlabel)


def lines(axis: Any, series: Mapping[str, Sequence[tuple[float, float]]], xlabel: str, ylabel: str) -> None:
    """One line per name."""
    for number, (name, points) in enumerate(series.items()):
        xs, ys = zip(*sorted(points), strict=True)
        style = ("-", "--", ":", "-.")[number % 4]
        axis.plot(xs, ys, color=PALETTE[number], ls=style, marker=MARKERS[number], lw=2.5, ms=8, label=name)
    axis.set_xlabel(xlabel)
    axis.set_ylabel(ylabel)
    tidy(axis)


def stacked(axis: Any, columns: Mapping[str, Mapping[str, float]], ylabel: str) -> None:
    """One column per name, made of named parts."""
    parts = list(dict.fromkeys(part for column in columns.values() for part in column))
    bottoms = [0.0] * len(columns)
    for number, part in enumerate(parts):
        heights = [column.get(part, 0.0) for column in columns.values()]
        look = {"color": PALETTE[number], "hatch": HATCHES[number], "edgecolor": "white", "label": part}
        axis.bar(range(len(columns)), heights, bottom=bottoms, **look)
        bottoms = [bottom + height for bottom, height in zip(bottoms, heights, strict=True)]
    axis.set_xticks(range(len(columns)), list(columns), rotation=40, ha="right", rotation_mode="anchor", fontsize=15)
    axis.set_ylabel(ylabel)
    tidy(axis)


def legend(figure: Any, axis: Any, columns: int) -> None:
    """One legend for all panels, above them."""
    handles, labels = axis.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=columns, frameon=False, fontsize=16)


def _short(value: float | None) -> str:
    return f"{value:,.0f}" if value and value >= 1000 else f"{value:.3g}"


def tidy(axis: Any) -> None:
    axis.spines[["top", "right"]].set_visible(False)
    axis.grid(axis="y", alpha=0.3)
    axis.set_axisbelow(True)


def save(figure: Any, folder: Path, name: str) -> None:
    """As SVG without its date, and as PNG."""
    folder.mkdir(parents=True, exist_ok=True)
    figure.savefig(folder / f"{name}.svg", metadata={"Date": None})
    figure.savefig(folder / f"{name}.png", dpi=80)
