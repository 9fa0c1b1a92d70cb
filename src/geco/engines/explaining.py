"""Explaining: an Arrow table in, one row per x with its answers out; what Ray and Spark call on each batch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from geco.data.schema import Schema
from geco.engines.parquetrows import arrow_rows
from geco.engines.parts import key_of
from geco.engines.records import record_of
from geco.engines.rows import key_type_of
from geco.engines.tables import explained_table
from geco.errors import DataError, did_you_mean
from geco.explainer import Explainer


class Explaining:
    """An explainer, asked the same about every row of any table.

    Parameters
    ----------
    key : a column that the answers carry.
    row : a column with the number of each row; null in the answers if there is none.
    question : k, seed and what else ``explain_many`` takes.
    """

    def __init__(
        self, explainer: Explainer, key: str | None, row: str | None, question: dict[str, Any], threads: int
    ) -> None:
        self.explainer, self.key, self.row = explainer, key, row
        self.question, self.threads = question, threads

    def __call__(self, table: Any) -> Any:
        """One row per x, in the order of the table."""
        domain = self.explainer.domain
        key_type = key_type_in(table.schema, domain.schema, self.key, self.row)
        rows = list(arrow_rows(table.to_batches(), domain.names, self.key))
        numbers = [None] * len(rows) if self.row is None else table.column(self.row).to_pylist()
        explanations = self.explainer.explain_many([row.x for row in rows], threads=self.threads, **self.question)
        records = [
            record_of(number, key_of(row.key, key_type), explanation, domain)
            for number, row, explanation in zip(numbers, rows, explanations, strict=True)
        ]
        return explained_table(records, domain.schema, key_type)[0]


def key_type_in(schema: Any, features: Schema, *columns: str | None) -> str:
    """The type of the first of these columns, the key; raises if any column that is needed is not there."""
    needed = [*features.names, *(column for column in columns if column is not None)]
    lacking = [name for name in needed if name not in schema.names]
    if lacking:
        raise DataError(_lacking(lacking, schema.names))
    return "string" if columns[0] is None else key_type_of(schema.field(columns[0]).type)


def _lacking(lacking: Sequence[str], names: Sequence[str]) -> str:
    shown = ", ".join(f"{name!r}{did_you_mean(name, names)}" for name in lacking[:5])
    return f"the table has no column {shown}; it must have all features of D, and the columns named as key and row"
