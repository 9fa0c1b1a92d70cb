"""What the name of a column says: who is protected by law, what only grows, what looks like a key or an order."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from geco.plaf.printer import print_name
from geco.project.suggest.sheet import Sheet
from geco.project.suggest.suggestion import Suggestion

# Characteristics that laws on credit and equal treatment name, as words of a column's name.
PROTECTED_WORDS = {
    "sex": "sex gender male female man woman",
    "race": "race ethnicity ethnic caste skin black white nonwhite nwhite hispanic hispan latino afam african asian",
    "national origin": "nationality citizenship citizen foreign foreigner immigrant origin native birthplace country",
    "religion": "religion religious creed muslim christian jewish denomination",
    "marital status": "married marital maritl marriage single divorced widowed",
    "a protected characteristic": "disability disabled handicap pregnant pregnancy orientation genotype",
}
PROTECTED = {word: what for what, words in PROTECTED_WORDS.items() for word in words.split()}
RECORDED = ("year", "month", "quarter", "wave", "period", "survey_year", "date", "timestamp", "created", "created_at")
GROWS = {
    "age": "age only grows",
    "seniority": "years of service only grow",
    "tenure": "years of service only grow",
    "experience": "experience only grows",
    "education": "a degree is not lost again",
    "schooling": "a degree is not lost again",
    "educ": "a degree is not lost again",
}
SINCE = "the time since then only grows"
LONGEST = 120  # such times, in years: above it is the year itself
PAST = (
    *("prior", "priors", "past", "previous", "delinquent", "delinquencies", "late", "overdue", "default", "defaults"),
    *("bankruptcies", "bankruptcy", "arrest", "arrests", "conviction", "convictions", "claims", "accidents", "juv"),
)
COUNTED = ("count", "counts", "number", "num", "n", "no", "nr", "times", "total", "months", "since", "years")
WINDOW = re.compile(r"last|recent|current|over_?\d|\d+\s*(?:m|months?|days?|years?|yrs)$", re.IGNORECASE)
KEY = ("id", "uuid", "key", "index", "rownames", "rowid", "nr", "number", "no", "code")
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


def words_of(name: str) -> list[str]:
    """The words in a name, in small letters.

    Examples
    --------
    >>> words_of("MonthsWithLowSpending"), words_of("native_country"), words_of("isMale")
    (['months', 'with', 'low', 'spending'], ['native', 'country'], ['is', 'male'])
    """
    return [word.lower() for word in _WORD.findall(name)]


def protected(sheet: Sheet, onehots: Sequence[Sequence[str]]) -> Iterator[Suggestion]:
    """FIXED for what laws protect; the columns of a ONEHOT set together."""
    in_set = {name: tuple(names) for names in onehots for name in names}
    for names in dict.fromkeys(in_set.get(name, (name,)) for name in sheet.names):
        what = _protected(names)
        if what is not None:
            values = len(names) if len(names) > 1 else sheet.distinct(names[0])
            evidence = f"by its name {what}, which laws protect; {values:,} values"
            yield Suggestion("fixed", f"FIXED {', '.join(map(print_name, names))}", evidence, 0.95, names)


def moments(sheet: Sheet) -> Iterator[Suggestion]:
    """FIXED for when a row was recorded."""
    for name in sheet.names:
        if "_".join(words_of(name)) in RECORDED and sheet.distinct(name) > 1:
            evidence = f"by its name when the row was recorded, which nobody changes; {sheet.distinct(name):,} values"
            yield Suggestion("fixed", f"FIXED {print_name(name)}", evidence, 0.85, (name,))


def _protected(names: Sequence[str]) -> str | None:
    """What is protected, by the words that all of these names have."""
    words = [word for word in words_of(names[0]) if all(word in words_of(name) for name in names)]
    return next((PROTECTED[word] for word in words if word in PROTECTED), None) if _about_people(words) else None


def _about_people(words: list[str]) -> bool:
    """The country of a shop is nobody's origin."""
    return "country" not in words or len(words) == 1 or bool({"native", "birth", "origin", "home"} & {*words})


def growing(sheet: Sheet) -> Iterator[Suggestion]:
    """INCREASE for what only grows: age, tenure, degrees, counts of past events."""
    for name in sheet.names:
        why = _why_it_grows(sheet, name)
        if why is not None:
            numbers = sheet.numbers(name)
            low, high = (f"{end:,.12g}" for end in (min(numbers[numbers == numbers]), max(numbers[numbers == numbers])))
            evidence = f"by its name: {why}; from {low} to {high}"
            sure = 0.9 if why in (*GROWS.values(), SINCE) else 0.8
            yield Suggestion("increase", f"INCREASE {print_name(name)}", evidence, sure, (name,))


def _why_it_grows(sheet: Sheet, name: str) -> str | None:
    feature, words = sheet.feature(name), words_of(name)
    if feature.type not in ("integer", "number") or name in sheet.flags or sheet.distinct(name) < 2:
        return None
    if "average" in words or "percentage" in words:
        return None
    why = next((GROWS[word] for word in words if word in GROWS), None)
    if why is None and words[-1] == "since" and _is_a_time(sheet, name):
        why = SINCE
    if why is not None:
        return why
    past = any(word in PAST for word in words) and any(word in COUNTED for word in words)
    whole = bool((sheet.numbers(name) % 1 == 0)[~sheet.missing(name)].all())
    return "what has happened stays so" if past and whole and not WINDOW.search(name) else None


def _is_a_time(sheet: Sheet, name: str) -> bool:
    numbers = sheet.numbers(name)[~sheet.missing(name)]
    return len(numbers) > 0 and bool(numbers.min() >= 0 and numbers.max() <= LONGEST)
