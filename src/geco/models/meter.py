"""Meter: what an explanation may still ask of the user's model, in rows and in time.

It learns from the calls made how long a call of n rows takes, allows no call that would end after the deadline, and
keeps rows and time back for the confirmation.
"""

from __future__ import annotations

from time import perf_counter
from typing import Literal

from geco.errors import SettingsError
from geco.trace import Trace

FIRST_CALL = 32  # rows of the first call under a deadline, while nothing is known about the model's speed


class Meter:
    """Rows and seconds left for one explanation."""

    def __init__(self, trace: Trace, deadline: float | None, max_evals: int | None, kept_rows: int) -> None:
        if deadline is not None and not deadline > 0:
            raise SettingsError(f"deadline must be a positive number of seconds, got {deadline!r}")
        if max_evals is not None and (isinstance(max_evals, bool) or not isinstance(max_evals, int) or max_evals < 1):
            raise SettingsError(f"max_evals must be a whole number of at least 1, got {max_evals!r}")
        self.trace = trace
        self.ends = None if deadline is None else perf_counter() + deadline
        self.rows_left = max_evals
        # At most half of a tiny budget is kept for the confirmation, or nothing could be searched.
        self.kept_rows = kept_rows if max_evals is None else min(kept_rows, max_evals // 2)
        self.stopped_by: Literal["budget", "deadline"] | None = None
        self._calls: list[tuple[int, float]] = []

    def allow(self, rows: int) -> int:
        """How many of these rows the next call may have; 0 ends the search."""
        allowed = rows
        if self.rows_left is not None:
            allowed = min(allowed, self.rows_left - self.kept_rows)
            if allowed <= 0 < rows:
                self.stopped_by = "budget"
        if self.ends is not None and allowed > 0:
            in_time = self._rows_in_time(self.ends - perf_counter(), allowed)
            if in_time <= 0:
                self.stopped_by = "deadline"
            allowed = min(allowed, in_time)
        return max(allowed, 0)

    def allow_confirmation(self, rows: int) -> int:
        """Rows of the confirming call: what was kept back for it."""
        return rows if self.rows_left is None else max(0, min(rows, self.rows_left))

    def called(self, rows: int, seconds: float) -> None:
        self.trace.model_called(rows, seconds)
        self._calls.append((rows, seconds))
        if self.rows_left is not None:
            self.rows_left -= rows

    def _rows_in_time(self, left: float, wanted: int) -> int:
        if not self._calls:
            return min(wanted, FIRST_CALL) if left > 0 else 0
        fixed, each = self._speed()
        left -= fixed + each * self.kept_rows  # the confirmation
        return min(wanted, int((left - fixed) / each)) if left > fixed else 0

    def _speed(self) -> tuple[float, float]:
        """Seconds per call and per row; with calls of one size only, all its time counts as per row."""
        small, large = min(self._calls), max(self._calls)
        if small[0] == large[0]:
            slowest = max(seconds for _, seconds in self._calls)
            return slowest / 2, max(slowest / large[0], 1e-9)
        each = max((large[1] - small[1]) / (large[0] - small[0]), 1e-9)
        return max(small[1] - each * small[0], 0.0), each
