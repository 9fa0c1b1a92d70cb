"""Panel: the models of an Explainer, one or several that must all agree, and the way they score candidates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from geco import _core
from geco.data.domain import Domain
from geco.errors import ModelError
from geco.models.asking.blackbox import BlackBox
from geco.models.asking.inputs import Source
from geco.models.asking.meter import Budget, Clock
from geco.models.compiling.adapt import NotCompiled
from geco.models.compiling.bounds import BoundsOfX
from geco.models.compiling.compiled import Compiled, aimed_at, compile_model
from geco.models.compiling.conditions import ForestBounds
from geco.models.compiling.joined import compared
from geco.models.goal.target import Asked
from geco.models.scoring.base import Evaluator
from geco.models.scoring.own import OwnModel
from geco.models.scoring.together import Together
from geco.models.scoring.ways import Read, Way
from geco.space.feasible import FeasibleSpace
from geco.trace import Trace

if TYPE_CHECKING:
    from geco.data.database import Database


@dataclass(frozen=True, eq=False)
class Member:
    """One model: the user's object, and what became of it when it was read."""

    box: BlackBox
    read: Read

    @property
    def compiled(self) -> Compiled | None:
        return self.read if isinstance(self.read, Compiled) else None


@dataclass(frozen=True, eq=False)
class Panel:
    """All models of an Explainer."""

    members: tuple[Member, ...]
    way: Way
    joined: ForestBounds | None  # what a proof may know of several of them at once

    @classmethod
    def of(cls, members: Sequence[Member], way: Way) -> Panel:
        """A SettingsError where a proof is asked for and cannot be had."""
        if len(members) == 1:
            return cls(tuple(members), way, None)
        taken = way.several or way
        compiled = [member.compiled for member in members if member.compiled is not None]
        return cls(tuple(members), taken, taken.joined(compiled) if len(compiled) == len(members) else None)

    @property
    def used(self) -> frozenset[str]:
        """The features that any of them reads."""
        return frozenset[str]().union(*(member.box.used for member in self.members))

    @property
    def by_place(self) -> bool:
        """True if no search lists the rows of a large table: a forest is asked about the nearest of each cell."""
        return self.way.thins and all(
            member.compiled is not None and isinstance(member.compiled.core, _core.Forest) for member in self.members
        )

    def aimed_at(self, asked: Asked) -> Panel:
        """The same models asked for something else; what was read of them is kept as far as it holds that."""
        members = []
        for member in self.members:
            box = member.box.aimed_at(asked.target)
            read = aimed_at(member.read, box) if isinstance(member.read, Compiled) else member.read
            if read is not None:
                box.why = read.why
            self.way.check(read)
            members.append(Member(box, read))
        return Panel.of(members, self.way)

    def evaluator(self, space: FeasibleSpace, budget: Budget, trace: Trace, clock: Clock) -> Evaluator:
        """Scores the candidates of one x."""
        parts = [
            self.way.evaluator(OwnModel(member.box, space, budget, trace), member.compiled, space, clock)
            for member in self.members
        ]
        if len(parts) == 1:
            return parts[0]
        standing = _core.Standing(clock.core, 0.0, space.x_obeys)
        return Together(parts, standing, space, trace, self._bounds(parts, standing))

    def _bounds(self, parts: Sequence[Evaluator], standing: _core.Standing) -> BoundsOfX | None:
        """Over x as each of them sees it; None where one cannot put it into its terms."""
        if self.joined is None:
            return None
        rows = []
        for member, part in zip(self.members, parts, strict=True):
            own = part.line_cost.bounds
            if member.compiled is None or not isinstance(own, BoundsOfX):
                return None
            rows.append(compared(member.compiled, own.x))
        return BoundsOfX(self.joined, np.concatenate(rows), standing)


def models_of(given: Any) -> list[Any]:
    """One model or several, as a list."""
    models = list(given) if isinstance(given, list | tuple) else [given]
    if not models:
        raise ModelError("model is an empty list; give one model, or several that must all agree")
    return models


def panel_of(models: Sequence[Any], source: Database | Source, domain: Domain, asked: Asked, way: Way) -> Panel:
    """Look at each of the models, and read it where that is of use.

    Parameters
    ----------
    source : what the model is shown is made like: D, or its dtypes alone.
    asked : what the user said of the models.
    way : how candidates are scored.
    """
    boxes = [BlackBox.of(each, source, domain, asked.target, asked.input) for each in models]
    members = [Member(box, _read(box, way, asked.compile)) for box in boxes]
    return Panel.of(members, way)


def _read(box: BlackBox, way: Way, compile: bool) -> Read:
    """The model in the native core, or why it is not there; None if there is no use for that."""
    if not compile:
        read: Read = NotCompiled("compile=False")
    else:
        read = compile_model(box) if way.compiles else None
    if read is not None:
        box.why = read.why
    way.check(read)
    return read
