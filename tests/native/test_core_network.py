"""Network: points and lines give the sums that ``Mlp`` and ``Linear`` give for the same encoded rows."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from geco import _core
from geco.models.kinds.linear import Linear
from geco.models.kinds.link import Link
from geco.models.kinds.network import Dense, Mlp, Scale, Step

Floats = npt.NDArray[np.float64]
Rows = npt.NDArray[np.int32]
ACTIVATIONS = [
    *(Step(name) for name in ("relu", "tanh", "logistic", "identity", "gelu", "gelu_tanh")),
    Step("leaky_relu", 0.2),
    Step("elu", 0.7),
]
each_activation = pytest.mark.parametrize("activation", ACTIVATIONS, ids=lambda step: step.name)
NOT_STORED = 4001  # rows and hidden units of which the product is above 16 million


@dataclass(frozen=True)
class Problem:
    """A network, the tables of its groups, and x; ``native`` is made of the same arrays."""

    weights: list[Floats]
    biases: list[Floats]
    steps: list[tuple[Step, ...]]
    tables: list[tuple[Rows, Floats]]
    constant: Floats
    x: Floats

    @property
    def native(self) -> _core.Network:
        steps = [[step.arrays for step in layer] for layer in self.steps]
        return _core.Network.build(self.weights, self.biases, steps, self.tables, self.constant)

    def encoded(self, points: Rows) -> Floats:
        """Candidates as rows of encoded columns."""
        out = np.tile(self.constant, (len(points), 1))
        for (columns, values), rows in zip(self.tables, points.T, strict=True):
            out[:, columns] = np.where(rows[:, None] == 0, self.x[columns], values[rows])
        return out

    def sums(self, points: Rows) -> Floats:
        X = self.encoded(points)
        if len(self.weights) == 1:
            return Linear(self.weights[0], self.biases[0], Link("identity")).sums(X)
        return Mlp(tuple(self.weights), tuple(self.biases), tuple(self.steps), Link("identity")).sums(X)

    def close(self, sums: Floats, points: Rows) -> bool:
        """Within 1e-12 of the sums, or of the largest number that is added up on the way to them."""
        size = np.abs(self.encoded(points)).max(initial=0.0)
        for weight, bias in zip(self.weights, self.biases, strict=True):
            size = max(size, 1.0) * np.abs(weight).max(initial=0.0) + np.abs(bias).max()
        expected = self.sums(points)
        return sums.shape == expected.shape and np.allclose(
            sums, expected, rtol=1e-12, atol=1e-12 * size, equal_nan=True
        )


@dataclass(frozen=True)
class Lines:
    """Lines as the native core takes them, and the candidates they stand for."""

    parents: Rows
    groups: Rows
    offsets: npt.NDArray[np.int64]
    rows: Rows

    @property
    def candidates(self) -> Rows:
        many = np.diff(self.offsets)
        out = np.repeat(self.parents, many, axis=0)
        out[np.arange(len(out)), np.repeat(self.groups, many)] = self.rows
        return out


def problem(
    rng: np.random.Generator,
    hidden: list[int],
    outputs: int,
    steps: list[Step],
    table_rows: list[int],
    normed: bool = False,
) -> Problem:
    """Random tables, some with no column; a few columns belong to no group; about a third of all values is 0.

    Layers take turns with the steps; a norm may stand before each.
    """
    widths = rng.integers(0, 4, len(table_rows))
    columns = rng.permutation(int(widths.sum()) + int(rng.integers(0, 3))).astype(np.int32)
    parts = np.split(columns, np.cumsum(widths))
    tables = [(part, _values(rng, (rows + 1, len(part)))) for part, rows in zip(parts, table_rows, strict=False)]
    for _, values in tables:
        values[0] = np.nan
    constant = np.full(len(columns), np.nan)
    constant[parts[-1]] = _values(rng, parts[-1].shape)
    sizes = [len(columns), *hidden, outputs]
    return Problem(
        weights=[rng.normal(size=pair) / np.sqrt(max(pair[0], 1)) for pair in pairwise(sizes)],
        biases=[rng.normal(size=size) for size in sizes[1:]],
        steps=[(*([norm(rng, size)] if normed else []), steps[i % len(steps)]) for i, size in enumerate(hidden)],
        tables=tables,
        constant=constant,
        x=_values(rng, constant.shape),
    )


def norm(rng: np.random.Generator, size: int) -> Step:
    return Step("norm", 1e-5, rng.normal(size=size), rng.normal(size=size))


def _values(rng: np.random.Generator, shape: tuple[int, ...]) -> Floats:
    return np.asarray(rng.normal(size=shape) * (rng.random(shape) < 0.7) * 10.0 ** rng.integers(-3, 3, shape))


def random_points(rng: np.random.Generator, p: Problem, n: int) -> Rows:
    """Half of the rows are x's own."""
    rows = [rng.integers(0, len(values), n) * (rng.random(n) < 0.5) for _, values in p.tables]
    return np.array(rows, np.int32).reshape(len(p.tables), n).T.copy()


