"""What the evidence says: the page of those who check."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class EvidenceTexts:
    """One language; braces are filled in."""

    evidence_title: str
    made_of: str
    sample: str
    sample_note: str
    summary: str
    answers: str
    counts_as_yes: str
    model: str
    rows_of_d: str
    features_of_d: str
    asked_again: str
    version: str
    method: str
    digest_model: str
    digest_is: str
    digest_data: str
    digest_rules: str
    no_groups: str
    first_row: str
    how_many: str
    group_by: str
    explain_sample: str
    job_waits: str
    rows_done: str
    status: str
    sure: str
    changes: str
    shares: str
    everyone: str
    people: str
    already_good: str
    asking_people: str
    helped: str
    cost_median: str
    moves: str
    difference: str
    too_few: str
    is_found: str
    is_already_good: str
    is_none_found: str
    is_infeasible: str
    is_failed: str


ENGLISH_EVIDENCE = EvidenceTexts(
    evidence_title="Evidence",
    made_of="What answers are made of",
    sample="A sample",
    sample_note="Each of these rows gets the model’s answer and, where it is no, the nearest way to a yes. "
    "Groups are compared with each other.",
    summary="How many can be helped",
    answers="Answer by answer",
    counts_as_yes="Counts as yes",
    model="Model",
    rows_of_d="Rows of the table",
    features_of_d="Features",
    asked_again="Every answer is asked of the model again",
    version="Version",
    method="Search",
    digest_model="Digest of the model (SHA-256)",
    digest_is="The model’s digest is taken of",
    digest_data="Digest of the table (SHA-256)",
    digest_rules="Digest of the rules (SHA-256)",
    no_groups="everybody together",
    first_row="From row",
    how_many="How many",
    group_by="Groups",
    explain_sample="Explain the sample",
    job_waits="Getting ready …",
    rows_done="{done} of {of}",
    status="Status",
    sure="Certainty",
    changes="Changes",
    shares="{good} of {of} are a yes already; {found} of the other {asking} got an answer: {confirmed} confirmed by "
    "the model, {proved} proved nearest, for {gaps} something nearer is not ruled out.",
    everyone="Everybody",
    people="People",
    already_good="Yes already",
    asking_people="Ask for a way",
    helped="Got one",
    cost_median="Distance, median",
    moves="Most frequent changes",
    too_few="{measure}: too few people to compare {group} with {than} ({people}).",
    difference="{measure}: {value} more for {group} than for {than} (in 95 % of samples {low} to {high}).",
    is_found="answer",
    is_already_good="yes already",
    is_none_found="none found",
    is_infeasible="rules leave nothing",
    is_failed="failed",
)

GERMAN_EVIDENCE = EvidenceTexts(
    evidence_title="Nachweise",
    made_of="Woraus Antworten gemacht sind",
    sample="Eine Stichprobe",
    sample_note="Jede dieser Zeilen bekommt die Antwort des Modells und, wo sie Nein ist, den nächsten Weg zum Ja. "
    "Gruppen werden miteinander verglichen.",
    summary="Wie vielen geholfen werden kann",
    answers="Antwort für Antwort",
    counts_as_yes="Gilt als Ja",
    model="Modell",
    rows_of_d="Zeilen der Tabelle",
    features_of_d="Merkmale",
    asked_again="Jede Antwort wird vom Modell bestätigt",
    version="Version",
    method="Suche",
    digest_model="Prüfsumme des Modells (SHA-256)",
    digest_is="Die des Modells ist gebildet aus",
    digest_data="Prüfsumme der Tabelle (SHA-256)",
    digest_rules="Prüfsumme der Regeln (SHA-256)",
    no_groups="alle zusammen",
    first_row="Ab Zeile",
    how_many="Wie viele",
    group_by="Gruppen",
    explain_sample="Stichprobe erklären",
    job_waits="Wird vorbereitet …",
    rows_done="{done} von {of}",
    status="Stand",
    sure="Sicherheit",
    changes="Änderungen",
    shares="{good} von {of} sind schon ein Ja; {found} der anderen {asking} haben eine Antwort: {confirmed} vom Modell "
    "bestätigt, {proved} bewiesen am nächsten, bei {gaps} ist Näheres nicht ausgeschlossen.",
    everyone="Alle",
    people="Menschen",
    already_good="Schon ein Ja",
    asking_people="Fragen nach einem Weg",
    helped="Haben einen",
    cost_median="Abstand, Median",
    moves="Häufigste Änderungen",
    too_few="{measure}: zu wenige Personen, um {group} mit {than} zu vergleichen ({people}).",
    difference="{measure}: {value} mehr bei {group} als bei {than} (in 95 % der Stichproben {low} bis {high}).",
    is_found="Antwort",
    is_already_good="schon ein Ja",
    is_none_found="keine gefunden",
    is_infeasible="Regeln lassen nichts",
    is_failed="gescheitert",
)

EVIDENCES = {"en": ENGLISH_EVIDENCE, "de": GERMAN_EVIDENCE}
