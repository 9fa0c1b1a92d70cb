"""Panel: the models of an Explainer, one or several that must all agree, and the way they score candidates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from geco import _core
from geco.data.domain import Domain
from geco.errors import ModelError
from geco.models.asking.blackbox import BlackBox
from geco.models.asking.inputs import Source
from geco.models.asking.meter import Budget, Clock
from geco.models.compiling.adapt import NotCompiled
from geco.models.compiling.compiled import Compiled, aimed_at, compile_model
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
        return Panel(tuple(members), self.way)

    def evaluator(self, space: FeasibleSpace, budget: Budget, trace: Trace, clock: Clock) -> Evaluator:
        """Scores the candidates of one x."""
        parts = [
            self.way.evaluator(OwnModel(member.box, space, budget, trace), member.compiled, space, clock)
            for member in self.members
        ]
        if len(parts) == 1:
            return parts[0]
        return Together(parts, _core.Standing(clock.core, 0.0, space.x_obeys), space, trace)


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
    members = tuple(Member(box, _read(box, way, asked.compile)) for box in boxes)
    return Panel(members, way if len(models) == 1 else way.several or way)


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
