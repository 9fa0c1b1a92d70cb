"""Three thousand recorded explanations: has a change that should leave every answer as it is done so?

    python tests/recorded.py --write            # digests of what this code answers, into tests/recorded_digests.json
    python tests/recorded.py                    # compare with them; names what differs, exit code 1 if anything does
    python tests/recorded.py --full out.json    # the explanations themselves, to look at a difference
    python tests/recorded.py --read out.json    # compare these, or with --write record them

Random problems under every method, compiled models and black boxes, real tables; k = 1 and 5, one and two threads. A
digest covers the whole JSON of an explanation but for seconds, floats to ten digits; its first half covers the answers
alone. Digests belong to the versions of NumPy and scikit-learn they were recorded with, which are written beside them.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import geco
from conftest import DATA
from generators.fitted import fitted_problem
from strategies import Problem, random_problem

DIGESTS = Path(__file__).parent / "recorded_digests.json"
KS = (1, 5)
REAL = ("credit", "adult", "german")
MODELS = ("dt", "rf", "xgb", "mlp", "linear")
DIGITS = 10
ROWS = 20  # refused rows of each real table and model


@dataclass(frozen=True)
class Recording:
    """Some explanations by one explainer; ``make`` gives it and the rows to explain."""

    name: str
    make: Callable[[], tuple[geco.Explainer, list[Any]]]
    threads: int = 1

    def explanations(self) -> Iterator[tuple[str, dict[str, Any]]]:
        explainer, xs = self.make()
        for k in KS:
            if len(xs) == 1:
                answers = [explainer.explain(xs[0], k=k, seed=3)]
            else:
                answers = list(explainer.explain_many(xs, k=k, seed=3, threads=self.threads))
            for number, explanation in enumerate(answers):
                yield f"{self.name}:k{k}:{number}", timeless(explanation.to_dict())


def recordings() -> dict[str, Recording]:
    """All of them by name, in the order they are run."""
    made = [
        *(_black_box("frontier", seed) for seed in range(320)),
        *(_black_box("genetic", seed) for seed in range(160)),
        *(_black_box(method, seed) for method in ("wit", "certifai", "simcf") for seed in range(60)),
        *(_fitted("frontier", seed) for seed in range(300)),
        *(_fitted("exact", seed) for seed in range(160)),
        *(_fitted("specialize", seed) for seed in range(60)),
        *(_fitted("mace", seed) for seed in range(20)),
        *(_real(table, model, threads) for table in REAL for model in MODELS for threads in (1, 2)),
    ]
    return {recording.name: recording for recording in made}


def timeless(explanation: dict[str, Any]) -> dict[str, Any]:
    """Without what a clock says."""
    trace = {name: value for name, value in explanation["trace"].items() if "seconds" not in name}
    kept = {name: value for name, value in explanation.items() if name != "made"}
    return kept | {"seconds": 0.0, "trace": trace}


def digest(explanation: dict[str, Any]) -> str:
    """Of what was answered, then of all that is said about it."""
    parts = (answered(explanation), explanation)
    return "-".join(hashlib.sha256(json.dumps(told(part), sort_keys=True).encode()).hexdigest()[:12] for part in parts)


def answered(explanation: dict[str, Any]) -> list[Any]:
    """Status and answers, without words, ranges and counts."""
    answers = [[cf["values"], cf["groups"], cf["distance"]] for cf in explanation.get("counterfactuals", ())]
    return [explanation.get("status"), *answers]


def told(value: Any) -> Any:
    """Plain data with floats as far as every processor agrees: exp and sums of products differ in their last digits."""
    if isinstance(value, dict):
        return {name: told(each) for name, each in value.items()}
    if isinstance(value, list):
        return [told(each) for each in value]
    return float(f"{value:.{DIGITS}g}") if isinstance(value, float) else value


def run(name: str) -> dict[str, dict[str, Any]]:
    """The explanations of one recording by name; an error of ours is recorded as its sentence."""
    try:
        return dict(recordings()[name].explanations())
    except geco.GecoError as error:
        return {name: {"error": str(error)}}


def versions() -> dict[str, str]:
    return {name: version(name) for name in ("numpy", "scikit-learn", "xgboost-cpu")}


def _explainer(problem: Problem, method: Any, target: Any = None) -> tuple[geco.Explainer, list[Any]]:
    database = geco.Database.from_frame(problem.frame, kinds=problem.kinds)
    program = geco.parse_plaf(problem.program)
    params = geco.Params(**problem.params)
    return geco.Explainer(problem.model, database, program, target=target, method=method, params=params), [problem.x]


def _black_box(method: str, seed: int) -> Recording:
    return Recording(f"black box:{method}:{seed}", lambda: _explainer(random_problem(seed), method))


def _fitted(method: str, seed: int) -> Recording:
    chosen = geco.Genetic(evaluation="specialize") if method == "specialize" else method

    def make() -> tuple[geco.Explainer, list[Any]]:
        fitted = fitted_problem(seed)
        return _explainer(fitted.problem, chosen, fitted.target)

    return Recording(f"fitted:{method}:{seed}", make)


def _real(table: str, model: str, threads: int) -> Recording:
    def make() -> tuple[geco.Explainer, list[Any]]:
        frame, _, kinds, program = _table(table)
        pipeline = _pipeline(table, model)
        refused = frame[pipeline.predict(frame) == 0].sample(ROWS, random_state=11)
        database = geco.Database.from_frame(frame, kinds=kinds)
        explainer = geco.Explainer(pipeline, database, geco.parse_plaf(program))
        return explainer, [row for _, row in refused.iterrows()]

    return Recording(f"real:{table}:{model}:threads{threads}", make, threads)


@cache
def _table(name: str) -> tuple[Any, Any, dict[str, Any], str]:
    import pandas as pd

    entry = json.loads((DATA / "datasets.json").read_text())[name]
    table = pd.read_csv(DATA / entry["file"])
    label = (table.pop(entry["label"]).astype(str) == str(entry["good"])).astype(int)
    kinds = {c["name"]: c.get("order") or c["type"] for c in entry["columns"] if c["type"] != "numeric"}
    kinds.pop(entry["label"], None)
    return table, label, kinds, (DATA / entry["plaf"]).read_text()


@cache
def _pipeline(table: str, model: str) -> Any:
    import pandas as pd
    from sklearn.compose import ColumnTransformer
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.neural_network import MLPClassifier
    from sklearn.pipeline import Pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler
    from sklearn.tree import DecisionTreeClassifier
    from xgboost import XGBClassifier

    classifier = {
        "dt": lambda: DecisionTreeClassifier(random_state=0),
        "rf": lambda: RandomForestClassifier(60, max_depth=8, random_state=0, n_jobs=1),
        "xgb": lambda: XGBClassifier(n_estimators=80, max_depth=5, random_state=0, n_jobs=1),
        "mlp": lambda: MLPClassifier((20,), max_iter=15, random_state=0),
        "linear": lambda: LogisticRegression(max_iter=500),
    }[model]()
    frame, label, _, _ = _table(table)
    text = [c for c in frame if not pd.api.types.is_numeric_dtype(frame[c])]
    encoder = ColumnTransformer(
        [
            ("cat", OneHotEncoder(handle_unknown="ignore", sparse_output=False), text),
            ("num", StandardScaler(), [c for c in frame if c not in text]),
        ]
    )
    return Pipeline([("enc", encoder), ("clf", classifier)]).fit(frame, label)


def settings() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--write", action="store_true", help="record anew")
    parser.add_argument("--full", type=Path, help="write the explanations themselves to this file")
    parser.add_argument("--read", type=Path, help="take the explanations from what --full wrote")
    parser.add_argument("--only", default="", help="recordings whose name begins so")
    parser.add_argument("--jobs", type=int, default=2)
    return parser.parse_args()


def main() -> int:
    args = settings()
    explanations = json.loads(args.read.read_text()) if args.read else explained(args.only, args.jobs)
    digests = {name: digest(said) for name, said in explanations.items()}
    if args.full:
        args.full.write_text(json.dumps(explanations, ensure_ascii=False))
    if args.write:
        DIGESTS.write_text(json.dumps({"versions": versions(), "digests": digests}, indent=0) + "\n")
        print(f"{len(digests)} explanations recorded")
        return 0
    known = json.loads(DIGESTS.read_text())["digests"] if DIGESTS.exists() else {}
    differ = [name for name, said in digests.items() if known.get(name) != said]
    others = [name for name in differ if known.get(name, "").split("-")[0] != digests[name].split("-")[0]]
    print(f"{len(digests)} explanations, {len(differ)} differ", *differ[:20], sep="\n  ")
    print(f"{len(others)} of them have other answers", *others[:20], sep="\n  ")
    return 1 if differ else 0


def explained(only: str, jobs: int) -> dict[str, dict[str, Any]]:
    """The explanations of the recordings whose names begin so."""
    names = [name for name in recordings() if name.startswith(only)]
    explanations: dict[str, dict[str, Any]] = {}
    with ProcessPoolExecutor(jobs) as pool:
        for done, said in enumerate(pool.map(run, names, chunksize=4), 1):
            explanations |= said
            if done % 100 == 0:
                print(f"{done} of {len(names)}", file=sys.stderr, flush=True)
    return explanations


if __name__ == "__main__":
    sys.exit(main())
