"""joined: several compiled forests as one, for proofs alone: what is good under all of them.

In: the compiled models of a Panel. Out: one forest over the columns of all of them side by side, with the outputs of
all of them, and the conditions of all of them at once. What one library does to numbers before it compares them is done
to the columns and thresholds here, so that one comparison serves all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate, product
from typing import Any

import numpy as np

from geco import _core
from geco.errors import SettingsError
from geco.models.compiling.compiled import Compiled, Tables
from geco.models.compiling.conditions import Conditions, Floats, ForestBounds, conditions_of
from geco.models.kinds.forest import Forest

MOST_ALTERNATIVES = 64  # of what is good: those of all models, each with each


def joined_bounds(models: Sequence[Compiled]) -> ForestBounds:
    """Of all of them together; a SettingsError says why there are none."""
    conditions = [conditions_of(model) for model in models]
    if not all(isinstance(model.kind, Forest) for model in models):
        raise SettingsError(
            "method 'exact' proves answers under several models where all of them are trees or forests; "
            "use method='frontier'"
        )
    if np.prod([len(each.needs) for each in conditions]) > MOST_ALTERNATIVES:
        raise SettingsError("method 'exact' has no bounds for so many classes of several models; use method='frontier'")
    forests = [model.kind for model in models if isinstance(model.kind, Forest)]
    widths = [model.encoding.width for model in models]
    outputs = sum(forest.outputs for forest in forests)
    first = list(accumulate((forest.outputs for forest in forests), initial=0))
    shifted = [
        _among_others(forest, columns, output, outputs)
        for forest, columns, output in zip(forests, accumulate(widths, initial=0), first, strict=False)
    ]
    constant = np.concatenate([compared(model, model.encoding.constant) for model in models])
    core = _core.Forest.build(_end_to_end(shifted), _side_by_side(models), constant)
    return ForestBounds(core, _all_of(conditions, first))


def compared(model: Compiled, values: Floats) -> Floats:
    """Encoded values as this model compares them."""
    if not (isinstance(model.kind, Forest) and model.kind.single):
        return values
    with np.errstate(over="ignore"):
        return values.astype(np.float32).astype(np.float64)


def _among_others(forest: Forest, first_column: int, first_output: int, outputs: int) -> Forest:
    """The same sums, already divided, over later columns and in some of more outputs."""
    inner = forest.column >= 0
    value = np.zeros((len(forest.column), outputs))
    of_tree = np.repeat(forest.output, np.diff([*forest.roots, len(forest.column)]))
    own = forest.value / forest.divisor
    for output in range(forest.outputs):
        column = own[:, output] if own.shape[1] > 1 else own[:, 0]
        value[:, first_output + output] = np.where((of_tree == output) | (of_tree < 0), column, 0.0)
    strict = forest.strict & inner & (forest.categories < 0)
    return replace(
        forest,
        column=np.where(inner, forest.column + np.int32(first_column), forest.column),
        threshold=np.where(strict, np.nextafter(forest.threshold, -np.inf), forest.threshold),
        value=value,
        base=forest.base / forest.divisor,
    )


def _end_to_end(forests: Sequence[Forest]) -> Forest:
    nodes = list(accumulate((len(forest.column) for forest in forests), initial=0))
    sets = list(accumulate((len(forest.sets) for forest in forests), initial=0))

    def all_of(field: str, shifts: Sequence[int] | None = None) -> Any:
        """The field of one after the other; what points somewhere points past those before."""
        arrays = [getattr(forest, field) for forest in forests]
        if shifts is not None:
            arrays = [np.where(each < 0, each, each + np.int32(by)) for each, by in zip(arrays, shifts, strict=False)]
        return np.concatenate(arrays)

    return Forest(
        roots=all_of("roots", nodes),
        column=all_of("column"),
        threshold=all_of("threshold"),
        left=all_of("left", nodes),
        right=all_of("right", nodes),
        missing_left=all_of("missing_left"),
        zero_missing=all_of("zero_missing"),
        categories=all_of("categories", sets),
        sets=tuple(codes for forest in forests for codes in forest.sets),
        value=all_of("value"),
        output=np.full(sum(len(forest.roots) for forest in forests), -1, np.int32),
        outputs=sum(forest.outputs for forest in forests),
        base=all_of("base"),
        strict=False,
        single=False,
        single_sum=any(forest.single_sum for forest in forests),
        divisor=1.0,
        link=forests[0].link,
    )


def _side_by_side(models: Sequence[Compiled]) -> Tables:
    """Per group the columns of all models, and their values."""
    first = list(accumulate((model.encoding.width for model in models), initial=0))
    made: Tables = []
    for group in range(len(models[0].encoding.columns)):
        columns = [model.encoding.columns[group] + np.int32(at) for model, at in zip(models, first, strict=False)]
        values = [compared(model, np.asarray(model.encoding.encoded[group])) for model in models]
        made.append((np.concatenate(columns).astype(np.int32), np.ascontiguousarray(np.hstack(values))))
    return made


def _all_of(conditions: Sequence[Conditions], first: Sequence[int]) -> Conditions:
    """One alternative of each, with each: all forms of all of them."""
    weights, needs, sure = [], [], []
    for chosen in product(*(range(len(each.needs)) for each in conditions)):
        of_all = list(zip(conditions, chosen, first, strict=False))
        forms = [np.zeros((each.weights.shape[1], first[-1])) for each in conditions]
        for made, (each, alternative, at) in zip(forms, of_all, strict=True):
            made[:, at : at + each.weights.shape[2]] = each.weights[alternative]
        weights.append(np.concatenate(forms))
        needs.append(np.concatenate([each.needs[alternative] for each, alternative, _ in of_all]))
        sure.append(np.concatenate([each.sure[alternative] for each, alternative, _ in of_all]))
    return Conditions(np.array(weights), np.array(needs), np.array(sure))
