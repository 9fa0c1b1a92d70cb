"""An earlier batch under a new model: what holds, what replaces the rest, in the same files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from sklearn.tree import DecisionTreeClassifier

import geco
from engines import small
from geco.errors import BatchError


def model(limit: float) -> Any:
    frame = small.features()[["age", "income"]].fillna(0)
    return DecisionTreeClassifier(max_depth=4, random_state=0).fit(frame, frame["age"] / 10 + frame["income"] > limit)


def explainer() -> geco.Explainer:
    frame = small.features()[["age", "income"]].fillna(0)
    return geco.Explainer(model(10), geco.Database.from_frame(frame))


def batch(out: Path, **more: Any) -> geco.Batch:
    rows = small.table()[["customer", "age", "income"]].fillna(0)
    return geco.batch(explainer(), rows, out, key="customer", k=2, workers=1, part_rows=10, **more)


def lines(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for file in sorted(folder.glob("part*")) for line in file.open(encoding="utf-8")]


@pytest.mark.parametrize("format", ["parquet", "jsonl"])
def test_a_rechecked_batch_says_what_recheck_says(format: str, tmp_path: Path) -> None:
    may = batch(tmp_path / "may", format=format)
    june = may.recheck(explainer(), tmp_path / "june", model=model(10.4), workers=1, format="jsonl", part_rows=7)
    rows = small.table()[["age", "income"]].fillna(0)
    oracle = explainer().recheck(explainer().explain_many(rows, k=2), model(10.4))
    answers = lines(tmp_path / "june" / "answers")
    earlier = [a for a in answers if a["holds"] is not None]
    instead = {e.row: e.instead.to_dict()["values"] for e in oracle if e.instead is not None}

    assert [(a["row"], a["place"], a["holds"], a["outcome"]) for a in earlier] == [
        (e.row, e.place, e.holds, e.outcome) for e in oracle
    ]
    assert {a["row"]: a["values"] for a in answers if a["holds"] is None} == instead
    assert 0 < sum(a["holds"] for a in earlier) < len(earlier)
    assert june.rows == may.rows


def test_the_model_of_today_leaves_every_answer_as_it_was(tmp_path: Path) -> None:
    batch(tmp_path / "may", format="jsonl")
    geco.Batch.open(tmp_path / "may").recheck(explainer(), tmp_path / "june", workers=1, format="jsonl")
    before, after = (lines(tmp_path / name / "answers") for name in ("may", "june"))

    assert [{**a, "holds": True} for a in before] == after


def test_an_interrupted_recheck_is_resumed_and_another_batch_refused(tmp_path: Path) -> None:
    may = batch(tmp_path / "may")
    settings: dict[str, Any] = {"model": model(10.4), "workers": 1, "part_rows": 10}
    may.recheck(explainer(), tmp_path / "whole", **settings)
    may.recheck(explainer(), tmp_path / "june", **settings)
    (tmp_path / "june" / "rows" / "part-000001.parquet").unlink()
    (tmp_path / "june" / "_SUCCESS").unlink()
    may.recheck(explainer(), tmp_path / "june", **settings, resume=True)

    assert small.files(tmp_path / "june") == small.files(tmp_path / "whole")
    with pytest.raises(BatchError, match=r"input\.manifest"):
        batch(tmp_path / "other", seed=1).recheck(explainer(), tmp_path / "june", **settings, resume=True)


def test_what_is_not_a_complete_batch_or_has_no_types_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BatchError, match="holds no complete batch"):
        geco.Batch.open(tmp_path)
    with pytest.raises(BatchError, match="a batch in CSV"):
        batch(tmp_path / "csv", format="csv").recheck(explainer(), tmp_path / "june")
