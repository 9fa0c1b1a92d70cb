"""What the desk says: the page of those who decide."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class DeskTexts:
    """One language; braces are filled in."""

    desk_title: str
    case: str
    row: str
    row_of: str
    show_row: str
    no_row: str
    or_json: str
    or_key: str
    key: str
    no_key: str
    show_key: str
    json: str
    show_json: str
    not_json: str
    what_if: str
    what_if_note: str
    yes_is: str
    says_yes: str
    says_no: str
    reset: str
    adopt: str
    allowed: str
    allowed_fixed: str
    other_features: str
    ways: str
    now: str
    way: str
    try_way: str
    distance: str
    distance_is: str
    outcome: str
    confirmed: str
    not_confirmed: str
    proven: str
    required: str
    at_limit: str
    unchanged: str
    ways_key: str
    no_ways: str
    steps: str
    tradeoffs: str
    tradeoffs_note: str
    tradeoffs_looking: str
    tradeoffs_none: str
    obstacles: str
    obstacles_note: str
    obstacles_none: str
    obstacles_unsettled: str
    price: str
    rule_gone: str
    rules: str
    rules_more: str
    rules_note: str
    try_rules: str
    drop_rules: str
    reasons: str
    to_json: str
    report: str
    hello: str


ENGLISH_DESK = DeskTexts(
    desk_title="Desk",
    case="Case",
    row="Row of the table",
    row_of="Row of the table (0 to {last})",
    show_row="Show",
    no_row="The table has no row of this number.",
    or_json="Or as JSON",
    or_key="By key, or as JSON",
    key="Key of the row",
    no_key="No row of the table, or more than one, has this key.",
    show_key="Find",
    json="A case as JSON",
    show_json="Show this case",
    not_json="That is not a JSON object with a value for every feature.",
    what_if="What if",
    what_if_note="Move a value: the model answers at once. Values outside the rules may be tried, too.",
    yes_is="a yes is {target}",
    says_yes="yes",
    says_no="no",
    reset="Back to the case",
    adopt="Also change what the rules ask for: {changes}",
    allowed="rules allow {low} to {high}",
    allowed_fixed="the rules leave it as it is",
    other_features="{number} features that the model does not read, or that are fixed",
    ways="Ways to a yes",
    now="Now",
    way="Way {number}",
    try_way="Try",
    distance="distance",
    distance_is="Distance: how much changes in all. 0 is the case as it is; the less, the nearer.",
    outcome="outcome",
    confirmed="confirmed by the model",
    not_confirmed="not confirmed",
    proven="proved nearest",
    required="asked for by a rule",
    at_limit="{low} to {high} would do",
    unchanged="{number} features that no way changes",
    ways_key="Grey: how the rows of the table are spread. ○ now, ● with that way. = unchanged",
    no_ways="There is no way under these rules.",
    steps="Step by step: way {number}",
    tradeoffs="Trade-offs",
    tradeoffs_note="Near to the left, a safe yes to the top; each point is a way of the list. Choose one to try it.",
    tradeoffs_looking="Looking for them …",
    tradeoffs_none="Under these rules there is nothing to weigh up: no other way found is better in anything.",
    obstacles="What the rules cost",
    obstacles_note="Rules that keep a nearer way out, and that way.",
    obstacles_none="No rule makes the nearest way dearer.",
    obstacles_unsettled="Rules not settled in time: {number}",
    price="nearer by {price}",
    rule_gone="Without it: {then}",
    rules="Rules",
    rules_more="{number} rules of the project",
    rules_note="Further rules for this case, in PLAF; nothing is saved.",
    try_rules="Try these rules",
    drop_rules="Without them",
    reasons="Reasons for the decision",
    to_json="Save as JSON",
    report="Save the report",
    hello="Show a row of the table or paste a case to begin.",
)

GERMAN_DESK = DeskTexts(
    desk_title="Schreibtisch",
    case="Fall",
    row="Zeile der Tabelle",
    row_of="Zeile der Tabelle (0 bis {last})",
    show_row="Zeigen",
    no_row="Die Tabelle hat keine Zeile mit dieser Nummer.",
    or_json="Oder als JSON",
    or_key="Nach Schlüssel, oder als JSON",
    key="Schlüssel der Zeile",
    no_key="Keine Zeile der Tabelle, oder mehr als eine, hat diesen Schlüssel.",
    show_key="Finden",
    json="Ein Fall als JSON",
    show_json="Diesen Fall zeigen",
    not_json="Das ist kein JSON-Objekt mit einem Wert für jedes Merkmal.",
    what_if="Was wäre, wenn",
    what_if_note="Bewegen Sie einen Wert: Das Modell antwortet sofort. Auch Werte außerhalb der Regeln sind möglich.",
    yes_is="ein Ja ist {target}",
    says_yes="ja",
    says_no="nein",
    reset="Zurück zum Fall",
    adopt="Auch ändern, was die Regeln verlangen: {changes}",
    allowed="die Regeln erlauben {low} bis {high}",
    allowed_fixed="die Regeln lassen es, wie es ist",
    other_features="{number} Merkmale, die das Modell nicht liest oder die fest sind",
    ways="Wege zum Ja",
    now="Jetzt",
    way="Weg {number}",
    try_way="Testen",
    distance="Abstand",
    distance_is="Abstand: wie viel sich insgesamt ändert. 0 ist der Fall, wie er ist; weniger ist näher.",
    outcome="Ergebnis",
    confirmed="vom Modell bestätigt",
    not_confirmed="nicht bestätigt",
    proven="bewiesen am nächsten",
    required="von einer Regel verlangt",
    at_limit="{low} bis {high} würde genügen",
    unchanged="{number} Merkmale, die kein Weg ändert",
    ways_key="Grau: wie es in den Zeilen der Tabelle ist. ○ jetzt, ● mit dem Weg. = unverändert",
    no_ways="Unter diesen Regeln gibt es keinen Weg.",
    steps="Schritt für Schritt: Weg {number}",
    tradeoffs="Abwägungen",
    tradeoffs_note="Links ist nah, oben ein sicheres Ja; jeder Punkt ist ein Weg der Liste. Wählen Sie einen.",
    tradeoffs_looking="Sie werden gesucht …",
    tradeoffs_none="Unter diesen Regeln ist nichts abzuwägen: Kein anderer Weg ist in etwas besser als der nächste.",
    obstacles="Was die Regeln kosten",
    obstacles_note="Regeln, die einen näheren Weg verhindern, und dieser Weg.",
    obstacles_none="Keine Regel macht den nächsten Weg teurer.",
    obstacles_unsettled="Regeln, für die die Zeit nicht reichte: {number}",
    price="um {price} näher",
    rule_gone="Ohne sie: {then}",
    rules="Regeln",
    rules_more="{number} Regeln des Projekts",
    rules_note="Weitere Regeln für diesen Fall, in PLAF; nichts wird gespeichert.",
    try_rules="Diese Regeln versuchen",
    drop_rules="Ohne sie",
    reasons="Gründe für die Entscheidung",
    to_json="Als JSON sichern",
    report="Bericht sichern",
    hello="Zeigen Sie eine Zeile der Tabelle, oder fügen Sie einen Fall ein.",
)

DESKS = {"en": ENGLISH_DESK, "de": GERMAN_DESK}
