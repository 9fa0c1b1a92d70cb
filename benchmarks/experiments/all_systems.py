"""All systems on five data sets and four models, beside what other tools reached on the peers' rows.

Credit and Adult are the cells of the peers' protocol: its models, its rows, rules without implications. The other
three have their complete programs. MACE takes part on decision trees, over the values of D, the exact search on
trees and forests, both with 5 s. The reference of a row is its proved optimum, or the nearest valid answer that any
system found.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import numpy as np

from benchmarks import protocol
from benchmarks.experiments import drawing
from benchmarks.experiments.harness import Experiment, Record, Size, Verdict, chunk, chunks, mean
from benchmarks.experiments.problems import NAMES, Problem, peers_problem, problem

DATASETS = ("credit", "adult", "compas", "german", "give_me_some_credit")
MODELS = {"dt": "tree", "rf": "forest", "xgb": "boosted trees", "mlp": "network"}
ALL = ("frontier", "genetic", "wit", "certifai", "simcf")
ONLY = {"mace active": ("dt",), "exact": ("dt", "rf", "xgb")}
OTHERS = ("genetic", "wit", "certifai", "simcf", "mace active")
TOOLS = {
    "nice_sparsity": "NICE", "dice_random_k1": "DiCE random", "dice_genetic_k1": "DiCE genetic",
    "alibi_proto": "Alibi prototypes",
}  # fmt: skip
ROWS = {"mace active": 5, "exact": 10}  # where a row takes seconds
QUICK = 20  # rows of the others
SECONDS = {"exact": 5.0, "mace active": 5.0}
TIE = 1e-9


class AllSystems(Experiment):
    name = "all_systems"
    title = "All systems, five data sets, four models"

    def keys(self, size: Size) -> list[str]:
        return [
            f"{dataset}/{model}/{system}/{part}"
            for dataset in (DATASETS[:2] if size == "tiny" else DATASETS)
            for model in MODELS
            for system in (*ALL, *(s for s, able in ONLY.items() if model in able))
            for part in chunks(size, ROWS.get(system, QUICK), 100)
        ]

    def run(self, key: str) -> list[Record]:
        dataset, model, system, part = key.split("/")
        asked = _cell(dataset, model)
        one = asked.prediction_seconds
        records = []
        for row in chunk(asked.rows, part):
            record = asked.answer(system, row, SECONDS.get(system, 60.0))
            records.append({"cell": f"{dataset}/{model}", **record, "predictions": record["seconds"] / one})
        return records

    def tables(self, records: Sequence[Record]) -> dict[str, list[Record]]:
        best = _references(records)
        lines = [_line(some, cell, system, best) for cell, system, some in _by_cell(records)]
        return {
            "By cell and system; gap: mean distance over the reference's, same rows": lines,
            "Rows (%) that both solve on which geco's default is no farther": _share_table(records),
            "Rows on which another system is nearer than geco's default, or alone has an answer": _rows_lost(records),
            "Other tools on the peers' rows, as measured there": list(_tools()),
        }

    def figures(self, records: Sequence[Record]) -> dict[str, Any]:
        best = _references(records)
        figure, axes = drawing.panels(2, 2, width=6.8, height=5.2)
        for axis, (model, name) in zip(axes.flat, MODELS.items(), strict=True):
            gaps = {
                NAMES[s]: [_line(_of(records, f"{d}/{model}", s), f"{d}/{model}", s, best)["gap"] for d in DATASETS]
                for s in ALL
            }
            _dots(axis, gaps)
            axis.set_title(name)
        drawing.legend(figure, axes[0][0], 5)
        return {self.name: figure}

    def claims(self, records: Sequence[Record]) -> dict[str, Verdict]:
        shares = _shares(records)
        worst = min(shares, key=lambda pair: shares[pair])
        lost = _rows_lost(records)
        alone = [r for r in lost if r["geco x1000"] is None]
        below = [f"{cell} {name}" for (cell, name), share in shares.items() if share < 95]
        return {
            "no-farther": Verdict(
                f"{min(shares.values()):.3g} % at worst ({worst[0]}, {worst[1]}); {len(lost)} rows lost",
                not below, "" if not below else f"below 95 % on {', '.join(below)}; the rows are listed",
            ),
            "none-unsolved": Verdict(f"{len(alone)} rows", not alone, "" if not alone else "the rows are listed"),
        }  # fmt: skip


@cache
def _cell(dataset: str, model: str) -> Problem:
    if dataset in ("credit", "adult") and protocol.available():
        return peers_problem(dataset, model)
    return problem(dataset, model)


def _counts(record: Record) -> bool:
    """Valid and made of values of D: only such answers are compared."""
    return bool(record["valid"] and not record["off_domain"])


def _references(records: Sequence[Record]) -> dict[tuple[str, int], float]:
    best: dict[tuple[str, int], float] = {}
    for r in records:
        if _counts(r):
            place = (r["cell"], r["row"])
            best[place] = min(best.get(place, np.inf), r["distance"])
    return best


def _line(some: Sequence[Record], cell: str, system: str, best: dict[tuple[str, int], float]) -> Record:
    flips = [r for r in some if r["found"]]
    ours, theirs = [r["distance"] for r in flips], [best.get((cell, r["row"]), np.nan) for r in flips]
    return {
        "cell": cell,
        "system": NAMES[system],
        "instances": len(some),
        "valid %": 100 * (mean(some, "valid") or 0.0),
        "distance x1000": 1e3 * float(np.mean(ours)) if ours else None,
        "gap": float(np.mean(ours) / np.nanmean(theirs)) if ours and not np.isnan(theirs).all() else None,
        "changed": mean(flips, "changed"),
        "rules broken": sum(r["violated"] for r in flips),
        "off D %": 100 * (mean(flips, "off_domain") or 0.0),
        "in predictions": float(np.median([r["predictions"] for r in some])) if some else None,
        "proven %": 100 * (mean(some, "proven") or 0.0) if system == "exact" else None,
    }


def _by_cell(records: Sequence[Record]) -> Iterator[tuple[str, str, list[Record]]]:
    for cell in dict.fromkeys(r["cell"] for r in records):
        for system in (*ALL, *ONLY):
            some = _of(records, cell, system)
            if some:
                yield cell, system, some


def _theirs(records: Sequence[Record], cell: str) -> Iterator[tuple[str, dict[int, float]]]:
    """What other systems reached, and tools measured by the peers' protocol: distances of answers that count."""
    for system in OTHERS:
        yield NAMES[system], {r["row"]: r["distance"] for r in _of(records, cell, system) if _counts(r)}
    for tool, rows in _measured_there(cell):
        yield tool, {r["row"]: r["dist"] for r in rows if r["success"] and r["in_domain"] and _obeys(r)}


