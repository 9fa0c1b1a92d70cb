"""Rules asked for one question on top of those of the deployment: checked alone, and put after them.

In: a CheckedProgram and what somebody adds to it. Out: a CheckedProgram with the same groups and schema. What was
checked once is not checked again, but for cycles that the new rules may close.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from geco.errors import PlafError
from geco.plaf.checker import CheckedProgram
from geco.plaf.dependencies import describe_cycle, edges_between, find_cycles, topological_order
from geco.plaf.diagnostics import Report
from geco.plaf.features import FeatureChecker, some
from geco.plaf.predicates import PredicateChecker
from geco.plaf.printer import print_statement
from geco.plaf.syntax import FeatureList, Group, Order, Program, Rule, Statement, refs_of

ASKED = ("PLAF", "FIXED", "INCREASE", "DECREASE")


def check_extra(checked: CheckedProgram, extra: Program) -> CheckedProgram:
    """The program with these rules after its own.

    Raises
    ------
    PlafError : with every error of the extra rules, in source order, as `check_program` would say it.

    Examples
    --------
    >>> from geco.data.schema import Feature, Schema
    >>> from geco.plaf.checker import check_program
    >>> from geco.plaf.parser import parse_plaf
    >>> schema = Schema((Feature("age", "integer", "continuous"), Feature("pay", "integer", "continuous")))
    >>> checked = check_program(parse_plaf("INCREASE age"), schema)
    >>> print(check_extra(checked, parse_plaf("FIXED pay")).program)
    INCREASE age
    FIXED pay
    """
    report = Report(extra.source)
    features = FeatureChecker(Program((*checked.program.groups, *extra.statements)), checked.schema, report)
    for statement in extra.statements:
        _check_word(statement, report)
    features.check_lists()
    predicates = PredicateChecker(features, report)
    for statement in extra.statements:
        if isinstance(statement, Rule):
            predicates.check_rule(statement)
    program = replace(checked.program, statements=(*checked.program.statements, *extra.statements))
    topological = checked.topological
    if not report.errors and any(_leads_on(checked, rule) for rule in extra.rules):
        topological = _order(checked, program, report)
    if errors := report.errors:
        raise PlafError(errors)
    warnings = (*checked.warnings, *report.warnings)
    return CheckedProgram(program, checked.schema, checked.groups, topological, warnings)


def as_written(program: Program) -> list[str]:
    """Each rule of the program as a person would write it alone: of ``FIXED sex, age`` there are two.

    Examples
    --------
    >>> from geco.plaf.parser import parse_plaf
    >>> as_written(parse_plaf("FIXED sex, age PLAF x_cf.pay > 0 GROUP a, b"))
    ['FIXED sex', 'FIXED age', 'PLAF x_cf.pay > 0']
    """
    texts: list[str] = []
    for statement in filter(_is_rule, program.statements):
        if isinstance(statement, FeatureList):
            texts += [print_statement(FeatureList(statement.word, (name,))) for name in statement.features]
        else:
            texts.append(print_statement(statement))
    return texts


def without(checked: CheckedProgram, dropped: Collection[int]) -> CheckedProgram:
    """The program without those of its rules that have these numbers; what is no rule always stays."""
    others = tuple(s for s in checked.program.statements if not _is_rule(s))
    left = tuple(rule for number, rule in enumerate(checked.rules) if number not in dropped)
    program = replace(checked.program, statements=(*others, *left))
    return replace(checked, program=program, topological=_order(checked, program, Report("")))


def _check_word(statement: Statement, report: Report) -> None:
    if _is_rule(statement):
        return
    word = {Group: "GROUP", Order: "ORDER"}.get(type(statement), getattr(statement, "word", ""))
    if isinstance(statement, Group) and statement.onehot:
        word = "ONEHOT"
    message = f"{word} cannot be asked for one question: the tables of D are built with it"
    help_line = f"give it to the Explainer; here are allowed {', '.join(ASKED)}"
    report.error("not-here", message, statement.span, help_line)


def _is_rule(statement: Statement) -> bool:
    return isinstance(statement, Rule) or (isinstance(statement, FeatureList) and statement.word in ASKED)


def _leads_on(checked: CheckedProgram, rule: Rule) -> bool:
    """True if the rule is about several groups of x_cf."""
    refs = [ref for p in (*rule.antecedents, rule.consequent) for ref in refs_of(p) if ref.owner == "x_cf"]
    return len({checked.group_of(ref.feature) for ref in refs}) > 1


def _order(checked: CheckedProgram, program: Program, report: Report) -> tuple[int, ...]:
    """The groups in the order that all rules together ask for; a cycle is reported where a new rule closes it."""
    groups = checked.groups
    edges = edges_between(program.rules, {f: n for n, g in enumerate(groups) for f in g.features}, len(groups))
    order = topological_order(edges)
    if len(order) < len(groups):
        titles = [g.onehot or some(g.features) for g in groups]
        new = {id(rule) for rule in program.statements[len(checked.program.statements) :]}
        for cycle in find_cycles(edges):
            rule, message, help_line = describe_cycle(cycle, edges, titles)
            rules = [edges[a][b] for a, b in zip(cycle, (*cycle[1:], cycle[0]), strict=True)]
            closing = next((each for each in rules if id(each) in new), rule)
            report.error("cycle", message, closing.span, help_line)
    return order
