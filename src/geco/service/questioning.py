"""What people ask next, as a worker answers it: each a call of the explainer, and plain data of what it gives."""

from __future__ import annotations

from typing import TYPE_CHECKING

from geco.report.notice import reason_lines
from geco.service.source import Served
from geco.service.told import Arguments, Told, as_json
from geco.service.wording import in_words

if TYPE_CHECKING:
    from geco.service.told import Answer


def asked(name: str) -> Answer:
    """A question that is a method of the explainer and gives something with ``to_dict``."""

    def answered(served: Served, arguments: Arguments, told: Told) -> bytes:
        return as_json(getattr(served.explainer, name)(**in_words(arguments)).to_dict())

    return answered


def summary(served: Served, arguments: Arguments, told: Told) -> bytes:
    """Rows are explained first."""
    rows, by = arguments.pop("rows"), arguments.pop("by", None)
    obstacles = arguments.pop("obstacles", 0)
    explanations = served.explainer.explain_many(rows, **in_words({**served.question, **arguments}), threads=1)
    for explanation in explanations:
        told.count(explanation)
    return as_json(served.explainer.summary(explanations, by=by, obstacles=obstacles).to_dict())


def report(served: Served, arguments: Arguments, told: Told) -> bytes:
    """A page to hand out; the only answer that is not JSON."""
    language, plans = arguments.pop("language", "en"), arguments.pop("plans", 3)
    with_reasons = arguments.pop("reasons", True)
    explanation = served.explainer.explain(**in_words({**served.question, **arguments}))
    told.count(explanation)
    why: list[str] = []
    if with_reasons and explanation.status != "already_good":
        why = reason_lines(served.explainer.reasons(arguments["x"]), explanation.wording, language)
    return explanation.to_html(language=language, reasons=why, plans=plans).encode()


QUESTIONS: dict[str, Answer] = {
    "smallest": asked("smallest"),
    "nearest_row": asked("nearest_row"),
    "summary": summary,
    "report": report,
}
