"""DiCE on some rows, in an environment of its own (dice_requirements.txt): a question as JSON in, answers as JSON out.

    python dice_runner.py question.json answers.json

Called by benchmarks/peers/dice.py, which says what a question holds. Imports nothing of geco.
"""

from __future__ import annotations

import json
import random
import sys
import time
import warnings
from importlib.metadata import version
from pathlib import Path
from typing import Any

import dice_ml
import joblib
import numpy as np
import pandas as pd

GOOD = "geco_good"  # the outcome column; DiCE wants one beside the features


class Judge:
    """The user's pipeline as DiCE asks it: classes 0 and 1, 1 being good."""

    def __init__(self, pipeline: Any, good: int, dtypes: dict[str, Any]) -> None:
        self.pipeline, self.good, self.dtypes = pipeline, good, dtypes

    def predict_proba(self, frame: pd.DataFrame) -> np.ndarray:
        good = self.pipeline.predict_proba(frame[list(self.dtypes)].astype(self.dtypes))[:, self.good]
        return np.stack([1 - good, good], axis=1)

    def predict(self, frame: pd.DataFrame) -> np.ndarray:
        return (self.predict_proba(frame)[:, 1] > 0.5).astype(int)


def frame_of(question: dict[str, Any]) -> pd.DataFrame:
    frame = pd.DataFrame(question["columns"])
    for name in question["categorical"]:
        frame[name] = frame[name].astype(object)
    return frame


def network(pipeline: Any, encoded: list[str], frame: pd.DataFrame) -> Any:
    """The pipeline's network over DiCE's own encoding: one-hot columns by name, numbers scaled to [0, 1] over D."""
    import torch

    encoder, classifier = pipeline[:-1], pipeline[-1]
    if getattr(classifier, "activation", None) != "relu":
        raise ValueError("DiCE's gradients need a network: scikit-learn's MLPClassifier with relu")
    [(_, transformer)] = encoder.steps
    names = [str(name).partition("__")[2] or str(name) for name in transformer.get_feature_names_out()]
    low, high = (frame.agg(end, numeric_only=True) for end in ("min", "max"))
    weights, bias = np.zeros((len(encoded), classifier.coefs_[0].shape[1])), classifier.intercepts_[0].copy()
    numbers = scaling(transformer)
    for name, row in zip(names, classifier.coefs_[0], strict=True):
        factor, constant = numbers.get(name, (1.0, 0.0))
        span = float(high[name] - low[name]) if name in numbers else 1.0
        weights[encoded.index(name)] = row * factor * span
        bias += row * (constant + factor * float(low[name]) if name in numbers else 0.0)
    layers = [(weights, bias), *zip(classifier.coefs_[1:], classifier.intercepts_[1:], strict=True)]
    modules: list[Any] = []
    for weight, shift in layers:
        linear = torch.nn.Linear(*weight.shape)
        with torch.no_grad():
            linear.weight.copy_(torch.tensor(weight.T))
            linear.bias.copy_(torch.tensor(shift))
        modules += [linear, torch.nn.ReLU()]
    return torch.nn.Sequential(*modules[:-1], torch.nn.Sigmoid())


def check_same(module: Any, encoded: pd.DataFrame, theirs: np.ndarray) -> None:
    """What DiCE differentiates must be the model that its answers are judged by."""
    import torch

    with torch.no_grad():
        ours = module(torch.tensor(encoded.to_numpy(np.float32)))[:, 0].numpy()
    if np.abs(ours - theirs).max() > 1e-3:
        raise ValueError(f"the network answers otherwise than the pipeline, by up to {np.abs(ours - theirs).max():.3g}")


def scaling(transformer: Any) -> dict[str, tuple[float, float]]:
    """Per numeric column what the encoder multiplies and adds."""
    found: dict[str, tuple[float, float]] = {}
    for _, step, columns in transformer.transformers_:
        if hasattr(step, "categories_"):
            continue
        factors = getattr(step, "scale_", np.ones(len(columns)))
        if hasattr(step, "mean_"):  # StandardScaler divides
            found.update({c: (1 / f, -m / f) for c, f, m in zip(columns, factors, step.mean_, strict=True)})
        else:
            added = getattr(step, "min_", np.zeros(len(columns)))
            found.update({c: (f, a) for c, f, a in zip(columns, factors, added, strict=True)})
    return found


def explainer(question: dict[str, Any], frame: pd.DataFrame) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # a pipeline of another scikit-learn must not pass for the same model
        pipeline = joblib.load(question["model"])
    judge = Judge(pipeline, question["good"], frame.dtypes.to_dict())
    numeric = [name for name in frame if name not in question["categorical"]]
    labelled = frame.assign(**{GOOD: judge.predict(frame)})
    data = dice_ml.Data(dataframe=labelled, continuous_features=numeric, outcome_name=GOOD)
    if question["method"] != "gradient":
        return dice_ml.Dice(data, dice_ml.Model(model=judge, backend="sklearn"), method=question["method"])
    some = frame.iloc[:100]
    encoded = data.get_ohe_min_max_normalized_data(some)
    module = network(pipeline, encoded.columns.tolist(), frame)
    check_same(module, encoded, judge.predict_proba(some)[:, 1])
    model = dice_ml.Model(model=module, backend="PYT", func="ohe-min-max")
    return dice_ml.Dice(data, model, method="gradient")


def answers(dice: Any, question: dict[str, Any], frame: pd.DataFrame, row: dict[str, Any]) -> list[dict[str, Any]]:
    x = pd.DataFrame([row["x"]], columns=frame.columns).astype(frame.dtypes.to_dict())
    extra = {"random": {"random_seed": question["seed"]}, "gradient": {"verbose": False}}
    found = dice.generate_counterfactuals(
        x,
        total_CFs=question["k"],
        desired_class=1,
        features_to_vary=row["vary"],
        permitted_range=row["ranges"] or None,
        **extra.get(question["method"], {}),
    )
    best = found.cf_examples_list[0].final_cfs_df
    if best is None:
        return []
    return [plain(values, question["categorical"]) for values in best[list(frame)].to_dict("records")]


def plain(values: dict[str, Any], categorical: list[str]) -> dict[str, Any]:
    """Numbers as numbers: DiCE returns some as text."""
    return {name: str(v) if name in categorical else float(v) for name, v in values.items()}


def main() -> None:
    question = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    frame = frame_of(question)
    dice = explainer(question, frame)
    records = []
    for row in question["rows"]:
        random.seed(question["seed"])
        np.random.seed(question["seed"])  # noqa: NPY002  DiCE draws from the global state
        start, found, error = time.perf_counter(), [], None
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                found = answers(dice, question, frame, row)
        except Exception as failure:
            error = f"{type(failure).__name__}: {failure}"[:200]
        records.append({"answers": found, "seconds": time.perf_counter() - start, "error": error})
    versions = {name: version(name) for name in ("dice-ml", "scikit-learn", "numpy", "pandas", "torch")}
    Path(sys.argv[2]).write_text(json.dumps({"records": records, "versions": versions}), encoding="utf-8")


if __name__ == "__main__":
    main()
