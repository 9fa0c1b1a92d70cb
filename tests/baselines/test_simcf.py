"""SimCF: a walk over groups in random order, five rows of each, the best by score."""

from __future__ import annotations

import pandas as pd
import pytest

import geco
from geco.errors import SettingsError

FRAME = pd.DataFrame([(a, b, c) for a in range(4) for b in range(4) for c in range(4)], columns=["a", "b", "c"])


def explain(model, program: str = "", k: int = 1, seed: int = 0, **settings) -> geco.Explanation:
    explainer = geco.Explainer(
        model, geco.Database.from_frame(FRAME), geco.parse_plaf(program), method=geco.SimCF(**settings)
    )
    return explainer.explain({"a": 0, "b": 0, "c": 0}, k=k, seed=seed)


def test_a_walk_asks_about_a_few_rows_per_group_and_stops_at_the_first_good_one():
    explanation = explain(lambda rows: 0.9 * (rows["a"] > 0), values=2)

    assert explanation.status == "found"
    assert explanation.trace.points_scored <= 2 * 3


def test_a_change_is_kept_even_if_it_does_not_help():
    changed = {len(explain(lambda rows: 0.9 * (rows["a"] > 0), seed=s).counterfactuals[0].groups) for s in range(20)}

    assert changed == {1, 2, 3}


def test_of_the_rows_drawn_the_best_by_score_is_taken():
    answers = [explain(lambda rows: 0.9 * (rows["a"] > 0), seed=seed).counterfactuals[0] for seed in range(20)]

    assert {cf.values["a"] for cf in answers} == {1}


def test_a_walk_that_runs_out_of_groups_ends_without_an_answer():
    explanation = explain(lambda rows: 0.2 + 0.01 * rows["a"])

    assert (explanation.status, explanation.stopped_by) == ("none_found", "exhausted")
    assert explanation.trace.generations == 3


def test_rules_across_groups_are_repaired_on_the_way():
    for seed in range(10):
        explanation = explain(
            lambda rows: 0.9 * (rows["a"] > 2), "PLAF IF x_cf.a > 1 THEN x_cf.b >= 2", seed=seed, values=3
        )

        assert all(cf.values["b"] >= 2 for cf in explanation.counterfactuals)


def test_k_answers_come_from_k_walks_and_change_different_groups():
    answers = explain(lambda rows: 0.3 * (rows > 0).sum(axis=1), k=6, seed=1).counterfactuals

    assert 1 < len(answers) == len({cf.groups for cf in answers})


def test_a_feature_that_the_model_does_not_read_is_left_alone():
    class OnlyA:
        feature_names_in_ = ("a",)
        classes_ = (0, 1)

        def predict_proba(self, rows):
            good = 0.9 * (rows["a"] > 0)
            return pd.DataFrame({0: 1 - good, 1: good}).to_numpy()

    assert all(explain(OnlyA(), seed=seed).counterfactuals[0].groups == ("a",) for seed in range(5))


def test_settings_that_make_no_sense_are_named():
    with pytest.raises(SettingsError, match="values must be a whole number of at least 1, got 0"):
        geco.SimCF(values=0)
