"""results/README.md: every claim of the paper beside what was measured, then each experiment's tables and figures."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.experiments import drawing
from benchmarks.experiments.harness import RESULTS, Experiment, Record, Size, Store, Verdict
from benchmarks.report import markdown

CLAIMS = Path(__file__).resolve().parent / "claims.toml"
HEAD = """# The paper's experiments, measured again

Made by `make report` from the records in results/experiments/ (`make bench`, `make bench-peers`, `make
bench-full`). The paper's own runs are *genetic*: Algorithm 1 as printed, `ways="top"`, the best of k = 5;
geco's default, *frontier*, stands beside them. Times are wall-clock on one thread of a shared machine: read
ratios. Allstate and Yelp are not available; tables named so are **synthetic**, made by
`benchmarks/synthetic_tables.py` in their shape. How many instances each figure comes from stands with it; with few
of them, "holds" and "does not" are about those few. A ratio holds if it has the paper's direction and, where the
verdict is about its size, at least half of it.
"""


def claims() -> list[Record]:
    """What the paper says."""
    return list(tomllib.loads(CLAIMS.read_text(encoding="utf-8"))["claim"])


def write(experiments: Sequence[Experiment], page: Path, folder: Path | None = None) -> Path:
    """The whole report; figures go beside the records."""
    folder = folder or RESULTS
    stores = {e.name: Store(e.name, folder) for e in experiments}
    verdicts: dict[str, Verdict] = {}
    counts: dict[str, str] = {}
    parts = []
    for experiment in experiments:
        records = stores[experiment.name].records()
        if set(experiment.keys("tiny")) <= stores[experiment.name].done():
            verdicts |= experiment.claims(records)
            counts[experiment.name] = _instances(experiment.tables(records))
            parts.append(_section(experiment, stores[experiment.name], records, folder, page.parent))
        else:
            parts.append(f"## {experiment.title}\n\nNot measured yet: {len(records)} records.\n")
    table = markdown([_row(claim, verdicts.get(claim["id"]), counts) for claim in claims()])
    page.write_text("\n".join([HEAD, "## Claims\n", table, "", *parts]), encoding="utf-8")
    return page


def _row(claim: Record, verdict: Verdict | None, counts: dict[str, str]) -> Record:
    if verdict is None or verdict.holds is None:
        answer = f"not measured{': ' + verdict.because if verdict and verdict.because else ''}"
    else:
        joint = ": " if verdict.because.startswith("see ") else ", because "
        answer = "holds" if verdict.holds else f"does not{joint}{verdict.because}"
        if verdict.holds and verdict.because:
            answer += f": {verdict.because}"
    return {
        "where": claim["where"],
        "the paper's claim": claim["text"],
        "paper": claim["paper"],
        "ours": verdict.ours if verdict else "-",
        "does it hold": answer,
        "instances": counts.get(claim["experiment"], "0"),
    }


def _instances(tables: dict[str, list[Record]]) -> str:
    """How many instances one line of the first table comes from: the least and the most."""
    counts = [line["instances"] for line in next(iter(tables.values())) if "instances" in line] or [1]
    return str(min(counts)) if min(counts) == max(counts) else f"{min(counts)} to {max(counts)}"


def _section(experiment: Experiment, store: Store, records: Sequence[Record], folder: Path, home: Path) -> str:
    """One experiment: its setting as the module has it, where its numbers come from, its tables, its figures."""
    setting = (sys.modules[type(experiment).__module__].__doc__ or "").partition("\n\n")[2]
    text = [
        f"## {experiment.title}\n",
        setting,
        f"{len(records)} records in `{store.path.name}`, {store.seconds():.0f} s; size: {_size(experiment, store)}.\n",
    ]
    text += dict.fromkeys(f"Measured on {_facts(header)}.\n" for header in store.facts())
    for caption, rows in experiment.tables(records).items():
        text.append(f"**{caption}**\n\n{markdown(rows)}\n" if rows else f"**{caption}**: none.\n")
    for name, figure in experiment.figures(records).items():
        drawing.save(figure, folder / "figures", name)
        place = (folder / "figures" / f"{name}.png").relative_to(home)
        text.append(f"![{experiment.title}]({place.as_posix()})\n")
    return "\n".join(text)


def _size(experiment: Experiment, store: Store) -> str:
    """The largest size all of whose units are done."""
    sizes: tuple[Size, ...] = ("tiny", "quick", "paper")
    return [size for size in sizes if set(experiment.keys(size)) <= store.done()][-1]


def _facts(header: dict[str, Any]) -> str:
    versions = ", ".join(f"{name} {number}" for name, number in header["versions"].items())
    machine = header["machine"]
    return f"{machine['cores']} cores ({machine['system']}, {machine['machine']}); {versions}"
