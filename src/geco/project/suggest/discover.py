"""All discoveries together: ranked, without contradictions, and without what the rules say already."""

from __future__ import annotations

import re
from collections.abc import Iterable

from geco.data.columns import Column
from geco.data.database import Database
from geco.errors import PlafError
from geco.plaf.checker import check_program
from geco.plaf.parser import parse_plaf
from geco.plaf.printer import print_program, print_statement
from geco.plaf.syntax import FeatureList, Program, Statement
from geco.project.suggest.dependencies import dependencies, groups, partners
from geco.project.suggest.inequalities import inequalities, sums
from geco.project.suggest.keys import key_columns
from geco.project.suggest.names import growing, moments, protected
from geco.project.suggest.onehots import onehot_sets
from geco.project.suggest.orders import text_orders
from geco.project.suggest.ranges import ranges
from geco.project.suggest.sheet import Sheet
from geco.project.suggest.suggestion import Suggestion
from geco.project.suggest.written import LEAVE_OUT

LEAST = 0.3


def discover(database: Database, program: Program | None = None, label: Column | None = None) -> list[Suggestion]:
    """What the table suggests beyond the program, most likely to be kept first.

    Parameters
    ----------
    database : D.
    program : the rules so far; what they say, and what their comments have turned down, is not suggested again.
    label : the known outcomes, row by row; only the order of texts looks at them.
    """
    program = program or Program()
    found = sorted(_all(Sheet(database, label)), key=lambda s: (-s.score, s.statement))
    known = Known(program)
    kept: list[Suggestion] = []
    sofar = program
    for suggestion in found:
        if suggestion.score < LEAST or known.says(suggestion):
            continue
        if suggestion.kind != "exclude":
            grown = _grown(sofar, suggestion, database)
            if grown is None:
                continue
            sofar = grown
        kept.append(suggestion)
        known.add(suggestion)
    return kept


def _all(sheet: Sheet) -> Iterable[Suggestion]:
    keys = list(key_columns(sheet))
    onehots = list(onehot_sets(sheet))
    left_out = {name for s in keys for name in s.features}
    in_onehot = {name for s in onehots for name in s.features}
    told = dependencies(sheet, in_onehot | left_out)
    several = [
        protected(sheet, [s.features for s in onehots]),
        moments(sheet),
        growing(sheet),
        groups(sheet, told),
        text_orders(sheet, partners(told)),
    ]
    several += [inequalities(sheet), sums(sheet), ranges(sheet)]
    yield from keys
    yield from onehots
    for suggestions in several:
        yield from (s for s in suggestions if left_out.isdisjoint(s.features) and _alone(s, in_onehot))


def _alone(suggestion: Suggestion, in_onehot: set[str]) -> bool:
    """Columns of a ONEHOT set are spoken of together, but for FIXED."""
    return suggestion.kind == "fixed" or in_onehot.isdisjoint(suggestion.features)


def _grown(program: Program, suggestion: Suggestion, database: Database) -> Program | None:
    """The program with one more statement; None if that does not fit the others."""
    added = parse_plaf(suggestion.statement).statements
    grown = Program((*program.statements, *added), print_program(program) + "\n" + suggestion.statement)
    try:
        check_program(grown, database.schema, database.excluded)
    except PlafError:
        return None
    return grown


class Known:
    """What rules say already, or turn down in a comment."""

    def __init__(self, program: Program) -> None:
        self._said = {text for s in program.statements for text in _parts(s)}
        self._fixed = {
            f for s in program.statements if isinstance(s, FeatureList) and s.word == "FIXED" for f in s.features
        }
        comments = [line.strip().lstrip("# \t") for line in program.source.split("\n") if line.strip().startswith("#")]
        self._left_out = [line for line in comments if line.startswith(LEAVE_OUT.strip("# "))]
        # A suggestion that somebody has put behind a # was turned down.
        self._turned_down = {re.sub(r"\s+", " ", line.split("#")[0].strip()) for line in comments}

    def says(self, suggestion: Suggestion) -> bool:
        if suggestion.kind == "exclude":
            return any(f" {suggestion.statement!r}:" in line for line in self._left_out)
        if suggestion.statement in self._turned_down:
            return True
        if suggestion.kind in ("increase", "range", "order") and self._fixed.issuperset(suggestion.features):
            return True
        return {t for s in parse_plaf(suggestion.statement).statements for t in _parts(s)} <= self._said

    def add(self, suggestion: Suggestion) -> None:
        if suggestion.kind == "fixed":
            self._fixed.update(suggestion.features)


def _parts(statement: Statement) -> Iterable[str]:
    """The statement in canonical form; a list of features is one for each of them."""
    if isinstance(statement, FeatureList):
        return [f"{statement.word} {name}" for name in statement.features]
    return [print_statement(statement)]
