"""Plans: an Explanation as a person reads it: the decision, a few plans of single steps, and what stays as it is.

Plain data in one language, for a printed page and for a screen; the sentences are those of sentences.py.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from geco.answers.scale import Scale
from geco.answers.sentences import DECIMALS, Told
from geco.answers.speech import Speech, digits, is_quantity
from geco.answers.texts.plans import PLANS, PlanTexts

if TYPE_CHECKING:
    from geco.answers.explanation import Action, Counterfactual, Explanation

MOST = 3  # plans that a person is shown


@dataclass(frozen=True)
class PlanStep:
    """One thing to do.

    Attributes
    ----------
    feature : what it is about.
    text : one verb, one feature, one value: "Lower credit amount to 7,000".
    now : the value today, of a quantity; empty where the text has it already.
    also : what would do as well, empty if nothing else would or nobody asked.
    rule : what the rules ask for, where they do; empty otherwise.
    """

    feature: str
    text: str
    now: str
    also: str
    rule: str


@dataclass(frozen=True)
class Plan:
    """One way to a yes: ``sure`` says how certain it is, a short text each."""

    title: str
    sentence: str
    steps: tuple[PlanStep, ...]
    outcome: str
    confirmed: bool
    sure: tuple[str, ...]


@dataclass(frozen=True)
class Stays:
    """A feature that no plan changes, its value, and why."""

    feature: str
    name: str
    value: str
    why: str


@dataclass(frozen=True)
class Plans:
    """All that a person is told."""

    language: str
    decision: str
    outcome: str
    plans: tuple[Plan, ...]
    stays_title: str
    stays: tuple[Stays, ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        return asdict(self)


def plans(explanation: Explanation, language: str = "en", most: int = MOST) -> Plans:
    """What a person is told, in this language; at most so many plans."""
    speech = Speech(explanation.wording, language)
    texts = PLANS[language]
    shown, scale = explanation.counterfactuals[:most], Scale.of(explanation, speech)
    return Plans(
        language,
        texts.decisions[_status(explanation, len(shown))],
        scale.told(explanation.outcome),
        tuple(_plan(explanation, number, cf, speech, texts) for number, cf in enumerate(shown, 1)),
        texts.stays_title,
        _stays(explanation, speech, texts, len(shown)) if not explanation.good or shown else (),
    )


def _status(explanation: Explanation, plans: int) -> str:
    """Which decision it is."""
    if plans and explanation.good:
        return "found_good"  # x breaks a rule
    if explanation.status == "none_found" and explanation.proven:
        return "none_proved"
    return "found_one" if plans == 1 else explanation.status


def _plan(explanation: Explanation, number: int, cf: Counterfactual, speech: Speech, texts: PlanTexts) -> Plan:
    told = Told(cf, explanation.x, speech)
    sure = [texts.checked if cf.confirmed else texts.unchecked]
    if number == 1 and explanation.proven:
        sure.append(texts.proved if cf.unrounded is None else texts.proved_rounder)
    return Plan(
        texts.plan.format(number=number),
        told.text(),
        tuple(_step(action, cf, told, speech, texts) for action in told.in_order()),
        Scale.of(explanation, speech).told(cf.outcome),
        cf.confirmed,
        tuple(sure),
    )


def _step(action: Action, cf: Counterfactual, told: Told, speech: Speech, texts: PlanTexts) -> PlanStep:
    text = _short(action, told, speech, texts)
    now = ""
    if told.counts(action):
        now = texts.now.format(before=told.now(action) or speech.value(action.feature, action.before))
    return PlanStep(action.feature, _sentence(text), now, _also(action, cf, told, texts), _sentence(told.rule(action)))


def _short(action: Action, told: Told, speech: Speech, texts: PlanTexts) -> str:
    """A quantity loses its difference, which stands beside it anyway; everything else reads as in a sentence."""
    if not told.counts(action):
        return Told(replace(told.cf, ranges={}), told.x, speech).phrase(action)
    rises = digits(action.after) > digits(action.before)
    label = speech.label(action.feature)
    verb = (label.up or speech.texts.up) if rises else (label.down or speech.texts.down)
    form = texts.to
    if told.open(action, rises):
        form = texts.at_least if rises else texts.at_most
    return form.format(verb=verb, name=speech.spoken(action.feature), value=speech.value(action.feature, action.after))


def _also(action: Action, cf: Counterfactual, told: Told, texts: PlanTexts) -> str:
    """What else would do, one step at a time; nothing where the step says it."""
    run = cf.ranges.get(action.feature)
    if run is None:
        return ""
    rest = texts.the_rest if len(cf.changes) > 1 else ""
    if not told.counts(action):
        others = told.others(action, run)
        return _sentence(others + rest) if others else ""
    if run.low == run.high or not (is_quantity(run.low) and is_quantity(run.high)):
        return ""
    if told.open(action, digits(action.after) > digits(action.before)):
        return ""
    return told.would_do(action, run) + rest


def _stays(explanation: Explanation, speech: Speech, texts: PlanTexts, plans: int) -> tuple[Stays, ...]:
    """The features that none of the plans changes, those that the rules hold first; without plans, those alone."""
    changed = {action.feature for cf in explanation.counterfactuals[:MOST] for action in cf.changes}
    changed |= {f for cf in explanation.counterfactuals[:MOST] for f in cf.values if cf.values[f] != explanation.x[f]}
    fixed = set(explanation.made.to_dict().get("fixed", ())) if explanation.made else set()
    kept = [f for f in explanation.x if f not in changed and (plans or f in fixed)]
    kept.sort(key=lambda f: f not in fixed)
    free = texts.stays_one if plans == 1 else texts.stays
    return tuple(
        Stays(f, speech.name(f), _about(f, explanation.x[f], speech), texts.stays_fixed if f in fixed else free)
        for f in kept
    )


def _about(feature: str, value: Any, speech: Speech) -> str:
    """A value that stays; of many decimals those that people read."""
    if not is_quantity(value):
        return speech.value(feature, value)
    return speech.about(feature, value, abs(digits(value)) / 1000, DECIMALS) or speech.value(feature, value)


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}" if text else ""
