"""The graph of groups (Sec. 3, restriction 2): edges run from the groups a rule reads in x_cf to the one it defines.

Edges inside one group are left out: such a rule is local, and its group's rows are chosen to hold it.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence

from geco.errors import MOST_SHOWN
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
    """Cycles that share no group, each a shortest one through its first group; no more of them than a message shows."""
    # Every group of a knot is on a cycle. What is left of it without a cycle that was found may fall into smaller ones.
    knots = [(min(knot), knot) for knot in _knots(edges, set(edges))]
    heapq.heapify(knots)
    cycles: list[list[int]] = []
    while knots and len(cycles) <= MOST_SHOWN:
        start, knot = heapq.heappop(knots)
        cycles.append(_shortest_cycle(start, edges, knot))
        for smaller in _knots(edges, knot.difference(cycles[-1])):
            heapq.heappush(knots, (min(smaller), smaller))
    return cycles


def describe_cycle(cycle: Sequence[int], edges: Edges, titles: Sequence[str]) -> tuple[Rule, str, str]:
    """Where to point, the message with the cycle rule by rule, and the help line."""
    steps = [(a, b, edges[a][b]) for a, b in zip(cycle, [*cycle[1:], cycle[0]], strict=True)]
    first = min(range(len(steps)), key=lambda i: _place(steps[i][2]))
    steps = steps[first:] + steps[:first]
    lines = ["these rules depend on each other in a circle, so none can be applied first"]
    for a, b, rule in steps[:MOST_SHOWN]:
        where = f"line {rule.span.line}: " if rule.span.line else ""
        lines.append(f"    {where}{print_rule(rule)}   ({titles[a]} ▶ {titles[b]})")
    if len(steps) > MOST_SHOWN:
        lines.append(f"    … and {len(steps) - MOST_SHOWN:,} more rules")
    last = max((rule for _, _, rule in steps), key=_place)
    instead = f"instead of line {last.span.line} write" if last.span.line else "write"
    help_line = f"turn one of them into a filter, which only checks; {instead}: {print_filters(last)}"
    return steps[0][2], "\n".join(lines), help_line


def _place(rule: Rule) -> tuple[int, int]:
    return rule.span.line, rule.span.col


def _knots(edges: Edges, groups: set[int]) -> list[set[int]]:
    """The sets of two or more of these groups that all depend on each other: strongly connected, by Kosaraju's way."""
    backwards: dict[int, list[int]] = {group: [] for group in groups}
    for source in groups:
        for target in edges[source]:
            if target in groups:
                backwards[target].append(source)
    order = [group for part in _walks(edges, sorted(groups), groups) for group in part]
    return [set(part) for part in _walks(backwards, order[::-1], groups) if len(part) > 1]


def _walks(following: Mapping[int, Iterable[int]], starts: Iterable[int], groups: set[int]) -> Iterator[list[int]]:
    """From each start the groups that are reached for the first time, each after all that it leads to."""
    seen: set[int] = set()
    for start in starts:
        part: list[int] = []
        path = [(start, iter(following[start]))] if start not in seen else []
        seen.add(start)
        while path:
            targets = path[-1][1]
            target = next((t for t in targets if t in groups and t not in seen), None)
            if target is None:
                part.append(path.pop()[0])
            else:
                seen.add(target)
                path.append((target, iter(following[target])))
        yield part


def _shortest_cycle(start: int, edges: Edges, knot: set[int]) -> list[int]:
    """Through start, which is one of the knot."""
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
            if target not in came_from and target in knot:
                came_from[target] = group
                queue.append(target)
    raise AssertionError("a knot without a cycle")
