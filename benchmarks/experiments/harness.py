"""The harness: units of work, one JSON line per instance, resumed where a run was interrupted.

An Experiment names its units by text keys. A unit's records are written together with a line that says it is done;
what a killed run left behind without that line is dropped, and the unit is run again. Paper size goes on where quick
ended: the keys of a larger size contain those of the smaller. A run writes to results/raw/; what is complete is then
published in results/experiments/, of which the report is made.
"""

from __future__ import annotations

import json
import os
import platform
import shutil
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal, NamedTuple

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

import geco

RESULTS = Path(__file__).resolve().parents[2] / "results" / "experiments"
RUNNING = RESULTS.parent / "raw" / "experiments"  # not committed: a fresh clone measures everything itself
Size = Literal["tiny", "quick", "peers", "paper"]
Record = dict[str, Any]
CHUNK = 5  # rows of one unit: what an interrupted run can lose

# Okabe and Ito's colours; hatches and markers tell the systems apart without colour.
PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#999999", "#000000")
LIBRARIES = ("numpy", "pandas", "scikit-learn", "xgboost-cpu", "xgboost", "z3-solver")


class Verdict(NamedTuple):
    """What we measured for one claim of the paper: does it hold, and if not, why not."""

    ours: str
    holds: bool | None  # None: not measured
    because: str = ""


class Experiment(ABC):
    """One table or figure of the paper.

    Attributes
    ----------
    name : of the file with its records; the paper's table or figure.
    title : what it shows, in a line.
    """

    name: str
    title: str

    @abstractmethod
    def keys(self, size: Size) -> list[str]:
        """The units of work; those of ``tiny``, a trial of minutes, are enough for tables, figures and claims."""

    @abstractmethod
    def run(self, key: str) -> list[Record]:
        """One unit: a record per instance."""

    @abstractmethod
    def tables(self, records: Sequence[Record]) -> dict[str, list[Record]]:
        """Tables by their captions, a dict per line."""

    @abstractmethod
    def figures(self, records: Sequence[Record]) -> dict[str, Any]:
        """Matplotlib figures by file name."""

    @abstractmethod
    def claims(self, records: Sequence[Record]) -> dict[str, Verdict]:
        """Verdicts by the claim's id in claims.toml."""


class Store:
    """The records of one experiment, on disk."""

    def __init__(self, name: str, folder: Path | None = None) -> None:
        self.path = (folder or RESULTS) / f"{name}.jsonl"

    def done(self) -> set[str]:
        return {line["done"] for line in self._lines() if "done" in line}

    def records(self) -> list[Record]:
        """Of complete units only."""
        done = self.done()
        return [line for line in self._lines() if line.get("key") in done]

    def facts(self) -> list[Record]:
        """The header of every run: versions and machine."""
        return [line for line in self._lines() if "versions" in line]

    def seconds(self) -> float:
        return sum(line["seconds"] for line in self._lines() if "done" in line)

    def open(self) -> None:
        """Drop what an interrupted run left unfinished, and say on what the next lines are measured."""
        done, header = self.done(), facts()
        kept = [x for x in self._lines() if "versions" in x or x.get("key", x.get("done")) in done]
        if [x for x in kept if "versions" in x][-1:] != [header]:
            kept.append(header)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        beside = self.path.with_suffix(".new")
        beside.write_text("".join(_line(x) for x in kept), encoding="utf-8")
        beside.replace(self.path)

    def add(self, key: str, records: Iterable[Record], seconds: float) -> None:
        """All lines of a unit in one write."""
        lines = [*({"key": key, **record} for record in records), {"done": key, "seconds": round(seconds, 3)}]
        with self.path.open("a", encoding="utf-8") as file:
            file.write("".join(_line(x) for x in lines))
            file.flush()
            os.fsync(file.fileno())

    def _lines(self) -> list[Record]:
        if not self.path.exists():
            return []
        lines = []
        for text in self.path.read_text(encoding="utf-8").splitlines():
            try:
                lines.append(json.loads(text))
            except json.JSONDecodeError:  # the line that was being written when the run was killed
                continue
        return lines


def facts() -> Record:
    """Versions and machine."""
    versions = {"python": platform.python_version(), "geco": geco.__version__}
    for name in LIBRARIES:
        try:
            versions[name] = version(name)
        except ImportError:
            continue
    machine = {"system": platform.system(), "machine": platform.machine(), "cores": os.cpu_count()}
    return {"versions": versions, "machine": machine}


def run(experiments: Sequence[Experiment], size: Size, folder: Path | None = None) -> None:
    """Every unit that is not done yet, with the time left."""
    stores = {e.name: Store(e.name, folder or RUNNING) for e in experiments}
    for store in stores.values():
        store.open()
    left = [(e, key) for e in experiments for key in e.keys(size) if key not in stores[e.name].done()]
    if not left:
        print(f"everything was measured already; to measure again, remove {next(iter(stores.values())).path.parent}")
    columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("left"), TimeRemainingColumn())
    with Progress(TextColumn("{task.description}"), *columns) as bar:
        task = bar.add_task("", total=len(left))
        for experiment, key in left:
            bar.update(task, description=f"{experiment.name} {key}")
            start = time.perf_counter()
            records = experiment.run(key)
            stores[experiment.name].add(key, records, time.perf_counter() - start)
            bar.advance(task)


def publish(experiments: Sequence[Experiment]) -> None:
    """Take over what was run, instead of what was published before."""
    RESULTS.mkdir(parents=True, exist_ok=True)
    for experiment in experiments:
        shutil.copyfile(Store(experiment.name, RUNNING).path, Store(experiment.name).path)


def chunks(size: Size, quick: int, paper: int = 5000) -> list[str]:
    """The last part of the keys that cover so many rows; one unit if tiny."""
    rows = {"tiny": 1, "paper": paper}.get(size, quick)
    return [str(number) for number in range(-(-rows // CHUNK))]


def chunk(rows: Sequence[int], number: str) -> list[int]:
    """The rows of one unit."""
    return list(rows[int(number) * CHUNK : (int(number) + 1) * CHUNK])


def mean(records: Iterable[Record], name: str, where: Callable[[Record], bool] = lambda r: True) -> float | None:
    """The mean of what is there; None of nothing."""
    values = [r[name] for r in records if where(r) and r.get(name) is not None]
    return sum(values) / len(values) if values else None


def _line(record: Record) -> str:
    return json.dumps(record, default=_plain, ensure_ascii=False) + "\n"


def _plain(value: Any) -> Any:
    """NumPy's scalars as Python's."""
    return value.item() if hasattr(value, "item") else str(value)
