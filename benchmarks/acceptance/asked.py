"""Words of one question (fixed, only, rules, target, margin, params): the answers of a new Explainer, and the time.

    python -m benchmarks.acceptance.asked same [--rows 40] [--tables credit adult ...]
    python -m benchmarks.acceptance.asked time [--rows 40] [--cells credit/dt ...]
    python -m benchmarks.acceptance.asked million [--rows 40]

``same``: five real tables, a forest as a black box, compiled, from a file with its model and from the file alone; every
explanation at question time against that of an Explainer built with the same words.
``time``: CPU time of ``explain`` with words over ``explain`` without, row by row in turn, medians. Words are new for
every row (each is read, checked and prepared), or the same for all rows; rules are such that they never bind, so that
the search is the same. ``million``: the same on a table of a million rows with as many distinct values in a column.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Iterator
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import pandas as pd

import geco
from benchmarks import datasets, protocol
from benchmarks.acceptance.compiled import explainer
from benchmarks.datasets import Dataset
from benchmarks.models import Counted, fit
from benchmarks.protocol import CELLS
from benchmarks.report import save, show

Words = dict[str, Any]
TABLES = ("credit", "adult", "german", "compas", "give_me_some_credit")
SETS = 4  # of words a table is asked with
MOST = 20_000  # rows of D


def random_words(frame: pd.DataFrame, rng: np.random.Generator) -> Words:
    """One to three words about the features of a table."""
    names = list(frame.columns)
    numbers = [n for n in names if pd.api.types.is_numeric_dtype(frame[n]) and frame[n].nunique() > 5]
    some = [names[i] for i in rng.permutation(len(names))]
    every: dict[str, Words] = {
        "fixed": {"fixed": some[:2]},
        "only": {"only": some[: max(3, len(names) // 2)]},
        "rules": {"rules": _rules(frame, numbers, rng)},
        "target": {"target": float(rng.choice([0.4, 0.6]))},
        "margin": {"margin": float(rng.choice([0.02, 0.05]))},
        "params": {"params": geco.Params(alpha=0.2, weights={some[0]: 2.0}, scale=str(rng.choice(["range", "std"])))},
    }
    words: Words = {}
    for word in rng.choice(list(every), rng.integers(1, 4), replace=False):
        words |= every[word]
    return words


def _rules(frame: pd.DataFrame, numbers: list[str], rng: np.random.Generator) -> str:
    one, other = (numbers[i] for i in rng.permutation(len(numbers))[:2])
    high = float(frame[one].quantile(0.9))
    return f"PLAF x_cf.{one} <= {high:g} + x.{one}\nPLAF IF x_cf.{one} > x.{one} THEN x_cf.{other} >= x.{other}"


def built(model: Any, table: Dataset, words: Words) -> geco.Explainer:
    """A new Explainer with the words among its own."""
    program = geco.parse_plaf(table.program)
    if "rules" in words:
        program += geco.parse_plaf(words["rules"])
    others = [n for n in table.frame if n not in words["only"]] if "only" in words else []
    for kept in (words.get("fixed", []), others):
        if kept:
            program += geco.parse_plaf(f"FIXED {', '.join(kept)}")
    settings = {name: words[name] for name in ("target", "margin", "params") if name in words}
    return geco.Explainer(model, table.database(), program, **settings)


def answers(explanation: geco.Explanation) -> Any:
    """All of it but the seconds, how it was made, and the names of rules that bind, which only words have."""
    told = explanation.to_dict()
    for name in ("seconds", "trace", "made"):
        told.pop(name)
    for cf in told["counterfactuals"]:
        cf.pop("binding")
    return told


def values(explanation: geco.Explanation) -> Any:
    """What a file without its model can tell, too."""
    return explanation.status, [cf.values for cf in explanation.counterfactuals]


def same(names: list[str], rows: int) -> list[dict[str, Any]]:
    return [_same(name, rows) for name in names]


def _same(name: str, rows: int) -> dict[str, Any]:
    """How many explanations of a table are the same, by the way they were asked."""
    whole = datasets.load(name)
    some = whole.frame.sample(min(MOST, len(whole.frame)), random_state=0).index
    table = Dataset(name, whole.frame.loc[some], whole.label.loc[some], whole.kinds, whole.program)
    model = fit(table, "rf", n_estimators=20, max_depth=7)
    refused = table.frame[model.predict_proba(table.frame)[:, 1] < 0.4].head(rows).to_dict("records")
    rng = np.random.default_rng(len(name))
    line: dict[str, Any] = {"table": name, "rows": len(refused), "with an answer": 0}
    asked = [(random_words(table.frame, rng), refused[number::SETS]) for number in range(SETS)]
    for way, equal, found in _pairs(model, table, asked):
        line[way] = line.get(way, 0) + equal
        line["with an answer"] += found if way == "compiled" else 0
    print(line, flush=True)
    return line


def _pairs(
    model: Any, table: Dataset, asked: list[tuple[Words, list[dict[str, Any]]]]
) -> Iterator[tuple[str, bool, bool]]:
    for way, given in (("black box", Counted(model)), ("compiled", model)):
        usual = built(given, table, {})
        with tempfile.TemporaryDirectory() as folder:
            usual.save(f"{folder}/saved")
            loaded = geco.Explainer.load(f"{folder}/saved", given)
            alone = geco.Explainer.load(f"{folder}/saved") if way == "compiled" else None
        for words, xs in asked:
            anew = built(given, table, words)
            for x in xs:
                expected = anew.explain(x)
                found = bool(expected.counterfactuals)
                yield way, answers(usual.explain(x, **words)) == answers(expected), found
                yield f"{way}, loaded", answers(loaded.explain(x, **words)) == answers(expected), found
                if alone is not None:
                    yield "file alone", values(alone.explain(x, **words)) == values(expected), found


def busy(call: Any, *given: Any, **words: Any) -> float:
    started = time.process_time()
    call(*given, **words)
    return 1e3 * (time.process_time() - started)


def new_words(asked: geco.Explainer, feature: str, number: int) -> dict[str, Words]:
    """Words that were never asked before and change nothing in the answers, so that the search is the same."""
    fixed = sorted({rule.fixes for rule in asked.program.rules if rule.fixes}) or [feature]
    return {
        "rules": {"rules": f"PLAF x_cf.{feature} <= {10**9 + number}"},
        "fixed": {"fixed": fixed, "margin": 1e-9 * number},
        "only": {"only": [n for n in asked.domain.names if n not in fixed], "margin": 2e-9 * number},
        "target": {"target": 0.5 + 1e-9 * number},
        "margin": {"margin": 3e-9 * number},
        "params": {"params": geco.Params(weights={feature: 1 + 1e-9 * number})},
    }


def compare(name: str, asked: geco.Explainer, xs: list[dict[str, Any]], feature: str) -> dict[str, Any]:
    """CPU milliseconds of a question without words, with known ones and with new ones."""
    known = {"rules": f"PLAF x_cf.{feature} <= 1e15"}
    asked.explain(xs[0], **known)
    taken: dict[str, list[float]] = {}
    for number, x in enumerate(xs, 1):
        turns = {"plain": {}, "known": known, **new_words(asked, feature, number)}
        names = list(turns)
        for turn in names[number % len(names) :] + names[: number % len(names)]:
            taken.setdefault(turn, []).append(busy(asked.explain, x, **turns[turn]))
    plain = float(np.median(taken["plain"]))
    ratios = {turn: float(np.median(taken[turn])) / plain for turn in turns if turn != "plain"}
    line: dict[str, Any] = {"cell": name, "rows": len(xs), "plain ms": plain, **ratios}
    print(line, flush=True)
    return line


def times(names: list[str], rows: int) -> list[dict[str, Any]]:
    lines = []
    for name in names:
        cell = protocol.cell(*name.split("/"))
        numeric = next(n for n in cell.frame if pd.api.types.is_numeric_dtype(cell.frame[n]) and "ge" not in n[:3])
        lines.append(compare(name, explainer(cell, cell.program), [cell.x(row) for row in cell.rows[:rows]], numeric))
    return lines


def million(names: list[str], rows: int) -> list[dict[str, Any]]:
    """Credit a million times, with a balance that hardly two rows share."""
    credit, rng = datasets.load("credit"), np.random.default_rng(0)
    drawn = rng.integers(len(credit.frame), size=1_000_000)
    frame = credit.frame.iloc[drawn].reset_index(drop=True)
    frame["Balance"] = rng.permutation(10**6) + 0.25
    label = credit.label.iloc[drawn].reset_index(drop=True)
    model = fit(Dataset("million", frame.head(20_000), label.head(20_000), {}, ""), "dt", scaled=False, max_depth=8)
    asked = geco.Explainer(model, geco.Database.from_frame(frame), geco.parse_plaf(credit.program))
    refused = frame.head(2000)[model.predict(frame.head(2000)) == 0].head(rows).to_dict("records")
    return [compare("million", asked, refused, "Balance")]


LINES = {"same": same, "time": times, "million": million}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("line", choices=LINES)
    parser.add_argument("--rows", type=int, default=40)
    parser.add_argument("--tables", nargs="+", default=list(TABLES), choices=TABLES)
    parser.add_argument("--cells", nargs="+", default=CELLS, choices=CELLS, metavar="DATASET/MODEL")
    args = parser.parse_args()
    lines = LINES[args.line](args.tables if args.line == "same" else args.cells, args.rows)
    show(f"words of one question: {args.line}", lines)
    save(f"asked_{args.line}", lines)


if __name__ == "__main__":
    main()
