"""Values that D lacks are encoded by formula, bit for bit as by the user's preprocessing, or the user's is called."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sklearn.base import BaseEstimator, TransformerMixin, clone
from sklearn.compose import make_column_transformer
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline, make_union
from sklearn.preprocessing import (
    FunctionTransformer,
    MaxAbsScaler,
    MinMaxScaler,
    OneHotEncoder,
    OrdinalEncoder,
    PowerTransformer,
    RobustScaler,
    StandardScaler,
)
from sklearn.tree import DecisionTreeClassifier

from geco.data.database import Database
from geco.data.domain import Domain
from geco.errors import GecoError
from geco.models.asking.inputs import InputForm
from geco.models.compiling.adapt import adapt
from geco.models.compiling.encode import Encoding, NotSeparable, encode

ROWS = 300
RNG = np.random.default_rng(3)
TABLE = pd.DataFrame(
    {
        "age": RNG.integers(18, 80, ROWS),
        "level": RNG.integers(0, 4, ROWS).astype(np.int16),
        "income": np.where(RNG.random(ROWS) < 0.1, np.nan, np.round(RNG.lognormal(7, 1, ROWS), 2)),
        "debt": np.round(RNG.normal(0, 50, ROWS), 1),
        "job": pd.Series(RNG.choice(["clerk", "cook", "nurse"], ROWS), dtype=object),
        "city": pd.Series(RNG.choice(["Rome", "Oslo", "Bern"], ROWS), dtype="str"),
    }
)
GOOD = (TABLE["age"] + TABLE["debt"] > 50).astype(int)
NUMBERS, TEXTS = ["age", "level", "income", "debt"], ["job", "city"]
SCALERS: list[Any] = [
    StandardScaler(),
    StandardScaler(with_mean=False),
    MinMaxScaler((-1, 3)),
    MinMaxScaler(clip=True),
    MaxAbsScaler(),
    RobustScaler(),
    RobustScaler(with_centering=False),
    FunctionTransformer(),
    "passthrough",
]
ENCODERS: list[Any] = [
    OneHotEncoder(handle_unknown="ignore"),
    OneHotEncoder(handle_unknown="ignore", sparse_output=False, drop="first"),
    OneHotEncoder(handle_unknown="ignore", max_categories=2),
    OneHotEncoder(),
    OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1),
    make_pipeline(OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=9), MinMaxScaler()),
]
MODELS: list[Any] = [
    DecisionTreeClassifier(random_state=0),
    RandomForestClassifier(3, random_state=0),
    LogisticRegression(max_iter=50),
    HistGradientBoostingClassifier(max_iter=3),
]


class Compiled:
    """A pipeline's encoding, and how often an x needed a call."""

    def __init__(self, pipeline: Any, table: pd.DataFrame = TABLE, groups: Sequence[Sequence[str]] = ()) -> None:
        database = Database.from_frame(table)
        alone = [[name] for name in table if not any(name in group for group in groups)]
        self.domain = Domain.build(database, [*groups, *alone], database.schema)
        self.inputs = InputForm("pandas", database, self.domain, list(table))
        self.columns = adapt(pipeline, "predict_proba")
        self.encoding = encode(self.columns.columns, self.inputs, self.domain, through=self.columns.through)
        self.calls = 0

    def both(self, x: dict[str, Any]) -> tuple[Any, Any]:
        """The encoded x, and what the user's preprocessing makes of it; the text of an error in place of either."""
        rows_like_x = [self.domain.find(g, x) for g in range(len(self.domain.tables))]

        def table() -> Any:
            self.calls += 1
            return self._shown(x)

        assert isinstance(self.encoding, Encoding)
        try:
            ours = self.encoding.of(rows_like_x, x, table)
        except GecoError as error:
            return str(error), self._theirs(x)
        return ours, self._theirs(x)

    def _theirs(self, x: dict[str, Any]) -> Any:
        try:
            return self.encoding.preprocessing.of(self._shown(x))[0]
        except GecoError as error:
            return str(error)

    def _shown(self, x: dict[str, Any]) -> Any:
        return self.inputs.of(x).table(np.zeros((1, len(self.domain.tables)), np.int32))


