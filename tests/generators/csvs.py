"""Random CSV files with everything that tempts a reader to guess: ``random_csv(seed)`` gives a name and bytes.

Fields that look like comments, numbers of other bases, dates, marks of missing values; quotes where they belong and
where they do not; line ends of every kind in one file; lines too short, too long or blank; names with glob signs.
"""

from __future__ import annotations

import gzip
from dataclasses import dataclass

import numpy as np

Rng = np.random.Generator

NAMES = (
    "d.csv",
    "d[1].csv",
    "d*.csv",
    "d?.csv",
    "d{1,2}.csv",
    "[d].csv",
    "d 1.csv",
    "dä.CSV",
    "d[!1].csv.gz",
    "d#1.csv",
)
ENDS = ("\n", "\r\n", "\r")
FIELDS = {
    "whole": lambda rng: str(int(rng.integers(-99, 100))),
    "long": lambda rng: str(int(rng.choice([2**53, 2**62, -(2**63), 2**63 - 9])) + int(rng.integers(0, 9))),
    "unsigned": lambda rng: str(2**63 + int(rng.integers(0, 99))),
    "wide": lambda rng: str(10**19 * int(rng.integers(1, 99))),
    "decimal": lambda rng: f"{rng.normal() * 10.0 ** int(rng.integers(-8, 9)):.{int(rng.integers(0, 17))}g}",
    "exponent": lambda rng: f"{int(rng.integers(1, 99))}{_of(rng, 'eE')}{int(rng.integers(-320, 320))}",
    "dotted": lambda rng: _of(
        rng, (".5", "5.", "+.25", "-7.", "+3", "007", "-0", "-0.0", "1,5", "1_000", "1.2.3", "--1")
    ),
    "hex": lambda rng: f"{_of(rng, ('0x', '0X', '0b', '0o'))}{int(rng.integers(0, 2))}",
    "boolean": lambda rng: _of(rng, ("True", "False", "true", "FALSE", "TRUE")),
    "odd boolean": lambda rng: _of(rng, ("yes", "no", "T", "tRUE", "0", "1", "True ")),
    "infinite": lambda rng: _of(rng, ("inf", "-Infinity", "+INF", "Inf", "infinit", "1e999")),
    "missing": lambda rng: _of(rng, ("", "", "NA", "NaN", "null", "None", "#N/A", "n/a", "-nan", "<NA>", "nA", " NA")),
    "comment": lambda rng: _of(rng, ("#1", "#", "# note", "//x", "--", ";", "a#b")),
    "date": lambda rng: f"20{int(rng.integers(10, 30))}-{int(rng.integers(1, 13)):02}-{int(rng.integers(1, 31)):02}",
    "moment": lambda rng: f"2024-02-29{_of(rng, 'T ')}{int(rng.integers(0, 25)):02}:30{_of(rng, ('', ':59', ':59.5'))}",
    "text": lambda rng: _of(
        rng, ("ash", "birch wood", "Ä ö", "日本", "o'k", "a\\b", "x\ty", "\\N", "e", "-", "+", ".", "%")
    ),
    "quoted": lambda rng: _of(
        rng, ('say "hi"', '"', '""', 'a"b', "two\nlines", "cr\rlf\r\n", "a,b", "a;b|c", " x ", "\n")
    ),
    "spaced": lambda rng: f"{_of(rng, ('', ' ', chr(9)))}{int(rng.integers(0, 9))}{_of(rng, (' ', '  ', ''))}",
}


@dataclass(frozen=True)
class CsvFile:
    """What is written, and under which name."""

    name: str
    data: bytes
    delimiter: str


def random_csv(seed: int) -> CsvFile:
    """The file of this seed; the same everywhere."""
    rng = np.random.default_rng([20267, seed])
    delimiter = _of(rng, (",", ",", ",", ";", "\t", "|"))
    width, rows = int(rng.integers(1, 6)), int(rng.integers(1, 25))
    columns = [_column(rng, rows) for _ in range(width)]
    header = [_of(rng, ("#a", "a b", "ä", "x", "1", "", "A")) + str(i) for i in range(width)]
    header[0] = header[0] if rng.random() < 0.95 else ""
    ends = ENDS if rng.random() < 0.3 else (_of(rng, ENDS),)
    careless, quoting = rng.random() < 0.1, float(rng.choice([0.0, 0.3, 1.0]))
    lines = [
        [_written(f, delimiter, quoting, careless, rng) for f in line] for line in [header, *zip(*columns, strict=True)]
    ]
    text = "".join(_line(line, delimiter, rng) + _of(rng, ends) for line in lines)
    text = text.rstrip("\r\n") if rng.random() < 0.3 else text
    name = _of(rng, NAMES)
    data = (b"\xef\xbb\xbf" if rng.random() < 0.1 else b"") + text.encode()
    return CsvFile(name, gzip.compress(data, mtime=0) if name.endswith(".gz") else data, delimiter)


def _column(rng: Rng, rows: int) -> list[str]:
    """Mostly of one kind, with some missing; what comes last may be another."""
    kinds = list(rng.choice(list(FIELDS), int(rng.choice([1, 1, 1, 2, 3]))))
    kinds += ["missing"] if rng.random() < 0.3 else []
    fields = [FIELDS[_of(rng, kinds)](rng) for _ in range(rows)]
    if rng.random() < 0.1:
        fields[-1] = FIELDS[_of(rng, list(FIELDS))](rng)
    return fields


def _written(field: str, delimiter: str, quoting: float, careless: bool, rng: Rng) -> str:
    """As a field, quoted where it must be; a careless writer forgets that now and then, or pads it."""
    if careless and rng.random() < 0.1:
        return _of(rng, (field, f' "{field}"', f'"{field}" ', f'"{field}"x', f'x"{field}"', f'"{field}'))
    must = any(sign in field for sign in (delimiter, '"', "\n", "\r"))
    if must or rng.random() < quoting:
        doubled = field.replace('"', '""')
        return f'"{doubled}"'
    return field


def _line(fields: list[str], delimiter: str, rng: Rng) -> str:
    chance = rng.random()
    if chance < 0.004:
        fields = [*fields, ""]
    elif chance < 0.008 and len(fields) > 1:
        fields = fields[:-1]
    blank = _of(rng, ("\n", " \n", "\t\n", "\r\n")) if rng.random() < 0.02 else ""
    return blank + delimiter.join(fields)


def _of(rng: Rng, choices: object) -> str:
    return str(choices[int(rng.integers(len(choices)))])  # type: ignore[index,arg-type]
