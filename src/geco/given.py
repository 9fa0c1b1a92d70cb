"""given: settings that are numbers, switches, choices or paths, checked in one place whatever a user gives for them."""

from __future__ import annotations

import math
import os
from numbers import Real
from typing import TypeVar, cast

from geco.errors import SettingsError, shown

T = TypeVar("T", bound=str)
LONGEST_PATH = 4096


def number(value: object) -> float | None:
    """The value as a plain float, infinite and NaN included; None if it is not a number, or beyond all floats.

    Examples
    --------
    >>> number(3), number(True), number("3"), number(10**400)
    (3.0, None, None, None)
    """
    if not is_a(Real, value):
        return None
    try:
        return float(cast(Real, value))
    except (OverflowError, TypeError, ValueError):
        return None


def is_a(kind: type, value: object) -> bool:
    """A Real or an Integral number. Python counts truth values among them, and NumPy spans of time."""
    if type(value) is int:  # most often; to ask an abstract class takes longer than the rest of the check
        return True
    return isinstance(value, kind) and not isinstance(value, bool) and type(value).__name__ != "timedelta64"


def not_negative(name: str, value: object) -> None:
    """A finite number of at least 0."""
    plain = number(value)
    if plain is None or not math.isfinite(plain) or plain < 0:
        raise SettingsError(f"{name} must be a number that is not negative, got {shown(value)}")


def switch(name: str, value: object) -> bool:
    """True or False; NumPy's and 0 and 1 are, too."""
    if (not isinstance(value, bool | int) and type(value).__name__ not in ("bool", "bool_")) or value not in (0, 1):
        raise SettingsError(f"{name} must be True or False, got {shown(value)}")
    return bool(value)


def choice(name: str, value: object, among: tuple[T, ...]) -> None:
    """One of a few words."""
    if not isinstance(value, str) or value not in among:
        words = ", ".join(map(repr, among[:-1])) + f" or {among[-1]!r}"
        raise SettingsError(f"{name} must be {words}, got {shown(value)}")


def path_of(path: object) -> str:
    """A path as text that the system can take."""
    if not isinstance(path, str | os.PathLike):
        raise SettingsError(f"path must be text or a pathlib.Path, got {shown(path)}")
    try:
        text = os.fspath(path)
        os.fsencode(text)
    except Exception as error:
        raise SettingsError(f"path {shown(path)} cannot be the name of a file: {error}") from error
    if not isinstance(text, str) or "\0" in text or len(text) > LONGEST_PATH:
        what = f"text of at most {LONGEST_PATH} characters, without NUL"
        raise SettingsError(f"path {shown(path)} cannot be the name of a file; give {what}")
    return text
