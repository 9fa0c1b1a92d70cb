"""Blend: a model made of models (voting, calibration, stacking, bagging), each of which we can compile (Sec. 5.2).

In: encoded columns, those of the parts side by side. Out: the answer of the user's method. The sums of a Blend are
those of its parts side by side; all that makes one answer of them is in the link. Its core asks those of the parts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from geco.models.kinds.forest import Forest
from geco.models.kinds.linear import Linear
from geco.models.kinds.link import Link
from geco.models.kinds.network import Mlp

Floats = npt.NDArray[np.float64]
Columns = Callable[[Any], Floats]
Combine = Callable[[list[Floats]], Any]


class Joined:
    """The encoded columns of several models side by side; models with the same key have the same columns."""

    def __init__(self, columns: Sequence[Columns], keys: Sequence[object]) -> None:
        self._columns = dict(zip(reversed(keys), reversed(columns), strict=True))
        self._keys = tuple(keys)
        self._ranges: dict[object, slice] = {}

    def __call__(self, table: Any) -> Floats:
        found = {key: columns(table) for key, columns in self._columns.items()}
        ends = np.cumsum([numbers.shape[1] for numbers in found.values()]).tolist()
        starts = [0, *ends[:-1]]
        self._ranges = {key: slice(a, b) for key, a, b in zip(found, starts, ends, strict=True)}
        return np.concatenate(list(found.values()), axis=1)

    @property
    def ranges(self) -> list[slice]:
        """Per model where its columns are; known once a table has been seen."""
        return [self._ranges[key] for key in self._keys]


@dataclass(frozen=True, eq=False)
class Blend:
    """Several models and what makes one answer of theirs.

    Attributes
    ----------
    parts : the models.
    columns : what they see.
    combine : the answers of the parts ▶ the answer of the user's method.
    jumps : a difference in rounding may change the answer a lot, as a step function does.
    """

    parts: tuple[Kind, ...]
    columns: Joined
    combine: Combine
    jumps: bool = False

    @property
    def link(self) -> Link:
        """Its rounding is as rough as that of its roughest part."""
        return Link("identity", single=any(part.link.single for part in self.parts))

    @property
    def outputs(self) -> int:
        return sum(outputs(part) for part in self.parts)

    def sums(self, X: Floats) -> Floats:
        """[n, K of all parts] before their links."""
        return np.concatenate([p.sums(X[:, at]) for p, at in zip(self.parts, self.columns.ranges, strict=True)], axis=1)

    def linked(self, sums: Floats) -> Floats:
        """The raw answer for these sums."""
        if not len(sums):  # scikit-learn refuses a table without rows
            return self.linked(np.zeros((1, sums.shape[1])))[:0]
        ends = np.cumsum([outputs(part) for part in self.parts])[:-1]
        answers = [p.linked(part) for p, part in zip(self.parts, np.split(sums, ends, axis=1), strict=True)]
        return np.asarray(self.combine(answers), np.float64)

    def predict(self, X: Floats) -> Floats:
        """The user's method on encoded rows."""
        return self.linked(self.sums(X))


Kind = Forest | Mlp | Linear | Blend  # what a compiled model is


def outputs(kind: Kind) -> int:
    """How many sums a model has."""
    if isinstance(kind, Forest | Blend):
        return kind.outputs
    return len(kind.biases[-1] if isinstance(kind, Mlp) else kind.intercept)


class BlendCore:
    """The cores of the parts, asked one after the other; an anchor is a list, one item per part."""

    def __init__(self, cores: Sequence[Any], ranges: Sequence[slice]) -> None:
        self.cores, self.ranges = tuple(cores), tuple(ranges)
        self.outputs = sum(core.outputs for core in cores)

    def anchor(self, x: Floats) -> list[Any]:
        return [core.anchor(np.ascontiguousarray(x[at])) for core, at in zip(self.cores, self.ranges, strict=True)]

    def points(self, anchor: Sequence[Any], *rows: Any) -> Floats:
        """Sums before the links."""
        return np.concatenate([c.points(a, *rows) for c, a in zip(self.cores, anchor, strict=True)], axis=1)

    def lines(self, anchor: Sequence[Any], *lines: Any) -> Floats:
        """The same for every row of every line."""
        return np.concatenate([c.lines(a, *lines) for c, a in zip(self.cores, anchor, strict=True)], axis=1)

    def specialize(self, anchor: Sequence[Any], delta: Any) -> SpecializedBlend:
        """M_Δ."""
        return SpecializedBlend([c.specialize(a, delta) for c, a in zip(self.cores, anchor, strict=True)])


class SpecializedBlend:
    """M_Δ of every part."""

    def __init__(self, parts: Sequence[Any]) -> None:
        self.parts = tuple(parts)
        self.size = sum(part.size for part in parts)

    def points(self, rows: Any) -> Floats:
        return np.concatenate([part.points(rows) for part in self.parts], axis=1)
