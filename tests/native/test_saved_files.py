"""Files made by hand with a correct checksum: refused, or explained from; the core never gets what it cannot take.

Models are made of arrays here, so that no other library runs under the sanitizers.
"""

from __future__ import annotations

import hashlib
import re
import tempfile
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import geco
from geco.errors import GecoError, SavedFileError
from geco.models.compiling.compiled import compiled_of
from geco.models.compiling.encode import encode
from geco.models.kinds.forest import Forest, Tree
from geco.models.kinds.linear import Linear
from geco.models.kinds.link import Link
from geco.models.kinds.network import Mlp, Step
from geco.models.scoring.panel import Member, Panel
from geco.models.scoring.ways import WAYS
from geco.saved.container import DIGEST, PREFIX, packed, unpacked
from geco.saved.explainer import save_parts

ROWS = "a,b,c,d\n" + "".join(f"{i % 7},{i * 37 % 11},{i % 3},{'xyz'[i % 3]}\n" for i in range(60))
RULES = "GROUP a, b\nPLAF IF x_cf.a > x.a + 1 THEN x_cf.c >= x.c\nFIXED d"
X = {"a": 1, "b": 4, "c": 0, "d": "y"}
KINDS = ("forest", "network", "linear")
LIMITS = {
    "f": (np.nan, np.inf, -np.inf, 1e308, 0.5),
    "i": (-(2**31), -2, -1, 0, 1, 7, 2**31 - 1),
    "u": (0, 255),
    "b": (True,),
}


def model(kind: str) -> Any:
    rng = np.random.default_rng(1)
    link = Link("expit")
    if kind == "linear":
        return Linear(np.array([[0.4], [0.3], [0.5]]), np.array([-3.0]), link)
    if kind == "network":
        weights = tuple(rng.normal(size=shape) for shape in ((3, 4), (4, 1)))
        return Mlp(weights, (np.full(4, -0.5), np.full(1, 0.1)), ((Step("relu"),),), link)
    trees = [
        Tree(
            np.array([t % 3, (t + 1) % 3, -1, -1, -1], np.int32),
            np.array([3.5, 4.5, 0, 0, 0]),
            np.array([1, 3, -1, -1, -1], np.int32),
            np.array([2, 4, -1, -1, -1], np.int32),
            np.array([[0], [0], [1.0], [-1.0], [0.5]]) * (1 + t / 7),
            np.zeros(5, bool),
            categories=np.array([-1, 0 if t % 2 else -1, -1, -1, -1], np.int32),
            sets=(np.array([1, 4, 9]),) if t % 2 else (),
        )
        for t in range(6)
    ]
    return Forest.from_trees(trees, np.array([-1.0]), link)


@cache
def file_of(kind: str) -> bytes:
    """A saved explainer whose compiled model is the kind itself, over columns as they are."""
    arrays = model(kind)

    def probability(table: Any) -> Any:
        return arrays.predict(np.asarray(table[:, :3], float))

    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "d.csv").write_text(ROWS)
        database = geco.Database.from_file(Path(folder) / "d.csv")
        explainer = geco.Explainer(probability, database, geco.parse_plaf(RULES), input="array")
        encoding: Any = encode(lambda table: table[:, :3].astype(float), explainer.model.inputs, explainer.domain)
        compiled = compiled_of(arrays, encoding, explainer.model, wanted_only=False)
        panel = Panel.of([Member(explainer.model, compiled)], WAYS.sweep)
        save_parts(replace(explainer._parts, panel=panel), Path(folder) / "it.geco")
        return (Path(folder) / "it.geco").read_bytes()


def ask(data: bytes, folder: Any) -> geco.Explanation | None:
    """Load and explain; None where that is refused. Anything else than an error of ours is a failure."""
    (folder / "it.geco").write_bytes(data)
    try:
        return geco.Explainer.load(folder / "it.geco").explain(X, k=2, max_evals=500)
    except GecoError:
        return None


def resealed(data: bytes) -> bytes:
    return data[:-DIGEST] + hashlib.sha256(data[:-DIGEST]).digest()


