"""An Explanation as text for a terminal. Values are printed exactly; only distances and outcomes are shortened."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from geco.answers.scale import Scale
from geco.answers.speech import NAMED, Speech, is_quantity
from geco.answers.texts import Texts
from geco.answers.values import shorten

if TYPE_CHECKING:
    from geco.answers.explanation import Action, Counterfactual, Explanation

ARROW = "▶"
WIDEST = 60  # of the changes: with the figures behind them a line fits a terminal


def as_text(explanation: Explanation, language: str = "en") -> str:
    """Several lines for a terminal; the first shows the model's answer for x."""
    return _Text(explanation, Speech(explanation.wording, language)).text()


class _Text:
    def __init__(self, explanation: Explanation, speech: Speech) -> None:
        self.explanation, self.speech, self.texts = explanation, speech, speech.texts
        self.limit = Scale.of(explanation, speech).limit

    def text(self) -> str:
        explanation, texts = self.explanation, self.texts
        says = texts.model_says.format(number=shortened(explanation.outcome, texts, self.limit))
        target = target_in_words(explanation, texts)
        lines = [f"{says}, {texts.wanted.format(target=target)}", *self._ways(), *self._order()]
        if explanation.status == "found" and explanation.good:
            lines.append(self.texts.x_breaks)
        if explanation.status != "found":
            lines.append(self._ended())
        lines += fewer_ways(explanation, self.speech)
        if explanation.proven is not None and explanation.status == "found":
            lines.append(proof_in_words(explanation, self.speech))
        if explanation.nearest_miss is not None:
            miss = changes_in_words(explanation.nearest_miss, self.speech)
            lines.append(f"{texts.nearest_miss}: {miss}   {self._figures(explanation.nearest_miss)}")
        lines += [f"{texts.note}: {note}" for note in explanation.notes]
        return "\n".join(lines)

    def _ended(self) -> str:
        explanation, status = self.explanation, self.texts.statuses[self.explanation.status]
        if self.texts is not Speech(explanation.wording).texts:
            return status  # the reason is in English
        return f"{status} ({explanation.stopped_by}): {explanation.reason}"

    def _ways(self) -> list[str]:
        cfs = self.explanation.counterfactuals
        folded = [_folded([_change(cf, action, self.speech) for action in cf.changes]) for cf in cfs]
        width = max((len(first) for first, *_ in folded), default=0)
        lines = []
        for number, (cf, (first, *more)) in enumerate(zip(cfs, folded, strict=True), 1):
            lines.append(f"{number}. {first:<{width}}   {self._figures(cf)}")
            lines += [f"   {line}" for line in more]
            required = self.texts.required
            lines += [
                f"   * {self.speech.title(a.feature)}: {required.format(rule=rule_in_words(a.required_by))}"
                for a in cf.changes
                if a.required_by
            ]
            bound = [rule for rule in cf.binding if not rule.startswith("FIXED ")]  # what is fixed always is
            lines += [f"   {self.texts.at_limit}: {rule_in_words(rule)}" for rule in bound]
        return lines

    def _order(self) -> list[str]:
        far = [cf.distance for cf in self.explanation.counterfactuals]
        rounded = any(cf.unrounded is not None for cf in self.explanation.counterfactuals)
        return [self.texts.order] if rounded and far != sorted(far) else []

    def _figures(self, cf: Counterfactual) -> str:
        doubt = "" if cf.confirmed else f"   {self.texts.not_confirmed}"
        far = self.texts.distance.format(number=shortened(cf.distance, self.texts))
        label = "" if cf.predicted is None else f" ({self.speech.value('', cf.predicted)})"
        return f"{far}   M {shortened(cf.outcome, self.texts, self.limit)}{label}{doubt}"


def target_in_words(explanation: Explanation, texts: Texts) -> str:
    """What counts as good, a probability in the language's own signs."""
    what, over, limit = explanation.target.rpartition(" > ")
    return what + over + (limit.replace(".", texts.decimal) if what.startswith("P(") else limit)


def shortened(number: object, texts: Texts, beyond: float | None = None) -> str:
    """A few digits, in the language's own signs; never those of the limit that it is beyond."""
    text = shorten(number, beyond)
    if not is_quantity(number) or texts.decimal == ".":
        return text
    return text.translate(str.maketrans(",.", texts.thousands + texts.decimal))


def _folded(changes: Sequence[str]) -> list[str]:
    """As few lines as can be, none of several changes past the widest."""
    lines = [""]
    for change in changes:
        longer = f"{lines[-1]}, {change}" if lines[-1] else change
        if lines[-1] and len(longer) >= WIDEST:  # a comma may follow
            lines[-1] += ","
            lines.append(change)
        else:
            lines[-1] = longer
    return lines


def changes_in_words(cf: Counterfactual, speech: Speech) -> str:
    """``income 4,587 ▶ 4,787, housing rent ▶ own``; a change that a rule requires has a star."""
    return ", ".join(_change(cf, action, speech) for action in cf.changes)


def _change(cf: Counterfactual, action: Action, speech: Speech) -> str:
    before, after = (speech.value(action.feature, value) for value in (action.before, action.after))
    star = "*" if action.required_by else ""
    return f"{speech.title(action.feature)} {before} {ARROW} {after}{star}{span(cf, action.feature, speech)}"


def span(cf: Counterfactual, feature: str, speech: Speech) -> str:
    """`` [4,787 … 5,600]``: what else would do, the rest as here; empty if nothing would."""
    run = cf.ranges.get(feature)
    if run is None:
        return ""
    if run.others:
        named = [speech.value(feature, other) for other in run.others[:NAMED]]
        return f" [{' | '.join(speech.and_more(named, len(run.others)))}]"
    return "" if run.low == run.high else f" [{speech.value(feature, run.low)} … {speech.value(feature, run.high)}]"


def fewer_ways(explanation: Explanation, speech: Speech) -> list[str]:
    """``3 of 5 ways: the time was up``; nothing where there are as many as were asked for."""
    found, texts = len(explanation.counterfactuals), speech.texts
    if not found or explanation.k is None or found >= explanation.k:
        return []
    why = texts.why.get(explanation.stopped_by, explanation.stopped_by)
    return [texts.fewer.format(found=found, asked=explanation.k, why=why)]


def rule_in_words(rule: str | None) -> str:
    """The rule without its leading keyword."""
    return (rule or "").removeprefix("PLAF ")


def proof_in_words(explanation: Explanation, speech: Speech) -> str:
    """Whether a nearer answer may exist; where the first was rounded, what is nearer."""
    texts, first = speech.texts, explanation.counterfactuals[0]
    if not explanation.proven:
        return texts.not_proved.format(gap=shortened(explanation.gap, texts))
    if first.unrounded is not None:
        exact = first.unrounded.values
        moved = [a.feature for a in first.changes if a.feature in exact and exact[a.feature] != first.values[a.feature]]
        return (texts.rounder if len(moved) == 1 else texts.rounder_each).format(
            exact=speech.listed([f"{speech.name(f)} {speech.value(f, exact[f])}" for f in moved]),
            round=speech.listed([speech.value(f, first.values[f]) for f in moved]),
        )
    found = len(explanation.counterfactuals)
    return texts.proved_ways.format(number=found) if explanation.proven_ways == found > 1 else texts.proved
