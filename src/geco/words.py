"""Words: what somebody adds to one question, on top of what the Explainer was built with.

In: ``fixed``, ``only``, ``rules``, ``target``, ``margin`` and ``params`` as the user gives them. Out: the rules, the
target and the params that count for this question. Words that are left out stay as the Explainer has them.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, replace
from threading import Lock
from typing import Any, Generic, TypedDict, TypeVar

from geco.errors import SettingsError, did_you_mean, shown
from geco.given import not_negative
from geco.models.goal.target import Target
from geco.params import Params
from geco.plaf.checker import CheckedProgram
from geco.plaf.extra import as_written, check_extra
from geco.plaf.printer import print_program
from geco.plaf.syntax import FeatureList, Program
from geco.state import state_of

T = TypeVar("T")
RECENT = 16  # questions of which what was made is kept


class Asking(TypedDict, total=False):
    """The words that every question takes, see ``Explainer.explain``."""

    fixed: Iterable[str]
    only: Iterable[str]
    rules: str | Program
    target: Any
    margin: float
    params: Params


@dataclass(frozen=True)
class Words:
    """Checked as far as that needs no schema; what is None was left out."""

    fixed: tuple[str, ...] = ()
    only: tuple[str, ...] | None = None
    rules: str | Program = ""
    target: Any = None
    margin: float | None = None
    params: Params | None = None

    @classmethod
    def of(cls, given: Asking) -> Words | None:
        """As the user gave them; None if there are none."""
        if not given:
            return None
        unknown = [name for name in given if name not in cls.__dataclass_fields__]
        if unknown:
            known = list(cls.__dataclass_fields__)
            hint = did_you_mean(unknown[0], known) or f"; there are {', '.join(known)}"
            raise SettingsError(f"a question has no word {unknown[0]!r}{hint}")
        said: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
        for name in ("fixed", "only"):
            if name in said:
                said[name] = _names(name, said[name])
        words = cls(**said)
        words._check()
        return None if words == cls() else words

    def _check(self) -> None:
        if not isinstance(self.rules, str | Program):
            raise SettingsError(f"rules must be PLAF text or a Program, got {shown(self.rules)}")
        if self.params is not None and not isinstance(self.params, Params):
            raise SettingsError(f"params must be geco.Params(...), got {shown(self.params)}")
        if self.margin is not None:
            not_negative("margin", self.margin)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for a record; report/replay.py reads it back."""
        return {
            "fixed": list(self.fixed),
            "only": None if self.only is None else list(self.only),
            "rules": self.rules if isinstance(self.rules, str) else print_program(self.rules),
            "target": None if self.target is None else state_of(Target.of(self.target, 0.0)),
            "margin": self.margin,
            "params": None if self.params is None else state_of(self.params),
        }

    @property
    def key(self) -> Hashable:
        """The same for words that say the same."""
        return self.fixed, self.only, self.rules, repr(self.target), self.margin, repr(self.params)

    @property
    def aims(self) -> bool:
        """True if something else is good than usual."""
        return self.target is not None or self.margin is not None

    def aim(self, usual: Target) -> Target:
        """What is good: a threshold alone is about the usual labels, and a margin holds on until another is given."""
        target = usual if self.target is None else Target.of(self.target, 0.0)
        if self.target is not None and target.labels is None and target.interval is None:
            target = replace(target, labels=usual.labels)
        if self.margin is not None:
            return replace(target, margin=self.margin)
        return target if isinstance(self.target, Target) else replace(target, margin=usual.margin)

    def program(self, checked: CheckedProgram) -> tuple[CheckedProgram, tuple[str, ...]]:
        """The rules of the deployment and, after them, those of these words; and the words of the first of the latter.

        What ``only`` leaves out comes last and without words: nobody asks which of twenty features it keeps.
        """
        said = _read(self.rules) if isinstance(self.rules, str) else self.rules
        fixed = _columns("fixed", self.fixed, checked)
        others: list[str] = []
        if self.only is not None:
            lists = [s for s in checked.program.statements if isinstance(s, FeatureList) and s.word == "FIXED"]
            already = {*fixed, *(name for each in lists for name in each.features)}
            may = {*_columns("only", self.only, checked), *already}
            others = [name for name in checked.schema.names if name not in may]
        kept = [FeatureList("FIXED", tuple(names)) for names in (fixed, others) if names]
        extra = replace(said, statements=(*said.statements, *kept))
        if not extra.statements:
            return checked, ()
        texts = as_written(extra)
        return check_extra(checked, extra), tuple(texts[: len(texts) - len(others)])


def _read(rules: str) -> Program:
    if not rules:
        return Program(())
    from geco.plaf.parser import parse_plaf  # with it comes the grammar, which few questions need

    return parse_plaf(rules, "rules")


def _names(word: str, given: Any) -> tuple[str, ...]:
    names = (given,) if isinstance(given, str) else given
    try:
        listed = tuple(names)
    except Exception:
        listed = (names,)
    for name in listed:
        if not isinstance(name, str):
            raise SettingsError(f"{word} must be a list of features, got {shown(given)}")
    return tuple(dict.fromkeys(listed))


def _columns(word: str, names: Iterable[str], checked: CheckedProgram) -> list[str]:
    """Features; the name of a ONEHOT set stands for its columns."""
    onehots = {group.onehot: group.features for group in checked.groups if group.onehot}
    found: list[str] = []
    for name in names:
        if name not in checked.schema and name not in onehots:
            hint = did_you_mean(name, [*checked.schema.names, *onehots])
            raise SettingsError(f"{word}: D has no feature {shown(name)}{hint}")
        found += onehots.get(name, (name,)) if name not in checked.schema else (name,)
    return list(dict.fromkeys(found))


class Recent(Generic[T]):
    """What was made for the last few keys, so that whoever asks again does not wait for it."""

    def __init__(self, most: int = RECENT) -> None:
        self._most, self._made, self._lock = most, OrderedDict[Hashable, T](), Lock()

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        """What this key stands for; made if it is not there. Two threads may both make it: one of them is kept."""
        with self._lock:
            if key in self._made:
                self._made.move_to_end(key)
                return self._made[key]
        made = make()
        with self._lock:
            self._made[key] = made
            while len(self._made) > self._most:
                self._made.popitem(last=False)
        return made
