"""Explanation: what comes out. Counterfactuals made of Actions, a status with its reason, and the Trace.

All values are the user's raw ones, exactly as they were scored. How they read is in text.py, html.py and sentences.py.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import numpy as np

from geco.answers.asked import Asked
from geco.answers.columns import column_dtype, free_name, range_columns
from geco.answers.html import as_html
from geco.answers.labels import Wording
from geco.answers.made import Made
from geco.answers.plans import MOST as MOST_PLANS
from geco.answers.plans import Plans, plans
from geco.answers.range import Range
from geco.answers.sentences import sentence
from geco.answers.sheet import sheet
from geco.answers.step import Step
from geco.answers.text import as_text
from geco.answers.values import plain, plain_name
from geco.errors import DataError, GecoError, shown
from geco.files import write_text
from geco.trace import Trace

if TYPE_CHECKING:
    import pandas as pd

Status = Literal["found", "already_good", "none_found", "infeasible", "failed"]
StoppedBy = Literal["converged", "exhausted", "budget", "deadline", "error"]


T = TypeVar("T")


def completed(made: T, /, **known: Any) -> T:
    """The same object with what became known since it was made, for whoever made it and gave it to nobody yet.

    A copy of an explanation takes longer than some of its parts.
    """
    for name, value in known.items():
        object.__setattr__(made, name, value)
    return made


@dataclass(frozen=True)
class Action:
    """One change. ``feature`` is a feature, or the name of a ONEHOT group whose values are then categories.

    ``required_by`` is the canonical text of the rule that forced the change: undone alone, it would break that rule.
    ``asks`` is what the rule asks for, where that is a limit of one feature. ``categorical`` says that numbers are only
    codes, so that no one is told to raise a postcode.
    """

    feature: str
    before: Any
    after: Any
    required_by: str | None = None
    categorical: bool = False
    asks: Asked | None = None

    def to_dict(self) -> dict[str, Any]:
        return {
            "feature": self.feature,
            "before": plain(self.before),
            "after": plain(self.after),
            "required_by": self.required_by,
            "categorical": bool(self.categorical),
            "asks": self.asks.to_dict() if self.asks else None,
        }


PARTS = frozenset({"changes", "groups", "ranges", "steps"})  # of a counterfactual, that may be put together later


@dataclass(frozen=True)
class Counterfactual:
    """x_cf: all raw features, what changed, how far it is, and the model's number for it.

    ``confirmed`` is True if the user's model object called it good; ``groups`` names the changed groups. ``binding``
    are those of the rules added to the question that are at their limit here: the next value of D would break them.
    ``ranges`` has per changed feature what else would do, one at a time, the rest as here. ``steps`` are the changes in
    an order that the rules allow, with the outcome after each.
    ``unrounded`` is what the search found where that is not as round. ``predicted`` is the class that the model then
    predicts, where it has more than two.
    """

    values: dict[str, Any]
    changes: tuple[Action, ...]
    distance: float
    outcome: float
    confirmed: bool
    groups: tuple[str, ...] = field(default_factory=tuple)
    binding: tuple[str, ...] = ()
    ranges: Mapping[str, Range] = field(default_factory=dict)
    steps: tuple[Step, ...] = field(default_factory=tuple)
    unrounded: Counterfactual | None = None
    predicted: Any = None

    @classmethod
    def of(cls, behind: Callable[[str, Counterfactual], Any], **known: Any) -> Counterfactual:
        """One of which so much is known; ``behind`` gives its other parts by name, once somebody looks at them."""
        made = object.__new__(cls)
        made.__dict__.update(known, _behind=behind)
        return made

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """What was not looked at before."""
            behind = self.__dict__.get("_behind")
            if behind is None or name not in PARTS:
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            return getattr(completed(self, **{name: behind(name, self)}), name)

    def __getstate__(self) -> dict[str, Any]:
        """A copy, and what is sent to another process, has all parts."""
        return {each.name: getattr(self, each.name) for each in fields(self)}

    def to_dict(self) -> dict[str, Any]:
        return {
            "values": {name: plain(value) for name, value in self.values.items()},
            "changes": [action.to_dict() for action in self.changes],
            "distance": float(self.distance),
            "outcome": plain(self.outcome),
            "confirmed": bool(self.confirmed),
            "groups": list(self.groups),
            "binding": list(self.binding),
            "ranges": {feature: run.to_dict() for feature, run in self.ranges.items()},
            "steps": [step.to_dict() for step in self.steps],
            "unrounded": self.unrounded.to_dict() if self.unrounded else None,
            "predicted": plain(self.predicted),
        }


@dataclass(frozen=True)
class Explanation:
    """The answer to one question; empty ``counterfactuals`` come with a ``reason``.

    Attributes
    ----------
    x : the instance as it was given.
    outcome : the model's number for x.
    target : what counts as good, in words.
    status : found, already_good, none_found or infeasible; in a batch also failed, where ``explain`` would raise.
    stopped_by : converged, exhausted, budget or deadline; error if failed.
    reason : one sentence saying why the search ended as it did.
    counterfactuals : different ways to a good outcome, best first.
    nearest_miss : when nothing good was found, the allowed candidate with the highest outcome.
    notes : warnings, such as rules skipped because a value of x is missing.
    proven : whether it is proved that nothing allowed is nearer than the first answer (or, where nothing was found,
        that there is none at all). None where there is no proof to be had, or none was asked for.
    gap : how much nearer than the first another answer may be; 0 if proven.
    proven_ways : how many of the answers, from the first, are proved to be the nearest ways in this order.
    k : how many ways were asked for; None where that is not known.
    good : the model says yes to x itself; with status "found" x then breaks a rule. None where that is not known.
    seconds : wall-clock time of the whole call, in a batch the share of this row. Like ``trace``, it does not count
        when two explanations are compared.
    wording : how people are told of the features.
    made : how it came about, to check it or to make it again; None where it was put together by hand.
    """

    x: dict[str, Any]
    outcome: float
    target: str
    status: Status
    stopped_by: StoppedBy
    reason: str
    counterfactuals: tuple[Counterfactual, ...] = ()
    nearest_miss: Counterfactual | None = None
    notes: tuple[str, ...] = ()
    proven: bool | None = None
    gap: float | None = None
    proven_ways: int | None = None
    k: int | None = None
    good: bool | None = None
    seconds: float = field(default=0.0, compare=False)
    trace: Trace = field(default_factory=Trace, compare=False, repr=False)
    wording: Wording = field(default_factory=Wording, compare=False, repr=False)
    made: Made | None = field(default=None, compare=False, repr=False)

    def to_dict(self) -> dict[str, Any]:
        """Plain data as described by docs/explanation.schema.json: dates are ISO text, missing values are None."""
        return {
            "x": {plain_name(name): plain(value) for name, value in self.x.items()},
            "outcome": plain(self.outcome),
            "target": self.target,
            "status": self.status,
            "stopped_by": self.stopped_by,
            "reason": self.reason,
            "counterfactuals": [cf.to_dict() for cf in self.counterfactuals],
            "nearest_miss": self.nearest_miss.to_dict() if self.nearest_miss else None,
            "notes": list(self.notes),
            "proven": None if self.proven is None else bool(self.proven),
            "gap": None if self.gap is None else float(self.gap),
            "proven_ways": None if self.proven_ways is None else int(self.proven_ways),
            "k": self.k,
            "good": self.good,
            "seconds": float(self.seconds),
            "trace": self.trace.to_dict(),
            "made": None if self.made is None else self.made.to_dict(),
        }

    def to_json(self, indent: int | None = None) -> str:
        """``to_dict`` as standard JSON."""
        return json.dumps(self.to_dict(), indent=indent, ensure_ascii=False, allow_nan=False)

    @staticmethod
    def from_dict(data: Mapping[str, Any]) -> Explanation:
        """What ``to_dict`` gave, for `Explainer.recheck` and for texts; values are as JSON has them."""
        from geco.answers.reading import read_explanation

        return read_explanation(data)

    @staticmethod
    def from_json(text: str | bytes) -> Explanation:
        """What ``to_json`` gave."""
        try:
            data = json.loads(text)
        except (TypeError, ValueError) as error:
            raise DataError(f"this is not JSON: {error}") from error
        return Explanation.from_dict(data)

    def to_frame(self) -> pd.DataFrame:
        """Row 0 is x, then one row per counterfactual: the features, distance and outcome, and per changed feature what
        else would do, as ``income_low`` and ``income_high`` or ``job_others``.

        If a feature is itself called distance or outcome, our column gets an underscore at its end. What is missing is
        NaN, as pandas reads it from files: an imputer of scikit-learn would take None for a value.
        """
        try:
            import pandas as pd
        except ImportError as error:
            raise GecoError("to_frame needs pandas, which is not installed; install it or use to_dict()") from error
        rows = [self.x, *(cf.values for cf in self.counterfactuals)]
        columns = {name: [np.nan if row[name] is None else row[name] for row in rows] for name in self.x}
        columns[free_name("distance", self.x)] = [0.0, *(cf.distance for cf in self.counterfactuals)]
        columns[free_name("outcome", self.x)] = [self.outcome, *(cf.outcome for cf in self.counterfactuals)]
        columns |= range_columns([None, *self.counterfactuals], columns)
        return pd.DataFrame({name: pd.Series(values, dtype=column_dtype(values)) for name, values in columns.items()})

    def sentence(self, cf: Counterfactual, language: str = "en") -> str:
        """What to do, in plain words: ``Raise income from 4,587 to 4,787 and change housing from rent to own.``

        ``language`` is "en" or "de".
        """
        if not isinstance(cf, Counterfactual):
            raise TypeError(f"sentence takes one of explanation.counterfactuals, got {shown(cf)}")
        return sentence(cf, self.x, self.wording, language)

    def sentences(self, language: str = "en") -> list[str]:
        """The same for every answer, nearest first."""
        return [self.sentence(cf, language) for cf in self.counterfactuals]

    def text(self, language: str = "en") -> str:
        """What ``print`` shows, in "en" or "de"."""
        return as_text(self, language)

    def plans(self, language: str = "en", most: int = MOST_PLANS) -> Plans:
        """What a person is told: the decision, a few plans of single steps, what stays as it is."""
        return plans(self, language, most)

    def to_html(
        self,
        path: str | PathLike[str] | None = None,
        *,
        language: str = "en",
        reasons: Iterable[object] = (),
        plans: int = MOST_PLANS,
    ) -> str:
        """One self-contained page to hand out, with its evidence; gives the HTML, and writes it where a path is given.

        Parameters
        ----------
        path : of the file; an older one is replaced.
        language : ``"en"`` or ``"de"``.
        reasons : what ``explainer.reasons(x)`` gave, or texts; under a heading of their own.
        plans : how many at most.
        """
        html = sheet(self, language, [str(reason) for reason in reasons], plans)
        if path is not None:
            write_text(path, html)
        return html

    def __str__(self) -> str:
        return as_text(self)

    def _repr_html_(self) -> str:
        return as_html(self)
