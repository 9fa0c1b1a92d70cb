"""ORDER for text that looks ordinal: by numbers beside it, by digits in it, by known scales, by the label."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import numpy as np

from geco.plaf.printer import print_name, print_text
from geco.project.suggest.names import words_of
from geco.project.suggest.sheet import Sheet
from geco.project.suggest.suggestion import Suggestion

SCALES = (
    ("none", "little", "moderate", "quite rich", "rich"),
    ("very low", "low", "medium low", "medium", "medium high", "high", "very high"),
    ("lowest", "low", "middle", "high", "highest"),
    ("low", "mid", "high"),
    ("low", "moderate", "high"),
    ("none", "low", "normal", "high"),
    ("very small", "small", "medium", "large", "very large"),
    ("xs", "s", "m", "l", "xl", "xxl"),
    ("very poor", "poor", "fair", "average", "good", "very good", "excellent", "ideal"),
    ("fair", "good", "very good", "premium", "ideal"),
    ("poor", "ok", "good"),
    ("bad", "medium", "good"),
    ("never", "rarely", "seldom", "sometimes", "often", "usually", "always"),
    ("strongly disagree", "disagree", "neutral", "agree", "strongly agree"),
    ("not at all", "a little", "somewhat", "very", "extremely"),
    ("none", "primary", "secondary", "vocational", "tertiary"),
    ("primary", "secondary", "bachelor", "master", "doctorate"),
    ("less than high school", "high school", "some college", "college", "bachelor", "graduate"),
    ("high school", "university", "graduate school"),
    ("unskilled", "semi skilled", "skilled", "highly skilled"),
    ("first", "second", "third", "fourth"),
    ("1st", "2nd", "3rd", "4th", "crew"),
    ("bronze", "silver", "gold", "platinum"),
    ("mild", "moderate", "severe"),
    ("minor", "major", "critical"),
    ("young", "middle aged", "old"),
    ("child", "adult", "senior"),
    ("a", "b", "c", "d", "e", "f", "g"),
    ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"),
)
NOTHING = ("none", "no", "never", "unemployed", "nothing", "zero", "no savings", "no account")
ORDINAL_WORDS = ("grade", "rating", "level", "quality", "education", "degree", "rank", "tier")
UNSURE = ("other", "others", "unknown", "?", "na", "n/a")
MOST = 25
_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
# Digits somewhere are often only a code: 'A11', 'v3'.
_QUANTITY = re.compile(
    r"^\s*(?:[<>≤≥]=?|less than|more than|under|over|above|below|up to|at least|between)?\s*[$€£]?\d", re.I
)
_LISTED = re.compile(r"^\s*\d+\s*[.):]\s*\D")
_LESS = re.compile(r"^\s*(?:<|less|under|below|up to|fewer)", re.IGNORECASE)
_MORE = re.compile(r"^\s*(?:>|more|over|above|at least|\d[\d,.]*\s*(?:\+|or more|and over))|\+\s*$", re.IGNORECASE)


def text_orders(sheet: Sheet, partners: Mapping[str, str]) -> Iterator[Suggestion]:
    """One for each text column that has an order in some way; ``partners`` are columns of numbers 1:1 with it."""
    for name in sheet.names:
        texts = sheet.texts(name) if sheet.feature(name).type == "text" else []
        if not 2 < len(texts) <= MOST or sheet.feature(name).order is not None:
            continue
        listed = all(map(_LISTED.match, texts))  # "1. White": numbers that only count
        by_digits = None if listed and not _is_ordinal(name) else _by_digits(texts)
        found = _by_partner(sheet, name, partners) or by_digits or _by_scale(texts) or _by_label(sheet, name)
        if found is not None:
            ordered, why, score = found
            chain = " < ".join(map(print_text, ordered))
            yield Suggestion("order", f"ORDER {print_name(name)}: {chain}", why, score, (name,))


Found = tuple[list[str], str, float]


def _by_partner(sheet: Sheet, name: str, partners: Mapping[str, str]) -> Found | None:
    other = partners.get(name)
    if other is None or sheet.feature(other).type == "text":
        return None
    codes, numbers = sheet.codes(name), sheet.numbers(other)
    at = [float(np.median(numbers[codes == code])) for code in range(sheet.distinct(name))]
    texts = sorted(sheet.texts(name))
    if len(texts) != len(at) or any(np.isnan(at)):
        return None
    return [text for _, text in sorted(zip(at, texts, strict=True))], f"as {other} orders it", 0.88


def _by_digits(texts: list[str]) -> Found | None:
    """``< 1 year``, ``1 to 4 years``, ``>= 7 years``; one value may stand for nothing at all."""
    placed = {text: _place(text) for text in texts}
    without = [text for text, place in placed.items() if place is None]
    if len(without) > 1 or any(text.lower().strip() not in NOTHING for text in without):
        return None
    if len(texts) - len(without) < 2 or len(set(placed.values())) < len(texts):
        return None
    ordered = sorted(texts, key=lambda text: placed[text] or (float("-inf"), 0))
    return ordered, "by the numbers in its values", 0.75


def _is_ordinal(name: str) -> bool:
    return any(word in ORDINAL_WORDS for word in words_of(name))


def _place(text: str) -> tuple[float, float] | None:
    if not _QUANTITY.search(text):
        return None
    numbers = [float(n.replace(",", "")) for n in _NUMBER.findall(text)]
    side = -1 if _LESS.search(text) else 1 if _MORE.search(text) else 0
    return numbers[0], numbers[1] if len(numbers) > 1 else numbers[0] + side / 2


def _by_scale(texts: list[str]) -> Found | None:
    plain = {re.sub(r"[\s_-]+", " ", text.strip().lower()): text for text in texts}
    for scale in SCALES:
        if len(plain) == len(texts) and {*plain} <= {*scale}:
            return [plain[word] for word in scale if word in plain], "as such words are usually meant", 0.78
    return None


def _by_label(sheet: Sheet, name: str) -> Found | None:
    """By the share of one outcome, where the name says that there is an order; the weakest of all reasons."""
    if sheet.label is None or not _is_ordinal(name) or sheet.missing(name).any():
        return None
    outcome = sheet.label.values().astype(str)
    one = sorted({*outcome})[-1]
    codes, good = sheet.codes(name), outcome == one
    shares = [float(good[codes == code].mean()) for code in range(sheet.distinct(name))]
    texts = sorted(sheet.texts(name))
    if (
        any(text.strip().lower() in UNSURE for text in texts)
        or len({*outcome}) != 2
        or len(texts) != len(shares)
        or min(np.bincount(codes)) < 30
    ):
        return None
    pairs = sorted(zip(shares, texts, strict=True))
    told = ", ".join(f"{share:.0%}" for share, _ in pairs)
    return [text for _, text in pairs], f"by the share of {one} in each: {told}; turn it round if that is wrong", 0.35
