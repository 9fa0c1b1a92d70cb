"""The check of many answers to one x: what is known of x itself saves rules, and changes nothing that is said."""

from __future__ import annotations

import numpy as np
from hypothesis import given

import geco
from geco.data.instance import read_instance
from strategies import Problem, problems, random_instances


@given(problem=problems())
def test_rules_that_speak_of_no_change_are_as_they_were(problem: Problem) -> None:
    explainer = geco.Explainer(
        problem.model, geco.Database.from_frame(problem.frame, kinds=problem.kinds), geco.parse_plaf(problem.program)
    )
    check, rng = explainer.deployment.check, np.random.default_rng(problem.seed)
    x = read_instance(problem.x, explainer.domain)
    broken = check.broken_by(x)
    for other in random_instances(problem, 5):
        far = read_instance(other, explainer.domain)
        near = {name: far[name] if rng.random() < 0.3 else value for name, value in x.items()}
        for x_cf in (x, near, far):
            assert check(x, x_cf, broken) == check(x, x_cf)
