"""What a worker answers: a name and plain arguments in, bytes and a status out; errors become problem documents."""

from __future__ import annotations

import logging
import traceback
from dataclasses import dataclass, field
from time import perf_counter
from typing import TYPE_CHECKING, Any

from geco.answers.explanation import Explanation
from geco.answers.explanations import never_begun
from geco.answers.values import plain
from geco.errors import GecoError, InstanceError, SettingsError
from geco.service.features import allowed_features, features_of
from geco.service.predicting import model_is_well, predictions
from geco.service.problems import SAID_BY_MODEL, of_error, problem
from geco.service.questioning import QUESTIONS
from geco.service.rules import checked_rules, with_rules
from geco.service.source import Served
from geco.service.telling import asked, row_of, told_obstacles, told_plans, told_reasons, told_rules, told_what_if
from geco.service.told import Answer, Arguments, Told, as_json
from geco.service.wording import in_words

if TYPE_CHECKING:
    from geco.explainer import Explainer
    from geco.project.project import Project

LOG = logging.getLogger("geco.service")
SECONDS = 0.1  # of a job, between two signs of life


@dataclass(frozen=True)
class Reply:
    """What goes back: a header for the front process and a body for the client."""

    body: bytes
    header: dict[str, Any] = field(default_factory=lambda: {"status": 200})


def answer(served: Served, do: str, arguments: Arguments, told: Told) -> Reply:
    """Answer one message; whatever happens, there is a reply."""
    try:
        body = ANSWERS[do](served, arguments, told)
    except GecoError as error:
        return _problem(of_error(error, model_is_well(served.explainer) if isinstance(error, SAID_BY_MODEL) else True))
    except RecursionError:
        return _problem(problem(422, "too-deep", "what was sent is nested too deeply"))
    except Exception as error:  # our own mistake: where it happened, but no message, as that may hold values of x
        places = "".join(traceback.format_tb(error.__traceback__))
        LOG.error("%s in %s\n%s", type(error).__name__, do, places)
        return _problem(problem(500, "internal", "the service made a mistake; it has been logged"))
    return Reply(body, {"status": 200, "model_rows": told.model_rows})


def _problem(document: dict[str, Any]) -> Reply:
    return Reply(b"", {"status": document["status"], "problem": document})


def facts(explainer: Explainer) -> dict[str, Any]:
    """What the front process knows of the explainer: enough to describe it, nothing of its rows."""
    return {
        "target": explainer.model.goal.words,
        "confirms": explainer.verify,
        "features": [
            {"name": feature.name, "type": feature.type, "example": _example(explainer, feature.name)}
            for feature in explainer.domain.schema
        ],
    }


def _example(explainer: Explainer, name: str) -> Any:
    """The most frequent value of a feature."""
    table = explainer.domain.tables[explainer.domain.group_of[name]]
    return plain(table.values[name][int(table.counts.argmax())])


def _explain(served: Served, arguments: Arguments, told: Told) -> bytes:
    explainer = served.explainer
    explanation = explainer.explain(
        **in_words({**served.question, **arguments}), on_round=told.on_round if told.tell else None
    )
    told.count(explanation)
    return explanation.to_json().encode()


def _explain_many(served: Served, arguments: Arguments, told: Told) -> bytes:
    explainer = served.explainer
    rows, words = arguments.pop("rows"), in_words({**served.question, **arguments})
    if told.tell is None:
        explanations = list(explainer.explain_many(rows, **words, threads=1))
    else:
        explanations = _followed(explainer, rows, words, told)
    for explanation in explanations:
        told.count(explanation)
    return b'{"explanations": [' + b", ".join(e.to_json().encode() for e in explanations) + b"]}"


def _followed(explainer: Explainer, rows: list[Any], words: Arguments, told: Told) -> list[Explanation]:
    """The same, telling how many rows are done; ends when nobody wants the others."""
    found: dict[int, Explanation] = {}
    told_at = -SECONDS
    for number, _, explanation in explainer.explain_iter(rows, **words, threads=1):
        found[number] = explanation
        if perf_counter() < told_at + SECONDS and len(found) < len(rows):
            continue
        told_at = perf_counter()
        if not told.did(len(found), len(rows)):
            break
    target = explainer.model.goal.words
    return [found[n] if n in found else never_begun(row, target) for n, row in enumerate(rows)]


