"""Partial evaluation (Sec. 5.2): the genetic search on M_Δ gives the answers of the black box without asking it."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.decomposition import PCA
from sklearn.ensemble import ExtraTreesClassifier, GradientBoostingRegressor, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import geco
from geco.errors import SettingsError
from geco.models.asking.meter import Budget, Clock
from geco.models.scoring import specialize
from geco.models.scoring.onrows import OnRows
from geco.models.scoring.own import OwnModel
from geco.models.scoring.ways import WAYS
from geco.population.base import Lines, Proposal
from geco.space.feasible import feasible_space
from geco.space.ground import ground
from geco.trace import Trace

PROGRAM = """
GROUP c, e
PLAF x_cf.a >= x.a
PLAF IF x_cf.c > x.c THEN x_cf.d >= x.d + 2
"""
TREES = [
    DecisionTreeClassifier(max_depth=6, random_state=1),
    RandomForestClassifier(15, max_depth=6, random_state=1),
    ExtraTreesClassifier(15, max_depth=6, random_state=1),
]
OTHERS = [
    make_pipeline(StandardScaler(), MLPClassifier((12, 6), solver="lbfgs", max_iter=2000, random_state=1)),
    make_pipeline(StandardScaler(), LogisticRegression()),
]


def named(model: Any) -> str:
    return type(model[-1] if hasattr(model, "steps") else model).__name__


def table() -> tuple[pd.DataFrame, pd.Series]:
    rng = np.random.default_rng(5)
    frame = pd.DataFrame({name: np.round(rng.normal(size=400), 1) for name in "abg"})
    for name in "cdef":
        frame[name] = rng.integers(0, 8, 400)
    score = frame["a"] + frame["b"] - frame["g"] + (frame["c"] + frame["d"] - frame["e"] - 6) / 3
    return frame, (score + rng.normal(size=400) / 2 > 0).astype(int)


def bad_rows(model: Any, frame: pd.DataFrame, n: int) -> list[dict[str, Any]]:
    return frame[model.predict(frame) == 0].head(n).to_dict("records")


def explainer(model: Any, frame: pd.DataFrame, evaluation: Any = "specialize", **settings: Any) -> geco.Explainer:
    settings.setdefault("params", geco.Params(round=False))
    method = geco.Genetic(q=40, evaluation=evaluation, representation=settings.pop("representation", "delta"))
    return geco.Explainer(model, geco.Database.from_frame(frame), geco.parse_plaf(PROGRAM), method=method, **settings)


def specialize_for(
    model: Any, x: dict[str, Any], frame: pd.DataFrame, clock: Clock | None = None
) -> tuple[Any, np.ndarray]:
    """The evaluator of one x, and candidates drawn from all rows of the tables, x's own included."""
    made = explainer(model, frame)
    space = feasible_space(made.deployment, ground(x, made.program.rules), x)
    own = OwnModel(made.model, space, Budget(None, 0), Trace())
    scored = WAYS.specialize.evaluator(own, made.compiled, space, clock or Clock(None))
    assert isinstance(scored, OnRows)
    rng = np.random.default_rng(2)
    rows = np.stack([rng.integers(0, t.rows, 200) * (rng.random(200) < 0.4) for t in made.domain.tables], axis=1)
    return scored, rows.astype(np.int32)


def finished(steps: Any) -> Any:
    """What a generator that never waits returns."""
    with pytest.raises(StopIteration) as stop:
        next(steps)
    return stop.value.value


@pytest.mark.parametrize("model", TREES, ids=named)
def test_the_four_combinations_of_the_ablation_give_the_same_counterfactuals(model: Any) -> None:
    frame, y = table()
    model.fit(frame, y)
    combinations = [
        explainer(model, frame, evaluation, representation=representation)
        for representation, evaluation in product(["listing", "delta"], ["materialize", "specialize"])
    ]
    for x in bad_rows(model, frame, 4):
        first, *others = [made.explain(x, k=3, seed=4, ranges=False).counterfactuals for made in combinations]

        assert first and all(other == first for other in others)


@pytest.mark.parametrize("model", [*TREES, *OTHERS], ids=named)
def test_the_users_model_is_asked_for_the_confirmation_only(model: Any) -> None:
    frame, y = table()
    model.fit(frame, y)
    for x in bad_rows(model, frame, 3):
        explanation = explainer(model, frame).explain(x, k=3)

        assert len(explanation.counterfactuals) == 3 and explanation.trace.model_calls == 1
        assert explanation.trace.model_rows <= 50 and explanation.trace.points_scored > 100