def arrays_of(tree: Any) -> list[tuple[Any, Any]]:
    """Where the arrays of a tree are: what holds each, and under which key."""
    found = []
    entries = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    for key, value in entries:
        found += [(tree, key)] if isinstance(value, np.ndarray) else arrays_of(value)
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_an_explainer_is_made_of_the_file_itself(kind: str, tmp_path: Any) -> None:
    explanation = ask(file_of(kind), tmp_path)

    assert explanation is not None and explanation.status == "found"


@settings(max_examples=400, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(kind=st.sampled_from(KINDS), place=st.floats(0, 1, exclude_max=True), byte=st.integers(0, 255))
def test_any_byte_may_change_under_a_correct_checksum(kind: str, place: float, byte: int, tmp_path: Any) -> None:
    data = file_of(kind)
    at = PREFIX.size + int(place * (len(data) - PREFIX.size - DIGEST))
    explanation = ask(resealed(data[:at] + bytes([byte]) + data[at + 1 :]), tmp_path)

    assert explanation is None or explanation.status in ("found", "already_good", "none_found", "infeasible")


@settings(max_examples=400, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(kind=st.sampled_from(KINDS), seed=st.integers(0, 2**32 - 1))
def test_any_array_may_be_another(kind: str, seed: int, tmp_path: Any) -> None:
    rng = np.random.default_rng(seed)
    tree = unpacked(file_of(kind))
    places = arrays_of(tree)
    for holder, key in (places[i] for i in rng.choice(len(places), rng.integers(1, 3), replace=False)):
        holder[key] = another(holder[key], rng)
    explanation = ask(packed(tree), tmp_path)

    assert explanation is None or explanation.status in ("found", "already_good", "none_found", "infeasible")


def another(array: Any, rng: np.random.Generator) -> Any:
    """The array with an extreme value, in another order, of another length, dtype or shape."""
    changed = array.copy()
    match rng.integers(7):
        case 0 | 1 | 2 if changed.size:
            changed.flat[rng.integers(changed.size)] = rng.choice(LIMITS[changed.dtype.kind])
        case 3:
            changed = changed[: rng.integers(len(changed) + 1)]
        case 4:
            changed = np.concatenate([changed, changed])
        case 5:
            changed = changed[::-1]
        case _:
            with np.errstate(invalid="ignore"):
                changed = (
                    changed.astype(rng.choice(["<f8", "<i8", "<i4"])) if rng.random() < 0.5 else changed.reshape(-1)
                )
    return changed


HOSTILE = {
    "a tree that is not one": lambda tree: tree["compiled"]["kind"].update(
        left=np.zeros_like(tree["compiled"]["kind"]["left"])
    ),
    "two parents": lambda tree: tree["compiled"]["kind"].update(right=tree["compiled"]["kind"]["left"]),
    "a threshold that is not a number": lambda tree: tree["compiled"]["kind"].update(
        threshold=np.full_like(tree["compiled"]["kind"]["threshold"], np.nan)
    ),
    "a column beyond the last": lambda tree: tree["compiled"]["kind"].update(
        column=np.where(tree["compiled"]["kind"]["column"] >= 0, 99, -1).astype(np.int32)
    ),
    "another kind": lambda tree: tree["compiled"]["kind"].update({"is": "system"}),
    "a kind that is missing": lambda tree: tree["compiled"].pop("kind"),
    "probe rows beyond D": lambda tree: tree["model"].update(probe_rows=tree["model"]["probe_rows"] + np.int32(999)),
    "a feature of nobody": lambda tree: tree["model"].update(features=["nobody"]),
    "a rule about nobody": lambda tree: tree["program"]["statements"].append(
        {"is": "FeatureList", "word": "FIXED", "features": ["nobody"]}
    ),
    "rules nested beyond all measure": lambda tree: tree["program"]["statements"].append(nested(400)),
    "counts below zero": lambda tree: tree["domain"]["tables"][0].update(counts=-tree["domain"]["tables"][0]["counts"]),
    "a spread beyond numbers": lambda tree: tree["domain"]["spread"][0].update(range="inf"),
    "texts that are not there": lambda tree: tree["domain"].update(texts=[]),
    "another group": lambda tree: tree["domain"]["tables"].reverse(),
    "a setting of no sense": lambda tree: tree["method"].update(parents=-4),
}  # fmt: skip


def nested(depth: int) -> Any:
    expression: Any = {"is": "Number", "value": 1}
    for _ in range(depth):
        expression = {"is": "Negate", "operand": expression}
    left = {"is": "Ref", "owner": "x_cf", "feature": "a"}
    return {
        "is": "Rule",
        "antecedents": [],
        "consequent": {"is": "Comparison", "op": "<", "left": left, "right": expression},
    }


@pytest.mark.parametrize("what", HOSTILE)
def test_a_file_made_by_hand_is_refused(what: str, tmp_path: Any) -> None:
    tree = unpacked(file_of("forest"))
    HOSTILE[what](tree)
    (tmp_path / "it.geco").write_bytes(packed(tree))

    with pytest.raises(SavedFileError, match=r"it\.geco (does not hold a saved explainer|holds an impossible model): "):
        geco.Explainer.load(tmp_path / "it.geco")


@pytest.mark.parametrize(
    "reference",
    [
        {"dtype": "<f8", "shape": [1 << 40], "offset": 0},
        {"dtype": "<f8", "shape": [-1], "offset": 0},
        {"dtype": "<f8", "shape": [1], "offset": 8},
        {"dtype": "|O", "shape": [1], "offset": 0},
        {"dtype": "<f8", "shape": [1, 1, 1], "offset": 0},
        {"dtype": "<f8", "shape": [1], "offset": 1 << 40},
        {"dtype": ["<f8"], "shape": [1], "offset": 0},
        {"dtype": "<f8", "shape": "1", "offset": 0},
        {"dtype": "<f8", "shape": [], "offset": 0},
        {"dtype": "<f8", "shape": [0, 1 << 40], "offset": 0},
        {"dtype": "<f8", "shape": [1 << 40, 0], "offset": 0},
    ],
    ids=str,
)
def test_an_array_that_cannot_be_is_refused(reference: dict[str, Any]) -> None:
    with pytest.raises(SavedFileError, match="is damaged: it describes an"):
        unpacked(packed(reference))


@pytest.mark.parametrize("kind", KINDS)
def test_an_array_without_a_dimension_is_refused_wherever_it_is(kind: str, tmp_path: Any) -> None:
    """A number where an array belongs; no writer makes one, so the header is changed by hand."""
    data = file_of(kind)
    places = [found.span() for found in re.finditer(rb'"shape":\[[^]]*\]', data)]
    for start, end in places:
        (tmp_path / "it.geco").write_bytes(resealed(data[:start] + b'"shape":[]'.ljust(end - start) + data[end:]))

        with pytest.raises(SavedFileError, match=r"it\.geco is damaged: it describes an impossible array"):
            geco.Explainer.load(tmp_path / "it.geco")


def test_a_truth_value_that_is_neither_true_nor_false_is_refused() -> None:
    data = bytearray(packed([np.array([True])]))
    data[-DIGEST - 64] = 2

    with pytest.raises(SavedFileError, match="a truth value that is neither"):
        unpacked(resealed(bytes(data)))


@pytest.mark.parametrize("header", [b"[" * 100_000, b"[NaN]", b"{", b"\xff", b""])
def test_a_header_that_is_not_a_plain_tree_is_refused(header: bytes) -> None:
    data = PREFIX.pack(b"\x89GECO\r\n\x1a", 1, 0, 0, len(header)) + header
    data += b"\0" * (-len(data) % 64)
    data = PREFIX.pack(b"\x89GECO\r\n\x1a", 1, 0, len(data) + DIGEST, len(header)) + data[PREFIX.size :]

    with pytest.raises(SavedFileError, match="its header cannot be read"):
        unpacked(resealed(data + b"\0" * DIGEST))