def random_lines(rng: np.random.Generator, p: Problem, n: int) -> Lines:
    """Each parent has two or three lines, in any order of groups; a line may be empty."""
    if not p.tables:
        n = 0
    parents = np.repeat(random_points(rng, p, n), 3, axis=0)[: 2 * n + 1]
    groups = rng.integers(0, max(len(p.tables), 1), len(parents)).astype(np.int32)
    many = rng.integers(0, 6, len(parents))
    rows = [rng.integers(0, len(p.tables[g][1]), k) for g, k in zip(groups, many, strict=True)]
    offsets = np.concatenate([[0], np.cumsum(many)]).astype(np.int64)
    return Lines(parents, groups, offsets, np.concatenate([*rows, []]).astype(np.int32))


@st.composite
def problems(draw: st.DrawFn) -> tuple[Problem, np.random.Generator]:
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    hidden = draw(st.lists(st.sampled_from([1, 3, 8, 13, 40]), max_size=3))
    outputs = draw(st.integers(1, 4))
    table_rows = draw(st.lists(st.integers(0, 6), max_size=6))
    steps = draw(st.lists(st.sampled_from(ACTIVATIONS), min_size=1, max_size=3))
    return problem(rng, hidden, outputs, steps, table_rows), rng


@given(made=problems())
def test_points_have_the_sums_of_the_model(made: tuple[Problem, np.random.Generator]) -> None:
    p, rng = made
    points, native = random_points(rng, p, 20), p.native
    sums = native.points(native.anchor(p.x), points)

    assert p.close(sums, points)


@given(made=problems())
def test_lines_have_the_sums_of_the_model(made: tuple[Problem, np.random.Generator]) -> None:
    p, rng = made
    lines, native = random_lines(rng, p, 5), p.native
    sums = native.lines(native.anchor(p.x), lines.parents, lines.groups, lines.offsets, lines.rows)

    assert p.close(sums, lines.candidates)


