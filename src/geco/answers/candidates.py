"""Candidates of a search as Counterfactuals: raw values, and the Actions that they are made of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from geco.answers.asked import asks
from geco.answers.explanation import Action, Counterfactual
from geco.answers.onehot import category
from geco.answers.range import Range
from geco.population.base import Rows
from geco.search.base import Search
from geco.space.feasible import FeasibleSpace
from geco.space.ground import GroundedRule


def counterfactual(
    space: FeasibleSpace,
    search: Search,
    rows: Rows,
    confirmed: bool = False,
    number: float | None = None,
    ranges: Mapping[str, Range] | None = None,
) -> Counterfactual:
    """The candidate in the user's raw values; ``number`` is the model's own, if it was asked once more."""
    _, distance, _, known = search.archive.look_up(rows)
    return counterfactual_of(space, rows, distance, known if number is None else number, confirmed, ranges or {})


def counterfactual_of(
    space: FeasibleSpace, rows: Rows, distance: float, number: float, confirmed: bool, ranges: Mapping[str, Range]
) -> Counterfactual:
    changed = rows.nonzero()[0].tolist()
    values = space.values(rows)
    required = zip(changed, space.required_by(rows, changed), strict=True)
    return Counterfactual(
        values=values,
        changes=tuple([action for g, rule in required for action in actions(space, g, values, rule)]),
        distance=distance,
        outcome=number,
        confirmed=confirmed,
        groups=tuple([space.domain.tables[g].name for g in changed]),
        ranges=ranges,
    )


def actions(
    space: FeasibleSpace, group: int, values: Mapping[str, Any], rule: GroundedRule | None = None
) -> list[Action]:
    """What changed in one group, and the rule that asks for it; a one-hot set is one change of its category."""
    table, features, x = space.domain.tables[group], space.domain.features, space.x
    required = None if rule is None else rule.text
    if table.onehot:
        before, after = (category(table.features, source) for source in (x, values))
        asked = None if rule is None else asks(rule.rule, x, values)
        return [Action(table.onehot, before, after, required, True, asked)]
    return [
        Action(
            f,
            x[f],
            values[f],
            required,
            features[f].kind == "categorical",
            None if rule is None else asks(rule.rule, x, values, f),
        )
        for f in table.features
        if values[f] != x[f]
    ]
