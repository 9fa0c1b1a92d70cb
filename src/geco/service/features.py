"""What a page or an application needs to know of D and the rules: kinds, ranges, values, how common they are.

`features_of` is the same for everybody; `allowed_features` is what the rules allow for one x.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from geco.answers.labels import Label
from geco.answers.values import plain
from geco.data.columns import Array
from geco.data.grouptable import GroupTable
from geco.data.instance import read_instance
from geco.data.schema import Feature
from geco.plaf.extra import as_written
from geco.plaf.printer import print_rule
from geco.plaf.syntax import FeatureList
from geco.space.feasible import feasible_space
from geco.space.ground import ground

if TYPE_CHECKING:
    from geco.explainer import Explainer

BINS = 40
MOST_VALUES = 200  # listed one by one; beyond that a number has bins, and a text its most frequent values


def features_of(explainer: Explainer) -> dict[str, Any]:
    """Every feature as the schema of D has it, what counts as good, and the rules."""
    domain = explainer.domain
    return {
        "target": explainer.model.goal.words,
        "model": explainer.model.describe(),
        "confirms": explainer.verify,
        "rows": domain.rows,
        "features": [_feature(explainer, feature) for feature in domain.schema],
        "groups": [list(table.features) for table in domain.tables if len(table.features) > 1],
        "rules": [print_rule(rule) for rule in explainer.program.rules],
    }


def allowed_features(explainer: Explainer, x: dict[str, Any]) -> dict[str, Any]:
    """Per feature the values that the rules allow for this x, each group by itself; and all the rules.

    A rule that ties groups together allows less than this once another group changes.
    """
    deployment, domain = explainer.deployment, explainer.domain
    instance = read_instance(x, domain)
    space = feasible_space(deployment, ground(instance, deployment.rules), instance)
    features = []
    for group, table in enumerate(domain.tables):
        rows = np.sort(space.core.choices(group))
        for name in table.features:
            now = domain.number(name, instance[name])
            others = rows[~_same(table.numbers[name][rows], now)]
            features.append(
                {
                    "name": name,
                    "value": plain(instance[name]),
                    "may_change": bool(len(others)),
                    **_values(domain.features[name], table, others),
                }
            )
    order = {name: place for place, name in enumerate(domain.names)}
    return {
        "features": sorted(features, key=lambda each: order[each["name"]]),
        "notes": list(space.notes),
        "rules": as_written(explainer.program.program),
    }


def _feature(explainer: Explainer, feature: Feature) -> dict[str, Any]:
    table = explainer.domain.tables[explainer.domain.group_of[feature.name]]
    rows = np.arange(1, table.rows + 1)
    missing = np.isnan(table.numbers[feature.name])
    words = explainer.labels.get(feature.name, Label())
    return {
        "name": feature.name,
        "label": words.label or feature.name,
        "unit": words.unit,
        "up": words.up,
        "down": words.down,
        "names": dict(words.values),
        "de": _in_german(words),
        "type": feature.type,
        "kind": feature.kind,
        "order": None if feature.order is None else list(feature.order),
        "group": table.name if len(table.features) > 1 else None,
        **_flags(explainer, feature.name),
        "missing": int(table.counts[missing].sum()),
        **_values(feature, table, rows),
        "histogram": _histogram(feature, table),
    }


def _in_german(words: Label) -> dict[str, Any] | None:
    """What is called otherwise in German."""
    if words.de is None:
        return None
    told = words.told("de")
    return {"label": told.label, "unit": told.unit, "up": told.up, "down": told.down, "names": dict(told.values)}


def _flags(explainer: Explainer, name: str) -> dict[str, Any]:
    """What the rules say of the feature alone, and whether the model reads it."""
    lists = [s for s in explainer.program.program.statements if isinstance(s, FeatureList)]
    words = {s.word for s in lists if name in s.features}
    return {
        "fixed": "FIXED" in words,
        "only_up": "INCREASE" in words,
        "only_down": "DECREASE" in words,
        "may_be_missing": "ALLOW MISSING" in words,
        "used": name in explainer.deployment.used,
    }


def _values(feature: Feature, table: GroupTable, rows: Array) -> dict[str, Any]:
    """Smallest and largest of these rows, and each value with its count where there are few of them."""
    numbers, counts = table.numbers[feature.name][rows], table.counts[rows]
    known = ~np.isnan(numbers)
    rows, numbers, counts = rows[known], numbers[known], counts[known]
    distinct, first, inverse = np.unique(numbers, return_index=True, return_inverse=True)
    totals = np.bincount(inverse, counts, minlength=len(distinct)).astype(np.int64)
    raw = table.values[feature.name]
    ends = (
        [plain(raw[rows[numbers.argmin()]]), plain(raw[rows[numbers.argmax()]])]
        if feature.ordered and len(rows)
        else [None, None]
    )
    shown = np.arange(len(distinct))
    if len(distinct) > MOST_VALUES:
        shown = shown[:0] if feature.is_number else np.sort(np.argsort(-totals, kind="stable")[:MOST_VALUES])
    values = [{"value": plain(raw[rows[first[i]]]), "count": int(totals[i])} for i in shown]
    listed = None if feature.is_number and len(distinct) > MOST_VALUES else values
    return {"minimum": ends[0], "maximum": ends[1], "distinct": len(distinct), "values": listed}


def _histogram(feature: Feature, table: GroupTable) -> dict[str, Any] | None:
    """How the numbers of a feature are spread over its range; dates in days since 1970."""
    if not feature.is_number or feature.kind == "categorical":
        return None
    numbers, counts = table.numbers[feature.name], table.counts
    known = ~np.isnan(numbers)
    numbers, counts = numbers[known], counts[known]
    if not len(numbers) or not np.isfinite(numbers.max() - numbers.min()):
        return None
    low, high = float(numbers.min()), float(numbers.max())
    if low == high:
        return {"edges": [low, high], "counts": [int(counts.sum())]}
    made, edges = np.histogram(numbers, BINS, (low, high), weights=counts)
    return {"edges": [float(edge) for edge in edges], "counts": [int(count) for count in made]}


def _same(numbers: Array, now: float) -> Array:
    same: Array = (numbers == now) | (np.isnan(numbers) & np.isnan(now))
    return same