@given(
    seed=st.integers(0, 2**32),
    hidden=st.sampled_from([1, 5, 16, 100]),
    many=st.integers(1, 60),
    odd=st.sampled_from([None, 0.0, np.nan, np.inf, 1e300]),
)
def test_long_lines_of_a_relu_layer_have_the_sums_of_the_model(
    seed: int, hidden: int, many: int, odd: float | None
) -> None:
    rng = np.random.default_rng(seed)
    tables = [
        (np.array([g], np.int32), np.append(np.nan, np.sort(_values(rng, (many,)))).reshape(-1, 1)) for g in range(2)
    ]
    if odd is not None:
        tables[0][1][rng.integers(1, many + 1)] = odd
    weights = [rng.normal(size=(2, hidden)) * (rng.random((2, hidden)) < 0.9), rng.normal(size=(hidden, 1))]
    biases, constant = [rng.normal(size=hidden), rng.normal(size=1)], np.full(2, np.nan)
    p = Problem(weights, biases, [(Step("relu"),)], tables, constant, rng.normal(size=2))
    along = [np.arange(1, many + 1), np.arange(many, 0, -1), rng.integers(0, many + 1, 3 * many)]
    lines = Lines(
        parents=np.repeat(random_points(rng, p, 2), 3, axis=0),
        groups=np.array([0, 1, 0, 1, 0, 1], np.int32),
        offsets=np.cumsum([0, many, many, 3 * many, many, many, 3 * many]),
        rows=np.concatenate(2 * along).astype(np.int32),
    )
    native = p.native
    with np.errstate(invalid="ignore", over="ignore"):
        sums = native.lines(native.anchor(p.x), lines.parents, lines.groups, lines.offsets, lines.rows)
        usual = np.isfinite(p.encoded(lines.candidates)).all(axis=1)

        assert p.close(sums[usual], lines.candidates[usual])
        np.testing.assert_array_equal(np.isnan(sums), np.isnan(p.sums(lines.candidates)))


@given(made=problems())
def test_a_specialized_network_has_the_sums_of_the_whole(made: tuple[Problem, np.random.Generator]) -> None:
    p, rng = made
    native = p.native
    delta = np.flatnonzero(rng.random(native.width) < 0.5).astype(np.int32)
    points = np.zeros((20, native.width), np.int32)
    points[:, delta] = random_points(rng, p, 20)[:, delta]

    sums = native.specialize(native.anchor(p.x), delta).points(points[:, delta].copy())

    assert p.close(sums, points)


@given(seed=st.integers(0, 2**32), hidden=st.lists(st.sampled_from([3, 8, 13, 40]), min_size=1, max_size=3))
def test_layers_are_normalised_as_the_model_does(seed: int, hidden: list[int]) -> None:
    rng = np.random.default_rng(seed)
    p = problem(rng, hidden, 2, ACTIVATIONS, [3, 3, 3], normed=True)
    points, lines, native = random_points(rng, p, 20), random_lines(rng, p, 5), p.native
    anchor = native.anchor(p.x)
    of_lines = native.lines(anchor, lines.parents, lines.groups, lines.offsets, lines.rows)

    np.testing.assert_allclose(native.points(anchor, points), p.sums(points), rtol=1e-8, atol=1e-8)
    np.testing.assert_allclose(of_lines, p.sums(lines.candidates), rtol=1e-8, atol=1e-8)


def test_a_chain_folds_what_scales_and_fills_in_layers_where_steps_have_none() -> None:
    rng = np.random.default_rng(2)
    scales = [Scale(rng.normal(size=n), rng.normal(size=n)) for n in (3, 3, 4, 2, 2)]
    a, b = Dense(rng.normal(size=(3, 4)), rng.normal(size=4)), Dense(rng.normal(size=(4, 2)), rng.normal(size=2))
    tanh = Step("tanh")
    parts = [scales[0], scales[1], a, tanh, scales[2], b, scales[3], tanh, scales[4], tanh]
    made, X = Mlp.chain(3, parts, Link("identity")), rng.normal(size=(5, 3))
    layer = X
    for part in parts:
        if isinstance(part, Dense):
            layer = layer @ part.weights + part.biases
        else:
            layer = layer * part.gain + part.shift if isinstance(part, Scale) else np.tanh(layer)

    np.testing.assert_allclose(made.sums(X), layer, rtol=1e-12)
    assert [w.shape for w in made.weights] == [(3, 4), (4, 2), (2, 2), (2, 2)]


