"""An Explanation as one self-contained piece of HTML, for notebooks: a table, a sentence per way, and a legend."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

from geco.answers.scale import Scale
from geco.answers.sentences import sentence
from geco.answers.speech import Speech, digits, is_quantity
from geco.answers.text import fewer_ways, proof_in_words, rule_in_words
from geco.answers.values import shorten

if TYPE_CHECKING:
    from geco.answers.explanation import Action, Counterfactual, Explanation
    from geco.answers.range import Range

_BAR = "display:inline-block;position:relative;width:80px;height:8px;margin-left:6px;background:#ddd;border-radius:4px"
_RUN = "position:absolute;top:0;height:8px;border-radius:4px;background:#7fb77e"
_MARK = "position:absolute;top:-2px;width:2px;height:12px"


def as_html(explanation: Explanation, language: str = "en") -> str:
    """x, then a row per counterfactual, changed values marked, with bars for their ranges; then the sentences."""
    speech = Speech(explanation.wording, language)
    shown = explanation.counterfactuals or ((explanation.nearest_miss,) if explanation.nearest_miss else ())
    before = {action.feature: action.before for cf in shown for action in cf.changes}
    features = list(before)
    titles = ["", *(speech.title(name) for name in features), "distance", speech.texts.outcome]
    head = "".join(f"<th>{escape(name)}</th>" for name in titles)
    now = "".join(f"<td>{escape(speech.value(name, before[name]))}</td>" for name in features)
    rows = [f"<tr><th>x</th>{now}<td></td><td>{escape(shorten(explanation.outcome))}</td></tr>"]
    names = [str(i) for i in range(1, len(shown) + 1)] if explanation.counterfactuals else [speech.texts.nearest_miss]
    limit = Scale.of(explanation, speech).limit
    rows += [_html_row(name, cf, features, speech, limit) for name, cf in zip(names, shown, strict=False)]
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
    return f"<div>{table}{_sentences(explanation, language)}{_told(explanation, speech)}</div>"


def _sentences(explanation: Explanation, language: str) -> str:
    told = (sentence(cf, explanation.x, explanation.wording, language) for cf in explanation.counterfactuals)
    items = "".join(f"<li>{escape(each)}</li>" for each in told)
    return f"<ol>{items}</ol>" if items else ""


def _told(explanation: Explanation, speech: Speech) -> str:
    texts = speech.texts
    told = [texts.wanted.format(target=explanation.target)]
    if explanation.status != "found":
        told.append(f"{texts.statuses[explanation.status]} ({explanation.stopped_by}): {explanation.reason}")
    told += fewer_ways(explanation, speech)
    if explanation.proven is not None and explanation.status == "found":
        told.append(proof_in_words(explanation, speech))
    told += [f"{texts.note}: {note}" for note in explanation.notes]
    if any(action.required_by for cf in explanation.counterfactuals for action in cf.changes):
        told.append(texts.legend)
    if any(cf.ranges for cf in explanation.counterfactuals):
        told.append(texts.bars)
    return "".join(f"<div>{escape(line)}</div>" for line in told)


def _html_row(number: str, cf: Counterfactual, features: Sequence[str], speech: Speech, limit: float | None) -> str:
    changed = {action.feature: action for action in cf.changes}
    cells = [f"<th>{number}</th>"]
    for name in features:
        action = changed.get(name)
        cells.append("<td></td>" if action is None else _html_cell(cf, action, speech))
    doubt = "" if cf.confirmed else f" ({speech.texts.not_confirmed})"
    label = "" if cf.predicted is None else f" ({speech.value('', cf.predicted)})"
    outcome = shorten(cf.outcome, limit) + label + doubt
    cells.append(f"<td>{escape(shorten(cf.distance))}</td><td>{escape(outcome)}</td>")
    return f"<tr>{''.join(cells)}</tr>"


def _html_cell(cf: Counterfactual, action: Action, speech: Speech) -> str:
    required = speech.texts.required.format(rule=rule_in_words(action.required_by))
    title = f' title="{escape(required)}"' if action.required_by else ""
    star = "*" if action.required_by else ""
    run = cf.ranges.get(action.feature)
    bar = "" if run is None else _bar(action, run, speech)
    return f"<td><mark{title}>{escape(speech.value(action.feature, action.after))}{star}</mark>{bar}</td>"


def _bar(action: Action, run: Range, speech: Speech) -> str:
    """From x to the far end of what would do: the run in green, x and the chosen value as marks."""
    if run.others:
        others = " | ".join(speech.value(action.feature, other) for other in run.others)
        return f' <span title="{escape(others)}">+{len(run.others)}</span>'
    if run.low == run.high or not all(map(is_quantity, (action.before, run.low, run.high))):
        return ""
    low, high, before, after = (float(digits(v)) for v in (run.low, run.high, action.before, action.after))
    first, last = min(before, low), max(before, high)

    def at(value: float) -> float:
        return round(100 * (value - first) / (last - first), 1)

    title = f"{speech.value(action.feature, run.low)} … {speech.value(action.feature, run.high)}"
    run_part = f'<span style="{_RUN};left:{at(low)}%;width:{at(high) - at(low):.1f}%"></span>'
    marks = "".join(
        f'<span style="{_MARK};left:{at(v)}%;background:{colour}"></span>'
        for v, colour in ((before, "#999"), (after, "#222"))
    )
    return f'<span style="{_BAR}" title="{escape(title)}">{run_part}{marks}</span>'
