"""Records ▶ Arrow tables: one row per x with its answers, and that table as one row per x and one row per answer."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from geco.data.schema import Schema
from geco.engines.records import Record, not_held
from geco.engines.schema import arrow, explained_schema


def explained_table(records: Sequence[Record], features: Schema, key: str = "string") -> tuple[Any, list[Record]]:
    """One row per x, and the records as they were written: one that no column can hold has failed."""
    pa = arrow()
    schema = explained_schema(features, key)
    try:
        return _table(records, features, schema), list(records)
    except (pa.ArrowException, OverflowError, TypeError, ValueError):
        held = [_held(record, features, schema) for record in records]
        return _table(held, features, schema), held


def answers_table(explained: Any) -> Any:
    """One row per answer of a table of `explained_table`."""
    pa = arrow()
    from pyarrow import compute

    answers = explained.column("answers").combine_chunks()
    of = compute.list_parent_indices(answers)
    flat = compute.list_flatten(answers)
    columns = {name: explained.column(name).take(of) for name in ("row", "key")}
    columns |= {field.name: compute.struct_field(flat, field.name) for field in answers.type.value_type}
    first = [explained.schema.field(name) for name in ("row", "key")]
    return pa.table(columns, schema=pa.schema([*first, *answers.type.value_type], explained.schema.metadata))


def rows_table(explained: Any) -> Any:
    """One row per x, its answers left to the other table."""
    return explained.drop_columns(["answers"])


def _table(records: Sequence[Record], features: Schema, schema: Any) -> Any:
    whole = [feature.name for feature in features if feature.type == "integer"]
    for record in records:
        for values in (record["x"], *(answer["values"] for answer in record["answers"])):
            for name in whole if values else ():
                if type(values[name]) is float and not values[name].is_integer():  # Arrow would cut it
                    raise ValueError(f"{name} = {values[name]}, and the column has whole numbers as D has")
    return arrow().Table.from_pylist([_in_arrow(record) for record in records], schema)


def _held(record: Record, features: Schema, schema: Any) -> Record:
    """The record, if the schema can hold it; only looked at where some row of its part cannot."""
    try:
        _table([record], features, schema)
    except (arrow().ArrowException, OverflowError, TypeError, ValueError) as error:
        return not_held(record, error)
    return record


def _in_arrow(record: Record) -> Record:
    """Values of different types cannot share a column, so those of a change are JSON texts."""
    miss = record["nearest_miss"]
    return {
        **record,
        "nearest_miss": None if miss is None else _answer_in_arrow(miss),
        "answers": [_answer_in_arrow(answer) for answer in record["answers"]],
    }


def _answer_in_arrow(answer: Record) -> Record:
    return {**answer, "changes": [_change(change) for change in answer["changes"]]}


def _change(change: Record) -> Record:
    texts = {side: _text(change[side]) for side in ("before", "after")}
    ends = {end: None if change[end] is None else _text(change[end]) for end in ("low", "high")}
    return {**change, **texts, **ends, "others": [_text(value) for value in change["others"]]}


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