@pytest.mark.parametrize(
    ("activation", "hidden"),
    [
        (ACTIVATIONS[0], []),  # without a hidden layer there is no activation
        *(
            (activation, hidden)
            for activation in ACTIVATIONS
            for hidden in ([NOT_STORED], [NOT_STORED, 7], [NOT_STORED, 7, 5])
        ),
    ],
)
def test_shares_that_are_not_stored_give_the_same(activation: Step, hidden: list[int]) -> None:
    rng = np.random.default_rng(len(hidden))
    rows = NOT_STORED if hidden else 4_000_000  # a linear model has as many shares as outputs
    p = problem(rng, hidden, 4, [activation], [rows, 3, 5])
    points, lines, native = random_points(rng, p, 20), random_lines(rng, p, 5), p.native
    anchor = native.anchor(p.x)
    of_lines = native.lines(anchor, lines.parents, lines.groups, lines.offsets, lines.rows)
    specialized = native.specialize(anchor, np.arange(3, dtype=np.int32))

    assert p.close(native.points(anchor, points), points) and p.close(of_lines, lines.candidates)
    assert p.close(specialized.points(points), points)


@each_activation
@pytest.mark.parametrize("value", [0.0, -0.0, 1e-300, 1e-9, -1e-9, 0.17, -0.35, 18.0, -40.0, 700.0, 1e300, -1e300])
def test_an_activation_keeps_its_digits_for_small_and_large_inputs(activation: Step, value: float) -> None:
    weights, biases = [np.ones((1, 9)), np.ones((9, 1))], [np.zeros(9), np.zeros(1)]
    p = Problem(
        weights,
        biases,
        [(activation,)],
        [(np.zeros(1, np.int32), np.array([[np.nan]]))],
        np.array([np.nan]),
        np.array([value]),
    )
    native, x = p.native, np.zeros((1, 1), np.int32)
    sums = native.points(native.anchor(p.x), x)

    np.testing.assert_allclose(sums, p.sums(x), rtol=1e-14, atol=1e-300)


@pytest.mark.parametrize("hidden", [[], [9], [9, 9]])
@each_activation
def test_a_missing_value_makes_the_sums_missing(activation: Step, hidden: list[int]) -> None:
    p = problem(np.random.default_rng(3), hidden, 1, [activation], [2, 2, 2, 2])
    changed = next(g for g, (columns, _) in enumerate(p.tables) if len(columns))
    p.tables[changed][1][1] = np.nan
    native, point = p.native, np.zeros((1, 4), np.int32)
    point[0, changed] = 1

    assert np.isnan(native.points(native.anchor(p.x), point)).all()


def test_infinite_weights_are_not_left_out() -> None:
    weights, biases = [np.array([[1.0], [np.inf]]), np.ones((1, 1))], [np.zeros(1), np.zeros(1)]
    table = (np.arange(2, dtype=np.int32), np.array([[np.nan, np.nan], [1.0, 0.0]]))
    native = _core.Network.build(weights, biases, [[Step("identity").arrays]], [table], np.full(2, np.nan))

    assert np.isnan(native.points(native.anchor(np.zeros(2)), np.ones((1, 1), np.int32))).all()


def test_threads_share_a_network() -> None:
    rng = np.random.default_rng(5)
    p = problem(rng, [20, 20], 2, [Step("tanh")], [5, 5, 5])
    native, points = p.native, random_points(rng, p, 2000)
    anchor = native.anchor(p.x)
    with ThreadPoolExecutor(4) as threads:
        sums = list(threads.map(lambda _: native.points(anchor, points), range(8)))

    assert all(np.array_equal(sums[0], other) for other in sums) and p.close(sums[0], points)


