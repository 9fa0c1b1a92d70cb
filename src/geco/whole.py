"""whole: settings that are whole numbers, checked in one place; and how a number of things is told."""

from __future__ import annotations

from numbers import Integral
from typing import Any

from geco.errors import SettingsError, shown
from geco.given import is_a

LARGEST = 100_000_000  # of a setting of a search: beyond any use, and several times as much fits into the core's int


def whole(name: str, value: Any, least: int = 1, most: int | None = None) -> int:
    """As a plain int, which the native core takes; NumPy's are whole numbers, too."""
    if not is_a(Integral, value) or int(value) < least:
        raise SettingsError(f"{name} must be a whole number of at least {least}, got {shown(value)}")
    if most is not None and int(value) > most:
        raise SettingsError(f"{name} must be at most {most}, got {shown(value)}")
    return int(value)


def counted(number: int, what: str) -> str:
    """So many of it.

    Examples
    --------
    >>> counted(1, "row"), counted(2000, "row")
    ('1 row', '2,000 rows')
    """
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def check_whole(settings: object, *names: str) -> None:
    """Each of these settings must be a whole number of at least 1, and is a plain int from now on."""
    for name in names:
        object.__setattr__(settings, name, whole(name, getattr(settings, name), 1, LARGEST))  # it is frozen