@cache
def compiled(imputed: bool, indicator: bool, scalers: tuple[int, ...], encoder: int, model: int) -> Compiled:
    """Numbers through some scalers, texts through an encoder, in one of the shapes that people use."""
    steps = [SimpleImputer(add_indicator=indicator)] if imputed else []
    numbers = make_pipeline(*steps, *(SCALERS[i] for i in scalers))
    front = make_column_transformer((ENCODERS[encoder], TEXTS), (numbers, NUMBERS[1:]), remainder="passthrough")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return Compiled(make_pipeline(front, clone(MODELS[model])).fit(TABLE, GOOD))


WHOLE = st.integers(-(2**40), 2**40) | st.integers(-10, 100)
REAL = (
    st.floats(allow_nan=False, allow_infinity=False)
    | st.floats(-1e4, 1e4)
    | st.sampled_from([-0.0, 5e-324, 1e-40, 3.5e38, 1e308])
)
TEXT = st.sampled_from(["clerk", "Rome", "king", ""]) | st.text(max_size=5)
VALUES = st.fixed_dictionaries(
    {
        "age": WHOLE | st.floats(-1e4, 1e4),
        "level": WHOLE | st.none(),
        "income": REAL | st.none(),
        "debt": REAL,
        "job": TEXT | st.none(),
        "city": TEXT,
    }
)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    shape=st.tuples(
        st.booleans(),
        st.booleans(),
        st.lists(st.integers(0, len(SCALERS) - 1), min_size=1, max_size=2).map(tuple),
        st.integers(0, len(ENCODERS) - 1),
    ),
    model=st.integers(0, len(MODELS) - 1),
    instances=st.lists(VALUES, min_size=1, max_size=8),
)
def test_an_encoded_x_has_the_bits_of_the_pipelines_own_transform(shape, model, instances):
    imputed = shape[0] or model < 3  # the others take no missing values
    subject = compiled(imputed, shape[1], *shape[2:], model)

    for x in instances:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ours, theirs = subject.both(x)
        if isinstance(ours, NotSeparable):
            continue
        if isinstance(theirs, str):
            assert isinstance(ours, str) and ours == theirs, (x, ours, theirs, subject.calls)
        else:
            assert np.array_equal(ours, theirs, equal_nan=True), x


def usual(**changed: Any) -> dict[str, Any]:
    return {"age": 30, "level": 2, "income": None, "debt": 0.5, "job": "cook", "city": "Rome", **changed}


UNSEEN: list[dict[str, Any]] = [
    {"age": 17},
    {"age": 300, "level": 9, "income": 0.125, "debt": -7777.77},
    {"job": "king"},
    {"job": None},
    {"debt": -0.0, "city": "Atlantis"},
]


@pytest.mark.parametrize("model", range(len(MODELS)))
@pytest.mark.parametrize("changed", UNSEEN)
def test_what_is_known_to_the_letter_needs_no_call(model, changed):
    subject = compiled(True, True, (0,), 0, model)
    before = subject.calls
    ours, theirs = subject.both(usual(**changed))

    assert subject.calls == before
    np.testing.assert_array_equal(ours, theirs)


class Own(TransformerMixin, BaseEstimator):
    """Equal to the identity wherever a trial may look."""

    def fit(self, X: Any, y: Any = None) -> Own:
        self.fitted_ = True
        return self

    def transform(self, X: Any) -> Any:
        return np.where(np.asarray(X, float) == 4321.0, 1.0, X)


class OwnScaler(StandardScaler):
    def transform(self, X: Any, copy: Any = None) -> Any:
        return np.where(np.asarray(X, float) == 4321.0, 1.0, super().transform(X))


