"""Models of scikit-learn made of models, explained from end to end; thresholds that a model brings itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn import model_selection
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import RandomForestClassifier, StackingClassifier, VotingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

import geco

THRESHOLDS = hasattr(model_selection, "FixedThresholdClassifier")  # since 1.5


@pytest.fixture(scope="module")
def frame() -> pd.DataFrame:
    rng = np.random.default_rng(0)
    return pd.DataFrame(
        {
            "income": rng.integers(20, 80, 500) * 50,
            "debt": rng.integers(0, 40, 500) * 50,
            "years": rng.integers(0, 30, 500),
            "owner": rng.random(500) < 0.4,
        }
    )


def labels(frame: pd.DataFrame) -> Any:
    rng = np.random.default_rng(1)
    score = frame.income - frame.debt + 20 * frame.years + 300 * frame.owner
    return (score + rng.normal(0, 200, len(frame)) > 1800).astype(int)


def forest() -> RandomForestClassifier:
    return RandomForestClassifier(15, max_depth=5, random_state=0)


def logistic() -> Any:
    return make_pipeline(StandardScaler(), LogisticRegression())


PARTS = [("forest", forest()), ("logistic", logistic())]
BLENDS = [
    CalibratedClassifierCV(forest(), method="isotonic", cv=3),
    CalibratedClassifierCV(logistic(), method="sigmoid", cv=3, ensemble=False),
    VotingClassifier(PARTS, voting="soft"),
    StackingClassifier(PARTS, forest()),
]


@pytest.mark.parametrize("model", BLENDS, ids=lambda model: type(model).__name__)
def test_a_blend_finds_what_the_black_box_finds_or_nearer(model: Any, frame: pd.DataFrame) -> None:
    model.fit(frame, labels(frame))
    database = geco.Database.from_frame(frame)
    refused = frame[model.predict_proba(frame)[:, 1] < 0.3][:5].to_dict("records")
    compiled, asked = (geco.Explainer(model, database, compile=c) for c in (True, False))
    near, far = (
        [explainer.explain(x, k=1).counterfactuals[0].distance for x in refused] for explainer in (compiled, asked)
    )

    assert "compiled: a blend of" in compiled.describe()
    assert all(a <= b + 1e-12 for a, b in zip(near, far, strict=True))


@pytest.mark.parametrize("method", ["isotonic", "sigmoid"])
def test_a_blend_can_be_specialized_as_the_paper_does(method: str, frame: pd.DataFrame) -> None:
    model = CalibratedClassifierCV(forest(), method=method, cv=3).fit(frame, labels(frame))
    genetic = geco.Genetic(evaluation="specialize")
    explainer = geco.Explainer(model, geco.Database.from_frame(frame), method=genetic)
    x = frame.iloc[int(np.argmin(model.predict_proba(frame)[:, 1]))].to_dict()
    explanation = explainer.explain(x, k=1)

    assert explanation.counterfactuals[0].confirmed
    assert explanation.trace.model_calls == 1


def test_hard_voting_is_a_black_box_that_returns_labels(frame: pd.DataFrame) -> None:
    model = VotingClassifier(PARTS).fit(frame, labels(frame))
    explainer = geco.Explainer(model, geco.Database.from_frame(frame))
    x = frame.iloc[int(np.argmin(model.predict(frame)))].to_dict()

    assert "a black box: it returns labels only" in explainer.describe()
    assert explainer.explain(x, k=1).counterfactuals[0].confirmed


if THRESHOLDS:
    from sklearn.model_selection import FixedThresholdClassifier, TunedThresholdClassifierCV

    WITH_THRESHOLDS = [
        TunedThresholdClassifierCV(forest(), scoring="f1", cv=3),
        TunedThresholdClassifierCV(logistic(), response_method="decision_function", cv=3),
        FixedThresholdClassifier(forest(), threshold=0.8),
        FixedThresholdClassifier(forest(), threshold=0.7, pos_label=0),
        FixedThresholdClassifier(logistic(), threshold=0.4, response_method="decision_function", pos_label=0),
        FixedThresholdClassifier(make_pipeline(StandardScaler(), LinearSVC(dual=False))),
        make_pipeline(StandardScaler(), FixedThresholdClassifier(LogisticRegression(), threshold=0.7)),
        GridSearchCV(FixedThresholdClassifier(forest()), {"threshold": [0.6]}, cv=2),
    ]

    @pytest.mark.parametrize("wanted", [0, 1])
    @pytest.mark.parametrize("model", WITH_THRESHOLDS, ids=range(len(WITH_THRESHOLDS)))
    def test_an_answer_is_what_a_model_with_a_threshold_of_its_own_predicts(
        model: Any, wanted: int, frame: pd.DataFrame
    ) -> None:
        model.fit(frame, labels(frame))
        explainer = geco.Explainer(model, geco.Database.from_frame(frame), target=wanted)
        refused = frame[model.predict(frame) != wanted][:5]
        found = [explainer.explain(x, k=1) for x in refused.to_dict("records")]
        answers = pd.DataFrame([e.counterfactuals[0].values for e in found])[list(frame.columns)]

        assert {e.status for e in found} == {"found"}
        assert (model.predict(answers.astype(frame.dtypes.to_dict())) == wanted).all()
        assert "threshold of the" in explainer.describe()

    @pytest.mark.parametrize("model", WITH_THRESHOLDS[:6], ids=range(6))
    def test_what_a_model_predicts_good_needs_no_explanation(model: Any, frame: pd.DataFrame) -> None:
        model.fit(frame, labels(frame))
        explainer = geco.Explainer(model, geco.Database.from_frame(frame), target=1)
        given = pd.concat([frame[model.predict(frame) == y][:3] for y in (0, 1)])
        good = [explainer.explain(x, k=1).status == "already_good" for x in given.to_dict("records")]

        assert good == [False] * 3 + [True] * 3

    def test_a_leaf_exactly_at_the_threshold_is_good(frame: pd.DataFrame) -> None:
        inner = forest().fit(frame, labels(frame))
        numbers = inner.predict_proba(frame)[:, 1]
        at = int(np.argsort(numbers)[len(numbers) // 2])
        model = FixedThresholdClassifier(forest(), threshold=numbers[at]).fit(frame, labels(frame))
        explainer = geco.Explainer(model, geco.Database.from_frame(frame))

        assert explainer.explain(frame.iloc[at].to_dict()).status == "already_good"

    def test_a_threshold_that_is_asked_for_overrides_that_of_the_model(frame: pd.DataFrame) -> None:
        model = FixedThresholdClassifier(forest(), threshold=0.8).fit(frame, labels(frame))
        database = geco.Database.from_frame(frame)

        assert "P(1) > 0.3\n" in geco.Explainer(model, database, target=0.3).describe()
        assert "P(1) ≥ 0.9, by the threshold" in geco.Explainer(model, database, margin=0.1).describe()

    @pytest.mark.parametrize("words", [{"margin": 0.05}, {"target": 1}, {"target": 0.6}], ids=str)
    def test_a_file_alone_knows_the_threshold_of_its_model(
        words: dict[str, Any], frame: pd.DataFrame, tmp_path: Path
    ) -> None:
        model = FixedThresholdClassifier(forest(), threshold=0.7).fit(frame, labels(frame))
        usual = geco.Explainer(model, geco.Database.from_frame(frame))
        usual.save(tmp_path / "saved")
        x = frame[model.predict(frame) == 0].iloc[0].to_dict()
        expected, answer = (each.explain(x, **words) for each in (usual, geco.Explainer.load(tmp_path / "saved")))

        assert (answer.target, answer.status) == (expected.target, "found")
        assert [cf.values for cf in answer.counterfactuals] == [cf.values for cf in expected.counterfactuals]

    def test_a_threshold_that_nothing_can_reach_is_an_error(frame: pd.DataFrame) -> None:
        model = FixedThresholdClassifier(forest(), threshold=0.8).fit(frame, labels(frame))

        with pytest.raises(geco.GecoError, match="no probability of 1 is beyond"):
            geco.Explainer(model, geco.Database.from_frame(frame), margin=0.4)
