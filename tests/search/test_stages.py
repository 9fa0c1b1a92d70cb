"""The settings of a frontier search: made once for many x, and yet each question has its own."""

from __future__ import annotations

import pandas as pd
import pytest

import geco
from geco.data.instance import read_instance
from geco.population.base import LineCost
from geco.search.base import Task
from geco.space.feasible import feasible_space
from geco.space.ground import ground
from geco.trace import Trace

D = pd.DataFrame({"a": range(6), "b": [0, 1] * 3})
EXPLAINER = geco.Explainer(lambda table: 0.9 * (table["a"] > 4), geco.Database.from_frame(D))
X = read_instance({"a": 0, "b": 0}, EXPLAINER.domain)
TASK = Task(feasible_space(EXPLAINER.deployment, ground(X, ()), X), Trace(), k=5)
USUAL = geco.Frontier()


@pytest.mark.parametrize(
    ("method", "task", "differs"),
    [
        (USUAL, TASK._replace(k=7), "k"),
        (USUAL, TASK._replace(seed=3), "seed"),
        (USUAL, TASK._replace(ways="sets"), "minimal"),
        (USUAL, TASK._replace(lines=LineCost(9, swept=False)), "rows_per_line"),
        (USUAL, TASK._replace(max_rows=4), "parents"),
        (geco.Frontier(parents=3), TASK, "parents"),
        (geco.Frontier(patience=2), TASK, "patience"),
    ],
)
def test_another_question_or_method_has_settings_of_its_own(method: geco.Frontier, task: Task, differs: str) -> None:
    usual, other, again = USUAL.stages(TASK), method.stages(task), USUAL.stages(TASK)

    assert getattr(other[-1], differs) != getattr(usual[-1], differs)
    assert all(before is after for before, after in zip(usual, again, strict=True))  # made once
