"""What may still be asked of the user's model: a Budget of rows for one explanation, a Clock for all that run together.

The clock learns from the calls made how long a call of n rows takes, allows no call that would end after the deadline,
and keeps time back for the confirmations, as the budget keeps rows.
"""

from __future__ import annotations

import math
from numbers import Real

from geco import _core
from geco.errors import SettingsError, shown
from geco.given import is_a

LONGEST = 1e9  # seconds; a deadline of that length or more, infinity included, counts as none
FIRST_CALL = 32  # rows of the first call under a deadline, while nothing is known about the model's speed


class Budget:
    """Rows left for one explanation."""

    def __init__(self, max_evals: int | None, kept_rows: int) -> None:
        self.left = max_evals
        # At most half of a tiny budget is kept for the confirmation, or nothing could be searched.
        self.kept_rows = kept_rows if max_evals is None else min(kept_rows, max_evals // 2)

    def allow(self, rows: int) -> int:
        """How many of these rows may be asked now; fewer than wanted end the search."""
        return rows if self.left is None else max(0, min(rows, self.left - self.kept_rows))

    def allow_confirmation(self, rows: int) -> int:
        """Rows of the confirming call: what was kept back for it."""
        return rows if self.left is None else max(0, min(rows, self.left))

    def spend(self, rows: int) -> None:
        if self.left is not None:
            self.left -= rows


class Clock:
    """Seconds left until the deadline, if there is one."""

    def __init__(self, deadline: float | None) -> None:
        if deadline is not None and not (is_a(Real, deadline) and deadline > 0):
            raise SettingsError(f"deadline must be a positive number of seconds, got {shown(deadline)}")
        self.core = _core.Clock(math.inf if deadline is None or deadline > LONGEST else float(deadline))
        self.endless = math.isinf(self.core.left)
        self.deadline = None if deadline is None or self.endless else float(deadline)
        self.own_seconds = 0.0  # kept back for what the searches themselves still have to do
        self._calls: list[tuple[int, float]] = []

    @property
    def left(self) -> float:
        """Seconds until the deadline; 0 once no further call would end before it."""
        return self.core.left

    def allow(self, rows: int, kept_rows: int) -> int:
        """How many of these rows the next call may have if kept_rows must be confirmed later; 0 ends the search."""
        if self.endless:
            return rows
        allowed = self._rows_in_time(self.left, rows, kept_rows)
        if allowed <= 0 < rows:
            self.core.stop()
        return max(0, allowed)

    def called(self, rows: int, seconds: float) -> None:
        """Learn from a call."""
        if not self.endless:
            self._calls.append((rows, seconds))

    def _rows_in_time(self, left: float, wanted: int, kept_rows: int) -> int:
        if not self._calls:
            return min(wanted, FIRST_CALL) if left > 0 else 0
        fixed, each = self._speed()
        left -= fixed + each * kept_rows + self.own_seconds  # the confirmation
        return min(wanted, int((left - fixed) / each)) if left > fixed else 0

    def _speed(self) -> tuple[float, float]:
        """Seconds per call and per row; with calls of one size only, all its time counts as per row."""
        small, large = min(self._calls), max(self._calls)
        if small[0] == large[0]:
            slowest = max(seconds for _, seconds in self._calls)
            return slowest / 2, max(slowest / large[0], 1e-9)
        each = max((large[1] - small[1]) / (large[0] - small[0]), 1e-9)
        return max(small[1] - each * small[0], 0.0), each
