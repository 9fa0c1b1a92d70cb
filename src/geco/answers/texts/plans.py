"""What plans say besides the sentences: the decision, one step after the other, what stays, how sure it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class PlanTexts:
    """One language.

    Attributes
    ----------
    decisions : per status the sentence that everything begins with; ``found_one`` is for a single plan,
        ``found_good`` where x is good and breaks a rule, ``none_proved`` where it is proved that there is none.
    plan : the title of plan {number}.
    to, at_least, at_most : what is done in one step, shorter than in a sentence.
    now : {before}, what it is today.
    the_rest : said behind it where the plan has other steps.
    checked, unchecked, proved, proved_rounder : how sure a plan is; the last where values were rounded.
    stays_fixed, stays, stays_one : why a feature does not change; the last where there is one plan.
    """

    decisions: Mapping[str, str]
    plan: str
    to: str
    at_least: str
    at_most: str
    now: str
    the_rest: str
    checked: str
    unchecked: str
    proved: str
    proved_rounder: str
    stays_title: str
    stays_fixed: str
    stays: str
    stays_one: str


ENGLISH_PLANS = PlanTexts(
    decisions={
        "found": "The decision was no. Any one of these plans would change that.",
        "found_one": "The decision was no. This plan would change that.",
        "found_good": "The decision is yes, but a rule is broken. Any one of these plans keeps every rule.",
        "already_good": "The decision is yes already. Nothing has to change.",
        "none_found": "The decision was no, and no change that was looked at would turn it.",
        "none_proved": "The decision was no, and no change that the rules allow would turn it: that is proved.",
        "infeasible": "The decision was no, and the rules leave nothing that may be changed.",
        "failed": "This case could not be looked at.",
    },
    plan="Plan {number}",
    to="{verb} {name} to {value}",
    at_least="{verb} {name} to at least {value}",
    at_most="{verb} {name} to at most {value}",
    now="now {before}",
    the_rest=", the rest as here",
    checked="checked with the model that decides",
    unchecked="not checked with the model that decides",
    proved="no smaller change would do: proved",
    proved_rounder="apart from rounding, no smaller change would do: proved",
    stays_title="What stays as it is",
    stays_fixed="the rules leave it as it is",
    stays="not needed for these plans",
    stays_one="not needed for this plan",
)

GERMAN_PLANS = PlanTexts(
    decisions={
        "found": "Die Entscheidung war ein Nein. Jeder dieser Pläne würde das ändern.",
        "found_one": "Die Entscheidung war ein Nein. Dieser Plan würde das ändern.",
        "found_good": "Die Entscheidung ist ein Ja, aber eine Regel ist verletzt. Jeder dieser Pläne hält alle ein.",
        "already_good": "Die Entscheidung ist schon ein Ja. Es muss sich nichts ändern.",
        "none_found": "Die Entscheidung war ein Nein, und keine der geprüften Änderungen würde sie wenden.",
        "none_proved": "Die Entscheidung war ein Nein, und keine erlaubte Änderung würde sie wenden: Das ist bewiesen.",
        "infeasible": "Die Entscheidung war ein Nein, und die Regeln lassen nichts, was sich ändern darf.",
        "failed": "Dieser Fall konnte nicht geprüft werden.",
    },
    plan="Plan {number}",
    to="{verb} {name} auf {value}",
    at_least="{verb} {name} auf mindestens {value}",
    at_most="{verb} {name} auf höchstens {value}",
    now="jetzt {before}",
    the_rest=", der Rest wie hier",
    checked="geprüft mit dem Modell, das entscheidet",
    unchecked="nicht geprüft mit dem Modell, das entscheidet",
    proved="keine kleinere Änderung würde genügen: bewiesen",
    proved_rounder="vom Runden abgesehen würde keine kleinere Änderung genügen: bewiesen",
    stays_title="Was bleibt, wie es ist",
    stays_fixed="die Regeln lassen es, wie es ist",
    stays="für diese Pläne nicht nötig",
    stays_one="für diesen Plan nicht nötig",
)

PLANS = {"en": ENGLISH_PLANS, "de": GERMAN_PLANS}
