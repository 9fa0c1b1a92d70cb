"""A loaded explainer gives the answers of the one that was saved, bit by bit."""

from __future__ import annotations

import pickle
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from copy import copy
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from deployments import BLACK_BOXES, COMPILED, EVERY, deployment, good, pipeline
from sklearn.impute import MissingIndicator, SimpleImputer
from sklearn.pipeline import make_pipeline, make_union
from sklearn.preprocessing import KBinsDiscretizer
from sklearn.tree import DecisionTreeClassifier

import geco
from geco.errors import InstanceError, SavedFileError
from geco.saved import container


def everything(explanation: geco.Explanation) -> dict[str, Any]:
    """All fields, the counts of the trace included, but no seconds."""
    fields = explanation.to_dict()
    for timing in ("seconds", "model_seconds"):
        fields["trace"].pop(timing)
    fields["made"].pop("at")
    return {name: value for name, value in fields.items() if name != "seconds"}


@pytest.mark.parametrize("name", EVERY)
def test_with_its_model_every_explanation_is_the_same(name: str, tmp_path: Path) -> None:
    saved = deployment(name).explainer()
    saved.save(tmp_path / "it.geco")
    loaded = geco.Explainer.load(tmp_path / "it.geco", deployment(name).model)
    answers = [(saved.explain(x, seed=2), loaded.explain(x, seed=2)) for x in deployment(name).instances]

    assert all(one == other and everything(one) == everything(other) for one, other in answers)
    assert any(one.status == "found" for one, _ in answers)
    assert loaded.describe() == saved.describe()


@pytest.mark.parametrize("name", [*COMPILED, "ordered_text"])
def test_a_pickled_explainer_brings_its_model(name: str) -> None:
    kept = deployment(name).explainer()
    arrived = pickle.loads(pickle.dumps(kept))
    answers = [(kept.explain(x, seed=2), arrived.explain(x, seed=2)) for x in deployment(name).instances]

    assert all(one == other and everything(one) == everything(other) for one, other in answers)
    assert arrived.describe() == kept.describe()


def test_a_model_that_cannot_be_pickled_is_named() -> None:
    with pytest.raises((AttributeError, pickle.PicklingError), match="probability"):
        pickle.dumps(deployment("polars_frame").explainer())


def test_worker_processes_explain_as_this_one_does() -> None:
    kept, instances = deployment("random_forest").explainer(), deployment("random_forest").instances
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        theirs = list(pool.map(kept.explain, instances))

    assert theirs == [kept.explain(x) for x in instances]


def test_what_was_loaded_without_its_model_is_not_pickled(tmp_path: Path) -> None:
    deployment("random_forest").explainer().save(tmp_path / "it.geco")

    with pytest.raises(SavedFileError, match="copy the file it was loaded from"):
        pickle.dumps(geco.Explainer.load(tmp_path / "it.geco"))


def test_a_copy_shares_what_a_pickle_would_write_out() -> None:
    kept = deployment("random_forest").explainer()

    assert copy(kept).domain is kept.domain


@pytest.mark.parametrize("name", COMPILED)
def test_without_the_model_every_explanation_is_that_of_an_unverified_one(name: str, tmp_path: Path) -> None:
    deployment(name).explainer().save(tmp_path / "it.geco")
    loaded = geco.Explainer.load(tmp_path / "it.geco")
    unverified = deployment(name).explainer(verify=False)
    answers = [(unverified.explain(x, k=3), loaded.explain(x, k=3)) for x in deployment(name).instances]

    assert not loaded.verify
    assert all(one == other and everything(one) == everything(other) for one, other in answers)
    assert all("not confirmed by the model (verify=False)" in other.notes for _, other in answers)


@pytest.mark.parametrize("name", EVERY)
def test_a_loaded_explainer_lacks_nothing_that_a_built_one_has(name: str, tmp_path: Path) -> None:
    saved = deployment(name).explainer()
    saved.save(tmp_path / "it.geco")
    loaded = geco.Explainer.load(tmp_path / "it.geco", deployment(name).model)

    assert vars(loaded).keys() == vars(saved).keys()
    assert vars(loaded.model).keys() == vars(saved.model).keys()
    assert (loaded.params, loaded.method, loaded.program) == (saved.params, saved.method, saved.program)


@pytest.mark.parametrize("name", EVERY)
def test_saving_what_was_loaded_gives_the_same_file(name: str, tmp_path: Path) -> None:
    deployment(name).explainer().save(tmp_path / "one.geco")
    geco.Explainer.load(tmp_path / "one.geco", deployment(name).model).save(tmp_path / "two.geco")

    assert (tmp_path / "one.geco").read_bytes() == (tmp_path / "two.geco").read_bytes()


