"""The printed page: an Explanation as one self-contained HTML file, plans for a person first, then the evidence.

No script, no request to anywhere, pictures as SVG, light and dark, for a phone and for paper.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from decimal import Decimal
from functools import cache
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from geco.answers.plans import MOST, Plan, Plans, PlanStep, Stays, plans
from geco.answers.rules import rules_in_words
from geco.answers.scale import Scale
from geco.answers.speech import Speech, digits, is_quantity, written
from geco.answers.text import fewer_ways, proof_in_words, shortened, target_in_words
from geco.answers.texts.sheet import ENGLISH_SHEET, SHEETS, SheetTexts

if TYPE_CHECKING:
    from geco.answers.explanation import Action, Counterfactual, Explanation

WIDTH = 320  # of a picture, in its own units


@cache
def style() -> str:
    return files("geco.answers").joinpath("sheet.css").read_text("utf-8")


def page(title: str, body: str, language: str) -> str:
    """A whole file around this body."""
    return (
        f'<!doctype html>\n<html lang="{language}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{style()}</style></head><body><main>{body}</main></body></html>\n"
    )


def sheet(explanation: Explanation, language: str = "en", reasons: Iterable[str] = (), most: int = MOST) -> str:
    """The file for one person.

    Parameters
    ----------
    explanation : what was found.
    language : ``"en"`` or ``"de"``.
    reasons : principal reasons in words, under a heading of their own.
    most : plans at most.
    """
    body = first_page(explanation, language, reasons, most)
    return page(SHEETS[language].title, body, language)


def first_page(explanation: Explanation, language: str, reasons: Iterable[str] = (), most: int = MOST) -> str:
    """All that stands in the file."""
    told, texts = plans(explanation, language, most), SHEETS[language]
    made = explanation.made.to_dict() if explanation.made else {}
    speech = Speech(explanation.wording, language)
    parts = [_made_on(made, texts, speech), f"<h1>{escape(told.decision)}</h1>"]
    parts.append(_outcome(explanation, texts, speech))
    limit = Scale.of(explanation, speech).limit
    shown = [_plan(plan, explanation.counterfactuals[n], texts, limit) for n, plan in enumerate(told.plans)]
    parts.append(f'<p class="or">{texts.or_this}</p>'.join(shown))
    if 0 < len(told.plans) < (found := len(explanation.counterfactuals)):
        said = texts.some_of.format(number=len(told.plans), all=found)
        parts.append(f'<p class="soft small">{escape(said)}</p>')
    if short := in_short(explanation, language):
        parts.append(f"<p>{escape(short)}</p>")
    if told.stays:
        parts.append(f"<h2>{escape(told.stays_title)}</h2>{_stays(told.stays)}")
    if told.stays and not told.plans:
        parts.append(f"<p>{escape(texts.nothing['next'])}</p>")
    listed = list(reasons)
    if listed:
        items = "".join(f"<li>{escape(reason)}</li>" for reason in listed)
        note = f'<p class="soft small">{texts.reasons_note}</p>' if told.plans else ""
        parts.append(f"<h2>{texts.reasons}</h2><ol>{items}</ol>{note}")
    if told.plans:
        asked = texts.asked_again if all(plan.confirmed for plan in told.plans) else texts.not_asked
        said = f"{asked} {texts.how_text}"
        parts.append(f"<h2>{texts.how}</h2><p>{escape(said)}</p><p>{escape(texts.holds)}</p>")
    elif explanation.status == "already_good":
        parts.append(f"<h2>{texts.how}</h2><p>{escape(texts.good_now)}</p>")
    if made.get("rules") and explanation.status != "already_good":
        parts.append(_rules(made, told, texts, speech))
    return "".join([*parts, evidence(explanation, texts, speech)])


def _rules(made: dict[str, Any], told: Plans, texts: SheetTexts, speech: Speech) -> str:
    """What the plans keep to, rule by rule; a record that does not say them has their number."""
    if "written" not in made:
        return f"<h2>{texts.rules_title}</h2><p>{escape(texts.rules_kept_all.format(rules=made['rules']))}</p>"
    asks = any(step.rule for plan in told.plans for step in plan.steps)
    note = f"<p>{escape(texts.rules_ask if asks else texts.rules_ask_nothing)}</p>" if told.plans else ""
    items = "".join(f"<li>{escape(line)}</li>" for line in rules_in_words(made["written"], texts, speech))
    return f'<h2>{texts.rules_title}</h2>{note}<ul class="rules">{items}</ul>'


def in_short(explanation: Explanation, language: str) -> str:
    """Why there is no plan, in plain words; nothing where there is one, or none is needed."""
    nothing, status = SHEETS[language].nothing, explanation.status
    if status == "failed":
        return explanation.reason
    if explanation.counterfactuals or status not in ("none_found", "infeasible"):
        return ""
    return nothing["infeasible" if status == "infeasible" else "proved" if explanation.proven else "open"]


def evidence(explanation: Explanation, texts: SheetTexts, speech: Speech) -> str:
    """The second page: how the answers came about, and how sure they are."""
    rows = "".join(
        f'<tr><th scope="row">{escape(texts.evidence[name])}</th><td{kind}>{escape(str(value))}</td></tr>'
        for name, value, kind in _facts(explanation, texts, speech)
    )
    return (
        f'<section class="evidence"><h2>{texts.evidence_title}</h2><p class="soft small">{texts.evidence_note}</p>'
        f'<table class="facts"><tbody>{rows}</tbody></table></section>'
    )


def _facts(explanation: Explanation, texts: SheetTexts, speech: Speech) -> Iterable[tuple[str, Any, str]]:
    made = explanation.made.to_dict() if explanation.made else None
    trace, cfs = explanation.trace, explanation.counterfactuals
    if made:
        question = made["question"]
        yield "version", f"geco {made['version']}", ""
        yield "at", made["at"], ""
        yield "seed", question["seed"], ""
        said = {
            name: value for name, value in question.items() if value not in (None, [], "", False) and name != "seed"
        }
        yield "asked", "; ".join(f"{name} = {_listed(value)}" for name, value in said.items()), ""
    yield "target", target_in_words(explanation, speech.texts), ""
    yield "outcome", shortened(explanation.outcome, speech.texts, Scale.of(explanation, speech).limit), ""
    if cfs:
        yield "confirmed", texts.confirmed if all(cf.confirmed for cf in cfs) else texts.not_confirmed, ""
    if made and cfs:
        yield "rules", texts.rules_kept.format(rules=made["rules"]), ""
    if explanation.status != "already_good":
        yield "proof", _proof(explanation, texts, speech), ""
    counts = (trace.generations, trace.points_scored, trace.model_rows)
    rounds, scored, asked = (written(Decimal(number), speech.texts) for number in counts)
    yield "found", texts.found.format(rounds=rounds, scored=scored, asked=asked), ""
    yield "reason", _ended(explanation, texts, speech), ""
    if made:
        digests, kind = made["fingerprint"], ' class="digest"'
        yield "model", digests["model"] or texts.no_digest.format(why=digests["model_is"]), kind
        yield "data", digests["data"], kind
        yield "digest_rules", digests["rules"], kind
    if explanation.notes:
        yield "notes", "; ".join(explanation.notes), ""


def _listed(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def _ended(explanation: Explanation, texts: SheetTexts, speech: Speech) -> str:
    """The reason is written in English; elsewhere status and cause say it."""
    if texts is ENGLISH_SHEET:
        return explanation.reason
    status = speech.texts.statuses[explanation.status]
    if explanation.status != "none_found":
        return "".join(fewer_ways(explanation, speech)) or status
    why = speech.texts.why.get(explanation.stopped_by, "")
    return f"{status} ({why})" if why else status


def _proof(explanation: Explanation, texts: SheetTexts, speech: Speech) -> str:
    if explanation.proven is None:
        return texts.no_proof
    if explanation.proven and not explanation.counterfactuals:
        return texts.proved_none
    if explanation.proven and explanation.counterfactuals[0].unrounded is not None:
        return proof_in_words(explanation, speech)
    if explanation.proven and (explanation.proven_ways or 0) > 1:
        return speech.texts.proved_ways.format(number=explanation.proven_ways)
    return texts.proved if explanation.proven else texts.not_proved.format(gap=shortened(explanation.gap, speech.texts))


def _made_on(made: dict[str, Any], texts: SheetTexts, speech: Speech) -> str:
    if not made:
        return ""
    day = datetime.fromisoformat(made["at"])
    told = speech.texts.date.format(year=day.year, month=day.month, day=day.day)
    return f'<p class="soft small">{texts.made_on.format(day=told)}</p>'


def _plan(plan: Plan, cf: Counterfactual, texts: SheetTexts, limit: float | None) -> str:
    by_feature = {action.feature: action for action in cf.changes}
    steps = "".join(_step(step, by_feature[step.feature], cf) for step in plan.steps)
    doubt = "" if plan.confirmed else ' class="doubt"'
    sure = "".join(f"<li{doubt}>{escape(each)}</li>" for each in plan.sure)
    then = (texts.then if limit is None else texts.then_of).format(number=plan.outcome)
    together = f'<p class="soft small">{escape(texts.together)}</p>' if len(plan.steps) > 1 else ""
    return (
        f'<article class="plan"><header><h2>{escape(plan.title)}</h2><span class="small">{escape(then)}</span></header>'
        f'{together}<ol>{steps}</ol><ul class="sure">{sure}</ul></article>'
    )


def _step(step: PlanStep, action: Action, cf: Counterfactual) -> str:
    also = f'<div class="soft small">{escape(step.also)}</div>' if step.also else ""
    rule = f'<p class="rule">{escape(step.rule)}</p>' if step.rule else ""
    now = f' <span class="soft small now">{escape(step.now)}</span>' if step.now else ""
    return f"<li><strong>{escape(step.text)}</strong>{now}{_bar(step, action, cf)}{also}{rule}</li>"


def _bar(step: PlanStep, action: Action, cf: Counterfactual) -> str:
    """Now hollow, then filled, and what would do as a bar between them."""
    run = cf.ranges.get(action.feature)
    if run is None or action.categorical or run.low == run.high:
        return ""
    values = (action.before, action.after, run.low, run.high)
    if not all(map(is_quantity, values)):
        return ""
    numbers = [float(digits(value)) for value in values]
    low, high = min(numbers), max(numbers)

    def at(number: float) -> float:
        return round(12 + (WIDTH - 24) * (number - low) / (high - low), 1)

    return (
        f'<svg class="bar" viewBox="0 0 {WIDTH} 32" role="img" aria-label="{escape(step.text)}">'
        f'<rect class="track" x="8" y="14.5" width="{WIDTH - 16}" height="3" rx="1.5"/>'
        f'<line class="run" x1="{at(numbers[2])}" x2="{at(numbers[3])}" y1="16" y2="16"/>'
        f'<circle class="now" cx="{at(numbers[0])}" cy="16" r="6"/>'
        f'<circle class="then" cx="{at(numbers[1])}" cy="16" r="6"/></svg>'
    )


def _outcome(explanation: Explanation, texts: SheetTexts, speech: Speech) -> str:
    """Where the person stands and where a yes begins, on a line from 0 to 100."""
    scale, number = Scale.of(explanation, speech), explanation.outcome
    if scale.limit is None or not 0 <= number <= 1:
        return ""
    you, yes = texts.you.format(number=scale.told(number)), texts.yes_above.format(number=scale.told(scale.limit))
    x, edge = (8 + (WIDTH - 16) * at for at in (number, scale.limit))
    return (
        f'<svg class="outcome" viewBox="0 0 {WIDTH} 52" role="img" aria-label="{escape(you)}; {escape(yes)}">'
        f'<rect class="track" x="8" y="20" width="{edge - 8:.1f}" height="9" rx="4"/>'
        f'<rect class="good" x="{edge:.1f}" y="20" width="{WIDTH - 8 - edge:.1f}" height="9" rx="4"/>'
        f'<rect class="you" x="{x - 2:.1f}" y="15" width="4" height="19" rx="2"/>'
        f'<text x="{x:.1f}" y="11" text-anchor="{_anchor(number)}">{escape(you)}</text>'
        f'<text x="{edge:.1f}" y="46" text-anchor="{_anchor(scale.limit)}">{escape(yes)}</text></svg>'
    )


def _anchor(share: float) -> str:
    """So that a text at either end of the line stays within the picture."""
    return "start" if share < 0.25 else "end" if share > 0.75 else "middle"


def _stays(stays: Iterable[Stays]) -> str:
    """What does not change, under why it does not."""
    by_why: dict[str, list[Stays]] = {}
    for each in stays:
        by_why.setdefault(each.why, []).append(each)
    return "".join(
        f'<h3>{escape(why[0].upper() + why[1:])}</h3><ul class="stays">{"".join(map(_stay, kept))}</ul>'
        for why, kept in by_why.items()
    )


def _stay(each: Stays) -> str:
    value = escape(each.value).replace("/", "/<wbr>")
    return f"<li><span>{escape(each.name)}</span> <b>{value}</b></li>"
