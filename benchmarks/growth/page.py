"""What growth puts into docs/: the figure, one panel per axis, and the lines of its table in docs/compiled.md."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from benchmarks.report import DOCS

FIGURES = DOCS / "figures"
LABELS = {
    "trees": "trees of the forest",
    "one-hot features": "one-hot features, in up to 34 groups",
    "domain size": "distinct values of a feature",
    "k": "k, answers asked for",
    "rows of D": "rows of D",
    "rules across groups": "rules across groups",
}
# Okabe and Ito's colours, with line style and marker to tell them apart without colour.
LINES = {
    "explain ms": ("#0072B2", "-", "o", 3.0, "explain, unconfirmed (k = 5)"),
    "predict ms": ("#D55E00", "--", "", 1.5, "predict_proba on one row"),
}


def in_short(axes: dict[str, list[dict[str, Any]]], grown: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """One line per axis, its sizes and what was measured at them side by side."""
    return [
        {
            "against": LABELS[axis],
            "sizes": ", ".join(_short(s["size"]) for s in settings),
            "explain ms": ", ".join(f"{s['explain ms']:.2g}" for s in settings),
            "of it prepare": ", ".join(f"{s['prepare ms']:.2g}" for s in settings),
            "in predictions": ", ".join(f"{s['ratio']:.2g}" for s in settings),
            "exponent": f"{total['exponent']:.2f}",
        }
        for (axis, settings), total in zip(axes.items(), grown, strict=True)
    ]


def draw(axes: dict[str, list[dict[str, Any]]]) -> None:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    # Text stays legible at half of this width.
    plt.rcParams.update({"font.size": 18, "svg.hashsalt": "geco", "svg.fonttype": "none"})
    figure, panels = plt.subplots(2, 3, figsize=(16, 9), layout="constrained")
    for panel, (axis, settings) in zip(panels.flat, axes.items(), strict=False):
        _panel(panel, LABELS[axis], settings)
    for panel in panels.flat[len(axes) :]:
        panel.axis("off")
    handles, labels = panels.flat[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=2, frameon=False, fontsize=18)
    figure.supylabel("median processor time, milliseconds")
    FIGURES.mkdir(parents=True, exist_ok=True)
    figure.savefig(FIGURES / "growth.svg", metadata={"Date": None})
    figure.savefig(FIGURES / "growth.png", dpi=90)


def _panel(panel: Any, label: str, settings: list[dict[str, Any]]) -> None:
    from matplotlib.ticker import FuncFormatter, NullFormatter

    sizes = [line["size"] for line in settings]
    for name, (colour, line, marker, width, words) in LINES.items():
        panel.plot(
            sizes, [s[name] for s in settings],
            color=colour, linestyle=line, marker=marker, markersize=9, linewidth=width, label=words,
        )  # fmt: skip
    panel.set(xscale="log", yscale="log", xlabel=label, ylim=(0.3, 300))
    if sizes[0] == 0:
        panel.set_xscale("symlog", linthresh=1)
    if sizes[-1] < 1000:  # too few powers of ten to read off
        panel.set_xticks(sizes)
    panel.xaxis.set_major_formatter(FuncFormatter(lambda size, _: _short(size)))
    panel.yaxis.set_major_formatter(FuncFormatter(lambda ms, _: f"{ms:g}"))
    panel.xaxis.set_minor_formatter(NullFormatter())
    panel.yaxis.set_minor_formatter(NullFormatter())
    panel.grid(True, which="major", color="#dddddd", linewidth=0.8)
    panel.spines[["top", "right"]].set_visible(False)


def _short(size: float) -> str:
    """10, 1k, 10M: long numbers would run into each other."""
    for power, letter in ((1e6, "M"), (1e3, "k")):
        if size >= power:
            return f"{size / power:g}{letter}"
    return f"{size:g}"
