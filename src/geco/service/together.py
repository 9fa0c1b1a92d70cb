"""Several requests answered together: what they ask of the model is shared, the answers stay those of each."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Any

from geco.service.answering import Reply, answer
from geco.service.source import Served
from geco.service.told import Told
from geco.service.wording import in_words

LOG = logging.getLogger("geco.service")


def answer_together(served: Served, xs: list[dict[str, Any]], words: dict[str, Any]) -> Iterator[tuple[int, Reply]]:
    """Place and reply of each, as they end; whoever cannot be answered among others is answered alone."""
    left = set(range(len(xs)))
    try:
        given = in_words({**served.question, **words})
        for place, _, explanation in served.explainer.explain_iter(xs, **given, threads=1):
            if explanation.status != "failed":  # explain would raise: the error is made again below
                left.discard(place)
                header = {"status": 200, "model_rows": explanation.trace.model_rows}
                yield place, Reply(explanation.to_json().encode(), header)
    except Exception as error:  # whatever it is, each of those left will say it for itself
        LOG.debug("not together: %s", type(error).__name__)
    for place in sorted(left):
        yield place, answer(served, "explain", {**words, "x": xs[place]}, Told())
