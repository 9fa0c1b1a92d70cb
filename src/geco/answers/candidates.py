"""Candidates of a search as Counterfactuals: raw values, and the Actions that they are made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from geco.answers.asked import asks
from geco.answers.explanation import Action, Counterfactual
from geco.answers.onehot import category
from geco.answers.range import Range
from geco.population.base import Rows
from geco.search.base import Archive
from geco.space.feasible import FeasibleSpace
from geco.space.ground import GroundedRule


class Known(NamedTuple):
    """What the core says of a candidate: its distance, the model's number, what changed and what asks for that."""

    distance: float
    number: float  # NaN where it was never scored
    changed: Sequence[int]  # groups
    required: Sequence[int]  # per changed group what the core says once that change is undone


def known(space: FeasibleSpace, archive: Archive, rows: Rows) -> list[Known]:
    """Of each of these candidates."""
    return [Known._make(each) for each in space.core.told(archive.core, rows)]


def counterfactual(
    space: FeasibleSpace,
    rows: Rows,
    known: Known,
    number: float | None = None,
    confirmed: bool = False,
    ranges: Mapping[str, Range] | None = None,
) -> Counterfactual:
    """The candidate in the user's raw values; ``number`` is the model's own, if it was asked once more."""
    changed = known.changed
    values = space.values(rows, changed)
    required = space.rules_of(known.required, changed)
    return Counterfactual(
        values,
        tuple([each for g, rule in zip(changed, required, strict=True) for each in actions(space, g, values, rule)]),
        known.distance,
        known.number if number is None else number,
        confirmed,
        tuple([space.domain.tables[g].name for g in changed]),
        ranges={} if ranges is None else ranges,
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
