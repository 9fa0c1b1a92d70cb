"""Proofs by default: what they say is true, the same everywhere, and changes no answer's place among fewer or more."""

from __future__ import annotations

import json
import threading

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

import geco
from oracles.proved import disagreement

X = {"a": 5.0, "b": 5.0, "c": 5.0, "d": 5.0}


def table(rows: int = 400) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    return pd.DataFrame({name: rng.integers(0, 100, rows).astype(float) for name in "abcd"})


def labels(frame: pd.DataFrame) -> np.ndarray:
    return (frame["a"] + frame["b"] * frame["c"] / 50 - frame["d"] > 90).to_numpy(int)


def explainer(model: object, **options: object) -> geco.Explainer:
    frame = table()
    return geco.Explainer(model.fit(frame, labels(frame)), geco.Database.from_frame(frame), **options)


def boosted() -> GradientBoostingClassifier:
    return GradientBoostingClassifier(n_estimators=30, max_depth=3, random_state=0)


@pytest.mark.parametrize(
    ("seed", "models"),
    [(seed, "trees") for seed in range(901, 961, 2)]
    + [(seed, models) for seed in (901, 905, 909, 913, 917, 921) for models in ("linear", "network", "several")],
)
@pytest.mark.filterwarnings("ignore:Stochastic Optimizer")
def test_what_is_proved_is_what_enumeration_finds(seed, models):
    _, difference = disagreement(seed, models, 20.0 if seed % 4 == 1 else "quick")

    assert difference is None


def test_a_single_tree_is_proved_with_all_its_ways():
    explanation = explainer(DecisionTreeClassifier(random_state=0)).explain(X)

    assert explanation.proven and explanation.proven_ways == len(explanation.counterfactuals) > 1
    assert "Proved: these are the nearest ways" in explanation.reason


def test_boosted_trees_have_their_nearest_answer_proved():
    explanation = explainer(boosted()).explain(X)

    assert (explanation.proven, explanation.gap) == (True, 0.0)
    assert "nothing nearer than the first exists" in explanation.reason


def test_seconds_go_on_to_all_ways():
    asked = explainer(boosted())

    longer = asked.explain(X, prove=60)

    assert asked.explain(X).proven_ways == 1
    assert longer.proven_ways == len(longer.counterfactuals) > 1


def test_a_proof_finds_what_the_search_misses():
    asked = explainer(RandomForestClassifier(15, max_depth=6, random_state=3), method=geco.Frontier(max_rounds=1))
    far = asked.explain(X, k=1, prove=False).counterfactuals[0]
    near = asked.explain(X, k=1, prove=60).counterfactuals[0]

    assert (near.unrounded or near).distance < (far.unrounded or far).distance
    assert near.confirmed


@pytest.mark.parametrize("model", [DecisionTreeClassifier(random_state=0), boosted()], ids=["tree", "boosted"])
def test_fewer_ways_are_the_beginning_of_more(model):
    asked = explainer(model)
    five = asked.explain(X, k=5).counterfactuals

    for k in (1, 2, 3):
        assert asked.explain(X, k=k).counterfactuals == five[:k]


def test_quick_proofs_are_the_same_alone_in_batches_and_under_load():
    asked = explainer(boosted())
    frame = table()[labels(table()) == 0].iloc[:8]
    alone = [_told(asked.explain(x)) for x in frame.to_dict("records")]
    stop = threading.Event()
    busy = [threading.Thread(target=lambda: [sum(range(1000)) for _ in iter(stop.is_set, True)]) for _ in range(4)]
    for thread in busy:
        thread.start()
    try:
        many = [[_told(e) for e in asked.explain_many(frame, threads=n)] for n in (1, 2)]
    finally:
        stop.set()

    assert many == [alone, alone]


def test_how_far_proofs_go_is_saved(tmp_path):
    asked = explainer(boosted(), prove=False)
    asked.save(tmp_path / "saved.geco")
    loaded = geco.Explainer.load(tmp_path / "saved.geco", model=asked.model.own)

    assert loaded.explain(X).proven is None
    assert loaded.explain(X, prove="quick").proven is True


def test_progress_can_be_seen_and_stopped_during_a_proof():
    asked = explainer(RandomForestClassifier(150, random_state=0))
    rounds = []

    def after_ten(progress: geco.Progress) -> bool:
        rounds.append(progress)
        return len(rounds) < 10

    explanation = asked.explain(X, prove=600.0, on_round=after_ten)

    assert len(rounds) == 10 and explanation.status == "found"


@pytest.mark.parametrize("prove", ["slow", True, 0, -1.0, float("nan"), None, [1]])
def test_a_prove_that_makes_no_sense_is_refused(prove):
    with pytest.raises(geco.GecoError, match="prove must be 'quick', a number of seconds or False"):
        explainer(DecisionTreeClassifier(max_depth=3, random_state=0), prove=prove)


def _told(explanation: geco.Explanation) -> str:
    told = explanation.to_dict()
    for clock in ("seconds", "trace", "made"):
        told.pop(clock)
    return json.dumps(told, sort_keys=True)
