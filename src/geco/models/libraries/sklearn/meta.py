"""scikit-learn's models made of models: voting, calibration, stacking, bagging, thresholds, transformed targets."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from geco.models.kinds.blend import Blend, Combine, Floats, Joined
from geco.models.kinds.forest import Forest
from geco.models.kinds.linear import Linear
from geco.models.libraries.reading import Adapted, Refusal, adapter, read
from geco.models.libraries.sklearn.validation import validated

# Two of them, however fitted, see the same columns of a table; what came before them, or is in them, was not fitted.
ALIKE = ("Tree", "Trees", "Forest", "Regression", "Ridge", "Lasso", "SVC", "SVR")


@adapter("sklearn:FrozenEstimator")
def frozen(model: Any, method: str) -> Adapted:
    """The model that is frozen."""
    return read(model.estimator, method)


@adapter("sklearn:FixedThresholdClassifier", "sklearn:TunedThresholdClassifierCV")
def threshold(model: Any, method: str) -> Adapted:
    """The model within; the threshold is in the target."""
    return read(getattr(model, "estimator_", model.estimator), method)


@adapter("sklearn:VotingClassifier")
def voting_classifier(model: Any, method: str) -> Adapted:
    """Soft: the weighted mean of probabilities."""
    if method != "predict_proba":
        raise Refusal(f"the {method} of a VotingClassifier returns labels")
    weights = model._weights_not_none
    return _blend(model.estimators_, method, lambda answers: np.average(np.asarray(answers), axis=0, weights=weights))


@adapter("sklearn:VotingRegressor")
def voting_regressor(model: Any, method: str) -> Adapted:
    """The weighted mean of predictions."""
    weights = model._weights_not_none
    return _blend(model.estimators_, method, lambda answers: np.average(np.asarray(answers).T, axis=1, weights=weights))


@adapter("sklearn:CalibratedClassifierCV")
def calibrated(model: Any, method: str) -> Adapted:
    """The mean over the folds of what their calibrators make of their models."""
    if method != "predict_proba":
        raise Refusal(f"the {method} of a CalibratedClassifierCV returns labels")
    folds = model.calibrated_classifiers_
    asked = ["decision_function" if hasattr(f.estimator, "decision_function") else "predict_proba" for f in folds]
    isotonic = any(fold.method == "isotonic" for fold in folds)
    parts = [read(fold.estimator, how) for fold, how in zip(folds, asked, strict=True)]
    if isotonic and not all(_is_exact(part.kind) for part in parts):
        raise Refusal("isotonic calibration has steps, where the last bit of a sum of products decides")
    return _blend([f.estimator for f in folds], asked, partial(_calibrated, folds), jumps=isotonic)


def _is_exact(part: Any) -> bool:
    """Trees are added up in the library's order, so that all bits agree, unless a link comes after."""
    return isinstance(part, Forest) and part.link.name in ("identity", "proba") and not part.link.single


def _calibrated(folds: Sequence[Any], answers: Sequence[Floats]) -> Floats:
    total: Floats = np.zeros((len(answers[0]), len(folds[0].classes)))
    for fold, answer in zip(folds, answers, strict=True):
        total += _of_fold(fold, answer)
    return total / len(folds)


def _of_fold(fold: Any, answer: Floats) -> Floats:
    """As in ``_CalibratedClassifier.predict_proba``, on answers that are known already."""
    classes = len(fold.classes)
    of_proba = not hasattr(fold.estimator, "decision_function")
    if fold.method == "temperature":
        proba: Floats = fold.calibrators[0].predict(answer if answer.ndim == 2 else answer[:, None])
    else:
        proba = np.zeros((len(answer), classes))
        columns = (answer[:, 1:] if of_proba and classes == 2 else answer).reshape(len(answer), -1).T
        positions = [1] if classes == 2 else np.searchsorted(fold.classes, fold.estimator.classes_)
        for position, column, calibrator in zip(positions, columns, fold.calibrators, strict=True):
            proba[:, position] = calibrator.predict(column)
        if classes == 2:
            proba[:, 0] = 1.0 - proba[:, 1]
        else:
            total = proba.sum(axis=1)[:, None]
            proba = np.divide(proba, total, out=np.full_like(proba, 1 / classes), where=total != 0)
    proba[(proba > 1.0) & (proba <= 1.0 + 1e-5)] = 1.0
    return proba


@adapter("sklearn:StackingClassifier", "sklearn:StackingRegressor")
def stacking(model: Any, method: str) -> Adapted:
    """The answers of the first models are the columns of the last."""
    if model.passthrough:
        raise Refusal(f"the last model of a {type(model).__name__} with passthrough sees the table itself, too")
    final = read(model.final_estimator_, method)
    two = len(getattr(model, "classes_", ())) == 2

    def combine(answers: Sequence[Floats]) -> Floats:
        columns = [
            a[:, None] if a.ndim == 1 else a[:, 1:] if two and asked == "predict_proba" else a
            for a, asked in zip(answers, model.stack_method_, strict=True)
        ]
        return final.kind.predict(final.columns(np.hstack(columns)))

    return _blend(model.estimators_, model.stack_method_, combine, jumps=not _is_smooth(final.kind))


