"""Compiled: the user's model in the native core, over the encoded group tables of one Domain (Sec. 5.2).

In: the black box, which stays the judge. Out: a Compiled that scores candidates by their row numbers, or NotCompiled
with the reason. Before it is used it must give the user's answers on rows of D mixed across groups.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from geco import _core
from geco.errors import TargetError
from geco.models.asking.blackbox import BlackBox
from geco.models.compiling.adapt import NotCompiled, adapt
from geco.models.compiling.encode import Encoding, NotSeparable, encode
from geco.models.kinds.blend import Blend, BlendCore, Kind
from geco.models.kinds.forest import Forest
from geco.models.kinds.linear import Linear
from geco.models.kinds.network import Mlp
from geco.population.base import Floats, LineCost, Rows
from geco.space.feasible import FeasibleSpace

Anchor = Any  # what stands for x in the model's terms: an array; for a Blend a list of them
Tables = list[Any]  # per group its encoded columns and their values
CLOSE = 1e-6  # how far a compiled answer may be from the user's own


@dataclass(frozen=True, eq=False)
class Compiled:
    """A model that scores row numbers; ``anchor`` fills slot 0 with x."""

    kind: Kind
    encoding: Encoding
    core: Any
    model: BlackBox
    wanted_only: bool  # it answers with the number of the wanted classes already

    @cached_property
    def line_cost(self) -> LineCost:
        """Rows of a line are nearly free for trees; a network works each of them out."""
        if isinstance(self.kind, Forest):
            return LineCost(None, swept=True)
        afforded = _core.FrontierSettings
        rows = afforded.LINEAR_ROWS if isinstance(self.kind, Linear) else afforded.NETWORK_ROWS
        return LineCost(rows, swept=True)

    @property
    def why(self) -> str:
        """For describe()."""
        what = _words(self.kind)
        return f"compiled: {what} over {self.encoding.width:,} encoded columns; it is asked for the confirmation only"

    def anchor(
        self, rows_like_x: Sequence[int], x: Mapping[str, Any], table: Callable[[], Any]
    ) -> Anchor | NotSeparable:
        """What stands for x, see Encoding.of."""
        encoded = self.encoding.of(rows_like_x, x, table)
        return encoded if isinstance(encoded, NotSeparable) else self.core.anchor(encoded)

    def thin(self, space: FeasibleSpace) -> FeasibleSpace:
        """The space with only rows to choose from that the model can tell apart; a network tells all of them apart."""
        if not isinstance(self.core, _core.Forest):
            return space
        return space.thinned(self.core.thin(space.core, space.rows_like_x))

    def points(self, anchor: Anchor, rows: Rows, seconds: float = math.inf) -> tuple[Floats, Floats]:
        """Outcome and the model's number per candidate, exact; gives up after ``seconds``."""
        return self.judged(self.core.points(anchor, rows, seconds))

    def judged(self, sums: Floats) -> tuple[Floats, Floats]:
        """Outcome and the model's number, from sums before the link."""
        if not isinstance(self.kind, Blend):
            return self.verdict(sums)
        raw = self.kind.linked(sums)  # combined in Python, as scikit-learn does
        return self.model.goal.judge(self.model.called.by_class(raw) if self.model.method == "predict_proba" else raw)

    @cached_property
    def verdict(self) -> _core.Verdict:
        """What turns sums into an outcome."""
        by_class = self.model.method == "predict_proba" and not self.wanted_only
        both = by_class and self.model.classes is not None and len(self.model.classes) == 2
        return self.model.goal.verdict(self.kind.link, both)


def compile_model(model: BlackBox) -> Compiled | NotCompiled:
    """Read the model, encode the tables, and check that both together give the model's answers."""
    if model.output == "label":
        return NotCompiled("it returns labels only")
    adapted = adapt(model.own, model.method)
    if isinstance(adapted, NotCompiled):
        return adapted
    if isinstance(adapted.kind, Linear) and adapted.kind.single:
        return NotCompiled("a linear booster sums in float32, column by column")
    domain = model.inputs.domain
    encoding = encode(adapted.columns, model.inputs, domain, through=adapted.through)
    if isinstance(encoding, NotSeparable):
        return NotCompiled(encoding.reason)
    kind = _wanted(adapted.kind, model)
    return _agreeing(compiled_of(kind, encoding, model, wanted_only=kind is not adapted.kind))


def compiled_of(kind: Kind, encoding: Encoding, model: BlackBox, wanted_only: bool) -> Compiled:
    """The model in the native core, not yet checked against the user's own."""
    tables: Tables = list(zip(encoding.columns, encoding.encoded, strict=True))
    return Compiled(kind, encoding, _core_of(kind, tables, encoding.constant), model, wanted_only)


