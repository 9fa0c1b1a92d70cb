"""Random PLAF programs for a set of group tables.

Half have rules across groups: implications, chains, two consequents on one group, x_cf on both sides. Some have
filters, some break on x as it stands. Groups are put in a random order first, and every rule reads earlier groups
than the one it defines, so no program has a cycle.
"""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import Any

import numpy as np

from generators.tables import Column, Table

Source = tuple[Table, Column]


def random_program(tables: list[Table], x: dict[str, Any], rng: np.random.Generator) -> tuple[str, set[str]]:
    """The text of a program and its tags."""
    lines, tags = _declarations(tables, rng), set()
    columns = [(t, c) for t in tables for c in t.columns]
    for table, column in columns:
        if rng.random() < (0.22 if column.odd is None else 0.4):
            lines.append(_local(table, column, x, rng))
    if rng.random() < 0.55:
        across = _across(tables, x, rng)
        lines += across
        tags |= {"across"} if across else set()
    if rng.random() < 0.15:
        lines.append(_filter(columns, x, rng))
        tags.add("filter")
    if rng.random() < 0.12:
        lines.append(_broken(columns, x, rng))
        tags.add("x_breaks")
    if rng.random() < 0.015:
        lines.append("FIXED " + ", ".join(name(c) for _, c in columns))
    return "\n".join(line for line in lines if line), tags


def name(column: Column) -> str:
    return column.name if column.name.isidentifier() else '"' + column.name.replace('"', '""') + '"'


def literal(value: Any) -> str:
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    if isinstance(value, dt.date):
        return f"'{value}'"
    if isinstance(value, Decimal):
        return repr(float(value))
    return repr(int(value)) if isinstance(value, bool) else repr(value)


def _declarations(tables: list[Table], rng: np.random.Generator) -> list[str]:
    lines = []
    for table in tables:
        names = ", ".join(name(c) for c in table.columns)
        if table.kind == "joint":
            lines.append(f"GROUP {names}")
        if table.kind == "onehot":
            lines.append(f"ONEHOT {table.name}: {names}")
        for position, column in enumerate(table.columns):
            if column.order is not None:
                lines.append(f"ORDER {name(column)}: " + " < ".join(literal(v) for v in column.order))
            if any(row[position] is None for row in table.rows) and rng.random() < 0.4:
                lines.append(f"ALLOW MISSING {name(column)}")
    return lines


