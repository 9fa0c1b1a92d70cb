"""conditions: necessary for what the goal calls good, and sufficient where they say so."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from geco.errors import SettingsError
from geco.models.compiling.compiled import Compiled
from geco.models.compiling.conditions import Conditions, conditions_of
from geco.models.goal.goal import Goal
from geco.models.kinds.forest import Forest, Tree
from geco.models.kinds.link import Link, LinkName

ONE_SUM = [
    (Link("identity"), Goal("number", "", low=-0.5, high=0.7)),
    (Link("exp"), Goal("number", "", low=0.2, high=1.5)),
    (Link("identity"), Goal("decision", "", margin=0.3, sign=1)),
    (Link("identity"), Goal("decision", "", margin=0.3, sign=-1)),
    (Link("sigmoid"), Goal("probability", "", columns=(1,), threshold=0.6)),
    (Link("sigmoid", 2.0), Goal("probability", "", columns=(0,), threshold=0.6)),
    (Link("expit", single=True), Goal("probability", "", threshold=0.8)),
    (Link("huber"), Goal("probability", "", columns=(1,), threshold=0.75)),
]
SEVERAL = [
    (Link("proba"), Goal("probability", "", columns=(1,), by_lead=True, margin=0.1)),
    (Link("softmax"), Goal("probability", "", columns=(0, 2), by_lead=True)),
    (Link("softmax"), Goal("probability", "", columns=(1,), by_lead=True, margin=0.4)),
    (Link("ovr"), Goal("probability", "", columns=(1,), by_lead=True)),
    (Link("softmax", single=True), Goal("probability", "", columns=(2,), threshold=0.7)),
    (Link("softmax"), Goal("probability", "", columns=(0, 1), threshold=0.9)),
    (Link("proba"), Goal("probability", "", columns=(0, 1), threshold=0.4)),
]


def compiled(link: Link, goal: Goal, outputs: int) -> Compiled:
    leaf = Tree(*(np.array([v]) for v in (-1, 0.0, -1, -1)), np.zeros((1, outputs)), np.array([False]))
    forest = Forest.from_trees([leaf], np.zeros(outputs), link)
    model: Any = SimpleNamespace(goal=goal, method="predict_proba", classes=None, by_class=lambda raw: raw)
    return Compiled(forest, None, None, model, wanted_only=False)


def judged(link: Link, goal: Goal, outputs: int) -> tuple[Conditions, np.ndarray, np.ndarray]:
    """The conditions, random sums, and which of them are good."""
    forest = compiled(link, goal, outputs)
    sums = np.random.default_rng(0).normal(0, 1.5, (20_000, outputs))
    return conditions_of(forest), sums, forest.judged(sums)[0] > 0.5


def met(conditions: Conditions, sums: np.ndarray, least: np.ndarray) -> np.ndarray:
    return (np.einsum("afk,nk->naf", conditions.weights, sums) >= least).all(axis=2).any(axis=1)


@pytest.mark.parametrize(("link", "goal", "outputs"), [(*c, 1) for c in ONE_SUM] + [(*c, 3) for c in SEVERAL])
def test_whatever_is_good_meets_the_needs(link, goal, outputs):
    conditions, sums, good = judged(link, goal, outputs)

    assert good.any()
    assert met(conditions, sums, conditions.needs)[good].all()


@pytest.mark.parametrize(("link", "goal", "outputs"), [(*c, 1) for c in ONE_SUM] + [(*c, 3) for c in SEVERAL])
def test_whatever_is_sure_is_good(link, goal, outputs):
    conditions, sums, good = judged(link, goal, outputs)

    assert good[met(conditions, sums, conditions.sure)].all()


@pytest.mark.parametrize(("link", "goal"), ONE_SUM)
def test_for_one_sum_the_needs_leave_out_all_that_is_not_good(link, goal):
    conditions, sums, good = judged(link, goal, 1)

    assert (met(conditions, sums, conditions.needs) == good).all()


@pytest.mark.parametrize("name", ["ovr", "huber"])
def test_a_threshold_on_classes_judged_one_by_one_is_refused(name: LinkName):
    with pytest.raises(SettingsError, match="leave out the threshold, or use method='frontier'"):
        conditions_of(compiled(Link(name), Goal("probability", "", columns=(1,), threshold=0.5), 3))
