"""A file that is not whole, not a saved explainer or not for this model is refused with one clear error."""

from __future__ import annotations

import pickle
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from deployments import deployment, good
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sklearn import model_selection
from sklearn.ensemble import VotingClassifier

import geco
from geco.errors import DataError, GecoError, ModelDisagreement, ModelError, SavedFileError
from geco.saved.container import DIGEST, PREFIX, packed, unpacked


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("saved") / "tree.geco"
    deployment("decision_tree").explainer().save(path)
    return path


def refused(path: Path, model: Any = None) -> str:
    with pytest.raises(SavedFileError) as error:
        geco.Explainer.load(path, model)
    return str(error.value)


@st.composite
def damages(draw: st.DrawFn) -> Any:
    """What happens to a file: a byte changes, anywhere or at its ends; it is cut short or gets longer."""
    kind = draw(st.sampled_from(["anywhere", "prefix", "digest", "cut", "appended"]))
    where, mask = draw(st.floats(0, 1, exclude_max=True)), draw(st.integers(1, 255))
    extra = draw(st.binary(min_size=1, max_size=90))

    def damage(data: bytes) -> bytes:
        if kind == "cut":
            return data[: int(where * len(data))]
        if kind == "appended":
            return data + extra
        first, last = {
            "anywhere": (0, len(data)),
            "prefix": (0, PREFIX.size),
            "digest": (len(data) - DIGEST, len(data)),
        }[kind]
        place = first + int(where * (last - first))
        return data[:place] + bytes([data[place] ^ mask]) + data[place + 1 :]

    return damage


@settings(max_examples=1000, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(damage=damages())
def test_a_file_with_any_damage_is_refused(saved: Path, tmp_path: Path, damage: Any) -> None:
    (tmp_path / "damaged.geco").write_bytes(damage(saved.read_bytes()))
    message = refused(tmp_path / "damaged.geco")

    assert "damaged.geco is damaged: " in message or "damaged.geco is not a saved explainer; " in message


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"age,income\n30,1\n", pickle.dumps({"age": 3})])
def test_another_file_is_no_saved_explainer(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "other").write_bytes(content)

    assert refused(tmp_path / "other").endswith("other is not a saved explainer; make one with explainer.save(path)")


def test_a_newer_format_says_which_one_is_known(saved: Path, tmp_path: Path) -> None:
    (tmp_path / "new.geco").write_bytes(packed(unpacked(saved.read_bytes()), version=7))

    assert "has format 7, and this geco reads up to 2; upgrade geco" in refused(tmp_path / "new.geco")


def test_rows_out_of_order_are_refused(saved: Path, tmp_path: Path) -> None:
    """They are looked up by bisection, and an answer that is not found again is none."""
    tree = unpacked(saved.read_bytes())
    table = next(table for table in tree["domain"]["tables"] if table["numbers"].shape[1] > 2)
    table["numbers"] = np.concatenate([table["numbers"][:, :1], table["numbers"][:, :0:-1]], axis=1)
    (tmp_path / "it.geco").write_bytes(packed(tree))

    assert "in order" in refused(tmp_path / "it.geco")


def test_a_file_that_is_not_there_is_one_clear_error(tmp_path: Path) -> None:
    assert refused(tmp_path / "none.geco") == f"cannot read {tmp_path / 'none.geco'}: No such file or directory"
    assert refused(tmp_path) == f"cannot read {tmp_path}: Is a directory"


def test_a_folder_that_is_not_there_is_one_clear_error(tmp_path: Path) -> None:
    with pytest.raises(SavedFileError, match=r"cannot write .*it\.geco: No such file or directory"):
        deployment("decision_tree").explainer().save(tmp_path / "none" / "it.geco")


def test_what_cannot_be_saved_leaves_the_older_file_as_it_is(saved: Path, tmp_path: Path) -> None:
    target = tmp_path / "it.geco"
    target.write_bytes(saved.read_bytes())
    explainer = deployment("decision_tree").made()
    explainer.model.called = replace(explainer.model.called, classes=[None, object()])
    with pytest.raises(SavedFileError, match=r"cannot be saved: .* is a object, which has no place in such a file"):
        explainer.save(target)

    assert target.read_bytes() == saved.read_bytes()
    assert [path.name for path in tmp_path.iterdir()] == ["it.geco"]


def test_a_method_written_by_the_user_cannot_be_saved(tmp_path: Path) -> None:
    @dataclass(frozen=True)
    class Mine(geco.Frontier):
        pass

    with pytest.raises(SavedFileError, match=r"its method .*Mine.* is not one of frontier, genetic"):
        deployment("decision_tree").explainer(method=Mine()).save(tmp_path / "it.geco")


