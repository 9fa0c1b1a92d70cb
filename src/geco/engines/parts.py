"""One part of the input: explained and written as two whole files. All engines do this and nothing else."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from geco.engines.durable import write_whole
from geco.engines.formats import FORMATS, Content, Filled
from geco.engines.rechecking import rechecked_records
from geco.engines.records import Record, record_of
from geco.engines.rows import Row
from geco.explainer import Explainer

Done = dict[str, Any]  # what the journal and the manifest say of a part


@dataclass(frozen=True)
class Job:
    """What is the same for all parts.

    Attributes
    ----------
    out : the folder.
    question : k, seed and what else ``explain_many`` is asked.
    threads : of the native core, in each worker.
    rechecks : whether rows are those of an earlier batch, to be rechecked.
    """

    out: str
    question: dict[str, Any]
    format: str = "parquet"
    key_type: str = "string"
    threads: int = 1
    rechecks: bool = False

    @property
    def suffix(self) -> str:
        return FORMATS[self.format].suffix

    def files(self, part: int) -> tuple[Path, Path]:
        """One row per x, one row per answer."""
        name = f"part-{part:06d}{self.suffix}"
        return Path(self.out, "rows", name), Path(self.out, "answers", name)


@dataclass(frozen=True)
class Task:
    """One part: its number, the number of its first row, the rows.

    ``before`` is what was known of the part if only its failed rows are to be explained again. ``count`` is there where
    the rows are not: so many are to be read.
    """

    part: int
    first: int
    rows: Sequence[Row]
    before: Done | None = None
    count: int | None = None


def explain_part(explainer: Explainer, job: Job, task: Task) -> Done:
    """Explain the rows, write the files, and say what is in them."""
    again = None if task.before is None else _failed(job, task)
    numbered = [(task.first + i, row) for i, row in enumerate(task.rows) if again is None or task.first + i in again]
    filled = fill(explainer, job, numbered)
    rows, answers = job.files(task.part)
    counts = _counts(filled.records)
    if again is not None and task.before is not None:
        counts = _added(task.before, counts, len(again))
    # The rows come last: where they are, the answers are.
    written = [_write(answers, filled.answers, again), _write(rows, filled.rows, again)]
    files = {f"{path.parent.name}/{path.name}": of for path, of in zip((answers, rows), written, strict=True)}
    range_of = {"part": task.part, "first": task.first, "rows": len(task.rows), "input": input_digest(task.rows)}
    return {**range_of, **counts, "files": files}


def fill(explainer: Explainer, job: Job, numbered: Sequence[tuple[int | None, Row]]) -> Filled:
    """The answers of some rows, ready to be written."""
    if job.rechecks:
        records = rechecked_records(explainer, numbered, job.question, job.threads)
    else:
        explanations = explainer.explain_many([row.x for _, row in numbered], threads=job.threads, **job.question)
        records = [
            record_of(number, key_of(row.key, job.key_type), explanation, explainer.domain)
            for (number, row), explanation in zip(numbered, explanations, strict=True)
        ]
    return FORMATS[job.format].fill(records, explainer.domain.schema, job.key_type)


def key_of(key: Any, key_type: str) -> Any:
    """As the column of keys has it.

    Examples
    --------
    >>> key_of(17, "int64"), key_of(17, "string"), key_of(None, "string")
    (17, '17', None)
    """
    if key is None or key != key:
        return None
    return int(key) if key_type == "int64" else str(key)


def input_digest(rows: Sequence[Row]) -> str:
    """Of the rows of a part, by which one notices that a query gives others now."""
    return hashlib.sha256(repr([tuple(row) for row in rows]).encode("utf-8", "backslashreplace")).hexdigest()


def _failed(job: Job, task: Task) -> set[int] | None:
    """The rows of this part that failed; None if its file is not there."""
    rows, answers = job.files(task.part)
    return FORMATS[job.format].failed(rows) if rows.exists() and answers.exists() else None


def _write(path: Path, made: Content, again: set[int] | None) -> Done:
    content = made if again is None else made.beside(path, again)
    length, digest = write_whole(path, content.write)
    return {"bytes": length, "sha256": digest}


def _counts(records: Sequence[Record]) -> Done:
    """What adds up to the summary: how rows ended, and what the nearest answers change."""
    statuses = Counter(record["status"] for record in records)
    nearest = [record["answers"][0] for record in records if record["answers"]]
    changed = Counter(change["feature"] for answer in nearest for change in answer["changes"])
    return {
        "answers": sum(record["found"] for record in records),
        "statuses": dict(sorted(statuses.items())),
        "changed": dict(sorted(changed.items())),
    }


def _added(before: Done, new: Done, again: int) -> Done:
    """The counts of a part of which some rows were explained again."""
    statuses: Counter[str] = Counter(before["statuses"]) + Counter(new["statuses"])
    statuses["failed"] -= again
    return {
        "answers": before["answers"] + new["answers"],
        "statuses": {name: n for name, n in sorted(statuses.items()) if n},
        "changed": dict(sorted((Counter(before["changed"]) + Counter(new["changed"])).items())),
    }
