"""action_cascade and any_allowed, against walks over all rows in plain Python."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from spaces import Space, spaces

from geco import _core

ENOUGH = 100_000


def repaired(space: Space, rows: tuple[int, ...]) -> tuple[int, ...] | None:
    """The nearest repair, group by group in topological order; None where a group has no row that fits."""
    now = list(rows)
    for g in space.topological:
        rules = [rule for rule in space.rules if rule.defines == g]

        def fits(row: int, g=g, rules=rules) -> bool:
            there = (*now[:g], row, *now[g + 1 :])
            return space.tables[g].allowed[row] and all(space.holds(rule, there) for rule in rules)

        if not fits(now[g]):
            fitting = [row for row in (0, *space.tables[g].order()) if fits(row)]
            if not fitting:
                return None
            now[g] = fitting[0]
    filters = [rule for rule in space.rules if rule.defines == -1]
    return tuple(now) if all(space.holds(rule, tuple(now)) for rule in filters) else None


@st.composite
def candidates(draw):
    """A space and a candidate of allowed rows, x's own included."""
    space = draw(spaces())
    rows = tuple(draw(st.sampled_from([0, *table.order()])) for table in space.tables)
    return space, rows


@given(candidates())
def test_action_cascade_takes_the_nearest_row_that_satisfies_all_rules_of_a_group(problem):
    space, rows = problem
    core = space.build()
    ok, out = core.action_cascade(np.array(rows, np.int32), _core.CascadeCounts(core))

    assert (tuple(out.tolist()) if ok else None) == repaired(space, rows)


@given(candidates())
def test_what_action_cascade_returns_obeys_every_rule(problem):
    space, rows = problem
    core = space.build()
    ok, out = core.action_cascade(np.array(rows, np.int32), _core.CascadeCounts(core))

    assert not ok or space.obeys(tuple(out.tolist()))


@given(candidates())
def test_a_candidate_that_cannot_be_repaired_is_counted_once(problem):
    space, rows = problem
    core = space.build()
    counts = _core.CascadeCounts(core)
    ok, _ = core.action_cascade(np.array(rows, np.int32), counts)

    assert sum(counts.dropped) == (not ok)


@given(spaces(), st.booleans())
def test_any_allowed_finds_a_candidate_exactly_when_brute_force_does(space, not_x):
    found, _ = space.build().any_allowed(not_x, ENOUGH)

    assert (found is _core.Feasible.YES) == any(space.obeys(rows) for rows in space.candidates()[not_x:])


@given(spaces(), st.booleans())
def test_the_candidate_any_allowed_names_obeys_every_rule(space, not_x):
    found, rows = space.build().any_allowed(not_x, ENOUGH)

    assert found is not _core.Feasible.YES or (space.obeys(tuple(rows.tolist())) and (rows.any() or not not_x))


@given(spaces())
def test_any_allowed_does_not_claim_a_proof_it_had_no_time_for(space):
    found, _ = space.build().any_allowed(True, 0)

    # A rule about x alone needs no time.
    claims_nothing = found is _core.Feasible.UNKNOWN
    assert claims_nothing or (found is _core.Feasible.NO and not any(map(space.obeys, space.candidates())))
