"""Many rows: their runs side by side, each with its number and, where the user names a column of them, its id.

In: a frame or any iterable. Out: explanations as they end. An id is taken out of x before anything else is done.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from typing import Any

from geco.algorithm1 import Steps
from geco.answers.explanation import Explanation
from geco.answers.explanations import failed
from geco.data.domain import Domain
from geco.data.instance import as_mapping
from geco.errors import DataError, InstanceError, InternalError, ModelError, SettingsError, shown
from geco.lockstep.instances import instances
from geco.lockstep.lockstep import cores, lockstep, runs_at_once
from geco.models.asking.meter import Clock
from geco.parts import Parts
from geco.question import Question
from geco.questions.asked import asked
from geco.whole import whole

LOG = logging.getLogger("geco")
MOST_THREADS = 1024
MOST_ERRORS = 10  # of the input in a row; a source that only fails is at its end


class Given:
    """The rows that are asked about, one at a time, with their ids."""

    def __init__(self, rows: Any, id: str | None, domain: Domain, tolerant: bool = False) -> None:
        if id is not None and (not isinstance(id, str) or id in domain.schema):
            what = "is a feature of D; exclude it from D" if id in domain.schema else "is not the name of a column"
            raise SettingsError(f"id={shown(id)} {what}")
        self.rows, self.id, self.tolerant = instances(rows), id, tolerant
        self.ids: list[Any] = []
        self._errors = 0

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        """The next x; in place of one that the source failed to give, its error."""
        try:
            x = next(self.rows)
        except InstanceError as error:
            self._errors += 1
            if not self.tolerant or self._errors > MOST_ERRORS:
                raise
            self.ids.append(None)
            return error
        self._errors = 0
        if self.id is None:
            self.ids.append(None)
            return x
        return self._without_id(x)

    def _without_id(self, x: Any) -> Any:
        try:
            row = dict(as_mapping(x))
        except Exception:  # not a row at all: said when it is read
            self.ids.append(None)
            return x
        self.ids.append(row.pop(str(self.id), None))
        return row


def explained(
    given: Given, question: Question, parts: Parts, clock: Clock, threads: int | None
) -> Iterator[tuple[int, Explanation]]:
    """Number and explanation of each row, as they end; rows that the deadline did not reach stay in ``given``."""
    used = cores() if threads is None else whole("threads", threads, 1, MOST_THREADS)
    runs = (_safe_run(x, question, parts, clock) for x in given)
    return lockstep(runs, clock, runs_at_once(parts), used)


def _safe_run(x: Any, question: Question, parts: Parts, clock: Clock) -> Steps:
    """An error that concerns this x alone becomes its explanation."""
    try:
        if isinstance(x, InstanceError):
            raise x
        return (yield from asked(x, question, parts, clock))
    except (InstanceError, DataError, ModelError, InternalError) as error:
        LOG.info("failed: %s", error)
        given: Mapping[str, Any] | Any = {} if isinstance(x, InstanceError) else x
        return failed(given, parts.model.goal.words, error)