@pytest.mark.parametrize(
    "unknown",
    [
        Own(),
        OwnScaler(),
        FunctionTransformer(lambda X: np.where(np.asarray(X, float) == 4321.0, 1.0, X)),
        PowerTransformer(),
        make_pipeline(StandardScaler(), Own()),
        make_union(StandardScaler(), Own()),
    ],
    ids=["own", "subclass", "function", "not read", "in a pipeline", "in a union"],
)
def test_a_transformer_that_is_not_known_is_still_called(unknown):
    table = TABLE[["age", "debt"]]
    front = make_column_transformer((unknown, ["debt"]), (StandardScaler(), ["age"]))
    subject = Compiled(make_pipeline(front, DecisionTreeClassifier(random_state=0)).fit(table, GOOD), table)
    ours, theirs = subject.both({"age": 30, "debt": 4321.0})

    assert subject.calls == 1
    np.testing.assert_array_equal(ours, theirs)
    subject.both({"age": 1234, "debt": float(table["debt"][0])})
    assert subject.calls == 1  # of age all is known


@pytest.mark.parametrize("name", ["mean_", "scale_"])
def test_a_formula_that_the_preprocessing_does_not_bear_out_is_not_used(name):
    table = TABLE[["age", "debt"]]
    pipeline = make_pipeline(StandardScaler(), LogisticRegression()).fit(table, GOOD)
    subject, held = Compiled(pipeline, table), getattr(pipeline[0], name)

    def through(matrix: Any) -> Any:
        """Read one bit beside what is used."""
        setattr(pipeline[0], name, np.nextafter(held, np.inf))
        made = adapt(pipeline, "predict_proba").through(matrix)
        setattr(pipeline[0], name, held)
        return made

    wrong = encode(subject.columns.columns, subject.inputs, subject.domain, through=through)

    assert None not in subject.encoding.formulas.by_group
    assert wrong.formulas.by_group == (None, None)


@pytest.mark.parametrize(("operation", "by"), [("at_most", 1e4), ("at_least", -1e4), ("single", 0.0)])
def test_a_formula_that_is_wrong_only_for_values_that_d_lacks_is_not_used(operation, by):
    """The debts of D are halves, which float32 holds."""
    table = TABLE[["age", "debt"]].assign(debt=TABLE["debt"].round() / 2)
    subject = Compiled(LogisticRegression(max_iter=50).fit(table, GOOD), table)
    through = subject.columns.through
    wrong = encode(
        subject.columns.columns,
        subject.inputs,
        subject.domain,
        through=lambda matrix: through(matrix).each(lambda _, column: column.then(operation, by)),
    )

    assert None not in subject.encoding.formulas.by_group
    assert wrong.formulas.by_group == (None, None)


def test_a_value_that_moves_a_column_that_no_value_of_d_moves_is_asked_about():
    table = TABLE[["age", "city"]]
    front = make_column_transformer((OneHotEncoder(handle_unknown="ignore"), ["city"]), (StandardScaler(), ["age"]))
    pipeline = make_pipeline(front, DecisionTreeClassifier(random_state=0)).fit(table, GOOD)
    subject = Compiled(pipeline, table[table["city"] != "Rome"])
    ours, _ = subject.both({"age": int(table["age"].iloc[0]), "city": "Rome"})

    assert isinstance(ours, NotSeparable)
    assert subject.calls == 1


def test_new_values_within_a_group_of_several_features_need_no_call():
    table = TABLE[["age", "level", "debt"]]
    pipeline = make_pipeline(StandardScaler(), DecisionTreeClassifier(random_state=0)).fit(table, GOOD)
    subject = Compiled(pipeline, table, [["age", "level"]])
    ours, theirs = subject.both({"age": 33, "level": 9, "debt": 0.25})

    assert subject.calls == 0
    np.testing.assert_array_equal(ours, theirs)


def test_numbers_of_float32_are_not_scaled_by_formula_and_pass_as_they_are():
    table = TABLE[["age", "debt"]].astype({"debt": np.float32})
    scaled = Compiled(make_pipeline(StandardScaler(), DecisionTreeClassifier(random_state=0)).fit(table, GOOD), table)
    plain = Compiled(DecisionTreeClassifier(random_state=0).fit(table, GOOD), table)
    x = {"age": 33, "debt": float(np.float32(0.123))}

    for subject, calls in ((scaled, 1), (plain, 0)):
        ours, theirs = subject.both(x)
        np.testing.assert_array_equal(ours, theirs)
        assert subject.calls == calls
