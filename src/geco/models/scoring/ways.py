"""The ways to score candidates. A method chooses one of them, once per Explainer; it makes an evaluator for each x."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from geco import _core
from geco.errors import SettingsError
from geco.models.asking.meter import Clock
from geco.models.compiling.adapt import NotCompiled
from geco.models.compiling.bounds import bounds_of
from geco.models.compiling.compiled import Anchor, Compiled
from geco.models.compiling.conditions import ForestBounds, conditions_of
from geco.models.compiling.encode import NotSeparable
from geco.models.compiling.joined import joined_bounds
from geco.models.kinds.blend import Blend
from geco.models.scoring.base import Evaluator, Scorer
from geco.models.scoring.materialize import Materialize
from geco.models.scoring.onrows import OnRows
from geco.models.scoring.own import OwnModel
from geco.models.scoring.specialize import Specialize
from geco.models.scoring.sweep import Sweep, SweepParts
from geco.population.base import Floats, Ways
from geco.space.feasible import FeasibleSpace

Read = Compiled | NotCompiled | None  # what became of a model; None if there was no use in reading it


@dataclass(frozen=True)
class Way:
    """One way to score candidates.

    Attributes
    ----------
    scorer : scores row numbers by the compiled model, from the encoded row of x; None to ask the user's own only.
    thins : a search needs no rows that the compiled model cannot tell apart.
    check : raises SettingsError if what became of the model does not serve.
    several : the way to take where several models must agree; the same if None.
    joined : what a proof may know of several compiled models at once.
    """

    scorer: Callable[[Compiled, Floats, _core.Standing], Scorer] | None = None
    thins: bool = False
    check: Callable[[Read], object] = lambda read: None
    several: Way | None = None
    joined: Callable[[Sequence[Compiled]], ForestBounds | None] = lambda models: None

    @property
    def compiles(self) -> bool:
        """True if there is use for a compiled model."""
        return self.scorer is not None

    def evaluator(self, own: OwnModel, compiled: Compiled | None, space: FeasibleSpace, clock: Clock) -> Evaluator:
        """For one x: by the compiled model if there is one and x can be put into its terms."""
        model, note = own.model, None
        if compiled is not None and self.scorer is not None:
            x = compiled.encoding.of(space.rows_like_x, space.x, lambda: own.inputs.table(own.x_rows))
            if not isinstance(x, NotSeparable):
                standing = _core.Standing(clock.core, model.probe_seconds, space.x_obeys)
                offered = compiled.thin(space) if self.thins else space
                return OnRows(self.scorer(compiled, x, standing), compiled.kind, own, standing, offered)
            note = f"the model was asked row by row: {x.reason}"
        return Materialize(own, _core.Standing(clock.core, 0.0, space.x_obeys), space, note)


def _points(compiled: Compiled, x: Floats, standing: _core.Standing) -> Scorer:
    anchor: Anchor = compiled.core.anchor(x)
    if isinstance(compiled.kind, Blend):
        return SweepParts(compiled, anchor, compiled.kind.jumps)
    return Sweep(_core.Scoring(compiled.core, anchor, compiled.verdict), compiled.line_cost)


def _swept(compiled: Compiled, x: Floats, standing: _core.Standing) -> Scorer:
    scorer = _points(compiled, x, standing)
    scorer.line_cost = scorer.line_cost._replace(bounds=bounds_of(compiled, x, standing), scoring=scorer.native)
    return scorer


def _specialize(compiled: Compiled, x: Floats, standing: _core.Standing) -> Scorer:
    return Specialize(compiled, compiled.core.anchor(x))


def _must_be_compiled(read: Read) -> None:
    if isinstance(read, NotCompiled):
        raise SettingsError(
            f"evaluation='specialize' needs a compiled model, and this one cannot be: {read.reason}; "
            "use evaluation='materialize'"
        )


def _must_have_bounds(read: Read) -> None:
    conditions_of(read or NotCompiled("it was not read"))


def _joined_if_possible(models: Sequence[Compiled]) -> ForestBounds | None:
    try:
        return joined_bounds(models)
    except SettingsError:
        return None


POINTS = Way(_points)
WAYS = Ways(
    materialize=Way(),
    specialize=Way(_specialize, check=_must_be_compiled),
    # What one model cannot tell apart another may.
    sweep=Way(_swept, thins=True, several=Way(_swept, joined=_joined_if_possible)),
    points=POINTS,
    bounded=Way(
        _swept,
        thins=True,
        check=_must_have_bounds,
        several=Way(_swept, check=_must_have_bounds, joined=joined_bounds),
    ),
)
