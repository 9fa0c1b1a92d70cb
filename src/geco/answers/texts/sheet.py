"""The words of the printed page: headings, and the evidence behind the answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class SheetTexts:
    """One language; ``evidence`` names the lines of the second page."""

    title: str
    made_on: str
    you: str
    yes_above: str
    then: str
    then_of: str
    together: str
    some_of: str
    reasons: str
    reasons_note: str
    how: str
    how_text: str
    rules_ask: str
    rules_ask_nothing: str
    evidence_title: str
    evidence_note: str
    evidence: Mapping[str, str]
    confirmed: str
    not_confirmed: str
    rules_kept: str
    proved: str
    not_proved: str
    no_proof: str
    found: str
    proved_none: str
    nothing: Mapping[str, str]
    statuses: Mapping[str, str]


ENGLISH_SHEET = SheetTexts(
    title="What would change the decision",
    made_on="Made on {day}",
    you="you: {number} of 100",
    yes_above="a yes begins above {number}",
    then="then {number}",
    then_of="then {number} of 100",
    together="All of these together:",
    some_of="{number} of {all} plans that were found are shown here, the nearest first.",
    reasons="Reasons for the decision",
    reasons_note="These are reasons for the decision. The plans above are what would change it.",
    how="How these plans were found",
    how_text="They use only values that occur in the data, keep all {rules} rules, and each was asked of the model "
    "again before it was written down.",
    rules_ask="Where a rule asks for a step, that stands in colour under the step.",
    rules_ask_nothing="No rule asks for anything beyond these steps.",
    evidence_title="Evidence",
    evidence_note="For whoever checks this page. The digests tell whether model, data and rules are still the same.",
    evidence={
        "version": "Made by",
        "at": "Made at",
        "seed": "Seed",
        "asked": "Asked for",
        "target": "Counts as yes",
        "outcome": "The model's number today",
        "confirmed": "Confirmation",
        "rules": "Rules",
        "proof": "Proof",
        "found": "How it was found",
        "reason": "How it ended",
        "model": "Model (SHA-256)",
        "data": "Data (SHA-256)",
        "digest_rules": "Rules (SHA-256)",
        "notes": "Notes",
    },
    confirmed="every plan was confirmed by the model itself",
    not_confirmed="the plans were not confirmed by the model itself",
    rules_kept="{rules} rules, every plan keeps all of them",
    proved="the first plan is proved to be the nearest there is",
    not_proved="not proved: another plan nearer by at most {gap} may exist",
    no_proof="whether anything nearer exists was not looked into",
    found="{rounds} rounds, {scored} candidates looked at, {asked} rows asked of the model",
    proved_none="it is proved that no change which the rules allow would do",
    nothing={
        "proved": "It is proved that no change which the rules allow would turn the decision.",
        "open": "This is not proved: a change that was not looked at may still turn the decision.",
        "infeasible": "Every change that is known from the data breaks at least one of the rules.",
        "next": "Ask whoever decided which of these could be looked at again: they can see what each rule costs you.",
    },
    statuses={
        "found": "can be changed",
        "already_good": "yes already",
        "none_found": "nothing found",
        "infeasible": "nothing may change",
        "failed": "could not be looked at",
    },
)

GERMAN_SHEET = SheetTexts(
    title="Was die Entscheidung ändern würde",
    made_on="Erstellt am {day}",
    you="Sie: {number} von 100",
    yes_above="ein Ja beginnt über {number}",
    then="dann {number}",
    then_of="dann {number} von 100",
    together="Alles davon zusammen:",
    some_of="{number} von {all} gefundenen Plänen stehen hier, der nächste zuerst.",
    reasons="Gründe der Entscheidung",
    reasons_note="Dies sind Gründe der Entscheidung. Die Pläne oben sagen, was sie ändern würde.",
    how="Wie diese Pläne gefunden wurden",
    how_text="Sie bestehen nur aus Werten, die in den Daten vorkommen, halten alle {rules} Regeln ein, und jeder wurde "
    "noch einmal vom Modell beurteilt, bevor er hier steht.",
    rules_ask="Wo eine Regel einen Schritt verlangt, steht das farbig unter dem Schritt.",
    rules_ask_nothing="Keine Regel verlangt etwas über diese Schritte hinaus.",
    evidence_title="Nachweis",
    evidence_note="Für alle, die dieses Blatt prüfen: An den Prüfsummen zeigt sich, ob Modell, Daten und Regeln noch "
    "dieselben sind.",
    evidence={
        "version": "Erstellt mit",
        "at": "Erstellt um",
        "seed": "Startwert",
        "asked": "Gefragt nach",
        "target": "Als Ja gilt",
        "outcome": "Zahl des Modells heute",
        "confirmed": "Bestätigung",
        "rules": "Regeln",
        "proof": "Beweis",
        "found": "Wie gesucht wurde",
        "reason": "Wie es endete",
        "model": "Modell (SHA-256)",
        "data": "Daten (SHA-256)",
        "digest_rules": "Regeln (SHA-256)",
        "notes": "Hinweise",
    },
    confirmed="jeder Plan wurde vom Modell selbst bestätigt",
    not_confirmed="die Pläne wurden nicht vom Modell selbst bestätigt",
    rules_kept="{rules} Regeln, jeder Plan hält alle ein",
    proved="der erste Plan ist bewiesen der nächste, den es gibt",
    not_proved="nicht bewiesen: ein anderer Plan kann um höchstens {gap} näher sein",
    no_proof="ob es Näheres gibt, wurde nicht geprüft",
    found="{rounds} Runden, {scored} Möglichkeiten betrachtet, {asked} Zeilen vom Modell erfragt",
    proved_none="bewiesen: keine Änderung, die die Regeln zulassen, würde genügen",
    nothing={
        "proved": "Es ist bewiesen, dass keine Änderung, die die Regeln zulassen, die Entscheidung wenden würde.",
        "open": "Bewiesen ist das nicht: Eine Änderung, die nicht geprüft wurde, kann die Entscheidung noch wenden.",
        "infeasible": "Jede Änderung, die aus den Daten bekannt ist, verletzt mindestens eine der Regeln.",
        "next": "Fragen Sie die Stelle, die entschieden hat, was davon noch einmal geprüft werden kann: Sie kann "
        "sehen, was jede Regel Sie kostet.",
    },
    statuses={
        "found": "änderbar",
        "already_good": "schon ein Ja",
        "none_found": "nichts gefunden",
        "infeasible": "nichts darf sich ändern",
        "failed": "nicht prüfbar",
    },
)

SHEETS = {"en": ENGLISH_SHEET, "de": GERMAN_SHEET}
