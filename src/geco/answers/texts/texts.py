"""Texts: what one language has to say. Braces are filled in; a text without a brace stands alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Texts:
    """One language.

    Attributes
    ----------
    thousands, decimal, date, time : how numbers and days are written.
    quoted : a {text} in quotes.
    lower : whether words of names begin with a small letter.
    articles : words with which a name can stand in a sentence as it is; others are quoted. Empty where none need it.
    begins_anew : whether what follows a colon begins with a capital letter.
    about : a {number} that is rounded.
    moving : of {verb} {name} {before} {value}: a change from one value to another.
    moving_at_least, moving_at_most : the same where everything beyond the value will do, too.
    setting, setting_at_least, setting_at_most : the same without {before}, where even rounded it has too many digits.
    together : more than two {actions}.
    up, down : the verbs of raising and lowering, unless the project has its own.
    up_to, down_to, others : what else would do, in brackets behind a change.
    would_do : the same where less than the change would do as well; ``would_do_from`` and ``would_do_to`` where the
        range ends with D.
    rest, one_at_a_time : said in a bracket, or once behind several, where other changes have to stay.
    asked_after, asked : what the rules ask for, with and without a change that they speak of; {action} is what to do.
    otherwise : {action} leaves a rule nothing to ask for; as it is now, the rules would ask.
    further : the model needs more than the rules ask for; ``further_than`` where less than the change would do.
    limits : per comparison what is asked of {name}.
    proved, proved_ways, not_proved : whether anything nearer exists.
    rounder, rounder_each : nothing nearer than {exact} exists, for which a {round} value stands, or several.
    statuses : per status what to say instead of ways.
    order : why an answer may be nearer than the one before it.
    fewer, why : {found} of {asked} ways, and why there are no more, per what stopped the search.
    predicted : the class {label} that results.
    x_breaks : x is good already, but breaks a rule.
    """

    thousands: str
    decimal: str
    date: str
    time: str
    quoted: str
    lower: bool
    articles: frozenset[str]
    begins_anew: bool
    about: str
    yes: str
    no: str
    missing: str
    and_: str
    or_: str
    up: str
    down: str
    moving: str
    moving_at_least: str
    moving_at_most: str
    setting: str
    setting_at_least: str
    setting_at_most: str
    together: str
    change: str
    move: str
    state: str
    leave: str
    nothing: str
    up_to: str
    down_to: str
    would_do: str
    would_do_from: str
    would_do_to: str
    others: str
    more: str
    rest: str
    one_at_a_time: str
    asked_after: str
    asked: str
    otherwise: str
    further: str
    further_than: str
    limits: Mapping[str, str]
    model_says: str
    wanted: str
    distance: str
    required: str
    at_limit: str
    not_confirmed: str
    nearest_miss: str
    note: str
    order: str
    proved: str
    proved_ways: str
    rounder: str
    rounder_each: str
    not_proved: str
    statuses: Mapping[str, str]
    fewer: str
    why: Mapping[str, str]
    predicted: str
    x_breaks: str
    legend: str
    bars: str
    outcome: str
