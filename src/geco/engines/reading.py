"""The parts of a complete batch, read back: one record per row, with its answers, as records.py made it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from geco.engines.records import Record
from geco.errors import BatchError

Reader = Callable[[Path], list[Record]]
_TEXTS = ("before", "after", "low", "high")


def reader_of(folder: Path, manifest: Mapping[str, Any], wish: str) -> Reader:
    """How its files are read; ``wish`` is what for."""
    readers = {"parquet": _parquet, "jsonl": _lines}
    if manifest["format"] not in readers:
        raise BatchError(f"{folder} is a batch in CSV, whose fields have no types; {wish} Parquet or JSON lines")
    return readers[manifest["format"]]


def name_of(part: Mapping[str, Any]) -> str:
    """Of the files of a part, without what follows the dot."""
    return f"part-{part['part']:06d}"


def records_in(folder: Path, name: str, read: Reader) -> Iterator[Record]:
    """The rows of one part."""
    answers: dict[int, list[Record]] = {}
    for answer in read(folder / "answers" / name):
        number = answer.pop("row")
        answers.setdefault(number, []).append({n: v for n, v in answer.items() if n != "key"})
    for row in read(folder / "rows" / name):
        yield {**row, "answers": answers.get(row["row"], [])}


def _parquet(path: Path) -> list[Record]:
    from pyarrow import parquet

    read: list[Record] = parquet.ParquetFile(path.with_suffix(".parquet")).read().to_pylist()
    for record in read:
        for change in record.get("changes", ()):
            change.update({name: json.loads(change[name]) for name in _TEXTS if change[name] is not None})
            change["others"] = [json.loads(text) for text in change["others"]]
    return read


def _lines(path: Path) -> list[Record]:
    with path.with_suffix(".jsonl").open(encoding="utf-8") as file:
        return [json.loads(line) for line in file]
