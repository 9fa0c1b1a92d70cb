"""asked: a run of Algorithm 1 with what somebody added to the question; its answers name the added rules that bind.

A rule binds an answer where the next value of D, to either side of the answer's and with all else as it is, would break
it: in terms of optimization it is active. A category has no sides; there any other value of D counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from datetime import UTC, datetime
from time import time
from typing import Any

import numpy as np

from geco import __version__
from geco.algorithm1 import Steps, algorithm1
from geco.answers.explanation import Counterfactual, Explanation, completed
from geco.answers.made import Made
from geco.answers.progress import OnRound
from geco.data.domain import Domain
from geco.fingerprint import fingerprint, settings_of
from geco.models.asking.meter import Clock
from geco.parts import Parts
from geco.plaf.extra import as_written
from geco.question import Question
from geco.space.check import Truth
from geco.space.forms import RuleForm
from geco.words import Words

MOST_VALUES = 50  # of a category that are looked at


def asked(x: Any, question: Question, parts: Parts, clock: Clock, on_round: OnRound | None = None) -> Steps:
    """The run of one x with these parts."""
    explanation = yield from algorithm1(x, question, parts, clock, on_round)
    named = naming(explanation, parts) if parts.added else explanation
    return completed(named, made=_made(question, parts, clock))


def _made(question: Question, parts: Parts, clock: Clock) -> Made:
    """How it came about; what takes time to tell is told when somebody looks."""
    at, usual = time(), parts.usual or parts
    return Made(lambda: {
        "version": __version__,
        "at": datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds"),
        "question": {**asdict(question), "deadline": clock.deadline, **(parts.words or Words()).to_dict()},
        "settings": settings_of(usual),
        "fingerprint": fingerprint(usual).to_dict(),
        "rules": len(parts.program.rules),
        "written": as_written(parts.program.program),
        "fixed": sorted({rule.fixes for rule in parts.program.rules if rule.fixes}),
    })  # fmt: skip


def naming(explanation: Explanation, parts: Parts) -> Explanation:
    """The explanation whose answers name the added rules that bind them."""
    deployment = parts.deployment
    kept = [  # all but one where somebody asks what there is without it
        (text, form, deployment.check.rules[deployment.rules.index(form)][1])
        for text, form in parts.added.items()
        if form in deployment.rules
    ]
    found = [_naming(cf, explanation.x, kept, parts.domain) for cf in explanation.counterfactuals]
    return completed(explanation, counterfactuals=tuple(found))


def _naming(
    cf: Counterfactual, x: Mapping[str, Any], rules: list[tuple[str, RuleForm, Truth]], domain: Domain
) -> Counterfactual:
    binding = tuple(text for text, form, keeps in rules if _binds(form, keeps, x, cf.values, domain))
    return completed(cf, binding=binding) if binding else cf


def _binds(form: RuleForm, keeps: Truth, x: Mapping[str, Any], x_cf: dict[str, Any], domain: Domain) -> bool:
    return any(
        not keeps(x, {**x_cf, feature: value})
        for feature in form.features
        for value in _beside(domain, feature, x_cf[feature])
    )


def _beside(domain: Domain, feature: str, value: Any) -> Iterator[Any]:
    """The values of D next to this one, below and above; of a category any others."""
    table = domain.tables[domain.group_of[feature]]
    values, number = table.values[feature], domain.number(feature, value)
    numbers, rows = table.distinct(feature)
    if domain.features[feature].kind == "categorical" or np.isnan(number):
        yield from values[rows[: MOST_VALUES + 1][numbers[: MOST_VALUES + 1] != number]][:MOST_VALUES]
        return
    below, above = numbers.searchsorted(number) - 1, numbers.searchsorted(number, side="right")
    yield from values[[rows[at] for at in (below, above) if 0 <= at < len(rows)]]
