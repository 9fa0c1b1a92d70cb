"""Thousands of odd CSV files, as geco reads them against pandas.read_csv.

    python tests/csvs.py --n 10000 [--seed 0]

Beside each file lies one that a glob in its name would match. A file is *equal* if names, rows and values are those of
pandas (numbers read to the last digit; ISO dates compared with pandas' text), *refused* if geco says what is wrong with
it. The exit code is 1 if any file is read otherwise, or refused where both its rows and its values are plain.
"""

from __future__ import annotations

import argparse
import datetime as dt
import math
import re
import sys
import tempfile
import warnings
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import geco
from geco.data.csvtypes import MISSING_MARKS
from generators.csvs import CsvFile, random_csv

WIDE = re.compile(r"\s*[+-]?[0-9]{19,}\s*")
REFUSALS = (
    "fields, but the header has",
    "a quote is left open",
    "the header line has no end",
    "has integers beyond 64 bits",
    "has infinite values",
    "two columns are called",
    "is empty; expected a header",
    "has no rows",
)


def examine(seed: int, folder: Path) -> tuple[str, str]:
    """Equal, refused, or what differs; and details."""
    file = random_csv(seed)
    path = written(file, folder)
    try:
        database = geco.Database.from_file(path)
    except geco.GecoError as error:
        reason = next((r for r in REFUSALS if r in str(error)), None)
        return (f"refused: {reason}", "") if reason else ("refused without a known reason", str(error))
    except Exception as error:  # whatever it is, it is a fault
        return "foreign exception", repr(error)
    try:
        # In a header of one name there is no delimiter to be seen: commas, then, as in pandas.
        frame = pandas_reads(path, file.delimiter if len(database.schema) > 1 else ",")
    except (pd.errors.ParserError, pd.errors.EmptyDataError, ValueError) as error:
        return "read, but pandas refuses", repr(error)
    return next(((f"differs in {what}", details) for what, details in differences(database, frame)), ("equal", ""))


def written(file: CsvFile, folder: Path) -> Path:
    """The file, and neighbours that its name would match as a pattern."""
    for neighbour in ("d1.csv", "d2.csv", "dx.csv", "d.csv.gz"):
        (folder / neighbour).write_bytes(b"other\n1\n")
    path = folder / file.name
    path.write_bytes(file.data)
    return path


def pandas_reads(path: Path, delimiter: str) -> pd.DataFrame:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about types, and about float_precision
        # index_col=False: else pandas takes a first column for names of rows where lines have a field too many.
        return pd.read_csv(path, sep=delimiter, float_precision="round_trip", index_col=False, encoding="utf-8-sig")


def differences(database: geco.Database, frame: pd.DataFrame) -> Any:
    if list(database.schema.names) != list(frame.columns):
        yield "names", f"{database.schema.names} {list(frame.columns)}"
        return
    if database.rows != len(frame):
        yield "rows", f"{database.rows} {len(frame)}"
        return
    rows = [database.row(i) for i in range(database.rows)]
    for name in frame.columns:
        ours, theirs = [row[name] for row in rows], [_plain(v) for v in frame[name]]
        cls = database.schema[name].type
        if any(isinstance(v, str) and WIDE.fullmatch(v) for v in theirs):
            theirs = [given_up(v, cls) for v in theirs]
        bad = [(a, b) for a, b in zip(ours, theirs, strict=True) if not equal(a, b, cls)]
        if bad:
            yield f"values of type {cls} where pandas has {frame[name].dtype}", f"{name!r}: {bad[:3]}"


def given_up(field: Any, cls: str) -> Any:
    """A field of a column that pandas leaves as text, marks of missing values and all, for an integer of 2^63 or more.

    It is read as in any other column.
    """
    if field in MISSING_MARKS:
        return None
    return {"integer": int, "number": float}.get(cls, lambda text: text)(field)


def equal(ours: Any, theirs: Any, cls: str) -> bool:
    """The same value: of the same type, but for integers that pandas makes floats because some are missing."""
    if ours is None or theirs is None:
        return ours is theirs
    if cls in ("date", "datetime") and isinstance(theirs, str):
        then = dt.datetime.fromisoformat(theirs.strip())
        return bool(ours == (then.date() if cls == "date" else then))
    if isinstance(ours, int) and isinstance(theirs, float):
        return float(ours) == theirs
    same = type(ours) is type(theirs) and ours == theirs
    return same and (not isinstance(ours, float) or math.copysign(1, ours) == math.copysign(1, theirs))


def _plain(value: Any) -> Any:
    if pd.isna(value):
        return None
    return value.item() if isinstance(value, np.generic) else value


def settings() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--n", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_args()


def main() -> int:
    args = settings()
    found: Counter[str] = Counter()
    shown: Counter[str] = Counter()
    for seed in range(args.seed, args.seed + args.n):
        with tempfile.TemporaryDirectory() as folder:
            verdict, details = examine(seed, Path(folder))
        found[verdict] += 1
        if details and (shown.update([verdict]) or shown[verdict] <= 5):
            print(f"seed {seed}: {verdict}: {details}", flush=True)
    print(f"{args.n:,} files", *(f"  {verdict:60} {n:7,}" for verdict, n in found.most_common()), sep="\n")
    return 0 if all(v == "equal" or v.startswith("refused: ") for v in found) else 1


if __name__ == "__main__":
    sys.exit(main())
