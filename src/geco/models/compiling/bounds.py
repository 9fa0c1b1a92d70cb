"""bounds: what a proof may know of a compiled model, made once per model and then for each x."""

from __future__ import annotations

from dataclasses import dataclass
from weakref import WeakKeyDictionary

from geco import _core
from geco.errors import SettingsError
from geco.models.compiling.compiled import Compiled
from geco.models.compiling.conditions import Floats, ForestBounds, conditions_of
from geco.models.compiling.linear import LinearBounds, linear_bounds
from geco.models.compiling.network import NetworkBounds, network_bounds
from geco.models.kinds.linear import Linear
from geco.models.kinds.network import Mlp

Known = ForestBounds | LinearBounds | NetworkBounds
_KNOWN: WeakKeyDictionary[Compiled, Known | None] = WeakKeyDictionary()


@dataclass(frozen=True, eq=False)
class BoundsOfX:
    """Made into what the core needs once somebody proves something."""

    model: Known
    x: Floats
    standing: _core.Standing

    @property
    def quick(self) -> bool:
        return self.model.quick

    @property
    def single(self) -> bool:
        return self.model.single

    @property
    def sets(self) -> bool:
        """Whether it can be said of a box that all of it is good."""
        return self.model.sets

    @property
    def core(self) -> _core.Bounds:
        return self.model.of(self.x)


def bounds_of(compiled: Compiled, x: Floats, standing: _core.Standing) -> BoundsOfX | None:
    """Of this model and goal, for an encoded row; None where there are none."""
    try:
        known = _KNOWN[compiled]
    except KeyError:
        known = _KNOWN[compiled] = _known(compiled)
    return None if known is None else BoundsOfX(known, x, standing)


def _known(compiled: Compiled) -> Known | None:
    try:
        if isinstance(compiled.kind, Linear):
            return linear_bounds(compiled)
        if isinstance(compiled.kind, Mlp):
            return network_bounds(compiled)
        return ForestBounds(compiled.core, conditions_of(compiled))
    except SettingsError:
        return None