def _is_smooth(kind: Any) -> bool:
    return not isinstance(kind, Forest | Blend)


@adapter("sklearn:BaggingClassifier", "sklearn:BaggingRegressor")
def bagging(model: Any, method: str) -> Adapted:
    """The mean over models that each see some of the columns."""
    classes = getattr(model, "n_classes_", None)
    if classes is not None and method != "predict_proba":
        raise Refusal(f"the {method} of a BaggingClassifier returns labels")
    if classes is not None and not all(hasattr(e, "predict_proba") for e in model.estimators_):
        raise Refusal("the models of this BaggingClassifier vote by labels")

    def combine(answers: Sequence[Floats]) -> Floats:
        if classes is None:
            return np.asarray(sum(answers) / len(answers))
        total = np.zeros((len(answers[0]), classes))
        for estimator, answer in zip(model.estimators_, answers, strict=True):
            total[:, estimator.classes_] += answer
        return total / len(answers)

    def seen(table: Any) -> Any:
        return validated(model, table, accept_sparse=["csr", "csc"], dtype=None, **_any_number())

    chosen = [np.asarray(features) for features in model.estimators_features_]
    return _blend(model.estimators_, method, combine, before=[partial(_some, seen, features) for features in chosen])


def _some(seen: Any, features: Any, table: Any) -> Any:
    return seen(table)[:, features]


def _any_number() -> dict[str, Any]:
    """Not only finite ones, under the name that this has in the installed version."""
    from inspect import signature

    from sklearn.utils import check_array

    new = "ensure_all_finite"
    return {new if new in signature(check_array).parameters else "force_all_finite": False}


@adapter("sklearn:OneVsRestClassifier")
def one_against_the_rest(model: Any, method: str) -> Adapted:
    """The probabilities of one model per class, divided by their sum."""
    if method != "predict_proba" or model.multilabel_:
        raise Refusal(f"the {method} of this OneVsRestClassifier is not one probability per class")
    if any(type(estimator).__name__ == "_ConstantPredictor" for estimator in model.estimators_):
        raise Refusal("a class of this OneVsRestClassifier was never or always seen")

    def combine(answers: Sequence[Floats]) -> Floats:
        chances = np.array([answer[:, 1] for answer in answers]).T
        if len(answers) == 1:
            chances = np.concatenate([1 - chances, chances], axis=1)
        total = chances.sum(axis=1)[:, None]
        return np.asarray(np.divide(chances, total, out=chances, where=total != 0))

    return _blend(model.estimators_, method, combine)


@adapter("sklearn:TransformedTargetRegressor")
def transformed_target(model: Any, method: str) -> Adapted:
    """The prediction on the scale of the target, by the model's inverse function."""

    def combine(answers: Sequence[Floats]) -> Floats:
        return np.asarray(model.transformer_.inverse_transform(answers[0].reshape(-1, 1))).reshape(-1)

    return _blend([model.regressor_], method, combine)


def _blend(
    models: Sequence[Any],
    asked: str | Sequence[str],
    combine: Combine,
    jumps: bool = False,
    before: Sequence[Any] | None = None,
) -> Adapted:
    """Read every model; ``before`` is what each does to the table first."""
    methods = [asked] * len(models) if isinstance(asked, str) else list(asked)
    parts = [read(model, method) for model, method in zip(models, methods, strict=True)]
    columns = [part.columns for part in parts]
    keys = [_key(model, number) for number, model in enumerate(models)]
    if before is not None:
        columns = [partial(_after, first, then) for first, then in zip(before, columns, strict=True)]
        keys = [(key, first.args[1].tobytes()) for key, first in zip(keys, before, strict=True)]
    joined = Joined(columns, keys)
    kinds = tuple(part.kind for part in parts)
    if any(isinstance(kind, Linear) and kind.single for kind in kinds):
        raise Refusal("a linear booster sums in float32, column by column")
    return Adapted(Blend(kinds, joined, combine, jumps or any(getattr(k, "jumps", False) for k in kinds)), joined)


def _after(first: Any, then: Any, table: Any) -> Any:
    return then(first(table))


def _key(model: Any, number: int) -> object:
    """Equal for models that see the same columns of the same table."""
    name = type(model).__name__
    same = name.removesuffix("Classifier").removesuffix("Regressor").endswith(ALIKE)
    return name if same and type(model).__module__.startswith("sklearn.") else number
