"""Does a rule say anything? Constant predicates, and rules that never speak of x_cf."""

from __future__ import annotations

import operator

from geco.plaf.diagnostics import Report
from geco.plaf.printer import print_name, print_predicate
from geco.plaf.syntax import Arithmetic, Comparison, Expression, Negate, Number, Predicate, Rule, Text, refs_of

_HOLDS = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_ARITHMETIC = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv}


def warn_of_nonsense(rule: Rule, report: Report) -> None:
    """Warn of what is always true, never true, or says nothing about x_cf."""
    for predicate in rule.antecedents:
        truth = truth_of(predicate)
        if truth is not None:
            rest = "is always true" if truth else "is never true, so this rule never applies"
            report.warning("constant", f"{print_predicate(predicate)} {rest}", predicate.span, "remove it")
    truth = truth_of(rule.consequent)
    if truth is True:
        message = f"{print_predicate(rule.consequent)} is always true, so this rule says nothing"
        report.warning("constant", message, rule.consequent.span, "remove the rule")
    elif truth is False and not rule.antecedents:
        message = f"{print_predicate(rule.consequent)} is never true, so no counterfactual is allowed"
        help_line = "name what must not happen: PLAF IF … THEN 1 = 2"
        report.warning("constant", message, rule.consequent.span, help_line)
    elif truth is None or rule.antecedents:
        refs = [r for p in (*rule.antecedents, rule.consequent) for r in refs_of(p)]
        if refs and all(r.owner == "x" for r in refs):
            message = "this rule says nothing about x_cf"
            help_line = f"write x_cf.{print_name(refs[-1].feature)} for the counterfactual's value"
            report.warning("no-x_cf", message, rule.span, help_line)


def constant(expression: Expression) -> float | None:
    """The value of an expression made of numbers only, or None."""
    match expression:
        case Number(value):
            return value
        case Negate(operand):
            inner = constant(operand)
            return None if inner is None else -inner
        case Arithmetic(op, left, right):
            a, b = constant(left), constant(right)
            if a is None or b is None or (op == "/" and b == 0):
                return None
            return float(_ARITHMETIC[op](float(a), float(b)))  # as floats: huge integers would overflow
        case _:
            return None


def truth_of(predicate: Predicate) -> bool | None:
    """True or False if the predicate cannot be otherwise, else None."""
    if not isinstance(predicate, Comparison):
        return None
    left, right = predicate.left, predicate.right
    if left == right and any(True for _ in refs_of(left)):
        return predicate.op in ("=", "<=", ">=")
    a, b = constant(left), constant(right)
    if a is not None and b is not None:
        return bool(_HOLDS[predicate.op](a, b))
    if isinstance(left, Text) and isinstance(right, Text) and predicate.op in ("=", "!="):
        return bool(_HOLDS[predicate.op](left.value, right.value))
    return None
