"""Made: how an explanation came about (version, question, settings, digests), to check it or to make it again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

RECORD = 1  # the format of what to_dict gives; older ones stay readable


class Made:
    """Plain data, put together when it is first looked at: digests take longer than an explanation.

    Parameters
    ----------
    plain : gives ``version``, ``at`` (UTC), ``question``, ``settings``, ``fingerprint`` and ``rules``, how many rules
        every answer was checked against.
    """

    def __init__(self, plain: Callable[[], Mapping[str, Any]]) -> None:
        self._plain = plain
        self._made: dict[str, Any] | None = None

    @classmethod
    def of(cls, plain: Mapping[str, Any]) -> Made:
        """From what ``to_dict`` gave."""
        return cls(lambda: plain)

    def to_dict(self) -> dict[str, Any]:
        if self._made is None:
            self._made = {"record": RECORD, **self._plain()}
        return dict(self._made)

    def __reduce__(self) -> tuple[Any, ...]:
        """An explanation travels without the explainer that made it."""
        return Made.of, (self.to_dict(),)
