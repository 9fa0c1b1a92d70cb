"""What to do, in plain words: what the person does first, then what the rules ask for because of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any

from geco.answers.asked import Asked, asked
from geco.answers.labels import Wording
from geco.answers.speech import NAMED, Speech, digits, is_quantity, shorter
from geco.answers.text import rule_in_words
from geco.answers.values import is_missing

if TYPE_CHECKING:
    from geco.answers.explanation import Action, Counterfactual
    from geco.answers.range import Range

DECIMALS = 4  # more of them in what is now are not worth reading
_IN_ONE_BREATH = 2  # changes
_NOTICED = 20  # the part of a change that people notice when less would do: a twentieth
_NOTHING = 1000  # the part of it, and of the value, that is not worth reading


def sentence(cf: Counterfactual, x: Mapping[str, Any], wording: Wording | None = None, language: str = "en") -> str:
    """What to do, in plain words.

    Examples
    --------
    >>> from geco.answers.explanation import Action, Counterfactual
    >>> changes = (Action("income", 4587, 4787), Action("housing", "rent", "own"))
    >>> print(sentence(Counterfactual({}, changes, 0.1, 0.7, True), {}))
    Raise income from 4,587 to 4,787 and change housing from rent to own.
    """
    return Told(cf, x, Speech(wording or Wording(), language)).text()


class Told:
    """One answer in words: all of it, or change by change."""

    def __init__(self, cf: Counterfactual, x: Mapping[str, Any], speech: Speech) -> None:
        self.cf, self.x, self.speech, self.texts = cf, x, speech, speech.texts
        self.brackets = 0

    def text(self) -> str:
        if not self.cf.changes:
            return self.texts.nothing
        asks = self._asks
        lead = [a for a in self.cf.changes if a.required_by is None] or self._leaders(asks)
        parts = [self._together(lead)] if lead else []
        for rule, what in asks.items():
            forced = [a for a in self.cf.changes if a.required_by == rule and a not in lead]
            if forced:
                parts.append(self._forced(rule, what, forced))
        if self.brackets > 1:
            parts.append(self.texts.one_at_a_time.rstrip("."))
        if self.cf.predicted is not None:
            parts.append(self.texts.predicted.format(label=self.speech.value("", self.cf.predicted)).rstrip("."))
        return " ".join(f"{part[0].upper()}{part[1:]}." for part in parts)

    def in_order(self) -> list[Action]:
        """What the person does first, then what the rules ask for because of it."""
        lead = [a for a in self.cf.changes if a.required_by is None] or self._leaders(self._asks)
        return [*lead, *(a for a in self.cf.changes if a not in lead)]

    def rule(self, action: Action) -> str:
        """What the rules ask for, of a change that they require; empty for others."""
        if action.required_by is None or action in self._leaders(self._asks):
            return ""
        what = self._asks[action.required_by]
        return self._forced(action.required_by, what, [action], "").strip(": ;")  # what to do stands elsewhere

    @property
    def _asks(self) -> dict[str, Asked | None]:
        values = self._values
        required = ((a.required_by, a) for a in self.cf.changes if a.required_by)
        return {rule: a.asks or asked(rule, self.x, values, a.feature) for rule, a in required}

    @property
    def _values(self) -> dict[str, Any]:
        return {**self.x, **{a.feature: a.after for a in self.cf.changes}, **self.cf.values}

    def _leaders(self, asks: Mapping[str, Asked | None]) -> list[Action]:
        """Where every change is required: the first that the condition of another's rule speaks of."""
        for action in self.cf.changes:
            others = (what for rule, what in asks.items() if rule != action.required_by and what is not None)
            if any(action.feature in what.after for what in others):
                return [action]
        return []

    def _together(self, actions: Sequence[Action]) -> str:
        """Two in one breath, more of them one after the other."""
        phrases = [self.phrase(action) for action in actions]
        if len(phrases) <= _IN_ONE_BREATH:
            return self.speech.listed(phrases)
        return self.texts.together.format(actions=self.speech.begun("; ".join(phrases)))

    def _forced(self, rule: str, what: Asked | None, forced: Sequence[Action], action: str | None = None) -> str:
        """The rules ask for age of 47 or more: raise age from 45 to 47. Or what to do elsewise, in these words."""
        action = self.speech.listed([self.phrase(each) for each in forced]) if action is None else action
        if what is None or what.feature is None:
            return self.texts.asked.format(
                asked=self.speech.quoted(rule_in_words(rule)), action=self.speech.begun(action)
            )
        if all(each.feature in self.x and each.feature != what.feature for each in forced):
            return self._otherwise(rule, what, forced, action)
        limit = self._limit(what)
        further = [each for each in forced if each.feature == what.feature and self._goes_further(each)]
        if action and further:
            action += self.texts.further_than if any(map(self._less_would_do, further)) else self.texts.further
        action = self.speech.begun(action)
        if not what.after:
            return self.texts.asked.format(asked=limit, action=action)
        names = self.speech.listed([self.speech.spoken(f) for f in what.after])
        return self.texts.asked_after.format(names=names, asked=limit, action=action)

    def _otherwise(self, rule: str, what: Asked, forced: Sequence[Action], action: str) -> str:
        """What changes is not what the rule would ask for: lower family from 6 to 4; if that stays as it is, …"""
        undone = {**self._values, **{each.feature: each.before for each in forced}}
        told = asked(rule, self.x, undone, what.feature)
        limit = self.speech.quoted(rule_in_words(rule)) if told is None or told.feature is None else self._limit(told)
        return self.texts.otherwise.format(asked=limit, action=action)

    def _limit(self, what: Asked) -> str:
        assert what.feature is not None
        name = self.speech.spoken(what.feature)
        told = [self.speech.value(what.feature, value) for value in what.values]
        if what.op == "between":
            return self.texts.limits["between"].format(name=name, low=told[0], high=told[1])
        return self.texts.limits[what.op].format(name=name, value=self.speech.listed(told, self.texts.or_))

    def _goes_further(self, action: Action) -> bool:
        """The rules would be content with a value nearer to x, and the model is not."""
        run = self.cf.ranges.get(action.feature)
        if run is None or not (is_quantity(action.before) and is_quantity(action.after)):
            return False
        return not (run.least if action.after > action.before else run.most)

    def _less_would_do(self, action: Action) -> bool:
        """A value that is noticeably nearer to x would do as well; this one may be rounder."""
        run = self.cf.ranges.get(action.feature)
        if run is None or run.low == run.high or is_missing(action.before) or not self.counts(action):
            return False
        before, after = digits(action.before), digits(action.after)
        nearer = digits(run.low if after > before else run.high)
        return abs(after - nearer) * _NOTICED > abs(after - before)

    def phrase(self, action: Action) -> str:
        texts, name = self.texts, self.speech.spoken(action.feature)
        before, after, *_ = self._values_in_words(action)
        if is_missing(action.after):
            return texts.leave.format(name=name)
        if is_missing(action.before):
            return texts.state.format(name=name, after=after)
        if isinstance(action.after, date):
            return texts.move.format(name=name, before=before, after=after) + self._bracket(action)
        if not self.counts(action):
            return texts.change.format(name=name, before=before, after=after) + self._bracket(action)
        rises = digits(action.after) > digits(action.before)
        label = self.speech.label(action.feature)
        verb = (label.up or texts.up) if rises else (label.down or texts.down)
        open_ = self.open(action, rises)
        bare = self.speech.value(action.feature, action.after, unit=False)
        now = self.now(action, unit=after == bare)  # once is enough
        form = self._form(now is not None, rises, open_)
        bracket = "" if open_ else self._bracket(action)
        return form.format(verb=verb, name=name, before=now, value=after) + bracket

    def now(self, action: Action, unit: bool = True) -> str | None:
        """What a quantity is today, rounded where it has many decimals; None where that would hide the change."""
        before, after = digits(action.before), digits(action.after)
        room = min(abs(after - before) / _NOTICED, abs(before) / 100)
        return self.speech.about(action.feature, action.before, room, DECIMALS, unit)

    def _form(self, now: bool, rises: bool, open_: bool) -> str:
        """From where to where; only to where, if the first has too many digits to be worth reading."""
        texts = self.texts
        if not now:
            return (texts.setting_at_least if rises else texts.setting_at_most) if open_ else texts.setting
        return (texts.moving_at_least if rises else texts.moving_at_most) if open_ else texts.moving

    def _values_in_words(self, action: Action, others: Sequence[Any] = ()) -> list[str]:
        """Before, after and what else would do; in quotes if one of them needs it."""
        run = self.cf.ranges.get(action.feature)
        all_of_them = [action.before, action.after, *(run.others[:NAMED] if run else ())]
        return self.speech.values(action.feature, [action.before, action.after, *others], all_of_them)

    def counts(self, action: Action) -> bool:
        """A quantity: neither a code nor a flag, and its values have no names."""
        if self.speech.named(action.feature, action.after) is not None:
            return False
        flag = action.feature in self.speech.wording.flags and {action.before, action.after} <= {0, 1}
        return not action.categorical and not flag and is_quantity(action.before) and is_quantity(action.after)

    def open(self, action: Action, rises: bool) -> bool:
        """Everything beyond the value will do as well, as far as D goes, and nothing else has to change.

        Where only the rules end it people would still read "at least" as a promise about what lies beyond, and where
        less would do they would read it as the least.
        """
        return self._endless(action, rises) and not self._less_would_do(action)

    def _endless(self, action: Action, rises: bool) -> bool:
        run = self.cf.ranges.get(action.feature)
        if run is None or len(self.cf.changes) > 1 or run.low == run.high:
            return False
        if rises:
            return run.most and run.highest and run.high > action.after
        return run.least and run.lowest and run.low < action.after

    def _bracket(self, action: Action) -> str:
        """What else would do."""
        run = self.cf.ranges.get(action.feature)
        told = None if run is None else self.others(action, run)
        if told is None:
            return ""
        self.brackets += 1
        return f" ({told}{self._caveat})"

    @property
    def _caveat(self) -> str:
        """Said in the bracket if it is the only one, and there is a rest."""
        runs = sum(self.others(a, run) is not None for a, run in self._runs())
        return f", {self.texts.rest}" if len(self.cf.changes) > 1 and runs == 1 else ""

    def _runs(self) -> Iterator[tuple[Action, Range]]:
        for action in self.cf.changes:
            if action.feature in self.cf.ranges and not is_missing(action.before) and not is_missing(action.after):
                yield action, self.cf.ranges[action.feature]

    def others(self, action: Action, run: Range) -> str | None:
        texts = self.texts
        if run.others:
            others = self._values_in_words(action, run.others[:NAMED])[2:]
            return texts.others.format(
                others=self.speech.listed(self.speech.and_more(others, len(run.others)), texts.or_)
            )
        if action.categorical or run.low == run.high:
            return None
        if self._less_would_do(action):
            return self.would_do(action, run)
        if self._as_good_as_none(action, run):
            return None
        if action.after > action.before:
            return texts.up_to.format(end=self._end(action, run.high)) if run.high > action.after else None
        return texts.down_to.format(end=self._end(action, run.low)) if run.low < action.after else None

    def would_do(self, action: Action, run: Range) -> str:
        """All of the range."""
        rises = digits(action.after) > digits(action.before)
        low, high = self._end(action, run.low), self._end(action, run.high)
        if self._endless(action, rises):
            return (self.texts.would_do_from if rises else self.texts.would_do_to).format(low=low, high=high)
        low = self.speech.value(action.feature, self._short(action, run.low), unit=False)
        return self.texts.would_do.format(low=low, high=high)

    def _end(self, action: Action, end: Any) -> str:
        """The end of a range; one of many decimals a little inside of it, where that has few."""
        return self.speech.value(action.feature, self._short(action, end) if self.counts(action) else end)

    def _short(self, action: Action, end: Any) -> Any:
        return shorter(end, action.after, DECIMALS)

    def _as_good_as_none(self, action: Action, run: Range) -> bool:
        """The range ends a hair beyond the value."""
        if not self.counts(action):
            return False
        before, after = digits(action.before), digits(action.after)
        beyond = abs(digits(run.high if after > before else run.low) - after)
        return beyond * _NOTHING < min(abs(after - before), abs(after))
