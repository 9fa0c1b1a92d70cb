"""Distances are finite whatever D, x and the weights are: nothing is sorted by what is not a number, nothing hangs."""

from __future__ import annotations

import json
import math
import signal
import sys
import time
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.ensemble import RandomForestClassifier

import geco
from geco import _core

ROWS = 60
TINY = np.arange(ROWS) * 1e-300  # a range so small that 1e20 is more than 1e308 of them away
WIDE = np.where(np.arange(ROWS) % 2, 1e308, -1e308)  # a range beyond the largest float
METHODS = ["frontier", "genetic", "wit", "certifai", "simcf"]
MAGNITUDES = [0.0, 5e-324, 1e-300, 3e-9, 0.5, 1.0, 7.0, 1e20, 1e200, 9e307, 1.7e308]


def explained(t: Any, x: float, params: geco.Params, method: str = "frontier", **question: Any) -> geco.Explanation:
    """Why x is bad where t or a decides; every row of D with a > 3 is good."""
    frame = pd.DataFrame({"t": t, "a": np.arange(ROWS) % 7})
    explainer = geco.Explainer(
        lambda d: np.where(d["a"] > 3, 0.8, 0.2), geco.Database.from_frame(frame), params=params, method=method
    )
    return explainer.explain({"t": x, "a": 0}, **question)


@pytest.mark.parametrize(
    ("t", "x", "params"),
    [
        (TINY, 1e20, geco.Params(weights={"t": 0})),
        (TINY, 1e20, geco.Params(costs={"t": (0, 0)})),
        (WIDE, -1e308, geco.Params(gamma=1, beta=0)),
        (TINY, 1e20, geco.Params(weights={"t": 1e308})),
        (WIDE, -1e308, geco.Params(alpha=0.5, beta=0.5, weights={"t": 1e308, "a": 1e308})),
    ],
)
def test_an_explanation_ends_where_an_infinite_difference_would_meet_a_zero(
    t: Any, x: float, params: geco.Params
) -> None:
    explanation = explained(t, x, params)

    assert explanation.status == "found"
    assert explanation.counterfactuals[0].values == {"t": x, "a": 4}
    assert math.isfinite(explanation.counterfactuals[0].distance)


@pytest.mark.parametrize("method", METHODS)
def test_an_answer_too_far_for_a_float_is_found_with_a_finite_distance(method: str) -> None:
    frame = pd.DataFrame({"t": TINY, "a": np.arange(ROWS) % 7})
    explainer = geco.Explainer(lambda d: np.where(d["t"] > 1, 0.1, 0.9), geco.Database.from_frame(frame), method=method)
    explanation = explainer.explain({"t": 1e20, "a": 0}, k=2)

    assert explanation.status == "found"
    assert all(1e300 < cf.distance < math.inf for cf in explanation.counterfactuals)
    assert json.loads(explanation.to_json())["status"] == "found"
    assert len(str(explanation)) < 400


def test_a_change_that_costs_nothing_is_at_distance_0_however_far_it_is() -> None:
    frame = pd.DataFrame({"t": TINY, "a": np.arange(ROWS) % 7})
    model = lambda d: np.where(d["t"] > 1, 0.1, 0.9)  # noqa: E731
    free = geco.Explainer(model, geco.Database.from_frame(frame), params=geco.Params(weights={"t": 0}))

    assert free.explain({"t": 1e20, "a": 0}, k=1).counterfactuals[0].distance == 0.0


def test_the_standard_deviation_of_tiny_numbers_is_not_zero() -> None:
    spread = geco.Explainer(
        lambda d: np.zeros(len(d)), geco.Database.from_frame(pd.DataFrame({"t": TINY})), target=1
    ).domain.spread["t"]

    assert spread.std == pytest.approx(np.arange(ROWS).std() * 1e-300, rel=1e-12)


numbers = st.builds(lambda z, sign: sign * z, st.sampled_from(MAGNITUDES), st.sampled_from([1, -1]))


@given(
    rows=st.lists(numbers, min_size=1, max_size=6, unique=True).map(sorted),
    x=numbers,
    divisor=st.sampled_from([0.0, 5e-324, 1e-300, 1.0, 1.7e308]),
    weight=st.sampled_from([0.0, 1e-300, 1.0, 3.0, 1.7e308]),
    costs=st.tuples(*[st.sampled_from([0.0, 1e-300, 1.0, 1e300])] * 2),
    norm=st.sampled_from([(0.0, 1.0, 0.0), (0.5, 0.5, 0.0), (0.0, 0.0, 1.0), (0.25, 0.5, 0.25)]),
)
def test_a_distance_is_that_of_fractions_or_huge_but_never_infinite(
    rows: list[float], x: float, divisor: float, weight: float, costs: tuple[float, float], norm: Any
) -> None:
    # A quotient below all normal floats has lost digits before a cost multiplies it.
    assume(divisor == 0 or all(z == x or abs(z - x) / divisor >= sys.float_info.min for z in rows))
    table = np.array([[math.nan, *rows]]), np.ones(len(rows) + 1), [(divisor, weight, *costs, 0.0, False, False)]
    core = _core.Deployment.build([(*table, None, True)], [], [0], (*norm, 1.0, 1.0))
    space, *_ = core.space([x], [], b"", [], 10)
    found = space.distance(np.arange(1, len(rows) + 1, dtype=np.int32)[:, None]).tolist()
    exact = [eq_2(z, x, divisor, weight, costs, norm) for z in rows]

    assert all(math.isfinite(d) for d in found)
    for d, e in zip(found, exact, strict=True):
        assert d > 1e306 if e > 1e307 else d == pytest.approx(float(e), rel=1e-12, abs=1e-307)
    assert space.choices(0).tolist() == sorted(space.choices(0).tolist(), key=lambda r: (found[r - 1], r))


def eq_2(z: float, x: float, divisor: float, weight: float, costs: tuple[float, float], norm: Any) -> Fraction:
    alpha, beta, gamma = map(Fraction, norm)
    size = abs(Fraction(z) - Fraction(x)) / Fraction(divisor) if divisor else Fraction(z != x)
    delta = size * Fraction(costs[0] if z > x else costs[1]) * Fraction(weight)
    return alpha * (Fraction(weight) if delta > 0 else 0) + (beta + gamma) * delta


class Rang(Exception):
    """The bell that a test sets."""


def test_a_signal_such_as_ctrl_c_ends_a_search_in_the_native_core() -> None:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(800, 12)), columns=[f"f{i}" for i in range(12)])
    forest = RandomForestClassifier(60, max_depth=6, random_state=0).fit(frame, rng.random(800) < 0.5)
    method = geco.Frontier(patience=1_000_000)
    explainer = geco.Explainer(forest, geco.Database.from_frame(frame), target=0.9999, method=method)

    def ring(*_: object) -> None:
        raise Rang

    before = signal.signal(signal.SIGALRM, ring)
    begun = time.perf_counter()
    signal.setitimer(signal.ITIMER_REAL, 0.5)
    try:
        with pytest.raises(Rang):
            explainer.explain(frame.iloc[0])
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)

    assert time.perf_counter() - begun < 3