@pytest.mark.parametrize("method", ["wit", "certifai"])
def test_a_method_that_works_on_the_rows_of_d_cannot_be_saved(method: str, tmp_path: Path) -> None:
    with pytest.raises(SavedFileError, match=r"its method .* is not one of frontier, genetic, exact, simcf"):
        deployment("decision_tree").explainer(method=method).save(tmp_path / "it.geco")


def test_a_model_made_of_models_is_saved_as_a_black_box_only(tmp_path: Path) -> None:
    made = deployment("decision_tree")
    vote = VotingClassifier([("tree", made.model)], voting="soft").fit(made.frame, good(made.frame))
    compiled, asked = (replace(made, model=vote).explainer(compile=choice) for choice in (True, False))

    with pytest.raises(SavedFileError, match=r"its model is made of models.*; give the Explainer compile=False"):
        compiled.save(tmp_path / "it.geco")
    asked.save(tmp_path / "it.geco")
    assert geco.Explainer.load(tmp_path / "it.geco", vote).model.why == "a black box: compile=False"


@pytest.mark.parametrize("path", [".", "", "/"])
def test_a_path_that_is_not_a_file_is_one_clear_error(saved: Path, path: str) -> None:
    with pytest.raises(SavedFileError, match=r"cannot write .*: it is not the name of a file"):
        geco.Explainer.load(saved, deployment("decision_tree").model).save(path)


def test_a_black_box_cannot_be_loaded_without_its_model(tmp_path: Path) -> None:
    deployment("dates").explainer().save(tmp_path / "it.geco")

    assert "has a model that is not compiled (a black box: " in refused(tmp_path / "it.geco")
    assert "Explainer.load(path, model=...)" in refused(tmp_path / "it.geco")


def test_an_explainer_without_its_model_cannot_be_saved_again_or_confirm(saved: Path, tmp_path: Path) -> None:
    loaded = geco.Explainer._of(replace(geco.Explainer.load(saved)._parts, verify=True))
    x = next(x for x in deployment("decision_tree").instances if loaded.explain_many([x], k=1)[0].status == "failed")

    with pytest.raises(SavedFileError, match="cannot be saved again without its model: copy the file"):
        loaded.save(tmp_path / "again.geco")
    with pytest.raises(ModelError, match="loaded without its model"):
        loaded.explain(x)


def test_another_model_is_refused(saved: Path) -> None:
    made = deployment("decision_tree")
    other = made.model.__class__([*made.model.steps[:-1], ("other", deployment("random_forest").model.steps[-1][1])])

    with pytest.raises(ModelDisagreement, match=r"not the model that was saved: where that one says \S+ it says \S+;"):
        geco.Explainer.load(saved, other)


if hasattr(model_selection, "FixedThresholdClassifier"):  # since scikit-learn 1.5

    def test_a_model_with_another_threshold_is_refused(tmp_path: Path) -> None:
        made, made_of = deployment("decision_tree"), model_selection.FixedThresholdClassifier
        one, other = (made_of(made.model, threshold=t).fit(made.frame, good(made.frame)) for t in (0.3, 0.8))
        replace(made, model=one).explainer().save(tmp_path / "it.geco")

        assert geco.Explainer.load(tmp_path / "it.geco", one).model.goal.words.startswith("P(1) ≥ 0.3")
        with pytest.raises(
            ModelDisagreement, match=r"its threshold asks for P\(1\) ≥ 0\.8.*, that one's for P\(1\) ≥ 0\.3"
        ):
            geco.Explainer.load(tmp_path / "it.geco", other)


def test_a_model_of_other_classes_is_refused(saved: Path) -> None:
    with pytest.raises(ModelDisagreement, match=r"it has the classes \['high', 'low', 'mid'\], that one \[0, 1\]"):
        geco.Explainer.load(saved, deployment("three_classes").model)


def test_a_model_of_other_columns_is_refused_as_by_a_new_explainer(saved: Path) -> None:
    with pytest.raises(DataError, match="the model reads columns that D does not have: 'home_family'"):
        geco.Explainer.load(saved, deployment("onehot_and_group").model)


def test_something_that_is_not_a_model_is_refused_as_by_a_new_explainer(saved: Path) -> None:
    with pytest.raises(ModelError, match="a int is not a model"):
        geco.Explainer.load(saved, 3)


def test_a_black_box_that_answers_in_another_form_is_refused(tmp_path: Path) -> None:
    deployment("dates").explainer().save(tmp_path / "it.geco")

    with pytest.raises(GecoError, match="not the model that was saved: it answers otherwise"):
        geco.Explainer.load(tmp_path / "it.geco", lambda frame: np.array(["yes"] * len(frame)))
