"""Programs and bytes, damaged: words swapped, doubled and cut, bytes flipped, checksums made right again."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np

from fuzzing.people import RULES

Rng = np.random.Generator

SIGNS = """
PLAF IF THEN and && x_cf. x. cf. age income home id since IN BETWEEN AND FIXED GROUP INCREASE DECREASE ORDER ONEHOT
: , ; < <= = == != <> ≠ ≤ ≥ > >= + - * / ( ) (((( 1 0 -1 1e308 1e999 5e-324 .5 1. # true false { } [ ] @ ` $ é 名前
9007199254740993 99999999999999999999999999 '' 'it''s' 'rent' 'own' ' " \\ x_cf.nobody "since" x_cf."home"
'2024-01-01' '0001-01-01' '2024-13-45'
"""
PIECES = (
    *SIGNS.split(),
    *("\0", "\ud800", "\t", "\n", "\r\n", "\ufeff", "\u2028", "# comment", "ALLOW MISSING", "'2024-01-01 00:00:00.01'"),
    *("1 = 2", "1 = 1", "x_cf.age >= x.age", "FIXED age", "x_cf.income / x.age", "x_cf.since - x.since"),
    *("IF 1 = 1 THEN 1 = 2", "GROUP age, income"),
)
LINES = (
    "PLAF IF x_cf.age > x.age THEN x_cf.income > x.income",
    "PLAF IF x_cf.income > x.income THEN x_cf.age > x.age",
    "ORDER home: 'rent' < 'family' < 'own'",
    "INCREASE home",
    "ONEHOT it: age, member",
    "ALLOW MISSING income",
    "PLAF x_cf.income <= x.income / (x.age - x.age)",
    "PLAF x_cf.id = 9007199254740993",
    "PLAF x_cf.since <= x.since + 1e17",
    "PLAF x_cf.since <= x.since * 2",
    "PLAF x_cf.home IN ('rent', 'moon')",
    "FIXED age, age, home",
    "GROUP age, income; GROUP income, home",
    "PLAF x_cf.age BETWEEN 60 AND 20",
)


def odd_program(rng: Rng) -> tuple[str, str]:
    """A program that may be wrong, and what was done to it."""
    text = RULES
    done = []
    for _ in range(int(rng.integers(1, 5))):
        way = list(WAYS)[rng.integers(len(WAYS))]
        text = WAYS[way](text, rng)
        done.append(way)
    return text, f"{', '.join(done)}: {text[:300]!r}"


def _words(text: str) -> list[str]:
    return re.findall(r"\s+|\w+|[^\w\s]", text)


def _joined_after(edit: Callable[[list[str], Rng], list[str]]) -> Callable[[str, Rng], str]:
    return lambda text, rng: "".join(edit(_words(text) or [""], rng))


def _replaced(words: list[str], rng: Rng) -> list[str]:
    words[rng.integers(len(words))] = PIECES[rng.integers(len(PIECES))]
    return words


def _inserted(words: list[str], rng: Rng) -> list[str]:
    place = int(rng.integers(len(words) + 1))
    return [*words[:place], " ", PIECES[rng.integers(len(PIECES))], " ", *words[place:]]


def _dropped(words: list[str], rng: Rng) -> list[str]:
    del words[rng.integers(len(words))]
    return words


def _swapped(words: list[str], rng: Rng) -> list[str]:
    a, b = rng.integers(len(words), size=2)
    words[a], words[b] = words[b], words[a]
    return words


def _repeated(text: str, rng: Rng) -> str:
    """Many times the same line, on its own lines or on one: reports must not explode."""
    lines = [*text.splitlines(), *LINES] or [""]
    line = lines[rng.integers(len(lines))]
    return text + ("\n", " ")[rng.integers(2)].join([line] * int(rng.choice([2, 20, 300])))


def _nested(text: str, rng: Rng) -> str:
    depth = int(rng.choice([5, 60, 3_000]))
    return f"{text}\nPLAF x_cf.age <= {'(' * depth}1{')' * depth}"


def _summed(text: str, rng: Rng) -> str:
    return f"{text}\nPLAF x_cf.age <= {' + '.join(['x.age'] * int(rng.choice([5, 100, 2_000])))}"


WAYS: dict[str, Callable[[str, Rng], str]] = {
    "replaced": _joined_after(_replaced),
    "inserted": _joined_after(_inserted),
    "dropped": _joined_after(_dropped),
    "swapped": _joined_after(_swapped),
    "cut": lambda text, rng: text[: rng.integers(len(text) + 1)],
    "line": lambda text, rng: f"{text}\n{LINES[rng.integers(len(LINES))]}\n",
    "repeated": _repeated,
    "nested": _nested,
    "summed": _summed,
    "noise": lambda text, rng: text + "".join(map(chr, rng.integers(0, 0x300, int(rng.integers(1, 30))))),
}


def damaged(data: bytes, rng: Rng) -> tuple[bytes, str]:
    """Bytes flipped, cut, doubled, replaced by others of the file or by noise."""
    done, changed = [], bytearray(data)
    for _ in range(int(rng.integers(1, 4))):
        way = ("flipped", "cut", "doubled", "noise", "zeros", "moved")[rng.integers(6)]
        done.append(way)
        a, b = sorted(int(i) for i in rng.integers(len(changed) + 1, size=2))
        b = min(b, a + 64)
        match way:
            case "flipped" if changed:
                changed[min(a, len(changed) - 1)] ^= int(rng.integers(1, 256))
            case "cut":
                del changed[a : a + int(rng.choice([1, 8, 10_000]))]
            case "doubled":
                changed[a:a] = changed[a:b]
            case "noise":
                changed[a:b] = rng.bytes(b - a)
            case "zeros":
                changed[a:b] = bytes(b - a)
            case "moved":
                changed[a:b], end = b"", changed[a:b]
                changed += end
    return bytes(changed), ", ".join(done)
