"""The graph of groups (Sec. 3, restriction 2): edges run from the groups a rule reads in x_cf to the one it defines.

Edges inside one group are left out: such a rule is local, and its group's rows are chosen to hold it.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Mapping, Sequence

from geco.plaf.printer import print_filters, print_rule
from geco.plaf.syntax import Rule, refs_of

Edges = dict[int, dict[int, Rule]]


def edges_between(rules: Sequence[Rule], group_of: Mapping[str, int], n_groups: int) -> Edges:
    """``edges[a][b]`` is the first rule that reads group a and defines group b."""
    edges: Edges = {g: {} for g in range(n_groups)}
    for rule in rules:
        target = group_of.get(rule.defines) if rule.defines is not None else None
        if target is None:
            continue
        for ref in (r for p in (*rule.antecedents, rule.consequent) for r in refs_of(p)):
            source = group_of.get(ref.feature)
            if ref.owner == "x_cf" and source is not None and source != target:
                edges[source].setdefault(target, rule)
    return edges


def topological_order(edges: Edges) -> tuple[int, ...]:
    """All groups, each after the groups it depends on; ties in group order. Groups on a cycle are left out."""
    waiting = dict.fromkeys(edges, 0)
    for targets in edges.values():
        for target in targets:
            waiting[target] += 1
    ready = [g for g, n in waiting.items() if n == 0]
    heapq.heapify(ready)
    order: list[int] = []
    while ready:
        group = heapq.heappop(ready)
        order.append(group)
        for target in edges[group]:
            waiting[target] -= 1
            if waiting[target] == 0:
                heapq.heappush(ready, target)
    return tuple(order)


def find_cycles(edges: Edges) -> list[list[int]]:
    """Cycles that share no group, each a shortest one through its first group."""
    cycles: list[list[int]] = []
    used: set[int] = set()
    for start in edges:
        cycle = _shortest_cycle(start, edges, used)
        if cycle:
            cycles.append(cycle)
            used.update(cycle)
    return cycles


def describe_cycle(cycle: Sequence[int], edges: Edges, titles: Sequence[str]) -> tuple[Rule, str, str]:
    """Where to point, the message with the cycle rule by rule, and the help line."""
    steps = [(a, b, edges[a][b]) for a, b in zip(cycle, [*cycle[1:], cycle[0]], strict=True)]
    first = min(range(len(steps)), key=lambda i: _place(steps[i][2]))
    steps = steps[first:] + steps[:first]
    lines = ["these rules depend on each other in a circle, so none can be applied first"]
    for a, b, rule in steps:
        where = f"line {rule.span.line}: " if rule.span.line else ""
        lines.append(f"    {where}{print_rule(rule)}   ({titles[a]} ▶ {titles[b]})")
    last = max((rule for _, _, rule in steps), key=_place)
    instead = f"instead of line {last.span.line} write" if last.span.line else "write"
    help_line = f"turn one of them into a filter, which only checks; {instead}: {print_filters(last)}"
    return steps[0][2], "\n".join(lines), help_line


def _place(rule: Rule) -> tuple[int, int]:
    return rule.span.line, rule.span.col


def _shortest_cycle(start: int, edges: Edges, used: set[int]) -> list[int] | None:
    came_from: dict[int, int] = {}
    queue = deque([start])
    while queue:
        group = queue.popleft()
        for target in edges[group]:
            if target == start:
                path = [group]
                while path[-1] != start:
                    path.append(came_from[path[-1]])
                return path[::-1]
            if target not in came_from and target not in used:
                came_from[target] = group
                queue.append(target)
    return None
