"""The page of a batch: all rows counted, some of them drawn, summed up and told person by person."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from geco.answers.batchsheet import Drawn, batch_sheet
from geco.answers.explanation import Action, Counterfactual, Explanation
from geco.answers.range import Range
from geco.engines.reading import name_of, reader_of, records_in
from geco.engines.records import Record
from geco.explainer import Explainer

SEED = 0  # the same rows are drawn each time


def batch_page(
    folder: Path, manifest: Mapping[str, Any], explainer: Explainer, rows: int, by: str | None, language: str
) -> str:
    """The HTML; ``rows`` are drawn at most, whatever the size of the batch."""
    records = list(_drawn(folder, manifest, rows))
    explanations = [_explanation(record, explainer) for record in records]
    compiled = all(member.compiled is not None for member in explainer._parts.panel.members)
    asked = 20 if compiled else 0  # what stands in the way takes a black box dozens of searches a person
    summary = explainer.summary(explanations, by=by, obstacles=asked) if explanations else None
    ids = None if manifest["key"] is None else [record["key"] for record in records]
    drawn = Drawn([record["row"] for record in records], manifest["statuses"])
    return batch_sheet(explanations, ids, language, summary, script=True, drawn=drawn)


def _drawn(folder: Path, manifest: Mapping[str, Any], rows: int) -> Iterator[Record]:
    """So many rows, in their order; a part at a time is read."""
    total = int(manifest["rows"])
    chosen = np.sort(np.random.default_rng(SEED).choice(total, min(rows, total), replace=False))
    read = reader_of(folder, manifest, "report on")
    for part in manifest["parts"]:
        first, last = np.searchsorted(chosen, [part["first"], part["first"] + part["rows"]])
        if first < last:
            wanted = set(chosen[first:last].tolist())
            yield from (record for record in records_in(folder, name_of(part), read) if record["row"] in wanted)


def _explanation(record: Record, explainer: Explainer) -> Explanation:
    """As far as a page needs it."""
    answers = [answer for answer in record["answers"] if answer["holds"] is not False]
    return Explanation(
        record["x"] or {},
        float("nan") if record["outcome"] is None else record["outcome"],
        record["target"],
        record["status"],
        record["stopped_by"],
        record["reason"],
        tuple(_counterfactual(answer, explainer) for answer in answers),
        notes=tuple(record["notes"]),
        proven=record["proven"],
        gap=record["gap"],
        proven_ways=record["proven_ways"],
        wording=explainer._parts.wording,
    )


def _counterfactual(answer: Record, explainer: Explainer) -> Counterfactual:
    features, values = explainer.domain.features, answer["values"]
    actions = [
        Action(
            (name := change["feature"]),
            change["before"],
            values.get(name, change["after"]),
            change["required_by"],
            categorical=name not in features or features[name].kind == "categorical",
        )
        for change in answer["changes"]
    ]
    ranges = {
        change["feature"]: Range(change["low"], change["high"], others=tuple(change["others"]))
        for change in answer["changes"]
        if change["low"] is not None and change["high"] is not None
    }
    return Counterfactual(
        values,
        tuple(actions),
        answer["distance"],
        float("nan") if answer["outcome"] is None else answer["outcome"],
        answer["confirmed"],
        tuple(answer["groups"]),
        ranges=ranges,
    )
