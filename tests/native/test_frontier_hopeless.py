"""Hopeless: what it keeps from round to round is what a look at every way would say anew."""

from __future__ import annotations

import random

from hypothesis import given
from spaces import array, random_space, seeds

from geco import _core


@given(seed=seeds())
def test_what_is_kept_while_ways_come_and_go_is_what_every_way_says(seed):
    space, rng = random_space(seed), random.Random(seed)
    core, candidates = space.build(), space.candidates()[:60]
    archive = _core.Archive(core)
    rows = array(candidates, core.width)
    archive.claim(core, rows)
    hopeless = _core.Hopeless(archive)
    ways: list[int] = []
    for _ in range(6):
        if rng.random() < 0.7:  # otherwise they stay as they are
            kept = [way for way in ways if rng.random() < 0.6]
            ways = kept + rng.sample(range(len(candidates)), min(2, len(candidates)))
        asked = [i for i in range(len(candidates)) if rng.random() < 0.7]
        hopeless.follow(archive, ways)

        assert hopeless.each(archive, asked) == [any(core.left_out(rows[i], rows[way]) for way in ways) for i in asked]
