"""The published schema is the one that is written."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow.parquet as pq

import geco
from conftest import REPOSITORY
from engines import small
from geco.engines.schema import ANSWER, CHANGE, ROWS, answers_schema, described, explained_schema


def test_the_published_description_is_that_of_the_code() -> None:
    published = json.loads((REPOSITORY / "docs" / "batch_schema.json").read_text(encoding="utf-8"))
    page = (REPOSITORY / "docs" / "batch_schema.md").read_text(encoding="utf-8")
    columns = {**ROWS, **ANSWER, **CHANGE}

    assert published == described()
    assert all(f"| `{name}` | {cls} | {means} |" in page for name, (cls, means) in columns.items())


def test_the_files_have_the_published_columns_and_types(tmp_path: Path) -> None:
    geco.batch(small.explainer(), small.table(), tmp_path / "out", key="customer", k=1, workers=1)
    features = small.explainer().domain.schema
    rows, answers = (pq.read_schema(tmp_path / "out" / name / "part-000000.parquet") for name in ("rows", "answers"))

    assert rows.names == list(ROWS)
    assert answers.names == ["row", "key", "place", *ANSWER]
    assert rows.equals(explained_schema(features, "int64").remove(len(ROWS)))
    assert answers.equals(answers_schema(features, "int64"))
    assert rows.metadata[b"geco.answers"] == b"1"
    assert str(answers.field("values").type) == (
        "struct<age: int64, income: double, housing: string, married: bool, since: timestamp[us]>"
    )