def _local(table: Table, column: Column, x: dict[str, Any], rng: np.random.Generator) -> str:
    """A rule about one feature that x itself obeys."""
    f, own = name(column), x[column.name]
    values = table.values(column)
    if table.kind == "onehot" or own is None or not column.ordered:
        forms = [f"FIXED {f}"]
        if own is not None and len(values) > 1:
            others = [v for v in values if v != own]
            kept = [own, *[others[j] for j in rng.permutation(len(others))[: max(1, len(others) // 2)]]]
            forms.append(f"PLAF x_cf.{f} IN ({', '.join(literal(v) for v in kept)})")
            forms.append(f"PLAF IF x.{f} = {literal(own)} THEN x_cf.{f} != {literal(others[0])}")
        return str(forms[rng.integers(len(forms))])
    forms = [f"INCREASE {f}", f"DECREASE {f}", f"FIXED {f}", f"PLAF x_cf.{f} >= x.{f}"]
    if column.odd:
        return forms[rng.integers(4)] if rng.random() < 0.6 else f"PLAF {_odd_predicate(table, column, x, rng)}"
    low, *_, high = sorted([*values, own], key=lambda v: _rank(column, v))
    forms.append(f"PLAF x_cf.{f} BETWEEN {literal(low)} AND {literal(high)}")
    if column.numeric:
        forms.append(f"PLAF x_cf.{f} <= x.{f} + {int(rng.integers(1, 12))}")
        forms.append(f"PLAF x_cf.{f} - x.{f} >= -{int(rng.integers(1, 12))}")
    return forms[rng.integers(len(forms))]


def _across(tables: list[Table], x: dict[str, Any], rng: np.random.Generator) -> list[str]:
    """One to four rules; each defines a later group in a random order of groups."""
    order = [tables[i] for i in rng.permutation(len(tables))]
    rules = []
    shape = ["any", "chain", "two on one"][rng.integers(3)]
    for step in range(int(rng.integers(1, 4)) if shape == "any" else 2):
        if shape == "chain":
            source, target = order[step], order[step + 1]
        elif shape == "two on one":
            source, target = order[step], order[2]
        else:
            low, high = sorted(rng.choice(len(order), 2, replace=False))
            source, target = order[low], order[high]
        rules.append(_implication(_pick(source, rng), _pick(target, rng), x, rng))
    if rng.random() < 0.35:
        rules.append(_both_sides(order, rng))
    return [r for r in rules if r]


def _implication(source: Source, target: Source, x: dict[str, Any], rng: np.random.Generator) -> str:
    antecedent = _moved(source, x, rng)
    if rng.random() < 0.2:
        antecedent += f" {['and', 'AND', '&&'][rng.integers(3)]} {_about_x(target, x)}"
    return f"PLAF IF {antecedent} THEN {_consequent(target, x, rng)}"


def _moved(source: Source, x: dict[str, Any], rng: np.random.Generator) -> str:
    """A predicate that x does not meet and a change of the source may."""
    table, column = source
    f = name(column)
    if column.ordered:
        return [f"x_cf.{f} > x.{f}", f"x_cf.{f} < x.{f}", f"x_cf.{f} != x.{f}"][rng.integers(3)]
    others = [v for v in table.values(column) if v != x[column.name]]
    if others and rng.random() < 0.5:
        return f"x_cf.{f} = {literal(others[rng.integers(len(others))])}"
    return f"x_cf.{f} != x.{f}"


def _about_x(source: Source, x: dict[str, Any]) -> str:
    own = x[source[1].name]
    return "1 = 1" if own is None or not source[1].sayable else f"x.{name(source[1])} = {literal(own)}"


def _consequent(target: Source, x: dict[str, Any], rng: np.random.Generator) -> str:
    table, column = target
    f = name(column)
    values = table.values(column)
    if not values:  # missing in every row
        return f"x_cf.{f} != x.{f}"
    if column.odd:
        return _odd_predicate(table, column, x, rng)
    if column.numeric and not column.categorical_code and table.kind != "onehot":
        step = [1, 2, 3, 0.5][rng.integers(4)]
        forms = [f"x_cf.{f} >= x.{f} + {step}", f"x_cf.{f} < x.{f}", f"x_cf.{f} > x.{f}", f"x_cf.{f} <= x.{f} - {step}"]
        forms.append(f"x_cf.{f} >= {literal(values[len(values) // 2])}")
        return forms[rng.integers(len(forms))]
    if column.order is not None:
        middle = literal(values[len(values) // 2])
        return [f"x_cf.{f} > x.{f}", f"x_cf.{f} >= {middle}", f"x_cf.{f} != x.{f}"][rng.integers(3)]
    some = [values[j] for j in rng.permutation(len(values))[: max(1, len(values) // 2)]]
    return [f"x_cf.{f} != x.{f}", f"x_cf.{f} IN ({', '.join(literal(v) for v in some)})"][rng.integers(2)]


def _odd_predicate(table: Table, column: Column, x: dict[str, Any], rng: np.random.Generator) -> str:
    """Comparisons where a neighbour more or less decides; offsets are differences of values, or whole days."""
    f, values = name(column), table.values(column)
    forms = [f"x_cf.{f} > x.{f}", f"x_cf.{f} < x.{f}", f"x_cf.{f} != x.{f}", f"x_cf.{f} <= x.{f}"]
    if column.sayable:
        some = [literal(values[j]) for j in rng.permutation(len(values))[:3]]
        low, high = sorted(values[j] for j in rng.integers(len(values), size=2))
        forms += [f"x_cf.{f} >= {some[0]}", f"x_cf.{f} != {some[0]}", f"x_cf.{f} IN ({', '.join(some)})"]
        forms += [f"x_cf.{f} < {some[-1]}", f"x_cf.{f} BETWEEN {literal(low)} AND {literal(high)}"]
    far = abs(values[-1] - values[rng.integers(len(values))]) if column.numeric else int(rng.integers(1, 9))
    gap = literal(min(far, 1.7e308) if isinstance(far, float) else far)
    forms += [f"x_cf.{f} <= x.{f} + {gap}", f"x_cf.{f} >= x.{f} - {gap}", f"x_cf.{f} - x.{f} < {gap}"]
    return forms[rng.integers(len(forms))]


def _both_sides(order: list[Table], rng: np.random.Generator) -> str:
    """``x_cf.b >= x_cf.a``: defines b, reads a."""
    numeric = [(t, c) for t in order for c in t.columns if _adds(c) and c.ordered and t.kind != "onehot"]
    pairs = [(a, b) for a in numeric for b in numeric if order.index(a[0]) < order.index(b[0]) and _alike(a[1], b[1])]
    if not pairs:
        return ""
    (_, a), (_, b) = pairs[rng.integers(len(pairs))]
    op = ["<=", ">="][rng.integers(2)]
    return f"PLAF x_cf.{name(b)} {op} x_cf.{name(a)} {'+' if op == '<=' else '-'} {int(rng.integers(3, 20))}"


def _adds(column: Column) -> bool:
    return column.numeric or column.temporal


def _alike(a: Column, b: Column) -> bool:
    """May a rule compare them? Long integers beside fractions would need a word on how they add."""
    if a.odd is None and b.odd is None:
        return True
    return a.type == b.type if a.numeric else a.temporal and b.temporal


def _filter(columns: list[Source], x: dict[str, Any], rng: np.random.Generator) -> str:
    chosen = [columns[i] for i in rng.choice(len(columns), 2, replace=False)]
    return f"PLAF IF {_moved(chosen[0], x, rng)} AND {_moved(chosen[1], x, rng)} THEN 1 = 2"


def _broken(columns: list[Source], x: dict[str, Any], rng: np.random.Generator) -> str:
    """A rule that x breaks as it stands."""
    for i in rng.permutation(len(columns)):
        table, column = columns[i]
        own, others = x[column.name], [v for v in table.values(column) if v != x[column.name]]
        if own is None or not others or not column.sayable:
            continue
        below = [v for v in others if column.ordered and _rank(column, v) < _rank(column, own)]
        if below and rng.random() < 0.6:
            return f"PLAF x_cf.{name(column)} <= {literal(below[-1])}"
        return f"PLAF x_cf.{name(column)} != {literal(own)}"
    return ""


def _pick(table: Table, rng: np.random.Generator) -> Source:
    return table, table.columns[rng.integers(len(table.columns))]


def _rank(column: Column, value: Any) -> Any:
    return column.order.index(value) if column.order is not None else value
