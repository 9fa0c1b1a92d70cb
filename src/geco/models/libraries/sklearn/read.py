"""scikit-learn: pipelines and searches around a model, linear models, networks.

Trees are in sklearn_trees.py, models made of models in sklearn_meta.py.
"""

from __future__ import annotations

from functools import reduce
from typing import Any

import numpy as np

from geco.models.kinds.linear import Linear
from geco.models.kinds.link import Link, LinkName
from geco.models.kinds.network import Mlp, Step
from geco.models.libraries.formulas import Matrix, as_numbers
from geco.models.libraries.reading import Adapted, Refusal, adapter, read
from geco.models.libraries.sklearn import meta as meta
from geco.models.libraries.sklearn import trees as trees
from geco.models.libraries.sklearn.steps import through
from geco.models.libraries.sklearn.validation import validated
from geco.models.libraries.tables import FloatMatrix, dense

OUT_ACTIVATIONS: dict[str, LinkName] = {
    "identity": "identity",
    "exp": "exp",
    "logistic": "sigmoid",
    "softmax": "softmax",
}


@adapter("sklearn:Pipeline")
def pipeline(model: Any, method: str) -> Adapted:
    """The transformers run as the pipeline runs them; the last step is read."""
    transformers = [step for _, step in model.steps[:-1] if step is not None and not isinstance(step, str)]
    last = read(model.steps[-1][1], method)

    def columns(table: Any) -> FloatMatrix:
        for transformer in transformers:
            table = transformer.transform(table)
        return last.columns(table)

    return Adapted(last.kind, columns, lambda matrix: last.through(reduce(_after, transformers, matrix)))


def _after(matrix: Matrix, transformer: Any) -> Matrix:
    return through(transformer, matrix)


@adapter(
    "sklearn:GridSearchCV",
    "sklearn:RandomizedSearchCV",
    "sklearn:HalvingGridSearchCV",
    "sklearn:HalvingRandomSearchCV",
)
def search(model: Any, method: str) -> Adapted:
    """A search answers with the best model it found."""
    return read(model.best_estimator_, method)


@adapter("sklearn:LogisticRegression", "sklearn:LogisticRegressionCV")
def logistic_regression(model: Any, method: str) -> Adapted:
    """Binary, multinomial (softmax) or one against the rest (liblinear; before 1.8 also by multi_class)."""
    two = len(model.classes_) == 2
    choice = getattr(model, "multi_class", "auto")
    apart = choice in ("ovr", "warn") or (choice in ("auto", "deprecated") and (two or model.solver == "liblinear"))
    if two:  # a joint model of two classes is the softmax of [-s, s]
        return _linear(model, method, Link("sigmoid", 1.0 if apart else 2.0))
    return _linear(model, method, Link("ovr" if apart else "softmax"))


@adapter("sklearn:SGDClassifier")
def sgd_classifier(model: Any, method: str) -> Adapted:
    """Probabilities exist for two losses only; a decision for all."""
    if model.loss == "modified_huber":
        return _linear(model, method, Link("huber"))
    return _linear(model, method, Link("sigmoid" if len(model.classes_) == 2 else "ovr"))


@adapter(
    "sklearn:LinearSVC",
    "sklearn:RidgeClassifier",
    "sklearn:RidgeClassifierCV",
    "sklearn:Perceptron",
    "sklearn:PassiveAggressiveClassifier",
)
def linear_classifier(model: Any, method: str) -> Adapted:
    """A decision, no probability."""
    return _linear(model, method, Link("identity"))


@adapter(
    "sklearn:LinearRegression",
    "sklearn:Ridge",
    "sklearn:RidgeCV",
    "sklearn:Lasso",
    "sklearn:LassoCV",
    "sklearn:ElasticNet",
    "sklearn:ElasticNetCV",
    "sklearn:LinearSVR",
    "sklearn:SGDRegressor",
    "sklearn:HuberRegressor",
)
def linear_regressor(model: Any, method: str) -> Adapted:
    """One number per row."""
    return _linear(model, method, Link("identity"))


@adapter("sklearn:PoissonRegressor", "sklearn:GammaRegressor")
def log_linear_regressor(model: Any, method: str) -> Adapted:
    """exp of the sum."""
    return _linear(model, method, Link("exp"))


def _linear(model: Any, method: str, link: Link) -> Adapted:
    name = type(model).__name__
    _refuse_single(name, model.coef_)
    classifies = hasattr(model, "classes_")
    if classifies and method == "predict":
        raise Refusal(f"the predict of a {name} returns labels")
    coefficient = np.atleast_2d(np.asarray(model.coef_, np.float64)).T
    if coefficient.shape[1] > 1 and not classifies:
        raise Refusal(f"this {name} has {coefficient.shape[1]} outputs; geco compiles one")
    intercept = np.broadcast_to(np.asarray(model.intercept_, np.float64), coefficient.shape[1]).copy()
    kind = Linear(
        np.ascontiguousarray(coefficient), intercept, Link("identity") if method == "decision_function" else link
    )
    return Adapted(kind, lambda table: dense(validated(model, table, accept_sparse="csr")), as_numbers)


@adapter("sklearn:MLPClassifier", "sklearn:MLPRegressor")
def mlp(model: Any, method: str) -> Adapted:
    """Dense layers; the last has the link."""
    name = type(model).__name__
    _refuse_single(name, *model.coefs_)
    classifies = hasattr(model, "classes_")
    if classifies and method != "predict_proba":
        raise Refusal(f"the {method} of a {name} returns labels")
    several = model.n_outputs_ > 1 and model.out_activation_ != "softmax"
    if several:
        raise Refusal(f"this {name} has {model.n_outputs_} outputs; geco compiles one")
    kind = Mlp(
        weights=tuple(np.ascontiguousarray(w, np.float64) for w in model.coefs_),
        biases=tuple(np.asarray(b, np.float64) for b in model.intercepts_),
        steps=((Step(model.activation),),) * (len(model.coefs_) - 1),
        link=Link(OUT_ACTIVATIONS[model.out_activation_]),
    )
    return Adapted(kind, lambda table: dense(validated(model, table, accept_sparse=["csr", "csc"])), as_numbers)


def _refuse_single(name: str, *weights: Any) -> None:
    """Sums of float32 depend on the order in which the machine adds, so no other code can repeat them."""
    if any(w.dtype == np.float32 for w in weights):
        raise Refusal(f"this {name} was fitted on float32 columns and adds in float32; fit it on float64")
