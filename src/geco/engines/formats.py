"""Records ▶ the two files of a part, one row per x and one row per answer, as Parquet, JSON lines or CSV.

The same records give the same bytes: every setting of a writer is fixed here, and nothing is written that depends on
the machine or the hour.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, Self

from geco.answers.values import plain
from geco.data.schema import Schema
from geco.engines.records import Record
from geco.engines.schema import ANSWER, ROWS, arrow
from geco.engines.tables import answers_table, explained_table, rows_table

FIRST = ("row", "key", "place")
# A sign that UTF-8 does not have (half of a surrogate pair) is written as JSON escapes it.
TEXT: dict[str, Any] = {"encoding": "utf-8", "errors": "backslashreplace", "newline": ""}


class Content(Protocol):
    """What will be in a file."""

    def write(self, path: Path) -> None: ...

    def beside(self, path: Path, replaced: set[int]) -> Self:
        """Together with what is in a file already, but for the rows of these numbers; in the order of the input."""
        ...


@dataclass(frozen=True)
class Filled:
    """A part that is ready to be written, and the records as they are in it."""

    rows: Content
    answers: Content
    records: Sequence[Record]


@dataclass(frozen=True)
class Format:
    """How a part becomes files, and which rows of a file have failed."""

    suffix: str
    fill: Callable[[Sequence[Record], Schema, str], Filled]
    failed: Callable[[Path], set[int]]


@dataclass(frozen=True)
class Table:
    """Parquet: typed columns, answers of many values in a few bytes."""

    table: Any

    def write(self, path: Path) -> None:
        from pyarrow import parquet

        parquet.write_table(
            self.table.combine_chunks(), path, version="2.6", compression="zstd", compression_level=3,
            use_dictionary=True, data_page_version="1.0", row_group_size=1 << 20, write_statistics=True,
            store_schema=True,
        )  # fmt: skip

    def beside(self, path: Path, replaced: set[int]) -> Table:
        pa = arrow()
        from pyarrow import compute

        schema = self.table.schema
        old = pa.Table.from_arrays(
            _read(path).columns, schema=schema
        )  # what is read has marks of its own in its schema
        others = old.filter(compute.invert(compute.is_in(old.column("row"), pa.array(sorted(replaced), pa.int64()))))
        both = pa.concat_tables([others, self.table])
        order = [("row", "ascending"), *([("place", "ascending")] if "place" in schema.names else [])]
        indices = compute.sort_indices(both.select([name for name, _ in order]), sort_keys=order)
        return Table(pa.Table.from_arrays(both.take(indices).columns, schema=schema))

    @staticmethod
    def fill(records: Sequence[Record], features: Schema, key: str) -> Filled:
        explained, held = explained_table(records, features, key)
        return Filled(Table(rows_table(explained)), Table(answers_table(explained)), held)

    @staticmethod
    def failed(rows: Path) -> set[int]:
        found = _read(rows, ["row", "status"]).to_pydict()
        return {row for row, status in zip(found["row"], found["status"], strict=True) if status == "failed"}


@dataclass(frozen=True)
class Lines:
    """JSON lines: an object each."""

    objects: Sequence[Record]

    def write(self, path: Path) -> None:
        with path.open("w", **TEXT) as file:
            for each in self.objects:
                file.write(json.dumps(each, ensure_ascii=False, allow_nan=False) + "\n")

    def beside(self, path: Path, replaced: set[int]) -> Lines:
        others = [each for each in _objects(path) if each["row"] not in replaced]
        return Lines(sorted([*others, *self.objects], key=lambda each: (each["row"], each.get("place", 0))))

    @staticmethod
    def fill(records: Sequence[Record], features: Schema, key: str) -> Filled:
        rows = [{name: _json(record[name]) for name in ROWS} for record in records]
        return Filled(Lines(rows), Lines([_json(answer) for answer in _answers(records)]), records)

    @staticmethod
    def failed(rows: Path) -> set[int]:
        return {row["row"] for row in _objects(rows) if row["status"] == "failed"}


@dataclass(frozen=True)
class Fields:
    """CSV, flat: ``values.age`` is a column; lists are JSON."""

    head: Sequence[str]
    lines: Sequence[Sequence[Any]]

    def write(self, path: Path) -> None:
        with path.open("w", **TEXT) as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(self.head)
            writer.writerows(self.lines)

    def beside(self, path: Path, replaced: set[int]) -> Fields:
        with path.open(**TEXT) as file:
            _, *old = csv.reader(file)
        others = [line for line in old if int(line[0]) not in replaced]
        place = FIRST.index("place") if "place" in self.head else 0
        return Fields(self.head, sorted([*others, *self.lines], key=lambda line: (int(line[0]), int(line[place]))))

    @staticmethod
    def fill(records: Sequence[Record], features: Schema, key: str) -> Filled:
        of_x = [name for name in ROWS if name not in ("x", "nearest_miss")]
        of_answer = [*FIRST, *(name for name in ANSWER if name != "values")]
        rows = [[*_cells(r, of_x), *_cells(r["x"], features.names), _cell(r["nearest_miss"])] for r in records]
        answers = [[*_cells(a, of_answer), *_cells(a["values"], features.names)] for a in _answers(records)]
        head = [*of_x, *(f"x.{name}" for name in features.names), "nearest_miss"]
        below = [*of_answer, *(f"values.{name}" for name in features.names)]
        return Filled(Fields(head, rows), Fields(below, answers), records)

    @staticmethod
    def failed(rows: Path) -> set[int]:
        with rows.open(**TEXT) as file:
            return {int(row["row"]) for row in csv.DictReader(file) if row["status"] == "failed"}


FORMATS = {
    "parquet": Format(".parquet", Table.fill, Table.failed),
    "jsonl": Format(".jsonl", Lines.fill, Lines.failed),
    "csv": Format(".csv", Fields.fill, Fields.failed),
}


def _answers(records: Iterable[Record]) -> Iterator[Record]:
    for record in records:
        for answer in record["answers"]:
            yield {"row": record["row"], "key": record["key"], **answer}


def _read(path: Path, columns: list[str] | None = None) -> Any:
    from pyarrow import parquet

    return parquet.ParquetFile(path).read(columns)  # read_table would look at the names of the folders above


def _objects(path: Path) -> list[Record]:
    with path.open(**TEXT) as file:
        return [json.loads(line) for line in file]


def _json(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _json(each) for name, each in value.items()}
    return [_json(each) for each in value] if isinstance(value, list) else plain(value)


def _cells(values: Record | None, names: Sequence[str]) -> list[Any]:
    return [_cell(None if values is None else values[name]) for name in names]


def _cell(value: Any) -> Any:
    """Numbers in the shortest digits that read back as the same; missing is an empty field."""
    if isinstance(value, dict | list):
        return json.dumps(_json(value), ensure_ascii=False)
    value = plain(value)
    return str(value).lower() if isinstance(value, bool) else value
