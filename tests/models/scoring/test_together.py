"""Answers that hold under several models, and earlier answers under a new one."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier

import geco
from geco.errors import DataError, ModelError, SavedFileError, SettingsError

PROGRAM = "PLAF x_cf.age >= x.age\nPLAF IF x_cf.education > x.education THEN x_cf.age >= x.age + 2"


@pytest.fixture(scope="module")
def frame() -> pd.DataFrame:
    rng = np.random.default_rng(2)
    n = 500
    return pd.DataFrame(
        {
            "age": rng.integers(18, 70, n),
            "income": np.round(rng.gamma(2.0, 20.0, n), 1),
            "education": rng.integers(0, 6, n),
            "debt": rng.integers(0, 50, n),
        }
    )


def good(frame: pd.DataFrame) -> pd.Series:
    return (0.05 * frame.income + 0.6 * frame.education - 0.02 * frame.debt > 3).astype(int)


@pytest.fixture(scope="module")
def models(frame) -> list[Any]:
    halves = [frame.iloc[::2], frame.iloc[1::2]]
    return [RandomForestClassifier(25, max_depth=6, random_state=i).fit(h, good(h)) for i, h in enumerate(halves)]


def explainer(model: Any, frame: pd.DataFrame, **options: Any) -> geco.Explainer:
    return geco.Explainer(model, geco.Database.from_frame(frame), geco.parse_plaf(PROGRAM), **options)


def refused(models: list[Any], frame: pd.DataFrame, n: int = 8) -> list[dict[str, Any]]:
    rows = np.flatnonzero(np.all([m.predict_proba(frame)[:, 1] < 0.5 for m in models], axis=0))[:n]
    return [frame.iloc[i].to_dict() for i in rows]


@pytest.mark.parametrize("options", [{}, {"compile": False}, {"method": "genetic"}])
def test_joint_answers_are_good_under_every_model_and_obey_the_rules(models, frame, options):
    together = explainer(models, frame, **options)
    for x in refused(models, frame, 4):
        answers = [cf.values for cf in together.explain(x, k=3).counterfactuals]

        assert answers
        assert all((m.predict_proba(pd.DataFrame(answers)[list(frame)])[:, 1] > 0.5).all() for m in models)
        assert all(not together.check(x, answer) for answer in answers)


def test_models_of_different_kinds_can_be_asked_together(models, frame):
    pair = [models[0], LogisticRegression(max_iter=1000).fit(frame, good(frame))]
    [cf] = explainer(pair, frame).explain(refused(pair, frame, 1)[0], k=1).counterfactuals

    assert all(m.predict_proba(pd.DataFrame([cf.values])[list(frame)])[0, 1] > 0.5 for m in pair)


def test_the_outcome_is_the_least_favourable_of_all_models(models, frame):
    x = refused(models, frame, 1)[0]
    explanation = explainer(models, frame).explain(x, k=1)
    row = pd.DataFrame([explanation.counterfactuals[0].values])[list(frame)]

    assert explanation.counterfactuals[0].outcome == min(m.predict_proba(row)[0, 1] for m in models)
    assert explanation.target.endswith("under all 2 models")


def test_a_joint_answer_is_no_nearer_than_that_of_one_model(models, frame):
    alone, together = explainer(models[0], frame), explainer(models, frame)
    for x in refused(models, frame, 4):
        nearest = alone.explain(x, k=1).counterfactuals[0].distance

        assert together.explain(x, k=1).counterfactuals[0].distance >= nearest - 1e-12


def test_many_joint_answers_are_those_of_one_at_a_time(models, frame):
    together, xs = explainer(models, frame), refused(models, frame)
    many = together.explain_many(xs, k=2)

    assert [[cf.values for cf in e.counterfactuals] for e in many] == [
        [cf.values for cf in together.explain(x, k=2).counterfactuals] for x in xs
    ]


def test_a_budget_counts_the_rows_of_all_models(models, frame):
    explanation = explainer(models, frame, compile=False).explain(refused(models, frame, 1)[0], max_evals=300)

    assert 0 < explanation.trace.model_rows <= 300


def test_describe_names_every_model(models, frame):
    text = explainer(models, frame).describe()

    assert text.count("RandomForestClassifier.predict_proba") == 2


def test_describe_says_of_a_group_that_one_model_reads_that_it_is_read(models, frame):
    narrow = RandomForestClassifier(3, random_state=0).fit(frame[["income"]], good(frame))

    assert "not read by the model" in explainer(narrow, frame).describe()
    assert "not read by the model" not in explainer([narrow, models[0]], frame).describe()


def test_methods_for_one_model_say_so(models, frame):
    with pytest.raises(SettingsError, match="takes one model, not 2"):
        explainer(models, frame, method="wit")


def test_joint_answers_of_forests_are_proved(models, frame):
    quick, exact = explainer(models, frame), explainer(models, frame, method="exact")
    for x in refused(models, frame, 4):
        proved = exact.explain(x, k=3)

        assert proved.proven and proved.proven_ways == len(proved.counterfactuals)
        assert quick.explain(x, k=3).proven is not None


def test_joint_answers_are_not_proved_where_one_model_has_no_trees(models, frame):
    mixed = [models[0], LogisticRegression(max_iter=1000).fit(frame, good(frame))]
    with pytest.raises(SettingsError, match="where all of them are trees or forests"):
        explainer(mixed, frame, method="exact")

    assert explainer(mixed, frame).explain(refused(mixed, frame, 1)[0]).proven is None


def test_no_models_at_all_are_refused(frame):
    with pytest.raises(ModelError, match="empty list"):
        explainer([], frame)


def test_several_models_are_not_saved(models, frame, tmp_path):
    with pytest.raises(SavedFileError, match="has 2 models"):
        explainer(models, frame).save(tmp_path / "several.geco")


def test_recheck_says_of_every_answer_whether_the_new_model_agrees(models, frame):
    old = explainer(models[0], frame)
    explanations = old.explain_many(refused(models, frame), k=2)
    rechecks = old.recheck(explanations, models[1])
    answers = pd.DataFrame([r.counterfactual.values for r in rechecks])[list(frame)]
    numbers = models[1].predict_proba(answers)[:, 1]

    assert [r.holds for r in rechecks] == (numbers > 0.5).tolist()
    assert [r.outcome for r in rechecks] == numbers.tolist()
    assert [r.gap for r in rechecks] == [0.0 if n > 0.5 else 0.5 - n for n in numbers]
    assert (rechecks.holding, len(rechecks)) == (
        int((numbers > 0.5).sum()),
        sum(len(e.counterfactuals) for e in explanations),
    )


def test_a_broken_answer_is_replaced_by_one_of_the_new_model(models, frame):
    old, new = explainer(models[0], frame), explainer(models[1], frame)
    explanations = old.explain_many(refused(models, frame), k=1)
    broken = [r for r in old.recheck(explanations, models[1]) if not r.holds]

    assert broken
    for each in broken:
        [nearest] = new.explain(explanations[each.row].x, k=1).counterfactuals
        assert each.instead.values == nearest.values
        assert each.farther == nearest.distance - each.counterfactual.distance


def test_one_explanation_can_be_rechecked_under_several_models(models, frame):
    together = explainer(models, frame)
    rechecks = together.recheck(together.explain(refused(models, frame, 1)[0], k=2), models)

    assert rechecks.holding == len(rechecks) > 0
    assert all(entry["holds"] and entry["instead"] is None for entry in rechecks.to_dicts())
    assert repr(rechecks) == f"<Rechecks: {len(rechecks)} of {len(rechecks)} answers hold>"


def test_rechecks_are_ready_for_json(frame):
    dated = frame.assign(since=pd.Timestamp("2024-05-31"))
    old = geco.Explainer(lambda table: good(table).to_numpy(float), geco.Database.from_frame(dated))
    refused_x = dated[good(dated) == 0].iloc[0].to_dict()
    rechecks = old.recheck(old.explain(refused_x, k=1), lambda table: np.zeros(len(table)))
    [entry] = json.loads(json.dumps(rechecks.to_dicts()))

    assert entry["values"]["since"] == "2024-05-31T00:00:00"


def test_mace_replaces_a_broken_answer_by_one_of_the_new_model(frame):
    pytest.importorskip("z3")
    few = frame.head(60)
    trees = [DecisionTreeClassifier(max_depth=2, random_state=0).fit(few, few[name] > few[name].median())
             for name in ("income", "debt")]  # fmt: skip
    old, new = (geco.Explainer(tree, geco.Database.from_frame(few), method="mace") for tree in trees)
    x = few[(few["income"] < 20) & (few["debt"] < 20)].iloc[0].to_dict()
    [rechecked] = old.recheck(old.explain(x, k=1), trees[1])

    assert rechecked.instead == new.explain(x, k=1).counterfactuals[0]


def test_a_loaded_explainer_can_recheck(models, frame, tmp_path):
    old = explainer(models[0], frame)
    old.save(tmp_path / "saved.geco")
    explanations = old.explain_many(refused(models, frame, 3), k=1)
    loaded = geco.Explainer.load(tmp_path / "saved.geco", model=models[0])

    assert loaded.recheck(explanations, models[1]).to_dicts() == old.recheck(explanations, models[1]).to_dicts()


def test_an_explainer_loaded_without_its_model_can_recheck(models, frame, tmp_path):
    old = explainer(models[0], frame, verify=False)
    old.save(tmp_path / "saved.geco")
    explanations = old.explain_many(refused(models, frame, 3), k=1)
    loaded = geco.Explainer.load(tmp_path / "saved.geco")

    assert loaded.recheck(explanations, models[1]).to_dicts() == old.recheck(explanations, models[1]).to_dicts()


def test_a_new_model_that_reads_columns_the_file_does_not_know_is_one_clear_error(models, frame, tmp_path):
    narrow = RandomForestClassifier(3, random_state=0).fit(frame[["income", "age"]], good(frame))
    explainer(narrow, frame).save(tmp_path / "saved.geco")
    loaded = geco.Explainer.load(tmp_path / "saved.geco", narrow)

    with pytest.raises(DataError, match="the model reads 'education', 'debt', and the model that was saved did not"):
        loaded.recheck([], models[0])


def test_an_answer_that_is_no_longer_needed_is_named_as_such(models, frame):
    old = explainer(models[0], frame)
    explanations = old.explain_many(refused(models, frame, 3), k=1)
    asked = [e.x["income"] for e in explanations]
    rechecks = old.recheck(explanations, lambda table: np.isin(table["income"], asked) * 1.0)
    broken = [r for r in rechecks if not r.holds]

    assert broken
    assert all(r.unneeded and r.instead is None and r.farther == -r.counterfactual.distance for r in broken)


def test_of_several_models_the_least_favourable_number_is_given(models, frame):
    old = explainer(models[0], frame)
    explanations = old.explain_many(refused(models, frame, 4), k=1)
    answers = pd.DataFrame([e.counterfactuals[0].values for e in explanations])[list(frame)]
    numbers = np.array([m.predict_proba(answers)[:, 1] for m in models])
    rechecks = old.recheck(explanations, [lambda table: np.full(len(table), 0.99), *models])

    assert [r.outcome for r in rechecks] == numbers.min(axis=0).tolist()


def test_rechecks_are_json_also_with_dates_and_with_nan_from_the_model(frame):
    dated = frame.assign(since=pd.Timestamp("2020-01-01"))
    old = geco.Explainer(lambda table: (table["income"] > 40) * 1.0, geco.Database.from_frame(dated))
    explanations = old.explain_many(dated[dated.income < 20].head(2), k=1)
    rechecks = old.recheck(explanations, lambda table: np.where(table["income"] > 40, np.nan, 0.1))
    [first, _] = json.loads(json.dumps(rechecks.to_dicts(), allow_nan=False))

    assert (first["holds"], first["outcome"], first["values"]["since"]) == (False, None, "2020-01-01T00:00:00")


@pytest.mark.parametrize("given", [None, {"status": "found"}, [{"status": "found"}]])
def test_only_explanations_can_be_rechecked(models, frame, given):
    with pytest.raises(SettingsError, match="must be what explain or explain_many returned"):
        explainer(models[0], frame).recheck(given, models[1])


def test_an_answer_that_the_new_model_fails_on_is_named(models, frame):
    old = explainer(models[0], frame, params=geco.Params(round=False))
    explanations = old.explain_many(refused(models, frame, 3), k=1)
    promised = explanations[1].counterfactuals[0].values["income"]

    def failing(table: pd.DataFrame) -> Any:
        if len(table) <= 3 and (table["income"] == promised).any():
            raise RuntimeError("out of service")
        return np.zeros(len(table))

    with pytest.raises(ModelError, match=r"answer 1 of explanation 1 cannot be rechecked: .*RuntimeError.* out of ser"):
        old.recheck(explanations, failing)


def test_mace_rechecks_with_the_formula_of_the_new_model(frame):
    pytest.importorskip("z3")
    narrow = frame[["income", "debt"]]
    old, new = (DecisionTreeClassifier(max_depth=2).fit(narrow, narrow.income > t) for t in (30, 60))
    options = {"method": "mace", "params": geco.Params(alpha=0.0, beta=1.0, gamma=0.0)}
    database = geco.Database.from_frame(narrow)
    explanation = geco.Explainer(old, database, **options).explain({"income": 10.0, "debt": 3}, k=1)
    [rechecked] = geco.Explainer(old, database, **options).recheck(explanation, new)
    [nearest] = geco.Explainer(new, database, **options).explain({"income": 10.0, "debt": 3}, k=1).counterfactuals

    assert rechecked.instead == nearest


def test_methods_for_one_model_recheck_under_one(models, frame):
    with pytest.raises(SettingsError, match=r"Wit\(rows=500\) takes one model, not 2"):
        explainer(models[0], frame, method="wit").recheck([], models)
