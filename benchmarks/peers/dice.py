"""DiCE, the sixth system of Sec. 6: dice-ml in an environment of its own, called as a subprocess.

    python -m venv .venv-dice && .venv-dice/bin/pip install -r benchmarks/peers/dice_requirements.txt
    python -m benchmarks.peers.dice [--rows 3] [--cells adult/dt] [--methods random genetic kdtree]

The Python of that environment is ``GECO_DICE_PYTHON``, by default ``.venv-dice/bin/python`` in the repository. What
DiCE may vary, and within which bounds, follows from the rules; its answers are judged by whoever asks, never by DiCE.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

os.environ.setdefault("OMP_NUM_THREADS", "1")

import joblib
import numpy as np
import pandas as pd

import geco
from benchmarks import protocol
from benchmarks.methods import PAPER
from benchmarks.report import save, show
from geco.data.instance import read_instance
from geco.space.feasible import feasible_space
from geco.space.ground import ground

REPOSITORY = Path(__file__).resolve().parents[2]
PYTHON = Path(os.environ.get("GECO_DICE_PYTHON") or REPOSITORY / ".venv-dice" / "bin" / "python")
RUNNER = Path(__file__).resolve().with_name("dice_runner.py")
Method = Literal["random", "genetic", "kdtree", "gradient"]
METHODS = ("random", "genetic", "kdtree", "gradient")


class DiceAnswers(NamedTuple):
    """What DiCE returned for one row: raw values, the time it took, and its error if it raised one."""

    answers: list[dict[str, Any]]
    seconds: float
    error: str | None


def available() -> bool:
    return PYTHON.exists()


def dice_answers(
    dataset: pd.DataFrame,
    model: Any,
    rows: Sequence[Mapping[str, Any]],
    method: Method,
    k: int,
    program: str = "",
    seed: int = 0,
    timeout: float | None = None,
) -> list[DiceAnswers]:
    """DiCE's answers for some rows.

    Parameters
    ----------
    dataset : D, features only.
    model : the fitted pipeline, classes 0 and 1, 1 being good; for ``"gradient"`` one encoder and an MLPClassifier.
    rows : the instances to explain.
    method : which of DiCE's; ``"gradient"`` is its torch method.
    program : PLAF; local rules become ``features_to_vary`` and ``permitted_range``, rules across groups cannot.
    timeout : seconds for all rows; then those not finished have an error.
    """
    if not available():
        raise FileNotFoundError(f"no {PYTHON}; make an environment from benchmarks/peers/dice_requirements.txt")
    with tempfile.TemporaryDirectory() as folder:
        asked, answered, fitted = (Path(folder) / name for name in ("question.json", "answers.json", "model.joblib"))
        joblib.dump(model, fitted)
        question = _question(dataset, model, rows, program) | {
            "model": str(fitted), "method": method, "k": k, "seed": seed,
        }  # fmt: skip
        asked.write_text(json.dumps(question), encoding="utf-8")
        try:
            subprocess.run(
                [str(PYTHON), str(RUNNER), str(asked), str(answered)],
                check=True, capture_output=True, text=True, timeout=timeout,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return [DiceAnswers([], timeout or 0.0, f"not finished within {timeout:g} s") for _ in rows]
        except subprocess.CalledProcessError as error:
            raise RuntimeError(f"DiCE could not be run:\n{error.stderr[-2000:]}") from error
        records = json.loads(answered.read_text(encoding="utf-8"))["records"]
    return [DiceAnswers([_typed(dataset, a) for a in r["answers"]], r["seconds"], r["error"]) for r in records]


def _question(dataset: pd.DataFrame, model: Any, rows: Sequence[Mapping[str, Any]], program: str) -> dict[str, Any]:
    """D, what may be varied for each row, and which class is good."""
    explainer = geco.Explainer(model, geco.Database.from_frame(dataset), geco.parse_plaf(program), params=PAPER)
    categorical = [f.name for f in explainer.domain.schema if f.kind == "categorical"]
    columns = {name: dataset[name].astype(str if name in categorical else float).tolist() for name in dataset}
    return {
        "columns": columns,
        "categorical": categorical,
        "good": list(model.classes_).index(1),
        "rows": [_varied(explainer, row, categorical) for row in rows],
    }


def _varied(explainer: geco.Explainer, row: Mapping[str, Any], categorical: Sequence[str]) -> dict[str, Any]:
    """Features with a row to choose, and the values or the bounds that their own rules leave them."""
    x = read_instance(row, explainer.domain)
    space = feasible_space(explainer.deployment, ground(x, explainer.deployment.rules), x)
    ranges: dict[str, Any] = {}
    for group, table in enumerate(explainer.domain.tables):
        choices = space.core.choices(group)
        for name in table.features if len(choices) else ():
            values = [*table.values[name][choices], x[name]]
            if name in categorical:
                ranges[name] = sorted({str(value) for value in values})
            else:
                ranges[name] = [float(min(values)), float(max(values))]
    plain = {name: str(v) if name in categorical else float(v) for name, v in x.items()}
    return {"x": plain, "vary": list(ranges), "ranges": ranges}


def _typed(dataset: pd.DataFrame, answer: Mapping[str, Any]) -> dict[str, Any]:
    """Whole numbers of integer columns as integers; what is no whole number stays as it is, off the domain."""
    whole = {name for name in dataset if np.issubdtype(dataset[name].to_numpy().dtype, np.integer)}
    return {name: int(v) if name in whole and float(v).is_integer() else v for name, v in answer.items()}


def paper_network(dataset: pd.DataFrame, label: Any, seed: int = 0) -> Any:
    """The network of the comparison with DiCE (Sec. 6.1): one hidden layer of 20 units, ReLU."""
    from sklearn.compose import ColumnTransformer
    from sklearn.neural_network import MLPClassifier
    from sklearn.pipeline import Pipeline
    from sklearn.preprocessing import MinMaxScaler, OneHotEncoder

    numeric = [name for name in dataset if pd.api.types.is_numeric_dtype(dataset[name])]
    text = [name for name in dataset if name not in numeric]
    encoder = ColumnTransformer(
        [
            ("cat", OneHotEncoder(handle_unknown="ignore", sparse_output=False), text),
            ("num", MinMaxScaler(), numeric),
        ]
    )
    network = MLPClassifier((20,), activation="relu", random_state=seed)
    return Pipeline([("enc", encoder), ("clf", network)]).fit(dataset, label)


def measure(cell: protocol.Cell, method: Method, rows: int, k: int) -> dict[str, Any]:
    """One line of the table, judged by the protocol."""
    xs = [cell.x(row) for row in cell.rows[:rows]]
    given = dice_answers(cell.frame, cell.pipeline, xs, method, k, cell.without_implications)
    verdicts = [cell.judge(row, got.answers) for row, got in zip(cell.rows, given, strict=False)]
    flips = [v for v in verdicts if v["success"]]
    valid = [v for v in flips if not v["violated"] and v["pair_ok"]]
    return {
        "cell": cell.name,
        "method": method,
        "rows": len(verdicts),
        "returned %": 100 * float(np.mean([v["returned"] > 0 for v in verdicts])),
        "found %": 100 * len(flips) / len(verdicts),
        "valid %": 100 * len(valid) / len(verdicts),
        "distance": 1e3 * float(np.mean([v["dist"] for v in flips])) if flips else None,
        "changed": float(np.mean([v["changed"] for v in flips])) if flips else None,
        "ms": 1e3 * float(np.mean([got.seconds for got in given])),
        "error": next((got.error for got in given if got.error), "-"),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=3)
    parser.add_argument("--k", type=int, default=1)
    parser.add_argument("--cells", nargs="+", default=["adult/dt", "adult/mlp"], metavar="DATASET/MODEL")
    parser.add_argument("--methods", nargs="+", default=METHODS, choices=METHODS)
    args = parser.parse_args()
    lines = []
    for name in args.cells:
        # Gradients need a network.
        for method in (m for m in args.methods if m != "gradient" or name.endswith("/mlp")):
            lines.append(measure(protocol.cell(*name.split("/")), method, args.rows, args.k))
            print(lines[-1], flush=True)
    save("dice", lines)
    show("DiCE", lines)


if __name__ == "__main__":
    main()
