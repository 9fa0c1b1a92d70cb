"""Speech: features and values as people write them, in one language.

A number has the fewest digits that read back as the same value in its column's type; separators are those of the
language, and nothing is rounded here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, datetime
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from typing import Any

import numpy as np

from geco.answers.labels import Label, Wording, key_of
from geco.answers.texts import Texts, texts_of
from geco.answers.values import is_missing, show

_HUMPS = re.compile(r"(?<=[a-z])(?=[A-Z0-9])|(?<=[0-9])(?=[A-Z][a-z])|(?<=[A-Z])(?=[A-Z][a-z])")
_PLAIN = (Decimal("1e-7"), Decimal("1e16"))  # numbers beyond are written with an exponent
_PLURAL = re.compile(r"[^\W\d]+(s|e|en)")  # of years, Jahre, Wochen: not said of one
NAMED = 3  # of many values
_NARROW: dict[str, type[np.floating[Any]]] = {"float16": np.float16, "float32": np.float32}


class Speech:
    """How this explanation speaks."""

    def __init__(self, wording: Wording, language: str = "en") -> None:
        self.wording, self.texts, self.language = wording, texts_of(language), language

    def label(self, feature: str) -> Label:
        """How it is spoken of in this language."""
        return self.wording.label(feature).told(self.language)

    def named(self, feature: str, value: Any) -> str | None:
        """What somebody called this value; None if nobody did."""
        names = self.label(feature).values
        return names.get(key_of(value)) if names else None

    def title(self, feature: str) -> str:
        """Its label, or its name as it is in D: for tables."""
        return self.label(feature).label or feature

    def name(self, feature: str) -> str:
        """Its label, or the words that its name is made of: for sentences."""
        label = self.label(feature).label
        if label or feature in self.wording.alike:
            return label or feature
        return in_words(feature, self.texts.lower)

    def spoken(self, feature: str) -> str:
        """Its name within a sentence: in quotes where the language wants an article and nobody gave one."""
        name, articles = self.name(feature), self.texts.articles
        return self.quoted(name) if articles and name.split(" ")[0].lower() not in articles else name

    def begun(self, text: str) -> str:
        """What follows a colon."""
        return f"{text[0].upper()}{text[1:]}" if text and self.texts.begins_anew else text

    def value(self, feature: str, value: Any, unit: bool = True) -> str:
        """Numbers with their separators and unit, flags as yes and no, dates as dates.

        Examples
        --------
        >>> speech = Speech(Wording(narrow={"liq": "float32"}, flags=frozenset({"active"})))
        >>> speech.value("liq", 85.19999694824219), speech.value("active", 1), speech.value("pay", 2400.0)
        ('85.2', 'yes', '2,400')
        """
        if is_missing(value):
            return self.texts.missing
        if (name := self.named(feature, value)) is not None:
            return name
        if isinstance(value, bool | np.bool_) or (feature in self.wording.flags and value in (0, 1)):
            return self.texts.yes if value else self.texts.no
        if isinstance(value, date):
            return _day(value, self.texts)
        if not is_quantity(value):
            text = show(value)
            return self.texts.quoted.format(text=text) if _unclear(text) else text
        number = self._written(feature, digits(value, self.wording.narrow.get(feature)))
        return self._with_unit(feature, number) if unit else number

    def about(self, feature: str, value: Any, room: Decimal, decimals: int, unit: bool = True) -> str | None:
        """The value, or about which it is where it has more decimals; None where rounded in this room it has, too."""
        exact = self.value(feature, value, unit)
        if not is_quantity(value) or self.decimals(exact) <= decimals:
            return exact
        number = digits(value, self.wording.narrow.get(feature))
        short = next((s for n in range(decimals + 1) if abs((s := round(number, n)) - number) <= room), None)
        return None if short is None else self.texts.about.format(number=self.value(feature, short, unit))

    def and_more(self, told: Sequence[str], of: int) -> list[str]:
        """Some of so many, and how many more there are."""
        return [*told, self.texts.more.format(number=of - len(told))] if of > len(told) else list(told)

    def values(self, feature: str, values: Sequence[Any], beside: Sequence[Any]) -> list[str]:
        """Several values of which all texts are in quotes if one of them, or of those beside them, needs it."""
        quoted = any(self.value(feature, v).startswith(self.texts.quoted[0]) for v in (*values, *beside))
        told = [(v, self.value(feature, v)) for v in values]
        return [self.quoted(text) if quoted and isinstance(v, str) else text for v, text in told]

    def quoted(self, text: str) -> str:
        """In the quotes of the language, unless it is already."""
        return text if text.startswith(self.texts.quoted[0]) else self.texts.quoted.format(text=text)

    def decimals(self, number: str) -> int:
        """How many digits a number that was written has behind its point."""
        return len(number.split(" ")[0].partition(self.texts.decimal)[2])

    def listed(self, parts: Sequence[str], word: str | None = None) -> str:
        """``a, b and c``."""
        if len(parts) < 2:
            return "".join(parts)
        return f"{', '.join(parts[:-1])} {word or self.texts.and_} {parts[-1]}"

    def _written(self, feature: str, number: Decimal) -> str:
        plain = feature in self.wording.years or feature in self.wording.codes
        return written(number, self.texts, grouped=not plain)

    def _with_unit(self, feature: str, text: str) -> str:
        unit = self.label(feature).unit
        return text if not unit or (text == "1" and _PLURAL.fullmatch(unit)) else f"{text} {unit}"


def in_words(name: str, lower: bool = True) -> str:
    """The words of a column's name.

    Examples
    --------
    >>> in_words("credit_amount"), in_words("DebtRatio"), in_words("Time30_59DaysLate"), in_words("PAY_AMT1")
    ('credit amount', 'debt ratio', 'time 30-59 days late', 'PAY AMT1')
    """
    spaced = re.sub(r"(?<=[A-Za-z0-9])[_.](?=[A-Za-z])|(?<=[A-Za-z])[_.](?=[0-9])|^_+|_+$", " ", name)
    spaced = re.sub(r"(?<=[0-9])_(?=[0-9])", "-", spaced)
    if re.search(r"[a-z][A-Z]", name) and " " not in name:
        spaced = _HUMPS.sub(" ", spaced)
    words = spaced.replace("_", " ").split()
    if lower and " " not in name:  # a name of several words was written for people
        words = [word.lower() if re.fullmatch(r"[A-Z]?[a-z0-9-]+", word) else word for word in words]
    return " ".join(words) or name


def digits(value: Any, narrow: str | None = None) -> Decimal:
    """The shortest number that reads back as this value.

    Examples
    --------
    >>> digits(85.19999694824219, "float32"), digits(0.1), digits(7)
    (Decimal('85.2'), Decimal('0.1'), Decimal('7'))
    """
    if isinstance(value, Decimal):
        return value
    if isinstance(value, int | np.integer):
        return Decimal(int(value))
    if narrow is not None or isinstance(value, np.float16 | np.float32):
        with np.errstate(over="ignore"):
            short = value if isinstance(value, np.floating) else _NARROW[narrow or "float32"](value)
        if float(short) == float(value):
            return Decimal(str(short))
    return Decimal(repr(float(value)))


def shorter(end: Any, within: Any, decimals: int) -> Any:
    """The end of a range, or where it has more decimals a number inside of it that has as few of them as can be.

    At most a twentieth of the way to ``within`` is given away; the end itself where that is not enough.

    Examples
    --------
    >>> shorter(0.449268941, 0.479521, 4), shorter(0.3361002, 0.196, 4), shorter(2.55, 9.0, 4)
    (Decimal('0.45'), Decimal('0.33'), 2.55)
    >>> shorter(0.033543035, 0.034014, 4)
    Decimal('0.03355')
    """
    number, inner = digits(end), digits(within)
    if not number.is_finite() or (own := -int(number.as_tuple().exponent)) <= decimals:
        return end
    inwards = ROUND_CEILING if number < inner else ROUND_FLOOR
    for behind in range(1, own):
        short = number.quantize(Decimal(1).scaleb(-behind), rounding=inwards)
        if abs(short - number) <= abs(inner - number) / 20:
            return short
    return end


def written(number: Decimal, texts: Texts, grouped: bool = True) -> str:
    """A number in the language's own signs."""
    if number and not _PLAIN[0] <= abs(number) < _PLAIN[1]:
        return f"{number.normalize():e}".replace(".", texts.decimal)
    text = f"{number:,f}" if grouped else f"{number:f}"
    whole, _, fraction = text.partition(".")
    fraction = fraction.rstrip("0")
    whole = whole.replace(",", texts.thousands)
    return f"{whole}{texts.decimal}{fraction}" if fraction else whole


def is_quantity(value: Any) -> bool:
    """A number that is not a truth value."""
    return isinstance(value, int | float | Decimal | np.integer | np.floating) and not isinstance(value, bool)


def _day(value: date, texts: Texts) -> str:
    day = texts.date.format(year=value.year, month=value.month, day=value.day)
    if not isinstance(value, datetime) or (value.hour, value.minute, value.second, value.microsecond) == (0, 0, 0, 0):
        return day
    return texts.time.format(date=day, time=value.time().isoformat())


def _unclear(text: str) -> bool:
    """It would run into the words around it."""
    return not any(map(str.isalnum, text)) or any(sign in text for sign in ",;() \n") or text != text.strip()
