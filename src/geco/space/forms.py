"""Rules before x is known: what of their grounding is the same for every x, worked out once per deployment."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

from geco.data.domain import Domain
from geco.plaf.printer import print_rule
from geco.plaf.syntax import (
    Arithmetic,
    Between,
    Comparison,
    Expression,
    Member,
    Negate,
    Number,
    Predicate,
    Ref,
    Rule,
    Text,
    refs_of,
)
from geco.space.exact import exact_predicate


class PredicateForm:
    """A predicate before x is known: what of it grounding replaces by a value.

    ``slots`` are its largest parts that say nothing about x_cf, left to right, literals aside. Where floats would round
    what it compares, ``exact`` says how it is compared instead. ``width`` is how many constants grounding gives.
    Most are about features of x as they are: ``plain`` names those in its slots, ``sides`` has those that it compares,
    or the numbers that they are compared with; None where there is more to it.
    """

    def __init__(self, predicate: Predicate, domain: Domain | None = None) -> None:
        self.predicate = predicate
        self.slots = tuple(slot for part in _parts(predicate) for slot in _slots(part))
        self.exact = None if domain is None else exact_predicate(predicate, domain)
        self.width = len(self.slots) if self.exact is None else 2 * len(self.exact.sums)
        self.features = frozenset(ref.feature for ref in refs_of(predicate) if ref.owner == "x_cf")
        self.decidable = isinstance(predicate, Comparison) and not self.features
        refs = [slot.feature for slot in self.slots if isinstance(slot, Ref)]
        self.plain = tuple(refs) if self.exact is None and len(refs) == len(self.slots) else None
        sides = [_side(part) for part in _parts(predicate)]
        self.sides = (sides[0], sides[1]) if self.decidable and self.exact is None and None not in sides else None


class RuleForm:
    """What grounding needs of a rule that is the same for every x; ``domain`` says what floats would round."""

    def __init__(self, rule: Rule, domain: Domain | None = None) -> None:
        self.rule = rule
        self.antecedents = tuple(PredicateForm(p, domain) for p in rule.antecedents)
        self.consequent = PredicateForm(rule.consequent, domain)
        self.features = frozenset(f for p in (*self.antecedents, self.consequent) for f in p.features)
        # Without a condition, and about features of x as they are: all that most rules need of x.
        always = not self.antecedents and not self.consequent.decidable
        self.quick = (self.consequent.plain or ()) if always else ()

    @cached_property
    def one_way(self) -> bool:
        """FIXED, INCREASE, DECREASE, or an equality: that a counter at 0 which may only fall stays is no news."""
        match self.rule.consequent:
            case Comparison("=", _, _):
                return True
            case Comparison("<=" | ">=" | "<" | ">", Ref(_, f), Ref(_, g)):
                return f == g and not self.rule.antecedents
            case _:
                return False

    @cached_property
    def text(self) -> str:
        """The rule as the user wrote it, in canonical form."""
        return print_rule(self.rule)


def _parts(predicate: Predicate) -> tuple[Expression, ...]:
    match predicate:
        case Comparison(_, left, right):
            return left, right
        case Member(operand, _):
            return (operand,)
        case Between(operand, low, high):
            return operand, low, high


def _side(part: Expression) -> Any:
    match part:
        case Ref(_, feature):
            return feature
        case Number(value):
            return value
        case _:
            return None


def _slots(expression: Expression) -> Iterator[Expression]:
    if isinstance(expression, Number | Text):
        return
    if all(ref.owner == "x" for ref in refs_of(expression)):
        yield expression
    elif isinstance(expression, Negate):
        yield from _slots(expression.operand)
    elif isinstance(expression, Arithmetic):
        yield from _slots(expression.left)
        yield from _slots(expression.right)
