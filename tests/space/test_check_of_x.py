"""The check of many answers to one x: what is known of x itself saves rules, and changes nothing that is said."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

import geco
from geco.data.instance import read_instance
from geco.space import check
from geco.space.check import Checker
from strategies import Problem, problems, random_instances


@given(problem=problems())
def test_rules_that_speak_of_no_change_are_as_they_were(problem: Problem) -> None:
    explainer = geco.Explainer(
        problem.model, geco.Database.from_frame(problem.frame, kinds=problem.kinds), geco.parse_plaf(problem.program)
    )
    checker, rng = explainer.deployment.check, np.random.default_rng(problem.seed)
    x = read_instance(problem.x, explainer.domain)
    broken = checker.broken_by(x)
    for other in random_instances(problem, 5):
        far = read_instance(other, explainer.domain)
        near = {name: far[name] if rng.random() < 0.3 else value for name, value in x.items()}
        for x_cf in (x, near, far):
            assert checker(x, x_cf, broken) == checker(x, x_cf)


@given(problem=problems())
def test_what_was_judged_before_changes_nothing(problem: Problem) -> None:
    explainer = geco.Explainer(
        problem.model, geco.Database.from_frame(problem.frame, kinds=problem.kinds), geco.parse_plaf(problem.program)
    )
    program, domain = explainer.deployment.program, explainer.domain
    often = Checker(program, domain)
    xs = [read_instance(each, domain) for each in (problem.x, *random_instances(problem, 4))]
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(check, "MOST_KNOWN", 3)  # so that some of it is given up
        for x in xs:
            for x_cf in xs:
                said = often(x, x_cf, often.broken_by(x))
                assert said == Checker(program, domain)(x, x_cf, often.broken_by(x))
    assert max(len(often._judged), len(often._seen)) <= 3
