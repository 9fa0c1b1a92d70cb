"""Domains are encoded once; what mixes groups is named; what is put together equals the user's numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.compose import ColumnTransformer, make_column_selector, make_column_transformer
from sklearn.decomposition import PCA
from sklearn.feature_selection import SelectKBest, VarianceThreshold
from sklearn.impute import KNNImputer, MissingIndicator, SimpleImputer
from sklearn.pipeline import FeatureUnion, make_pipeline, make_union
from sklearn.preprocessing import (
    FunctionTransformer,
    KBinsDiscretizer,
    MaxAbsScaler,
    MinMaxScaler,
    Normalizer,
    OneHotEncoder,
    OrdinalEncoder,
    PolynomialFeatures,
    PowerTransformer,
    QuantileTransformer,
    RobustScaler,
    StandardScaler,
    TargetEncoder,
)

from geco.data.database import Database
from geco.data.domain import Domain
from geco.errors import ModelError
from geco.models.asking.inputs import InputForm
from geco.models.compiling import encode as encode_module
from geco.models.compiling import preprocessing, separable
from geco.models.compiling.encode import Encoding, NotSeparable, encode

ROWS = 2_000
NUMBERS = ["age", "income", "debt", "visits"]
TEXTS = ["city", "job", "tone"]
TRUTHS = ["member", "owner"]
RED = ["red", "green", "blue"]


def people() -> pd.DataFrame:
    """Numbers with gaps, text, categories with an unused one, truth values, a one-hot set, and rare values."""
    rng = np.random.default_rng(0)
    job = rng.choice(["clerk", "cook", "nurse", "pilot"], ROWS, p=[0.6, 0.3, 0.09, 0.01])
    job[:2] = "diver"
    income = np.round(rng.lognormal(7, 1, ROWS), 2)
    colour = np.eye(3, dtype="int64")[rng.integers(0, 3, ROWS)]
    return pd.DataFrame(
        {
            "age": rng.integers(18, 80, ROWS),
            "income": np.where(rng.random(ROWS) < 0.1, np.nan, income),
            "debt": np.where(rng.random(ROWS) < 0.5, 0.0, np.round(rng.normal(0, 50, ROWS), 1)),
            "visits": pd.array(np.where(rng.random(ROWS) < 0.1, None, rng.integers(0, 9, ROWS)), dtype="Int64"),
            "city": pd.Series(rng.choice(["Rome", "Oslo", "Bern", "Lyon"], ROWS), dtype="str"),
            "job": pd.Series(job, dtype=object),
            "tone": pd.Series(
                pd.Categorical(rng.choice(["low", "mid", "high"], ROWS), ["low", "mid", "high", "unused"])
            ).mask(rng.random(ROWS) < 0.1),
            "member": pd.array(rng.random(ROWS) < 0.3, dtype="boolean"),
            "owner": rng.random(ROWS) < 0.5,
            **{name: colour[:, i] for i, name in enumerate(RED)},
        }
    )


PEOPLE = people()
GOOD = (PEOPLE["age"] + PEOPLE["debt"] > 50).astype(int)


def deployment(
    frame: pd.DataFrame,
    groups: Sequence[Sequence[str]] = (),
    features: Sequence[str] | None = None,
    form: Any = "pandas",
) -> tuple[InputForm, Domain]:
    """The input form and the Domain; features in none of the groups are alone."""
    database = Database.from_frame(frame)
    grouped = {name for group in groups for name in group}
    every = [*groups, *([name] for name in frame.columns if name not in grouped)]
    domain = Domain.build(database, every, database.schema)
    return InputForm(form, database, domain, features or list(frame.columns)), domain


def columns_of(transformer: Any) -> Callable[[Any], npt.NDArray[np.float64]]:
    def columns(table: Any) -> npt.NDArray[np.float64]:
        given = transformer.transform(table)
        return np.asarray(given.toarray() if hasattr(given, "toarray") else given, np.float64)

    return columns


def mixed(domain: Domain, rows: int = 2_000, seed: int = 99) -> npt.NDArray[np.int32]:
    rng = np.random.default_rng(seed)
    return np.stack([rng.integers(1, t.rows + 1, rows) for t in domain.tables], axis=1).astype(np.int32)


def numbers(*steps: Any) -> Any:
    """These steps on the numbers, behind an imputer."""
    return make_column_transformer((make_pipeline(SimpleImputer(), *steps), NUMBERS))


def texts(encoder: Any) -> Any:
    return make_column_transformer((encoder, TEXTS))


def positive(transformer: Any) -> Any:
    return make_column_transformer((make_pipeline(SimpleImputer(), transformer), ["age", "income"]))


ACCEPTED: dict[str, Any] = {
    "one-hot, sparse": texts(OneHotEncoder()),
    "one-hot, dense": texts(OneHotEncoder(sparse_output=False)),
    "one-hot, unknown ignored": texts(OneHotEncoder(handle_unknown="ignore")),
    "one-hot, infrequent": texts(OneHotEncoder(handle_unknown="infrequent_if_exist", min_frequency=0.05)),
    "one-hot, at most three": texts(OneHotEncoder(handle_unknown="infrequent_if_exist", max_categories=3)),
    "one-hot, first dropped": texts(OneHotEncoder(drop="first")),
    "one-hot, dropped if binary": make_column_transformer((OneHotEncoder(drop="if_binary"), [*TEXTS, "owner"])),
    "ordinal": texts(OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1)),
    "ordinal, missing": texts(OrdinalEncoder(encoded_missing_value=-2)),
    "target": texts(TargetEncoder()),
    "standard": numbers(StandardScaler()),
    "min-max, clipped": numbers(MinMaxScaler(clip=True)),
    "robust": numbers(RobustScaler()),
    "max-abs": numbers(MaxAbsScaler()),
    "scaled before imputed": make_column_transformer((make_pipeline(StandardScaler(), SimpleImputer()), NUMBERS)),
    "imputed with indicator": make_column_transformer((SimpleImputer(add_indicator=True), NUMBERS)),
    "imputed by most frequent": make_column_transformer(
        (make_pipeline(SimpleImputer(strategy="most_frequent"), OneHotEncoder()), ["job", "tone"])
    ),
    "missing indicator": make_column_transformer((MissingIndicator(features="all"), NUMBERS)),
    "bins, one-hot": numbers(KBinsDiscretizer(4, strategy="kmeans", random_state=0)),
    "bins, ordinal": numbers(KBinsDiscretizer(4, encode="ordinal", strategy="uniform")),
    "power, yeo-johnson": numbers(PowerTransformer()),
    "power, box-cox": positive(PowerTransformer(method="box-cox")),
    "quantile": numbers(QuantileTransformer(n_quantiles=50)),
    "quantile, normal": numbers(QuantileTransformer(n_quantiles=50, output_distribution="normal")),
    "logarithm": positive(FunctionTransformer(np.log1p)),
    "logarithm of what may be 0": numbers(FunctionTransformer(np.log)),
    "pass-through": make_column_transformer(("passthrough", ["age", "income", "debt", *TRUTHS])),
    "drop, rest passed through": ColumnTransformer(
        [("none", "drop", ["visits"]), ("text", OneHotEncoder(sparse_output=False), TEXTS)], remainder="passthrough"
    ),
    "rest scaled": ColumnTransformer(
        [("text", OneHotEncoder(), TEXTS)], remainder=make_pipeline(SimpleImputer(), StandardScaler())
    ),
    "selectors": make_column_transformer(
        (OneHotEncoder(), make_column_selector(dtype_exclude="number")),
        (make_pipeline(SimpleImputer(), StandardScaler()), make_column_selector(dtype_include="number")),
    ),
    "union": make_pipeline(
        make_column_transformer((SimpleImputer(), NUMBERS)),
        FeatureUnion([("scaled", StandardScaler()), ("bins", KBinsDiscretizer(3, strategy="uniform"))]),
    ),
    "nested": make_pipeline(
        ColumnTransformer(
            [
                (
                    "in",
                    make_column_transformer((SimpleImputer(add_indicator=True), NUMBERS), remainder="drop"),
                    NUMBERS,
                ),
                ("text", make_pipeline(OrdinalEncoder(), SimpleImputer()), TEXTS),
                ("truth", "passthrough", ["owner"]),
            ]
        ),
        StandardScaler(),
        "passthrough",
    ),
    "selected by variance": make_pipeline(texts(OneHotEncoder()), VarianceThreshold(0.05)),
    "selected by worth": make_pipeline(numbers(StandardScaler()), SelectKBest(k=2)),
    "a function of one column": FunctionTransformer(lambda f: np.where(f[["age"]] > 60, 60, f[["age"]])),
    "nothing at all": make_column_transformer(("drop", NUMBERS)),
}
MIXING: dict[str, tuple[Any, Sequence[str]]] = {
    "PCA": (numbers(StandardScaler(), PCA(3)), NUMBERS),
    "products": (numbers(PolynomialFeatures(2)), NUMBERS),
    "normalizer": (numbers(Normalizer()), NUMBERS),
    "nearest neighbours": (make_column_transformer((KNNImputer(), NUMBERS)), NUMBERS),
    "ratio": (FunctionTransformer(lambda f: f[["debt"]].to_numpy() / f[["age"]].to_numpy()), ["debt", "age"]),
    "maximum": (FunctionTransformer(lambda f: f[["debt", "age"]].max(axis=1).to_frame()), ["debt", "age"]),
    "one rare value": (
        FunctionTransformer(lambda f: np.where(f["job"] == "diver", f["debt"] * 2, f["debt"])[:, None]),
        ["job", "debt"],
    ),
    "both rare": (
        FunctionTransformer(lambda f: ((f["job"] == "diver") & (f["debt"] > 150)).to_frame()),
        ["job", "debt"],
    ),
    "one rare, one missing": (
        FunctionTransformer(lambda f: ((f["job"] == "diver") & f["income"].isna()).to_frame()),
        ["job", "income"],
    ),
    "a value in the middle with an extreme one": (
        FunctionTransformer(lambda f: ((f["age"] == 41) & (f["debt"] > 170)).to_frame()),
        ["age", "debt"],
    ),
    "two values in the middle": (
        FunctionTransformer(lambda f: ((f["age"] == 41) & (f["visits"] == 5).fillna(False)).to_frame()),
        ["age", "visits"],
    ),
    "a union of one that mixes and one that does not": (
        make_pipeline(numbers(), make_union(StandardScaler(), PolynomialFeatures(2, interaction_only=True))),
        NUMBERS,
    ),
}


@pytest.mark.parametrize("name", ACCEPTED)
@pytest.mark.parametrize("groups", [(), (("age", "job"), ("income", "debt"), tuple(RED))], ids=["alone", "grouped"])
def test_assembled_rows_equal_the_users_numbers(name, groups):
    columns = columns_of(ACCEPTED[name].fit(PEOPLE, GOOD))
    inputs, domain = deployment(PEOPLE, groups)
    encoding = encode(columns, inputs, domain)
    rows = mixed(domain)

    assert isinstance(encoding, Encoding), encoding
    np.testing.assert_array_equal(encoding.assemble(rows), columns(inputs.probe(rows)))


@pytest.mark.parametrize("name", ["one-hot, sparse", "imputed with indicator", "drop, rest passed through", "nested"])
def test_every_column_belongs_to_one_group_or_is_constant(name):
    inputs, domain = deployment(PEOPLE, [RED])
    encoding = encode(columns_of(ACCEPTED[name].fit(PEOPLE, GOOD)), inputs, domain)
    constant = np.flatnonzero(~np.isnan(encoding.constant))

    assert sorted([*np.concatenate(encoding.columns), *constant]) == list(range(encoding.width))
    for table, owned, encoded in zip(domain.tables, encoding.columns, encoding.encoded, strict=True):
        assert encoded.shape == (table.rows + 1, len(owned))
        assert np.isnan(encoded[0]).all()


@pytest.mark.parametrize("output", ["pandas", "default"])
def test_frames_between_the_steps_change_nothing(output):
    pipeline = make_pipeline(
        make_column_transformer(
            (OneHotEncoder(sparse_output=False), TEXTS), (SimpleImputer(add_indicator=True), NUMBERS)
        ),
        StandardScaler(),
    )
    columns = columns_of(pipeline.set_output(transform=output).fit(PEOPLE))
    inputs, domain = deployment(PEOPLE)
    encoding = encode(columns, inputs, domain)
    rows = mixed(domain)

    np.testing.assert_array_equal(encoding.assemble(rows), columns(inputs.probe(rows)))


@pytest.mark.parametrize("name", MIXING)
def test_what_mixes_groups_is_refused_and_named(name):
    transformer, features = MIXING[name]
    inputs, domain = deployment(PEOPLE)
    refused = encode(columns_of(transformer.fit(PEOPLE, GOOD)), inputs, domain)

    assert isinstance(refused, NotSeparable)
    assert refused.reason.startswith("encoded column ")
    assert sum(repr(f) in refused.reason for f in features) == 2, refused.reason


def test_what_mixes_features_of_one_group_only_is_accepted():
    ratio = FunctionTransformer(lambda X: X[["debt"]].to_numpy() / X[["age"]].to_numpy())
    pipeline = make_column_transformer((ratio, ["age", "debt"]), (SimpleImputer(), ["income"])).fit(PEOPLE)
    inputs, domain = deployment(PEOPLE, [("age", "debt")])
    encoding = encode(columns_of(pipeline), inputs, domain)

    assert {domain.tables[g].name: c.tolist() for g, c in enumerate(encoding.columns) if len(c)} == {
        "age, debt": [0],
        "income": [1],
    }


def test_the_reason_names_column_and_groups():
    pipeline = make_column_transformer((PCA(2), ["age", "debt"])).fit(PEOPLE)
    inputs, domain = deployment(PEOPLE, [("debt", "city")])
    refused = encode(pipeline.transform, inputs, domain, names=pipeline.get_feature_names_out())

    assert refused == NotSeparable("encoded column 'pca__pca0' depends on 'debt, city' and on 'age'")


def test_a_one_hot_set_goes_by_its_name():
    database = Database.from_frame(PEOPLE[["age", *RED]])
    domain = Domain.build(database, [["age"], RED], database.schema, [None, "colour"])
    inputs = InputForm("pandas", database, domain, ["age", *RED])
    refused = encode(lambda f: f[["age"]].to_numpy() * f[["red"]].to_numpy(), inputs, domain)

    assert refused == NotSeparable("encoded column 0 depends on 'age' and on 'colour'")


class Noise(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    def __init__(self, scale: float = 1.0) -> None:
        self.scale = scale

    def fit(self, X: Any, y: Any = None) -> Noise:
        self.rng_ = np.random.default_rng(0)
        return self

    def transform(self, X: Any) -> Any:
        return X + self.scale * self.rng_.random(X.shape)


class Counter(Noise):
    def transform(self, X: Any) -> Any:
        self.calls_ = getattr(self, "calls_", 0) + 1
        return X + self.calls_


@pytest.mark.parametrize(
    "transformer",
    [
        Noise(),
        Noise(1e-9),
        Counter(),
        FunctionTransformer(lambda X: X - X.mean(axis=0)),
        FunctionTransformer(lambda X: np.cumsum(X, axis=0)),
        FunctionTransformer(lambda X: X + (1e-12 if len(X) == 1 else 0)),
    ],
    ids=["random", "slightly random", "stateful", "centred by the batch", "cumulative", "rounded otherwise alone"],
)
def test_what_is_not_a_function_of_the_row_is_refused(transformer):
    inputs, domain = deployment(PEOPLE[["age", "debt"]])
    refused = encode(columns_of(transformer.fit(PEOPLE[["age", "debt"]].to_numpy())), inputs, domain)

    assert "other numbers when it is asked again about the same row" in refused.reason


def test_dummies_made_anew_for_every_table_are_refused():
    inputs, domain = deployment(PEOPLE[["city", "job"]])
    refused = encode(lambda f: pd.get_dummies(f), inputs, domain)

    assert "columns for one table and" in refused.reason


def test_text_is_refused():
    inputs, domain = deployment(PEOPLE[["age", "job"]])
    refused = encode(lambda f: f.to_numpy(dtype=object), inputs, domain)

    assert refused.reason.startswith("the preprocessing returns values that are not numbers: could not convert string")


def test_dates_are_refused():
    inputs, domain = deployment(PEOPLE[["age"]])
    refused = encode(lambda f: f.to_numpy().astype("datetime64[D]"), inputs, domain)

    assert refused.reason == "the preprocessing returns datetime64[D] values; expected numbers"


def test_one_number_per_row_without_a_second_dimension_is_refused():
    inputs, domain = deployment(PEOPLE[["age"]])
    refused = encode(lambda f: f["age"].to_numpy(), inputs, domain)

    assert "returned an array of shape (64,) for 64 rows" in refused.reason


def test_raising_on_one_row_of_d_is_refused_with_the_first_line_of_the_error():
    def columns(frame: pd.DataFrame) -> Any:
        if (frame["age"] == 41).any():
            raise ValueError("41 is not an age\nsecond line")
        return frame.to_numpy(dtype=float)

    inputs, domain = deployment(PEOPLE[["age", "debt"]])
    refused = encode(columns, inputs, domain)

    assert refused.reason.startswith("the model raised ValueError on")
    assert refused.reason.endswith("rows: 41 is not an age")


def test_objects_that_are_all_numbers_are_numbers():
    inputs, domain = deployment(PEOPLE[["age", "owner"]])
    encoding = encode(lambda f: f.to_numpy(dtype=object), inputs, domain)

    assert encoding.assemble(np.array([[1, 2]], np.int32)).tolist() == [[18.0, 1.0]]


def test_infinite_and_missing_numbers_are_numbers():
    frame = pd.DataFrame({"a": [0.0, -1.0, np.nan, 1.0] * 10, "b": [np.nan] * 39 + [1.0]})
    inputs, domain = deployment(frame)
    with np.errstate(all="ignore"):
        encoding = encode(lambda f: np.column_stack([np.log(f["a"]), 1 / f["a"], f["b"]]), inputs, domain)

    np.testing.assert_array_equal(encoding.encoded[0][1:], [[np.nan, -1], [-np.inf, np.inf], [0, 1], [np.nan, np.nan]])
    np.testing.assert_array_equal(encoding.encoded[1][1:], [[1], [np.nan]])


def test_negative_zero_is_zero():
    inputs, domain = deployment(pd.DataFrame({"a": [1.0, -1.0, 2.0], "b": [3.0, 4.0, 5.0]}))
    encoding = encode(lambda f: np.column_stack([f["a"], f["a"] * 0.0 * f["b"]]), inputs, domain)

    assert [c.tolist() for c in encoding.columns] == [[0], []]


def test_a_group_the_model_does_not_read_has_no_columns():
    inputs, domain = deployment(PEOPLE, features=["debt", "age"])
    encoding = encode(lambda f: f.to_numpy(dtype=float), inputs, domain)
    owned = {t.name: c.tolist() for t, c in zip(domain.tables, encoding.columns, strict=True) if len(c)}

    assert owned == {"age": [1], "debt": [0]}


def test_array_input_is_encoded_alike():
    frame = PEOPLE[["age", "debt", "income"]]
    pipeline = make_pipeline(SimpleImputer(add_indicator=True), StandardScaler()).fit(frame.to_numpy())
    inputs, domain = deployment(frame, form="array")
    encoding = encode(pipeline.transform, inputs, domain)
    rows = mixed(domain)

    np.testing.assert_array_equal(encoding.assemble(rows), pipeline.transform(inputs.probe(rows)))


def test_columns_that_move_in_one_chunk_only_keep_their_values_in_the_others(monkeypatch):
    monkeypatch.setattr(preprocessing, "CHUNK_ROWS", 7)
    monkeypatch.setattr(separable, "MIXED_ROWS", 200)
    monkeypatch.setattr(separable, "CORNER_ROWS", 200)
    columns = columns_of(texts(OneHotEncoder()).fit(PEOPLE))
    inputs, domain = deployment(PEOPLE[[*TEXTS, "owner"]], [TEXTS])
    encoding = encode(columns, inputs, domain)
    rows = mixed(domain)

    np.testing.assert_array_equal(encoding.assemble(rows), columns(inputs.probe(rows)))


def test_no_call_has_more_numbers_than_fit(monkeypatch):
    sizes = []

    def columns(frame: pd.DataFrame) -> Any:
        sizes.append(len(frame))
        return np.repeat(frame[["age"]].to_numpy(dtype=float), 500, axis=1)

    monkeypatch.setattr(preprocessing, "CHUNK_CELLS", 50_000)
    inputs, domain = deployment(PEOPLE[["age", "debt"]])
    encode(columns, inputs, domain)

    assert max(sizes) == 100


def test_the_rows_of_a_large_domain_are_asked_once_and_a_sample_of_them_again():
    asked = 0

    def columns(frame: pd.DataFrame) -> Any:
        nonlocal asked
        asked += len(frame)
        return frame.to_numpy(dtype=float)

    frame = pd.DataFrame({"a": np.arange(60_000.0), "b": np.arange(60_000) % 2})
    inputs, domain = deployment(frame)
    encoding = encode(columns, inputs, domain)

    assert asked < 60_000 + 20_000 + 23_000
    np.testing.assert_array_equal(encoding.encoded[0][1:, 0], frame["a"])


def test_more_one_hot_columns_than_can_be_kept_are_refused(monkeypatch):
    monkeypatch.setattr(encode_module, "MAX_CELLS", 10_000)
    pipeline = make_column_transformer((OneHotEncoder(), ["income"])).fit(PEOPLE)
    inputs, domain = deployment(PEOPLE)
    refused = encode(columns_of(pipeline), inputs, domain)

    assert "columns of the 1,803 rows of 'income', too many to keep" in refused.reason


def test_the_same_domain_gives_the_same_encoding():
    inputs, domain = deployment(PEOPLE)
    columns = columns_of(ACCEPTED["nested"].fit(PEOPLE, GOOD))
    first, second = encode(columns, inputs, domain), encode(columns, inputs, domain)

    for a, b in zip(first.encoded, second.encoded, strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.fixture(scope="module")
def asked() -> Any:
    """An encoding, and a function that encodes x and counts how often the user's preprocessing was asked."""
    frame = PEOPLE[["age", "income", "job", "city"]]
    pipeline = make_column_transformer(
        (OneHotEncoder(handle_unknown="ignore"), ["job"]),
        (OneHotEncoder(), ["city"]),
        (make_pipeline(SimpleImputer(), StandardScaler()), ["age", "income"]),
    ).fit(frame)
    inputs, domain = deployment(frame)
    encoding = encode(columns_of(pipeline), inputs, domain)
    tables = []

    def of(**changed: Any) -> tuple[Any, Any, int]:
        x = {"age": 30, "income": None, "job": "cook", "city": "Rome", **changed}
        own = [domain.find(g, x) for g in range(len(domain.tables))]
        tables.clear()

        def table() -> Any:
            tables.append(inputs.of(x).table(np.zeros((1, len(domain.tables)), np.int32)))
            return tables[-1]

        row = encoding.of(own, x, table)
        user = pipeline.transform(pd.DataFrame([x]).astype({"income": float}))
        return row, np.asarray(user.toarray() if hasattr(user, "toarray") else user)[0], len(tables)

    return of


