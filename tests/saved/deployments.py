"""Explainers of every kind, to be saved: each a name, a model, D, rules, settings, and rows to ask about."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any

import numpy as np
import pandas as pd

import geco

ROWS = 400
RULES = """
PLAF x_cf.age >= x.age
PLAF IF x_cf.income > x.income THEN x_cf.age >= x.age + 1
"""


@dataclass(frozen=True)
class Deployment:
    """What an Explainer is made of."""

    model: Any
    frame: Any
    program: str = RULES
    kinds: dict[str, Any] | None = None
    settings: dict[str, Any] = field(default_factory=dict)
    asked: Any = None  # a pandas frame of rows to explain; the first of D if left out

    @cached_property
    def built(self) -> geco.Explainer:
        """Made once for all tests that do not change it."""
        return self.made()

    def explainer(self, **settings: Any) -> geco.Explainer:
        return self.made(**settings) if settings else self.built

    def made(self, **settings: Any) -> geco.Explainer:
        database = geco.Database.from_frame(self.frame, kinds=self.kinds)
        return geco.Explainer(
            self.model, database, geco.parse_plaf(self.program, "rules.plaf"), **{**self.settings, **settings}
        )

    @property
    def instances(self) -> list[dict[str, Any]]:
        rows = self.frame if self.asked is None else self.asked
        return rows.head(8).to_dict("records")


def people(rows: int = ROWS) -> pd.DataFrame:
    rng = np.random.default_rng(3)
    return pd.DataFrame(
        {
            "age": rng.integers(18, 70, rows),
            "income": np.round(rng.lognormal(3, 0.4, rows), 1),
            "home": rng.choice(["rent", "own", "family"], rows).astype(object),
            "member": rng.random(rows) < 0.5,
        }
    )


def score(frame: pd.DataFrame) -> Any:
    return frame["income"] + 10 * (frame["home"] == "own") + frame["age"] / 10


def good(frame: pd.DataFrame) -> Any:
    return (score(frame) > 30).astype(int)


def pipeline(estimator: Any, frame: pd.DataFrame, label: Any, scaled: Any = "passthrough") -> Any:
    from sklearn.compose import ColumnTransformer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder

    text = ("text", OneHotEncoder(handle_unknown="ignore"), ["home"])
    encode = ColumnTransformer([text, ("rest", scaled, ["age", "income", "member"])])
    return make_pipeline(encode, estimator).fit(frame, label)


def decision_tree() -> Deployment:
    from sklearn.tree import DecisionTreeClassifier

    frame = people()
    return Deployment(pipeline(DecisionTreeClassifier(random_state=0), frame, good(frame)), frame)


def random_forest() -> Deployment:
    from sklearn.ensemble import RandomForestClassifier

    frame = people()
    params = geco.Params(
        alpha=0.5, beta=0.4, gamma=0.1, weights={"age": 2.0}, costs={"income": (1.0, 3.0)}, scale="std"
    )
    model = pipeline(RandomForestClassifier(20, random_state=0), frame, good(frame))
    return Deployment(model, frame, settings={"params": params, "margin": 0.1})


def xgboost() -> Deployment:
    from xgboost import XGBClassifier

    frame = people()
    return Deployment(pipeline(XGBClassifier(n_estimators=20), frame, good(frame)), frame)


def lightgbm_of_categories() -> Deployment:
    from lightgbm import LGBMClassifier

    frame = people()
    frame["home"] = pd.Categorical(frame["home"], ["rent", "own", "family", "hut"])
    frame.loc[::9, "income"] = np.nan
    return Deployment(LGBMClassifier(n_estimators=20, verbose=-1).fit(frame, good(frame)), frame)


def network() -> Deployment:
    from sklearn.neural_network import MLPClassifier
    from sklearn.preprocessing import StandardScaler

    frame = people()
    estimator = MLPClassifier((9, 5), max_iter=300, random_state=0)
    return Deployment(pipeline(estimator, frame, good(frame), StandardScaler()), frame)


def linear() -> Deployment:
    from sklearn.linear_model import LogisticRegression
    from sklearn.preprocessing import MinMaxScaler

    frame = people()
    model = pipeline(LogisticRegression(), frame, good(frame), MinMaxScaler())
    return Deployment(model, frame, settings={"method": geco.Frontier(max_rounds=9)})


def regression() -> Deployment:
    from sklearn.ensemble import RandomForestRegressor

    frame = people()
    model = pipeline(RandomForestRegressor(15, random_state=0), frame, score(frame))
    return Deployment(model, frame, settings={"target": (33, None)})


def three_classes() -> Deployment:
    from sklearn.ensemble import GradientBoostingClassifier

    frame = people()
    label = pd.cut(score(frame), [-1, 25, 33, 999], labels=["low", "mid", "high"]).astype(str)
    model = pipeline(GradientBoostingClassifier(n_estimators=9, random_state=0), frame, label)
    return Deployment(model, frame, settings={"target": {"mid"}})


def genetic_specialized() -> Deployment:
    made = decision_tree()
    method = geco.Genetic(q=40, max_generations=6, evaluation="specialize")
    return Deployment(made.model, made.frame, settings={"method": method})


def missing_values() -> Deployment:
    from sklearn.ensemble import HistGradientBoostingClassifier

    frame = people().drop(columns="home")
    label = (frame["income"] > 20).astype(int)
    frame.loc[::5, "income"] = np.nan
    frame["age"] = frame["age"].astype("Int64").mask(frame["age"] % 7 == 0)
    model = HistGradientBoostingClassifier(max_iter=15, random_state=0).fit(frame, label)
    return Deployment(model, frame, "ALLOW MISSING income\nPLAF x_cf.age >= x.age")


def onehot_and_group() -> Deployment:
    from sklearn.tree import DecisionTreeClassifier

    frame = people()
    wide = pd.get_dummies(frame, columns=["home"], dtype=int)
    model = DecisionTreeClassifier(random_state=0).fit(wide, good(frame))
    program = "ONEHOT home: home_rent, home_own, home_family\nGROUP age, income\nFIXED member"
    return Deployment(model, wide, program)


def ignored_dates() -> Deployment:
    """In groups with features that the model reads; next to the last day that a date can be."""
    from sklearn.tree import DecisionTreeClassifier

    frame = people()[["age", "income"]]
    model = DecisionTreeClassifier(random_state=0).fit(frame, (frame["income"] > 20).astype(int))
    days = np.datetime64("9999-12-31") - frame["age"].to_numpy().astype("timedelta64[D]")
    frame["day"], frame["since"] = days.astype(object), days.astype("datetime64[us]")
    return Deployment(model, frame, "GROUP age, day\nGROUP income, since")


def ordered_text() -> Deployment:
    from sklearn.compose import ColumnTransformer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OrdinalEncoder

    frame, order = people(), ["family", "rent", "own"]
    frame["income"] = frame["income"].astype(int) + 2**60  # beyond what a float tells apart
    encode = ColumnTransformer([("home", OrdinalEncoder(categories=[order]), ["home"])], remainder="passthrough")
    model = make_pipeline(encode.set_output(transform="pandas"), LogisticRegression())
    model.fit(frame.assign(income=0), (frame["home"] == "own").astype(int))
    return Deployment(model, frame, "ORDER home: 'family' < 'rent' < 'own'\nINCREASE home\nPLAF x_cf.age != 18")


def dates() -> Deployment:
    frame = people()
    days = pd.to_datetime("2020-01-01") + pd.to_timedelta(frame["age"] * 11, unit="D")
    frame["since"] = days + pd.to_timedelta(frame["income"] * 3_600_001, unit="ms")
    frame["day"] = days.dt.date

    def probability(asked: pd.DataFrame) -> Any:
        old = (pd.Timestamp("2022-06-01") - asked["since"]).dt.total_seconds() / 86_400
        return 1 / (1 + np.exp(-(old - 400 + asked["income"]) / 90))

    return Deployment(probability, frame, "PLAF x_cf.since <= x.since\nFIXED day")


def labels_only() -> Deployment:
    class Labels:
        def predict(self, frame: pd.DataFrame) -> Any:
            return np.where(score(frame) > 30, "yes", "no")

    return Deployment(Labels(), people(), settings={"target": "yes", "verify": False})


def array_input() -> Deployment:
    from sklearn.ensemble import RandomForestClassifier

    frame = people().drop(columns="home")
    model = RandomForestClassifier(9, random_state=0).fit(frame.to_numpy(float), good(people()))
    return Deployment(model, frame)


def polars_frame() -> Deployment:
    import polars

    frame = people()
    frame["home"] = frame["home"].astype(str)
    table = polars.from_pandas(frame).with_columns(polars.col("home").cast(polars.Enum(["family", "rent", "own"])))

    def probability(asked: Any) -> Any:
        owns = (asked["home"].cast(polars.String) == "own").to_numpy()
        return 1 / (1 + np.exp(-(asked["income"].to_numpy() + 10 * owns - 30)))

    return Deployment(probability, table, asked=frame)


def arrow_table() -> Deployment:
    import pyarrow

    frame = people()
    frame["home"] = pd.Categorical(frame["home"])

    def probability(asked: Any) -> Any:
        return 1 / (1 + np.exp(20 - asked["income"].to_numpy()))

    table = pyarrow.Table.from_pandas(frame, preserve_index=False)
    return Deployment(probability, table, asked=frame.astype({"home": object}))


COMPILED: dict[str, Callable[[], Deployment]] = {
    f.__name__: f
    for f in (
        decision_tree, random_forest, xgboost, lightgbm_of_categories, network, linear, regression, three_classes,
        genetic_specialized, missing_values, onehot_and_group, ignored_dates, array_input,
    )
}  # fmt: skip
BLACK_BOXES: dict[str, Callable[[], Deployment]] = {
    f.__name__: f for f in (dates, labels_only, polars_frame, arrow_table)
}
EVERY = {**COMPILED, "ordered_text": ordered_text, **BLACK_BOXES}


@cache
def deployment(name: str) -> Deployment:
    return EVERY[name]()