@pytest.mark.parametrize("name", EVERY)
def test_the_tables_hold_the_same_python_values(name: str, tmp_path: Path) -> None:
    saved = deployment(name).explainer()
    saved.save(tmp_path / "it.geco")
    loaded = geco.Explainer.load(tmp_path / "it.geco", deployment(name).model)
    pairs = [
        (ours.values[f].tolist(), theirs.values[f].tolist())
        for ours, theirs in zip(saved.domain.tables, loaded.domain.tables, strict=True)
        for f in ours.features
    ]

    assert all(one == other and list(map(type, one)) == list(map(type, other)) for one, other in pairs)


@pytest.mark.parametrize("name", ["decision_tree", "network", "linear", "onehot_and_group", "lightgbm_of_categories"])
def test_numbers_that_d_does_not_have_need_no_model(name: str, tmp_path: Path) -> None:
    made = deployment(name)
    unverified = made.explainer(verify=False)
    unverified.save(tmp_path / "it.geco")
    loaded = geco.Explainer.load(tmp_path / "it.geco")
    new = [{**x, "age": age, "income": income} for x in made.instances for age, income in ((17, 20.123), (70.5, 0.0))]

    assert all(everything(unverified.explain(x)) == everything(loaded.explain(x)) for x in new)


@pytest.mark.parametrize("name", ["array_input", "missing_values"])
def test_a_missing_value_that_d_does_not_have_needs_no_model_if_the_model_takes_it(name: str, tmp_path: Path) -> None:
    made = deployment(name)
    unverified = made.explainer(verify=False)
    unverified.save(tmp_path / "it.geco")
    loaded = geco.Explainer.load(tmp_path / "it.geco")
    x = {**made.instances[1], "age": None, "member": None}

    assert everything(loaded.explain(x)) == everything(unverified.explain(x))


def test_new_values_of_a_column_that_the_model_drops_need_no_model(tmp_path: Path) -> None:
    made = deployment("decision_tree")
    frame = made.frame.assign(
        name=[f"person {i % 50}" for i in range(len(made.frame))], born=pd.Timestamp("1990-01-01")
    )
    model = pipeline(DecisionTreeClassifier(random_state=0), frame, good(frame))
    unverified = geco.Explainer(model, geco.Database.from_frame(frame), verify=False)
    unverified.save(tmp_path / "it.geco")
    x = {**made.instances[1], "name": "nobody", "born": pd.Timestamp("1991-01-01")}

    assert unverified.model.used >= {"name", "born"}
    assert geco.Explainer.load(tmp_path / "it.geco").explain(x) == unverified.explain(x)


def seen_twice(extra: Any) -> tuple[Any, pd.DataFrame]:
    """A model that sees each number as it is, and once more by what ``extra`` makes of it."""
    frame = pd.DataFrame({"age": [float(i % 50) for i in range(400)], "debt": [float(i % 7) for i in range(400)]})
    label = (frame["age"] + 3 * frame["debt"] > 30).astype(int)
    seen = make_union(SimpleImputer(), extra)
    return make_pipeline(seen, DecisionTreeClassifier(random_state=0)).fit(frame, label), frame


def test_a_number_beside_its_own_bin_is_saved_and_a_new_one_needs_the_model(tmp_path: Path) -> None:
    model, frame = seen_twice(KBinsDiscretizer(3, encode="ordinal"))
    saved = geco.Explainer(model, geco.Database.from_frame(frame), verify=False)
    saved.save(tmp_path / "it.geco")
    loaded = geco.Explainer.load(tmp_path / "it.geco")

    assert everything(loaded.explain(frame.iloc[0])) == everything(saved.explain(frame.iloc[0]))
    with pytest.raises(InstanceError, match=r"x has age = 0\.5, which D does not have"):
        loaded.explain({"age": 0.5, "debt": 0.0})


@pytest.mark.parametrize("x", [{"age": 0.5, "debt": 0.0}, {"age": None, "debt": 2.5}, {"age": None, "debt": None}])
@pytest.mark.parametrize("program", ["", "GROUP age, debt"])
def test_a_new_number_beside_an_indicator_of_gaps_needs_no_model(x: Any, program: str, tmp_path: Path) -> None:
    model, frame = seen_twice(MissingIndicator(features="all"))
    frame.loc[::9, "age"] = np.nan
    frame.loc[::4, "debt"] = np.nan
    saved = geco.Explainer(model, geco.Database.from_frame(frame), geco.parse_plaf(program), verify=False)
    saved.save(tmp_path / "it.geco")

    assert everything(geco.Explainer.load(tmp_path / "it.geco").explain(x)) == everything(saved.explain(x))