def test_width_and_outputs_are_those_of_groups_and_last_layer() -> None:
    native = problem(np.random.default_rng(0), [5], 3, [Step("relu")], [2, 2]).native

    assert (native.width, native.outputs) == (2, 3)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"weights": [], "biases": []}, "one vector of biases per layer"),
        ({"biases": [np.zeros(3)]}, "one vector of biases per layer"),
        ({"weights": [np.zeros((2, 3)), np.zeros((4, 1))]}, "takes what the one before it gives"),
        ({"constant": np.zeros(3)}, "takes what the one before it gives"),
        ({"biases": [np.zeros(2), np.zeros(1)]}, "one bias per output"),
        (
            {"weights": [np.zeros((2, 0)), np.zeros((0, 1))], "biases": [np.zeros(0), np.zeros(1)]},
            "one bias per output",
        ),
        ({"steps": [[("softplus", 0.0, np.zeros(0), np.zeros(0))]]}, "no step of that name"),
        ({"steps": []}, "one list of steps per layer but the last"),
        ({"steps": [[("norm", 0.0, np.zeros(3), np.zeros(2))]]}, "one gain and one shift per output"),
        ({"tables": [(np.array([2], np.int32), np.zeros((2, 1)))]}, "no such column"),
        ({"tables": [(np.array([0, 0], np.int32), np.zeros((2, 2)))]}, "owned twice"),
        ({"tables": [(np.array([0], np.int32), np.zeros((0, 1)))]}, "slot 0 included"),
    ],
)
def test_arrays_that_do_not_fit_are_refused(change: dict[str, object], message: str) -> None:
    arrays: dict[str, object] = {
        "weights": [np.zeros((2, 3)), np.zeros((3, 1))],
        "biases": [np.zeros(3), np.zeros(1)],
        "steps": [[Step("relu").arrays]],
        "tables": [(np.array([0], np.int32), np.zeros((2, 1)))],
        "constant": np.zeros(2),
    }

    with pytest.raises(ValueError, match=message):
        _core.Network.build(**(arrays | change))


@pytest.mark.parametrize("rows", [[[3, 0]], [[0, -1]], [[0, 0, 0]]])
def test_points_outside_the_tables_are_refused(rows: list[list[int]]) -> None:
    p = problem(np.random.default_rng(0), [5], 1, [Step("relu")], [2, 2])
    native = p.native

    with pytest.raises(ValueError, match="points: "):
        native.points(native.anchor(p.x), np.array(rows, np.int32))


@pytest.mark.parametrize(
    ("parents", "groups", "offsets", "rows"),
    [
        ([[3, 0]], [0], [0, 1], [1]),
        ([[0, 0]], [2], [0, 1], [1]),
        ([[0, 0]], [-1], [0, 1], [1]),
        ([[0, 0]], [0], [0, 1], [3]),
        ([[0, 0]], [0], [0, 1], [-1]),
        ([[0, 0]], [0], [0, 2], [1]),
        ([[0, 0]], [0], [1, 1], [1]),
        ([[0, 0]], [0], [0, 0, 1], [1]),
        ([[0, 0], [0, 0]], [0, 1], [0, 1_000_000, 1], [1]),
        ([[0, 0], [0, 0]], [0, 1], [0, -1, 1], [1]),
    ],
)
def test_lines_outside_the_tables_are_refused(
    parents: list[list[int]], groups: list[int], offsets: list[int], rows: list[int]
) -> None:
    p = problem(np.random.default_rng(0), [5], 1, [Step("relu")], [2, 2])
    native = p.native
    lines = (
        np.array(parents, np.int32),
        np.array(groups, np.int32),
        np.array(offsets, np.int64),
        np.array(rows, np.int32),
    )

    with pytest.raises(ValueError, match=r"(points|lines): "):
        native.lines(native.anchor(p.x), *lines)


def test_what_another_network_has_bound_is_refused() -> None:
    p = problem(np.random.default_rng(0), [5], 1, [Step("relu")], [2, 2])
    native, lines = p.native, random_lines(np.random.default_rng(1), p, 2)
    anchor = native.anchor(p.x)[:-1]

    with pytest.raises(ValueError, match="no anchor of this model"):
        native.points(anchor, np.zeros((1, 2), np.int32))
    with pytest.raises(ValueError, match="no anchor of this model"):
        native.lines(anchor, lines.parents, lines.groups, lines.offsets, lines.rows)
    with pytest.raises(ValueError, match="one number per encoded column"):
        native.anchor(np.append(p.x, 0.0))