def aimed_at(compiled: Compiled, model: BlackBox) -> Compiled | NotCompiled:
    """The same for a model that is asked for something else; read anew only where that needs another class.

    Raises TargetError where the model is not there and what was kept of it does not say.
    """
    before, goal = compiled.model.goal, model.goal
    if (before.output, before.columns, before.by_lead) == (goal.output, goal.columns, goal.by_lead):
        return replace(compiled, model=model)  # another threshold, margin or interval
    whole = _whole(compiled)
    if whole is None and not model.called.present:
        raise TargetError(
            f"this explainer was saved for {before.words}, and its file holds no other class of the model; "
            "load it with the model: Explainer.load(path, model=...)"
        )
    if whole is None:
        adapted = adapt(model.own, model.method)
        if isinstance(adapted, NotCompiled):
            return adapted
        whole = adapted.kind
    kind = _wanted(whole, model)
    made = compiled_of(kind, compiled.encoding, model, wanted_only=kind is not whole)
    return _agreeing(made) if model.called.present else made


def _whole(compiled: Compiled) -> Kind | None:
    """The model with all its classes, if what was kept of it says so."""
    if not compiled.wanted_only:
        return compiled.kind
    kind = compiled.kind
    if not isinstance(kind, Blend) and kind.link.name == "expit":  # as `_wanted` made it
        return replace(kind, link=replace(kind.link, name="sigmoid"))
    return None


def _words(kind: Kind) -> str:
    if isinstance(kind, Blend):
        return f"a blend of {len(kind.parts)} ({_words(kind.parts[0])}{', …' if len(kind.parts) > 1 else ''})"
    if isinstance(kind, Forest):
        return f"{len(kind.roots):,} trees"
    return "a network" if isinstance(kind, Mlp) else "a linear model"


def _core_of(kind: Kind, tables: Tables, constant: Floats) -> _core.Forest | _core.Network | BlendCore:
    if isinstance(kind, Blend):
        ranges = kind.columns.ranges
        parts = zip(kind.parts, ranges, strict=True)
        return BlendCore([_core_of(part, _within(tables, at), constant[at]) for part, at in parts], ranges)
    if isinstance(kind, Forest):
        return _core.Forest.build(kind, tables, constant)
    if isinstance(kind, Linear):
        return _core.Network.build([kind.coefficient], [kind.intercept], [], tables, constant)
    steps = [[step.arrays for step in layer] for layer in kind.steps]
    return _core.Network.build(list(kind.weights), list(kind.biases), steps, tables, constant)


def _within(tables: Tables, part: slice) -> Tables:
    """The columns of one part, numbered from 0."""
    inside = [(columns >= part.start) & (columns < part.stop) for columns, _ in tables]
    return [
        (columns[here] - np.int32(part.start), np.ascontiguousarray(encoded[:, here]))
        for (columns, encoded), here in zip(tables, inside, strict=True)
    ]


def _wanted(kind: Kind, model: BlackBox) -> Kind:
    """Of what a model says of several classes only the wanted ones are worked out, if their probability decides."""
    goal = model.goal
    if isinstance(kind, Blend) or model.method != "predict_proba" or goal.by_lead:
        return kind
    if isinstance(kind, Forest) and kind.link.name == "proba" and kind.outputs > 1:
        return kind.summed(goal.columns)
    if kind.link.name == "sigmoid" and goal.columns == (1,):
        return replace(kind, link=replace(kind.link, name="expit"))
    return kind


def _agreeing(compiled: Compiled) -> Compiled | NotCompiled:
    """The compiled model, unless it answers otherwise than the user's own on values of D mixed across groups."""
    apart = disagreement(compiled)
    if apart is None:
        return compiled
    return NotCompiled(f"read from its arrays it answers {apart[0]:.6g} where the model itself says {apart[1]:.6g}")


def disagreement(compiled: Compiled) -> tuple[float, float] | None:
    """What the compiled model and the user's own say of the first probe row that they do not agree on."""
    model, encoding = compiled.model, compiled.encoding
    rows = model.probe_rows
    theirs = model.predict(model.inputs.probe(rows))
    outcome, numbers = model.goal.judge(theirs)
    x = np.where(np.isnan(encoding.constant), 0.0, encoding.constant)  # no candidate here has slot 0
    ours, own_numbers = compiled.points(compiled.core.anchor(x), rows)
    same = np.isclose(own_numbers, numbers, rtol=CLOSE, atol=CLOSE, equal_nan=True)
    decided = (ours > 0.5) == (outcome > 0.5)
    if (same & (decided | (np.abs(outcome - 0.5) < CLOSE))).all():
        return None
    first = int(np.argmin(same & decided))
    return float(own_numbers[first]), float(numbers[first])
