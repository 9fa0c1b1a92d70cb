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
    or_this: str
    some_of: str
    reasons: str
    reasons_note: str
    how: str
    asked_again: str
    not_asked: str
    how_text: str
    good_now: str
    holds: str
    rules_title: str
    rules_ask: str
    rules_ask_nothing: str
    rules_kept_all: str
    clauses: Mapping[str, str]
    evidence_title: str
    evidence_note: str
    evidence: Mapping[str, str]
    confirmed: str
    not_confirmed: str
    rules_kept: str
    proved: str
    not_proved: str
    no_proof: str
    no_digest: str
    found: str
    proved_none: str
    nothing: Mapping[str, str]
    statuses: Mapping[str, str]


ENGLISH_SHEET = SheetTexts(
    title="What would change the decision",
    made_on="Made on {day}",
    you="your score: {number} of 100",
    yes_above="a yes begins above {number}",
    then="then {number}",
    then_of="score then: {number} of 100",
    together="All of these together:",
    or_this="or",
    some_of="{number} of {all} plans that were found are shown here, the nearest first.",
    reasons="Reasons for the decision",
    reasons_note="These are reasons for the decision. The plans above are what would change it.",
    how="How sure this is",
    asked_again="Each plan was put to the model that decided, and its answer was yes.",
    not_asked="The plans were worked out from a copy of the model that decided; they were not put to the model itself.",
    how_text="They use only values that other people in the data have. The smallest change comes first, measured by "
    "how much people differ in each item.",
    good_now="This is the model’s answer to what it was told of you today. It holds while that, the model and the "
    "rules stay as they are.",
    holds="A plan holds while all else stays as it is today, and while the model and the rules are the same. "
    "It says what the model would answer; it is not a promise.",
    rules_title="The rules",
    rules_ask="Every plan keeps these rules. Where one of them asks for a step, a box under the step says so.",
    rules_ask_nothing="Every plan keeps these rules. They add no further steps.",
    rules_kept_all="Every plan keeps all {rules} rules.",
    clauses={
        "fixed": "Never changed: {names}.",
        "up": "Never lowered: {names}.",
        "down": "Never raised: {names}.",
        "if": "If {conditions}, then {clause}.",
        "and": " and ",
        "now >": "{name} goes up",
        "now <": "{name} goes down",
        "now >=": "{name} does not go down",
        "now <=": "{name} does not go up",
        "now =": "{name} stays as it is",
        "now !=": "{name} changes",
        "up >=": "{name} goes up by at least {value}",
        "up >": "{name} goes up by more than {value}",
        "up <=": "{name} goes up by at most {value}",
        "up <": "{name} goes up by less than {value}",
        "down >=": "{name} goes down by at most {value}",
        "down >": "{name} goes down by less than {value}",
        "down <=": "{name} goes down by at least {value}",
        "down <": "{name} goes down by more than {value}",
        ">": "{name} is above {value}",
        "<": "{name} is below {value}",
        ">=": "{name} is at least {value}",
        "<=": "{name} is at most {value}",
        "=": "{name} is {value}",
        "!=": "{name} is not {value}",
        "in": "{name} is one of {value}",
        "between": "{name} is between {low} and {high}",
        "today": "today’s {name}",
        "times": "{value} times what it is today",
    },
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
    no_digest="{why}",
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
    you="Ihr Wert: {number} von 100",
    yes_above="ein Ja beginnt über {number}",
    then="dann {number}",
    then_of="Wert danach: {number} von 100",
    together="Alles davon zusammen:",
    or_this="oder",
    some_of="{number} von {all} gefundenen Plänen stehen hier, der nächste zuerst.",
    reasons="Gründe der Entscheidung",
    reasons_note="Dies sind Gründe der Entscheidung. Die Pläne oben sagen, was sie ändern würde.",
    how="Wie sicher das ist",
    asked_again="Jeder Plan wurde dem Modell vorgelegt, das entschieden hat, und es hat Ja gesagt.",
    not_asked="Die Pläne stammen aus einer Kopie des Modells, das entschieden hat; ihm selbst wurden sie nicht "
    "vorgelegt.",
    how_text="Sie bestehen nur aus Werten, die andere in den Daten haben. Die kleinste Änderung steht zuerst, gemessen "
    "daran, wie sehr sich Menschen in jedem Punkt unterscheiden.",
    good_now="Das ist die Antwort des Modells auf das, was ihm heute von Ihnen bekannt ist. Sie gilt, solange sich "
    "daran, am Modell und an den Regeln nichts ändert.",
    holds="Ein Plan gilt, solange alles andere bleibt, wie es heute ist, und Modell und Regeln dieselben sind. "
    "Er sagt, was das Modell antworten würde; er ist keine Zusage.",
    rules_title="Die Regeln",
    rules_ask="Jeder Plan hält diese Regeln ein. Wo eine von ihnen einen Schritt verlangt, steht das in einem Kasten "
    "unter dem Schritt.",
    rules_ask_nothing="Jeder Plan hält diese Regeln ein. Sie verlangen keine weiteren Schritte.",
    rules_kept_all="Jeder Plan hält alle {rules} Regeln ein.",
    clauses={
        "fixed": "Nie geändert: {names}.",
        "up": "Nie gesenkt: {names}.",
        "down": "Nie erhöht: {names}.",
        "if": "Falls gilt: {conditions}, dann gilt auch: {clause}.",
        "and": " und ",
        "now >": "{name} steigt",
        "now <": "{name} sinkt",
        "now >=": "{name} sinkt nicht",
        "now <=": "{name} steigt nicht",
        "now =": "{name} bleibt",
        "now !=": "{name} ändert sich",
        "up >=": "{name} steigt um mindestens {value}",
        "up >": "{name} steigt um mehr als {value}",
        "up <=": "{name} steigt um höchstens {value}",
        "up <": "{name} steigt um weniger als {value}",
        "down >=": "{name} sinkt um höchstens {value}",
        "down >": "{name} sinkt um weniger als {value}",
        "down <=": "{name} sinkt um mindestens {value}",
        "down <": "{name} sinkt um mehr als {value}",
        ">": "{name} ist über {value}",
        "<": "{name} ist unter {value}",
        ">=": "{name} ist mindestens {value}",
        "<=": "{name} ist höchstens {value}",
        "=": "{name} ist {value}",
        "!=": "{name} ist nicht {value}",
        "in": "{name} ist eines von {value}",
        "between": "{name} liegt zwischen {low} und {high}",
        "today": "{name} heute",
        "times": "das {value}-Fache des heutigen Werts",
    },
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
    proved="bewiesen: kein Plan liegt näher als der erste",
    not_proved="nicht bewiesen: ein anderer Plan kann um höchstens {gap} näher sein",
    no_proof="ob es Näheres gibt, wurde nicht geprüft",
    no_digest="keine: geco kann dieses Modell fragen, aber nicht lesen",
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
