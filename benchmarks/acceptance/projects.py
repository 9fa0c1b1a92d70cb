"""Projects: what ``geco suggest`` finds and how long it takes; the answers of the commands against those of Python.

    python -m benchmarks.acceptance.projects suggest [--tables credit adult german give_me_some_credit]
    python -m benchmarks.acceptance.projects wide [--rows 100000] [--columns 40]
    python -m benchmarks.acceptance.projects same [--rows 200]

``suggest``: the first ten of each table, and on Adult with one-hot columns its sets. ``wide``: CPU seconds on random
columns with some that depend on others. ``same``: refused rows of Credit and German credit, ``geco explain --row N
--json`` in this process against ``geco.open("geco.toml").explain``.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import tempfile
import time
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import pandas as pd
from typer.testing import CliRunner

import geco
from benchmarks import datasets
from benchmarks.report import save, show
from geco.cli import app
from geco.data.columns import text_column
from geco.data.database import Database
from geco.project.suggest.discover import discover

TABLES = ("credit", "adult", "german", "give_me_some_credit")
FIRST = 10
CLOCKS = ("seconds", "trace", "made", "schema_version", "command")


def suggest(args: argparse.Namespace) -> list[dict[str, Any]]:
    lines = [
        line for name in args.tables for line in _first(name, datasets.load(name).frame, datasets.load(name).label)
    ]
    adult = datasets.load("adult")
    coded = pd.get_dummies(adult.frame, columns=["workclass", "marital_status", "relationship", "race"], dtype=int)
    sets = [line for line in _first("adult, one-hot", coded, adult.label) if line["statement"].startswith("ONEHOT")]
    return [*lines, *sets]


def _first(name: str, frame: pd.DataFrame, label: pd.Series) -> list[dict[str, Any]]:
    found = discover(Database.from_frame(frame), None, text_column([str(value) for value in label]))[:FIRST]
    return [{"table": name, "statement": each.statement, "evidence": each.evidence} for each in found]


def wide(args: argparse.Namespace) -> list[dict[str, Any]]:
    rng = np.random.default_rng(0)
    columns = {f"n{i}": rng.integers(0, 50_000, args.rows) for i in range(args.columns // 2)}
    columns |= {f"c{i}": rng.integers(0, 40, args.rows) for i in range(args.columns // 4)}
    frame = pd.DataFrame(columns)
    for i in range(args.columns - len(columns)):  # each tells another, or lies above two
        frame[f"d{i}"] = frame[f"c{i}"] * 7 % 41 if i % 2 else frame[[f"n{i}", f"n{i + 1}"]].max(axis=1)
    database, started = Database.from_frame(frame), time.process_time()
    found = discover(database)
    seconds = time.process_time() - started
    return [{"rows": args.rows, "columns": frame.shape[1], "CPU seconds": seconds, "suggestions": len(found)}]


def same(args: argparse.Namespace) -> list[dict[str, Any]]:
    return [_same(name, args.rows // 2) for name in ("credit", "german")]


def _same(name: str, rows: int) -> dict[str, Any]:
    table = datasets.load(name)
    equal = found = 0
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        refused = _write(table)[:rows]
        project = geco.open("geco.toml")
        for row in refused:
            ours = project.explain(project.row(row))
            told = json.loads(CliRunner().invoke(app, ["explain", "--row", str(row), "--json"]).stdout)
            equal += _without_clocks(told) == _without_clocks(json.loads(json.dumps(ours.to_dict())))
            found += bool(ours.counterfactuals)
    return {"table": name, "rows": len(refused), "with an answer": found, "the same": equal}


def _write(table: datasets.Dataset) -> list[int]:
    """A project in the working folder: table, a scikit-learn model, rules; the rows that the model refuses."""
    import skops.io
    from sklearn.compose import make_column_transformer
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder

    texts = [n for n in table.frame if not pd.api.types.is_numeric_dtype(table.frame[n])]
    encode = make_column_transformer((OneHotEncoder(handle_unknown="ignore"), texts), remainder="passthrough")
    model = make_pipeline(encode, RandomForestClassifier(20, max_depth=6, random_state=0))
    skops.io.dump(model.fit(table.frame, table.label), "model.skops")
    table.frame.assign(outcome=table.label).to_csv("table.csv", index=False)
    Path("rules.plaf").write_text(table.program)
    data = '[data]\nsource = "table.csv"\nlabel = "outcome"\n'
    Path("geco.toml").write_text(f'{data}[model]\nfile = "model.skops"\ntarget = 1\n[rules]\nfile = "rules.plaf"\n')
    return [int(row) for row in np.flatnonzero(model.predict(table.frame) == 0)]


def _without_clocks(told: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in told.items() if name not in CLOCKS}


LINES = {"suggest": suggest, "wide": wide, "same": same}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("line", choices=LINES)
    parser.add_argument("--rows", type=int)
    parser.add_argument("--columns", type=int, default=40)
    parser.add_argument("--tables", nargs="+", default=list(TABLES), choices=TABLES)
    args = parser.parse_args()
    args.rows = args.rows or {"wide": 100_000}.get(args.line, 200)
    lines = LINES[args.line](args)
    show(f"projects: {args.line}", [{name: str(value)[:100] for name, value in line.items()} for line in lines])
    save(f"projects_{args.line}", lines)


if __name__ == "__main__":
    main()
