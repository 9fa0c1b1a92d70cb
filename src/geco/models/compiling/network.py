"""A network with one hidden layer of ReLU, for proofs alone.

In: a compiled network. Out: bounds over boxes of rows. Its units are weighted sums of encoded columns, as a linear
model's outputs are (linear.py); what the last layer makes of them is below straight lines (native/core/hidden.hpp).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from geco import _core
from geco.models.compiling.compiled import Compiled
from geco.models.compiling.conditions import Conditions, Floats, conditions_of
from geco.models.compiling.linear import Columns, columns_of
from geco.models.kinds.network import Mlp


@dataclass(frozen=True, eq=False)
class NetworkBounds:
    """Once per model: its units, the last layer, and what is good."""

    units: Columns
    weights: Floats
    biases: Floats
    conditions: Conditions

    single, sets, quick = False, False, False

    def of(self, x: Floats) -> _core.Bounds:
        """For the encoded row of one x."""
        anchor, off = self.units.anchor(x)
        good, units = self.conditions, len(self.weights)
        # A candidate may keep some of x's values and change others: all that they are off by, in one direction.
        hidden = _core.Hidden(
            np.ascontiguousarray(good.weights @ self.weights.T),
            np.ascontiguousarray(good.weights @ self.biases),
            good.needs,
            np.abs(off).sum(axis=0),
        )
        nothing = np.full((1, units), -np.inf)
        every = np.eye(units)[None]
        return _core.Bounds(self.units.forest, anchor, every, nothing, -nothing, hidden, x_apart=bool(off.any()))


def network_bounds(compiled: Compiled) -> NetworkBounds | None:
    """None where a value is missing or there are too many of them."""
    assert isinstance(compiled.kind, Mlp)
    conditions = conditions_of(compiled)
    (first, last), (shift, biases) = compiled.kind.weights, compiled.kind.biases
    units = columns_of(compiled.encoding, first, shift)
    return None if units is None else NetworkBounds(units, last, biases, conditions)