def test_values_that_neither_d_nor_an_encoder_has_need_no_model_and_no_call_of_its_preprocessing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = deployment("decision_tree")
    saved = made.explainer(verify=False)
    saved.save(tmp_path / "it.geco")
    x = {**made.instances[0], "home": "castle", "age": 34.5}
    expected = everything(saved.explain(x))
    with_model = geco.Explainer.load(tmp_path / "it.geco", made.model)
    monkeypatch.setattr(with_model.compiled.encoding.preprocessing, "of", lambda table: pytest.fail("called"))

    assert everything(geco.Explainer.load(tmp_path / "it.geco").explain(x)) == expected
    assert everything(with_model.explain(x)) == expected


def test_text_that_only_the_encoder_has_needs_the_model_and_says_so(tmp_path: Path) -> None:
    made = deployment("decision_tree")
    database = geco.Database.from_frame(made.frame[made.frame["home"] != "rent"])
    saved = geco.Explainer(made.model, database)
    saved.save(tmp_path / "it.geco")
    x = {**made.instances[0], "home": "rent"}
    with_model = geco.Explainer.load(tmp_path / "it.geco", made.model)

    with pytest.raises(InstanceError, match=r"x has home = 'rent', which D does not have.*Explainer\.load\(path"):
        geco.Explainer.load(tmp_path / "it.geco").explain(x)
    assert with_model.explain(x) == saved.explain(x)


def test_a_file_from_before_formulas_were_kept_is_read(tmp_path: Path) -> None:
    made = deployment("decision_tree")
    made.explainer(verify=False).save(tmp_path / "it.geco")
    state = container.read_file(tmp_path / "it.geco")
    del state["compiled"]["known"]
    container.write_file(tmp_path / "old.geco", state)
    new, old = (geco.Explainer.load(tmp_path / name) for name in ("it.geco", "old.geco"))
    x = {**made.instances[0], "age": 34.5}

    assert everything(new.explain(x)) == everything(old.explain(x))
    with pytest.raises(InstanceError, match="home = 'castle'"):
        old.explain({**x, "home": "castle"})


def test_a_batch_is_explained_as_row_by_row(tmp_path: Path) -> None:
    made = deployment("random_forest")
    made.explainer().save(tmp_path / "it.geco")
    loaded = geco.Explainer.load(tmp_path / "it.geco")

    assert list(loaded.explain_many(made.frame.head(9), k=2)) == [
        loaded.explain(x, k=2) for x in made.frame.head(9).to_dict("records")
    ]


def test_a_new_process_explains_without_the_libraries_of_the_model(tmp_path: Path) -> None:
    made = deployment("random_forest")
    made.explainer().save(tmp_path / "it.geco")
    x = next(x for x in made.instances if made.model.predict(pd.DataFrame([x]))[0] == 0)
    code = (
        "import sys, geco\n"
        f"explainer = geco.Explainer.load({str(tmp_path / 'it.geco')!r})\n"
        f"print(explainer.explain({x!r}, k=2))\n"
        "print([name for name in ('sklearn', 'pandas', 'xgboost', 'scipy') if name in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    expected = made.explainer(verify=False).explain(x, k=2)

    assert run.stderr == ""
    assert run.stdout == f"{expected}\n[]\n"


def test_a_warning_of_the_program_keeps_its_place(tmp_path: Path) -> None:
    made = deployment("decision_tree")
    database = geco.Database.from_frame(made.frame)
    saved = geco.Explainer(made.model, database, geco.parse_plaf("GROUP age\nPLAF x_cf.age > 3", "mine.plaf"))
    saved.save(tmp_path / "it.geco")

    assert "mine.plaf:1:" in saved.describe()
    assert geco.Explainer.load(tmp_path / "it.geco", made.model).describe() == saved.describe()


def test_the_model_is_asked_once_and_about_the_probe_rows_only(tmp_path: Path) -> None:
    made = deployment(next(iter(BLACK_BOXES)))
    made.explainer().save(tmp_path / "it.geco")
    asked: list[int] = []

    def counting(frame: Any) -> Any:
        asked.append(len(frame))
        return np.asarray(made.model(frame))

    geco.Explainer.load(tmp_path / "it.geco", counting)

    assert asked == [64]
