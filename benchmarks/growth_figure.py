"""The figure of growth.py: one panel per axis, an explanation beside one prediction of the same model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

FIGURES = Path(__file__).resolve().parents[1] / "docs" / "figures"
LABELS = {
    "trees": "trees of the forest",
    "one-hot features": "one-hot features",
    "domain size": "distinct values of a feature",
    "k": "k, answers asked for",
    "rows of D": "rows of D",
}
# Okabe and Ito's colours, with line style and marker to tell them apart without colour.
LINES = {
    "explain ms": ("#0072B2", "-", "o", 3.0, "explain, k = 5 unless said"),
    "predict ms": ("#D55E00", "--", "", 1.5, "one predict_proba on one row"),
}


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
    panels.flat[-1].legend(handles, labels, loc="center", frameon=False, fontsize=20)
    figure.supylabel("median time, milliseconds")
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
    if sizes[-1] <= 100:  # too few powers of ten to read off
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
