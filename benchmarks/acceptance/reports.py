"""Reports as people see them: 200 of german and credit, forty features with long names, and a batch of 2,000.

    python -m benchmarks.acceptance.reports [--people 100] [--rows 2000] [--keep folder]

Every file is opened in Chromium on a phone and on a wide screen, and printed on A4 and on Letter (reports_seen.py says
what is looked for). ``--keep`` leaves the files and pictures of all of them. Needs playwright, axe-core and poppler's
pdftotext.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.tree import DecisionTreeClassifier

import geco
from benchmarks.acceptance.reports_seen import Seen, browser
from benchmarks.datasets import load
from benchmarks.models import fit
from benchmarks.report import save, show
from geco.report.notice import reason_lines

LANGUAGES = ("en", "de")
GOOD_IN = 10  # one in so many has a yes already
SINGLE = "MonthsSinceTheLastChangeOfTheMainEmploymentOfTheHousehold"  # nowhere to break a line
WORDS = "months since the last change of the main employment of number"


def explainer_of(name: str) -> tuple[geco.Explainer, pd.DataFrame]:
    """The explainer of a data set, and people: one in ten with a yes."""
    dataset = load(name)
    model = fit(dataset, "xgb")
    refused = model.predict(dataset.frame) == 0
    order = np.random.default_rng(20).permutation(len(dataset.frame))
    no, yes = (iter(order[refused[order] == wanted]) for wanted in (True, False))
    chosen = [next(yes if place % GOOD_IN == 0 else no) for place in range(min(2_000, int(refused.sum())))]
    return geco.Explainer(model, dataset.database(), geco.parse_plaf(dataset.program)), dataset.frame.iloc[chosen]


def wide() -> tuple[geco.Explainer, pd.DataFrame]:
    """Forty features whose names have sixty characters, half of them without a place to break, and long values."""
    rng = np.random.default_rng(1)
    names = [f"{SINGLE}{n:03}" if n % 2 else f"{WORDS[:57]} {n:02}" for n in range(40)]
    assert {len(name) for name in names} == {60}
    kinds = ["employed without a limit in time, in the public service", "self-employed", "HousewifeOrHouseman" * 3]
    columns: dict[str, Any] = {name: rng.integers(0, 10 ** (2 + n % 8), 400) for n, name in enumerate(names)}
    columns[names[5]] = rng.choice(kinds, 400)
    columns[names[6]] = rng.choice(kinds, 400)
    frame = pd.DataFrame(columns)
    number = frame.select_dtypes("number")
    label = (number.rank(pct=True).iloc[:, :6].sum(axis=1) + (frame[names[5]] == kinds[1]) > 3.2).astype(int)
    encoded = frame.assign(**{name: frame[name].map(kinds.index) for name in (names[5], names[6])})
    tree = DecisionTreeClassifier(max_depth=6, random_state=0).fit(encoded.to_numpy(), label)

    def chance(rows: pd.DataFrame) -> np.ndarray:
        return np.asarray(tree.predict_proba(rows.replace(dict(zip(kinds, range(3), strict=True))).to_numpy())[:, 1])

    rules = f'PLAF x_cf."{names[0]}" >= x."{names[0]}"\nFIXED "{names[7]}"\n' + "\n".join(
        f'PLAF IF x_cf."{names[a]}" > x."{names[a]}" THEN x_cf."{names[b]}" >= x."{names[b]}" + 1'
        for a, b in ((2, 9), (4, 11), (1, 12), (3, 13))
    )
    refused = frame[tree.predict(encoded.to_numpy()) == 0]
    return geco.Explainer(chance, geco.Database.from_frame(frame), geco.parse_plaf(rules)), refused


def single(name: str, count: int) -> Iterator[tuple[str, str]]:
    """Reports of single people, in turn English and German, with reasons; the last finds nothing."""
    explainer, people = wide() if name == "wide" else explainer_of(name)
    people = people.head(count)
    for place, (_, x) in enumerate(people.iterrows()):
        language = LANGUAGES[place % 2]
        explanation = explainer.explain(x, k=5)
        reasons = [] if explanation.good else reason_lines(explainer.reasons(x), explanation.wording, language)
        yield f"{name}-{place:03}", explanation.to_html(language=language, reasons=reasons)
    for language in LANGUAGES:
        nothing = explainer.explain(people.iloc[-1], fixed=list(people.columns)[1:])
        yield f"{name}-nothing-{language}", nothing.to_html(language=language)


def batches(rows: int) -> Iterator[tuple[str, str]]:
    """Many on one page: of credit, in both languages, and some with forty features."""
    explainer, people = explainer_of("credit")
    explanations = explainer.explain_many(people.head(rows), k=3)
    summary = explainer.summary(explanations, by="isMale")
    for language in LANGUAGES:
        yield f"batch-{language}", explanations.to_html(language=language, summary=summary)
    explainer, people = wide()
    explanations = explainer.explain_many(people.head(50), k=2)
    yield "batch-wide", explanations.to_html(summary=explainer.summary(explanations))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=100, help="of each data set")
    parser.add_argument("--rows", type=int, default=2_000, help="of the batch")
    parser.add_argument("--keep", type=Path, help="a folder for files and pictures")
    asked = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as name, browser() as chromium:
        seen = Seen(chromium, asked.keep or Path(name), pictures=asked.keep is not None)
        for kind in ("german", "credit", "wide"):
            count = 10 if kind == "wide" else asked.people
            rows.append(seen.all(kind, single(kind, count)))
        rows.append(seen.all("batch", batches(asked.rows)))
    show("reports in Chromium, at 390 and 1280 px and on paper", rows)
    for line in seen.wrong:
        print(line)
    save(
        "reports", [{**row, "wrong": [line for line in seen.wrong if line.startswith(row["reports"])]} for row in rows]
    )


if __name__ == "__main__":
    main()
