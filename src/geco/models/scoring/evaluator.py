"""evaluator: which of the ways to score candidates is the one for this model, method and x."""

from __future__ import annotations

from geco.models.asking.blackbox import BlackBox
from geco.models.asking.meter import Budget, Clock
from geco.models.compiling.compiled import Compiled
from geco.models.compiling.conditions import BoundForest, conditions_of
from geco.models.compiling.encode import NotSeparable
from geco.models.scoring.materialize import Materialize
from geco.models.scoring.specialize import Specialize
from geco.models.scoring.sweep import Sweep
from geco.population.base import Evaluation
from geco.space.feasible import FeasibleSpace
from geco.trace import Trace


def evaluator(
    model: BlackBox,
    compiled: Compiled | None,
    evaluation: Evaluation,
    space: FeasibleSpace,
    budget: Budget,
    trace: Trace,
    clock: Clock,
) -> Materialize:
    """How candidates of this x are scored: by the compiled model if there is one and x can be put into its terms."""
    if compiled is None:
        return Materialize(model, space, budget, trace)
    bound = compiled.bind(space.own, lambda: model.inputs.of(space.x).table(space.x_rows))
    if isinstance(bound, NotSeparable):
        evaluate = Materialize(model, space, budget, trace)
        evaluate.note = f"the model was asked row by row: {bound.reason}"
        return evaluate
    if evaluation == "specialize":
        return Specialize(compiled, bound, space, budget, trace, clock)
    if evaluation != "points":
        compiled.thin(space)
    sweep = Sweep(compiled, bound, space, budget, trace, clock)
    if evaluation == "bound":
        bounds = BoundForest(compiled.core, bound, conditions_of(compiled), lambda: sweep.seconds)
        sweep.lines = sweep.lines._replace(bounds=bounds)
    return sweep
