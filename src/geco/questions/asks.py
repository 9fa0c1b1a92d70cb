"""Asks: the questions as an Explainer has them, each a line that calls its room, read when it is first asked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Never, Unpack

from geco.answers.explanation import Explanation
from geco.errors import InstanceError, SettingsError, shown
from geco.models.asking.meter import Clock
from geco.parts import Parts
from geco.question import Question
from geco.whole import whole
from geco.words import Asking, Words

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from geco.questions.nearest_row import NearestRow
    from geco.questions.obstacles import Obstacles
    from geco.questions.reasons import Reasons
    from geco.questions.smallest import Smallest
    from geco.questions.summary import Summary
    from geco.questions.tradeoffs import Tradeoffs
    from geco.questions.what_if import WhatIf


class Asks:
    """What people ask after the first answer; docs/questions/ has a page for each."""

    _parts: Parts

    def what_if(self, x: Any, changes: Mapping[str, Any] | None = None, /, **features: Any) -> WhatIf:
        """What the model would say if x did this, which rules that breaks, and what they would drag along.

        Parameters
        ----------
        x : as in ``explain``.
        changes : new values by feature; names that are Python names may be given as keywords. The category of a ONEHOT
            set may be given by its name. Values that D does not have are allowed, and said.
        """
        from geco.questions.what_if import what_if

        if changes is not None and not isinstance(changes, Mapping):
            raise InstanceError(f"changes must be a dict by feature, got {shown(changes)}")
        return what_if(self._parts, x, {**(changes or {}), **features}, Clock(None))

    def smallest(
        self,
        x: Any,
        feature: str,
        k: int = 1,
        seed: int = 0,
        deadline: float | None = None,
        **words: Unpack[Asking],
    ) -> Smallest:
        """How far this one thing must move: an Explanation whose answers change its group, and what rules drag along.

        Parameters
        ----------
        feature : a feature, or the name of a ONEHOT set.
        k, seed, deadline, words : as in ``explain``.
        """
        from geco.questions.smallest import smallest

        parts = self._parts.asked_with(Words.of(words))
        return smallest(parts, x, feature, Question.of(parts.method, k, seed, None, None), Clock(deadline))

    def obstacles(self, x: Any, seed: int = 0, deadline: float | None = None, **words: Unpack[Asking]) -> Obstacles:
        """What stands in the way: each rule with the nearest answer without it; or a smallest set of rules to give up.

        Parameters
        ----------
        deadline : seconds after which the best found so far is returned, and said to be no more than that. Without one
            the proofs that take long have two seconds in all; give one to let them go on for longer.
        """
        from geco.questions.obstacles import obstacles

        return obstacles(self._parts.asked_with(Words.of(words)), x, seed, Clock(deadline))

    def tradeoffs(
        self, x: Any, k: int = 5, seed: int = 0, deadline: float | None = None, **words: Unpack[Asking]
    ) -> Tradeoffs:
        """The front of distance, number of changes and outcome: what may be had for what.

        Parameters
        ----------
        k : how many answers each of the searches may bring.
        """
        from geco.questions.tradeoffs import tradeoffs

        return tradeoffs(self._parts.asked_with(Words.of(words)), x, k, seed, Clock(deadline))

    def reasons(
        self,
        x: Any,
        n: int = 4,
        against: Literal["typical", "best"] = "typical",
        never: Iterable[str] = (),
        codes: Mapping[str, Any] | None = None,
        **words: Never,
    ) -> Reasons:
        """The principal reasons for a refusal: the features that speak most against x, compared with the good.

        Parameters
        ----------
        n : how many at most.
        against : what each feature is compared with: the value ``"typical"`` of the good rows of D, or the ``"best"``.
        never : features that are never named.
        codes : per feature the code and text that name it, in place of the Explainer's.
        """
        from geco.questions.reasons import reasons

        for word in words:
            raise SettingsError(f"reasons takes no {word}: it is about what the Explainer's own target refuses")
        return reasons(self._parts, x, n, against, never, codes, Clock(None))

    def nearest_row(self, x: Any, deadline: float | None = None, **words: Unpack[Asking]) -> NearestRow:
        """Who is like x and was approved: the nearest real row of D that is good and obeys the rules."""
        from geco.questions.nearest_row import nearest_row

        return nearest_row(self._parts.asked_with(Words.of(words)), x, Clock(deadline))

    def summary(
        self,
        explanations: Iterable[Explanation],
        by: str | Sequence[Any] | None = None,
        obstacles: int = 20,
        seed: int = 0,
    ) -> Summary:
        """How many can be helped, by what and at what cost; side by side per group, with the differences.

        Parameters
        ----------
        explanations : of ``explain_many``.
        by : a feature whose values make the groups, or a group for each explanation.
        obstacles : how many people, drawn by the seed, are asked what stands in their way; 0 for none.
        """
        from geco.questions.summary import summary

        return summary(self._parts, explanations, by, obstacles, seed)

    def plot_steps(self, explanation: Explanation, way: int = 1, ax: Axes | None = None) -> Axes:
        """The staircase of an answer: what the model says after each of its steps; needs matplotlib.

        Parameters
        ----------
        way : which of its answers, from 1.
        """
        from geco.questions.pictures.staircase import draw_steps

        goal = self._parts.model.goal
        bar = goal.threshold if goal.output == "probability" and not goal.by_lead else None
        return draw_steps(explanation, _way(explanation, way), bar, ax)

    def plot_strips(
        self, answer: Explanation | NearestRow | WhatIf, way: int = 1, figure: Figure | None = None
    ) -> Figure:
        """Where x and an answer stand among the people of D, a strip per changed feature; needs matplotlib.

        Parameters
        ----------
        answer : of ``explain``, ``smallest``, ``nearest_row`` or ``what_if``.
        way : which answer of an explanation, from 1.
        """
        from geco.questions.nearest_row import NearestRow
        from geco.questions.pictures.strips import Drawn, draw_strips
        from geco.questions.what_if import WhatIf

        if isinstance(answer, NearestRow | WhatIf):
            called = "row of D" if isinstance(answer, NearestRow) else "what if"
            drawn = Drawn(answer.changes, {}, called)
        else:
            chosen = _way(answer, way)
            cf = answer.counterfactuals[chosen - 1]
            drawn = Drawn(cf.changes, cf.ranges, "answer")
        if not drawn.changes:
            raise SettingsError("this answer changes nothing that could be drawn")
        return draw_strips(self._parts.domain, self._parts.wording, drawn, figure)


def _way(explanation: Explanation, way: int) -> int:
    if not isinstance(explanation, Explanation):
        raise SettingsError(f"explanation must be what explain returned, got {shown(explanation)}")
    found = len(explanation.counterfactuals)
    if not found:
        raise SettingsError("this explanation has no answer to draw")
    return whole("way", way, 1, found)
