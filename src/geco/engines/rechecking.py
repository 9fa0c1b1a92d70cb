"""An earlier batch under a new model: which of its answers still hold, and what replaces the others, as a batch again.

In ``answers/`` the earlier answers keep their places; ``holds`` says whether the new model calls them good, and
``outcome`` is its number. Where one no longer holds, the nearest new answer follows, whose ``holds`` is null as in any
batch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from geco.answers.explanation import Counterfactual, Explanation
from geco.engines.durable import digest_of
from geco.engines.inputs import Source
from geco.engines.reading import Reader, name_of, reader_of, records_in
from geco.engines.records import Record, answer_of
from geco.engines.rows import Row, key_type_of
from geco.errors import GecoError
from geco.explainer import Explainer
from geco.questions.recheck import Rechecked, recheck


def earlier_batch(folder: Path, manifest: dict[str, Any]) -> Source:
    """The rows of a complete batch, each with its answers."""
    read = reader_of(folder, manifest, "recheck")
    said = {"kind": "batch", "manifest": digest_of(folder / "manifest.json")[1]}
    names = [name_of(part) for part in manifest["parts"]]
    return Source(said, _key_type(folder, names, read), manifest["rows"], partial(_rows, folder, names, read), True)


def rechecked_records(
    explainer: Explainer, numbered: Sequence[tuple[int | None, Row]], question: dict[str, Any], threads: int
) -> list[Record]:
    """One record per row, its earlier answers judged by this explainer's model."""
    again = partial(explainer.explain_many, seed=question["seed"], threads=threads)
    try:
        found = _recheck(explainer, [row for _, row in numbered], again)
    except GecoError:  # of one row; the others are not affected
        found = [_alone(explainer, row, again) for _, row in numbered]
    target = explainer.model.goal.words
    return [
        _record(number, row, each, target) if not isinstance(each, GecoError) else _failed(number, row, each, target)
        for (number, row), each in zip(numbered, found, strict=True)
    ]


def _recheck(explainer: Explainer, rows: Sequence[Row], again: Callable[..., Any]) -> list[Any]:
    models = [member.box for member in explainer._parts.panel.members]
    of_row: list[list[Rechecked]] = [[] for _ in rows]
    for each in recheck([_explanation(row.x) for row in rows], models, explainer.domain, again):
        of_row[each.row].append(each)
    return of_row


def _alone(explainer: Explainer, row: Row, again: Callable[..., Any]) -> Any:
    try:
        return _recheck(explainer, [row], again)[0]
    except GecoError as error:
        return error


def _explanation(earlier: Record) -> Explanation:
    cfs = [
        Counterfactual(answer["values"], (), answer["distance"], answer["outcome"], answer["confirmed"])
        for answer in _given(earlier)
    ]
    return Explanation(earlier["x"] or {}, 0.0, "", earlier["status"], "converged", "", tuple(cfs))


def _given(earlier: Record) -> list[Record]:
    """The answers that were good, if it was rechecked before."""
    return [answer for answer in earlier["answers"] if answer.get("holds") is not False]


def _record(number: int | None, row: Row, found: list[Rechecked], target: str) -> Record:
    given = _given(row.x)
    answers = [
        {**answer, "place": place, "outcome": each.outcome, "confirmed": each.holds, "holds": each.holds}
        for place, (answer, each) in enumerate(zip(given, found, strict=True), 1)
    ]
    instead = next((each.instead for each in found if each.instead is not None), None)
    if instead is not None:
        answers.append({"place": len(answers) + 1, **answer_of(instead)})
    holding = sum(each.holds for each in found)
    good = [answer["distance"] for answer in answers if answer["holds"] is not False]
    return {
        **_frame(number, row, target),
        "status": _status(row.x["status"], found, bool(good)),
        "stopped_by": "converged",
        "reason": f"{holding} of {len(found)} earlier answers hold." if found else "There was no earlier answer.",
        "found": len(answers),
        "distance": min(good, default=None),
        "answers": answers,
    }


def _failed(number: int | None, row: Row, error: GecoError, target: str) -> Record:
    empty: Record = {"found": 0, "distance": None, "answers": []}
    return {**_frame(number, row, target), "status": "failed", "stopped_by": "error", "reason": str(error), **empty}


def _frame(number: int | None, row: Row, target: str) -> Record:
    nothing = dict.fromkeys(("outcome", "proven", "gap", "proven_ways", "nearest_miss"))
    return {"row": number, "key": row.key, "target": target, "notes": [], "x": row.x["x"], **nothing}


def _status(before: str, found: list[Rechecked], good: bool) -> str:
    if not found:
        return before
    if good:
        return "found"
    return "already_good" if any(each.unneeded for each in found) else "none_found"


def _rows(folder: Path, names: Sequence[str], read: Reader) -> Iterator[Row]:
    for name in names:
        for row in records_in(folder, name, read):
            yield Row(row["key"], {"x": row["x"], "status": row["status"], "answers": row["answers"]})


def _key_type(folder: Path, names: Sequence[str], read: Reader) -> str:
    keys = [row["key"] for row in read(folder / "rows" / names[0])] if names else []
    return key_type_of("int64" if keys and all(type(key) is int for key in keys) else "string")