def test_an_x_whose_values_occur_in_d_is_looked_up(asked):
    row, users, tables = asked()

    assert tables == 0
    np.testing.assert_array_equal(row, users)


@pytest.mark.parametrize("changed", [{"age": 17}, {"income": 0.125}, {"job": "king"}, {"age": 99, "job": "king"}])
def test_an_x_with_values_that_d_does_not_have_is_encoded_in_one_call(asked, changed):
    row, users, tables = asked(**changed)

    assert tables == 1
    np.testing.assert_array_equal(row, users)


def test_an_unseen_value_the_preprocessing_refuses_is_the_models_error():
    frame = PEOPLE[["age", "city"]]
    pipeline = make_column_transformer((OneHotEncoder(), ["city"])).fit(frame)
    inputs, domain = deployment(frame)
    encoding = encode(columns_of(pipeline), inputs, domain)
    x = {"age": 30, "city": "Atlantis"}

    with pytest.raises(
        ModelError, match=r"the model raised ValueError on 1 row: Found unknown categories \['Atlantis'\]"
    ):
        encoding.of([1, 0], x, lambda: inputs.of(x).table(np.zeros((1, 2), np.int32)))


def test_an_unseen_value_that_moves_a_column_that_no_value_of_d_moves_is_reported():
    frame = PEOPLE[["age", "city"]]
    pipeline = make_column_transformer((OneHotEncoder(), ["city"])).fit(frame)
    inputs, domain = deployment(frame[frame["city"] != "Rome"])
    encoding = encode(columns_of(pipeline), inputs, domain)
    x = {"age": 30, "city": "Rome"}

    assert encoding.of([1, 0], x, lambda: inputs.of(x).table(np.zeros((1, 2), np.int32))) == NotSeparable(
        "encoded column 3 depends on the value of 'city' in x, which D does not have"
    )


def test_an_unseen_value_of_a_group_the_model_does_not_read_asks_nothing():
    inputs, domain = deployment(PEOPLE[["age", "city"]], features=["age"])
    encoding = encode(lambda f: f.to_numpy(dtype=float), inputs, domain)

    assert encoding.of([1, 0], {}, lambda: pytest.fail("asked")).tolist() == [18.0]