def _compared(records: Sequence[Record]) -> Iterator[tuple[str, str, int, float | None, float]]:
    """Row by row: cell, other system, row, the default's distance (None: no answer) and the other's."""
    for cell in dict.fromkeys(r["cell"] for r in records):
        ours = {r["row"]: r["distance"] if _counts(r) else None for r in _of(records, cell, "frontier")}
        for name, theirs in _theirs(records, cell):
            for row in sorted(ours.keys() & theirs.keys()):
                yield cell, name, row, ours[row], theirs[row]


def _nearer(ours: float | None, theirs: float) -> bool:
    return ours is None or ours > theirs + TIE


def _shares(records: Sequence[Record]) -> dict[tuple[str, str], float]:
    """Per cell and other system: on how many of the rows that both solve is the default no farther?"""
    kept: dict[tuple[str, str], list[bool]] = {}
    for cell, name, _, ours, theirs in _compared(records):
        if ours is not None:
            kept.setdefault((cell, name), []).append(not _nearer(ours, theirs))
    return {place: 100 * float(np.mean(each)) for place, each in kept.items()}


def _rows_lost(records: Sequence[Record]) -> list[Record]:
    return [
        {"cell": cell, "row": str(row), "system": name, "geco x1000": ours and 1e3 * ours, "theirs x1000": 1e3 * theirs}
        for cell, name, row, ours, theirs in _compared(records)
        if _nearer(ours, theirs)
    ]


def _share_table(records: Sequence[Record]) -> list[Record]:
    """A line per cell, a column per other system."""
    shares = _shares(records)
    names = list(dict.fromkeys(name for _, name in shares))
    cells = dict.fromkeys(cell for cell, _ in shares)
    return [{"cell": cell, **{name: shares.get((cell, name)) for name in names}} for cell in cells]


def _measured_there(cell: str) -> Iterator[tuple[str, list[Record]]]:
    """Rows of the peers' protocol by tool; MACE over the continuous domain."""
    dataset, model = cell.split("/")
    for tool in (*TOOLS, "mace") if protocol.available() and dataset in ("credit", "adult") else ():
        with contextlib.suppress(FileNotFoundError):
            yield TOOLS.get(tool, "MACE"), list(protocol.results(dataset, model, tool).values())


def _obeys(row: Record) -> bool:
    return not row["violated"] and bool(row["pair_ok"])


def _tools() -> Iterator[Record]:
    for cell in (f"{dataset}/{model}" for dataset in DATASETS for model in MODELS):
        for tool, rows in _measured_there(cell):
            flips = [r for r in rows if r["success"]]
            yield {
                "cell": cell,
                "tool": tool,
                "rows": len(rows),
                "valid %": 100 * sum(_obeys(r) for r in flips) / len(rows),
                "distance x1000": 1e3 * (mean(flips, "dist") or 0.0) if flips else None,
                "changed": mean(flips, "changed"),
                "off D %": 100 * sum(not r["in_domain"] for r in flips) / max(len(flips), 1),
            }


def _dots(axis: Any, gaps: dict[str, list[float | None]]) -> None:
    """One column per data set, one mark per system."""
    for number, (name, values) in enumerate(gaps.items()):
        points = [(place + 0.12 * (number - 2), gap) for place, gap in enumerate(values) if gap is not None]
        style = {"color": drawing.PALETTE[number], "marker": drawing.MARKERS[number], "ls": "", "ms": 11}
        axis.plot([x for x, _ in points], [y for _, y in points], label=name, **style)
    names = [{"give_me_some_credit": "give me credit"}.get(name, name) for name in DATASETS]
    axis.set_xticks(range(len(DATASETS)), names, rotation=20, ha="right", rotation_mode="anchor")
    axis.set_yscale("log")
    axis.set_ylabel("distance / reference")
    drawing.tidy(axis)


def _of(records: Sequence[Record], cell: str, system: str) -> list[Record]:
    return [r for r in records if (r["cell"], r["system"]) == (cell, system)]
