"""asked: a run of Algorithm 1 with what somebody added to the question; its answers name the added rules that bind.

A rule binds an answer where the next value of D, to either side of the answer's and with all else as it is, would break
it: in terms of optimization it is active. A category has no sides; there any other value of D counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from geco.algorithm1 import Steps, algorithm1
from geco.answers.explanation import Counterfactual, Explanation
from geco.answers.progress import OnRound
from geco.data.domain import Domain
from geco.models.asking.meter import Clock
from geco.parts import Parts
from geco.question import Question
from geco.space.check import keeps
from geco.space.forms import RuleForm

MOST_VALUES = 50  # of a category that are looked at


def asked(x: Any, question: Question, parts: Parts, clock: Clock, on_round: OnRound | None = None) -> Steps:
    """The run of one x with these parts."""
    explanation = yield from algorithm1(x, question, parts, clock, on_round)
    return naming(explanation, parts) if parts.added else explanation


def naming(explanation: Explanation, parts: Parts) -> Explanation:
    """The explanation whose answers name the added rules that bind them."""
    found = [_naming(cf, explanation.x, parts) for cf in explanation.counterfactuals]
    return replace(explanation, counterfactuals=tuple(found))


def _naming(cf: Counterfactual, x: Mapping[str, Any], parts: Parts) -> Counterfactual:
    return replace(cf, binding=tuple(text for text, form in parts.added.items() if _binds(form, x, cf.values, parts)))


def _binds(form: RuleForm, x: Mapping[str, Any], x_cf: dict[str, Any], parts: Parts) -> bool:
    return any(
        not keeps(parts.program, form.rule, x, {**x_cf, feature: value})
        for feature in form.features
        for value in _beside(parts.domain, feature, x_cf[feature])
    )


def _beside(domain: Domain, feature: str, value: Any) -> Iterator[Any]:
    """The values of D next to this one, below and above; of a category any others."""
    table = domain.tables[domain.group_of[feature]]
    numbers, values = table.numbers[feature][1:], table.values[feature]
    number = domain.number(feature, value)
    if domain.features[feature].kind == "categorical" or np.isnan(number):
        others = np.unique(numbers[~np.isnan(numbers) & (numbers != number)])[:MOST_VALUES]
        yield from (values[1 + int(np.argmax(numbers == other))] for other in others)
        return
    for side in (numbers < number, numbers > number):
        if side.any():
            near = np.where(side, np.abs(numbers - number), np.inf)
            yield values[1 + int(np.argmin(near))]