@pytest.mark.parametrize("model", [TREES[1], *OTHERS], ids=named)
def test_points_and_lines_get_the_outcomes_of_the_whole_compiled_model(model: Any) -> None:
    frame, y = table()
    model.fit(frame, y)
    [x] = bad_rows(model, frame, 1)
    scored, rows = specialize_for(model, x, frame)
    lines = Lines(rows[:2], np.array([0, 3], np.int32), np.array([0, 2, 5]), np.array([1, 0, 2, 1, 3], np.int32))
    outcome = finished(scored(Proposal(rows, lines)))
    points, numbers = scored.scorer.compiled.points(scored.scorer.anchor, np.concatenate([rows, lines.as_points()]))

    np.testing.assert_allclose([*outcome.points, *outcome.lines], points, rtol=0, atol=1e-12)
    np.testing.assert_allclose([*outcome.point_numbers, *outcome.line_numbers], numbers, rtol=0, atol=1e-12)


def test_a_regression_is_specialized_too() -> None:
    frame, y = table()
    model = GradientBoostingRegressor(n_estimators=20, random_state=0).fit(frame, y)
    x = frame[model.predict(frame) < 0.4].iloc[0].to_dict()
    explanation = explainer(model, frame, target=(0.7, None)).explain(x, k=2)

    assert len(explanation.counterfactuals) == 2 and explanation.trace.model_calls == 1


def test_a_specialized_model_is_made_once_per_delta_set() -> None:
    frame, y = table()
    model = TREES[1].fit(frame, y)
    [x] = bad_rows(model, frame, 1)
    scored, rows = specialize_for(model, x, frame)
    finished(scored(Proposal.of_points(rows[:100])))
    made = dict(scored.scorer._specialized)
    finished(scored(Proposal.of_points(rows)))

    assert len(scored.scorer._specialized) == len({tuple(row != 0) for row in rows} | {(False,) * rows.shape[1]})
    assert all(scored.scorer._specialized[key] is kept for key, kept in made.items())


def test_specialized_models_beyond_the_memory_for_one_x_are_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    frame, y = table()
    model = TREES[1].fit(frame, y)
    [x] = bad_rows(model, frame, 1)
    scored, rows = specialize_for(model, x, frame)
    monkeypatch.setattr(specialize, "HELD", 2000)
    outcome = finished(scored(Proposal.of_points(rows)))

    assert sum(kept.size for kept in scored.scorer._specialized.values()) <= 2000
    assert np.array_equal(outcome.points, scored.scorer.compiled.points(scored.scorer.anchor, rows)[0])


def test_an_empty_proposal_has_no_outcomes() -> None:
    frame, y = table()
    model = TREES[0].fit(frame, y)
    [x] = bad_rows(model, frame, 1)
    scored, rows = specialize_for(model, x, frame)
    finished(scored(Proposal.of_points(rows)))

    assert len(finished(scored(Proposal.of_points(rows[:0]))).points) == 0


def test_after_the_deadline_nothing_is_scored() -> None:
    frame, y = table()
    model = TREES[0].fit(frame, y)
    [x] = bad_rows(model, frame, 1)
    clock = Clock(60.0)
    scored, rows = specialize_for(model, x, frame, clock)
    finished(scored(Proposal.of_points(rows)))
    clock.core.stop()
    outcome = finished(scored(Proposal.of_points(rows)))

    assert np.isnan(outcome.points).all() and scored.stopped_by == "deadline"


def test_a_batch_gets_the_answers_of_single_explanations() -> None:
    frame, y = table()
    model = TREES[1].fit(frame, y)
    made, rows = explainer(model, frame), bad_rows(model, frame, 5)
    single = [made.explain(x, k=2).counterfactuals for x in rows]

    assert [e.counterfactuals for e in made.explain_many(rows, k=2)] == single


@pytest.mark.parametrize(
    ("model", "settings", "reason"),
    [
        (make_pipeline(PCA(3), LogisticRegression()), {}, "depends on 'a' and on 'b'"),
        (TREES[0], {"compile": False}, "compile=False"),
    ],
)
def test_a_model_that_cannot_be_compiled_is_refused_with_the_reason(
    model: Any, settings: dict[str, Any], reason: str
) -> None:
    frame, y = table()
    model.fit(frame, y)

    with pytest.raises(SettingsError, match=rf"needs a compiled model.*{reason}.*evaluation='materialize'"):
        explainer(model, frame, **settings)


def test_an_unknown_evaluation_is_refused() -> None:
    with pytest.raises(SettingsError, match="evaluation must be 'materialize' or 'specialize', got 'sweep'"):
        geco.Genetic(evaluation="sweep")  # type: ignore[arg-type]
