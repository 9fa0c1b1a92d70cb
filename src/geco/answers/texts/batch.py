"""The words of the page about many people: its summary, and the heads of its rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class BatchTexts:
    """One language.

    Attributes
    ----------
    measures : lines of the table of groups, in order.
    by, typical : what is said of a frequent step: its median size.
    people_of : how many of all whom a plan was found for.
    more_helped, dearer : a difference between two groups, with the interval.
    too_few : instead of these, where a group is too small to say anything.
    drawn : how many of all rows the rest of the page is about, where not all are shown.
    """

    title: str
    rows: str
    head: tuple[str, ...]
    summary: str
    everyone: str
    measures: Mapping[str, str]
    moves: str
    moves_note: str
    typical: str
    becomes: str
    people_of: str
    blocking: str
    blocking_note: str
    differences: str
    differences_note: str
    more_helped: str
    dearer: str
    too_few: str
    drawn: str


ENGLISH_BATCH = BatchTexts(
    title="What would change these decisions",
    rows="Person by person",
    head=("Row", "Id", "Result", "First plan", "Effort", "Model says", "Then"),
    summary="Summary",
    everyone="all",
    measures={
        "people": "people",
        "already_good": "with a yes already",
        "asking": "with a no",
        "helped": "of them with a plan",
        "cost": "effort of the first plan, median",
        "changes": "steps of the first plan, mean",
    },
    moves="What the first plans ask for most often",
    moves_note="A plan may ask for several things, so the shares may add up to more than everybody.",
    typical="{text}, by {number} in the median",
    becomes="{name} becomes {value}",
    people_of="{people} of {all}",
    blocking="Rules that stand in the way",
    blocking_note="{asked} people with a no were drawn and asked about; the figure is how many of them would have an "
    "easier plan, or one at all, without the rule.",
    differences="Groups compared",
    differences_note="In brackets: where the difference lies in 95 of 100 samples drawn anew.",
    more_helped="With a plan: {value} points more in group {group} than in {than} ({low} to {high}).",
    dearer="Effort, median: {value} more in group {group} than in {than} ({low} to {high}).",
    too_few="{measure}: too few people in group {group} or {than} to compare them ({people}).",
    drawn="What follows is about {rows} of these {all} rows, drawn at random.",
)

GERMAN_BATCH = BatchTexts(
    title="Was diese Entscheidungen ändern würde",
    rows="Fall für Fall",
    head=("Zeile", "Kennung", "Ergebnis", "Erster Plan", "Aufwand", "Modell heute", "Dann"),
    summary="Überblick",
    everyone="alle",
    measures={
        "people": "Personen",
        "already_good": "schon mit einem Ja",
        "asking": "mit einem Nein",
        "helped": "davon mit einem Plan",
        "cost": "Aufwand des ersten Plans, Median",
        "changes": "Schritte des ersten Plans, Mittel",
    },
    moves="Was die ersten Pläne am häufigsten verlangen",
    moves_note="Ein Plan kann mehreres verlangen, darum können die Anteile zusammen mehr als alle ergeben.",
    typical="{text}, im Median um {number}",
    becomes="{name} wird {value}",
    people_of="{people} von {all}",
    blocking="Regeln, die im Weg stehen",
    blocking_note="{asked} Personen mit einem Nein wurden gezogen und geprüft; die Zahl sagt, wie viele von ihnen ohne "
    "die Regel einen leichteren Plan hätten oder überhaupt einen.",
    differences="Gruppen im Vergleich",
    differences_note="In Klammern: wo der Unterschied in 95 von 100 neu gezogenen Stichproben liegt.",
    more_helped="Mit einem Plan: {value} Prozentpunkte mehr in Gruppe {group} als in {than} ({low} bis {high}).",
    dearer="Aufwand, Median: {value} mehr in Gruppe {group} als in {than} ({low} bis {high}).",
    too_few="{measure}: zu wenige Personen in Gruppe {group} oder {than} für einen Vergleich ({people}).",
    drawn="Was folgt, betrifft {rows} dieser {all} Zeilen, zufällig gezogen.",
)

BATCHES = {"en": ENGLISH_BATCH, "de": GERMAN_BATCH}