def _plans(served: Served, arguments: Arguments, told: Told) -> bytes:
    words, language = asked(served.explainer, {**served.question, **arguments})
    explanation = served.explainer.explain(**words)
    told.count(explanation)
    return as_json({**told_plans(explanation, language), "rules": told_rules(served.explainer, language)})


def _obstacles(served: Served, arguments: Arguments, told: Told) -> bytes:
    words, language = asked(served.explainer, arguments)
    return as_json(told_obstacles(served.explainer.obstacles(**words), served.explainer, language))


def _reasons(served: Served, arguments: Arguments, told: Told) -> bytes:
    words, language = asked(served.explainer, arguments)
    return as_json(told_reasons(served.explainer.reasons(**words), served.explainer, language))


def _what_if(served: Served, arguments: Arguments, told: Told) -> bytes:
    explainer = with_rules(served.explainer, arguments.get("rules", ""))
    found = explainer.what_if(arguments["x"], arguments["changes"])
    return as_json(told_what_if(found, explainer, arguments.get("language", "en")))


def _tradeoffs(served: Served, arguments: Arguments, told: Told) -> bytes:
    return served.explainer.tradeoffs(**in_words(arguments)).to_json().encode()


def _row(served: Served, arguments: Arguments, told: Told) -> bytes:
    return as_json({"x": row_of(_project(served).row(**arguments))})


def _rows(served: Served, arguments: Arguments, told: Told) -> bytes:
    project, first = _project(served), arguments["first"]
    last = min(first + arguments["count"], served.explainer.domain.rows)
    return as_json({"rows": [row_of(project.row(number)) for number in range(first, last)]})


def _project(served: Served) -> Project:
    if served.project is None:
        raise SettingsError("a saved explainer has no rows; serve a geco.toml, or send x itself")
    return served.project


def _predict(served: Served, arguments: Arguments, told: Told) -> bytes:
    explainer = served.explainer
    told.model_rows += len(arguments["rows"])
    return as_json({"predictions": predictions(explainer, arguments["rows"])})


def _schema(served: Served, arguments: Arguments, told: Told) -> bytes:
    keyed = served.project is not None and served.project.settings.get("data", "key") is not None
    return as_json({**features_of(served.explainer), "keyed": keyed})


def _allowed(served: Served, arguments: Arguments, told: Told) -> bytes:
    explainer = with_rules(served.explainer, arguments.get("rules", ""))
    return as_json(allowed_features(explainer, arguments["x"]))


def _check_rules(served: Served, arguments: Arguments, told: Told) -> bytes:
    return as_json(checked_rules(arguments["rules"], served.explainer.program))


def _instances(explainer: Explainer, given: list[Any]) -> list[dict[str, Any]]:
    """KServe's instances: objects, or lists of values in the order of the schema."""
    names = explainer.domain.names
    rows = []
    for number, row in enumerate(given):
        if isinstance(row, list):
            if len(row) != len(names):
                raise InstanceError(f"instance {number} has {len(row)} values; the schema has {len(names)} features")
            row = dict(zip(names, row, strict=True))
        rows.append(row)
    return rows


def _kserve_predict(served: Served, arguments: Arguments, told: Told) -> bytes:
    explainer = served.explainer
    said = predictions(explainer, _instances(explainer, arguments["instances"]))
    told.model_rows += len(said)
    return as_json({"predictions": [each["outcome"] for each in said]})


def _kserve_explain(served: Served, arguments: Arguments, told: Told) -> bytes:
    explainer = served.explainer
    rows = _instances(explainer, arguments.pop("instances"))
    said = predictions(explainer, rows)  # first: a row that does not fit is an error of the whole request
    explanations = explainer.explain_many(rows, **in_words({**served.question, **arguments}), threads=1)
    for explanation in explanations:
        told.count(explanation)
    return as_json({"predictions": [each["outcome"] for each in said], "explanations": explanations.to_dicts()})


ANSWERS: dict[str, Answer] = {
    **QUESTIONS,
    "explain": _explain,
    "explain_many": _explain_many,
    "plans": _plans,
    "obstacles": _obstacles,
    "reasons": _reasons,
    "what_if": _what_if,
    "tradeoffs": _tradeoffs,
    "row": _row,
    "rows": _rows,
    "predict": _predict,
    "schema": _schema,
    "allowed": _allowed,
    "check_rules": _check_rules,
    "kserve_predict": _kserve_predict,
    "kserve_explain": _kserve_explain,
}
