"""Entries of a ledger as its callers have them, and what callers give for them, checked."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

from geco.data.paths import is_utf8
from geco.errors import LedgerError, shown
from geco.report.chain import Link


@dataclass(frozen=True)
class Entry:
    """One entry of a ledger.

    Attributes
    ----------
    number : from 1.
    at : when it was written, UTC.
    kind : ``answer``, or ``erasure`` of the values of other entries.
    person : to whom the answer was given, as the caller names them; None if nobody was named or the values are erased.
    record : what was given, as `Explanation.to_dict` has it; None if the values are erased.
    until : the last day on which the answer is promised.
    keep_until : the last day on which the values are kept.
    hash : of this entry and, through the chain, of all before it.
    """

    number: int
    at: datetime
    kind: str
    person: str | None
    record: dict[str, Any] | None
    until: date | None
    keep_until: date | None
    hash: str

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        return {
            "number": self.number,
            "at": self.at.isoformat(),
            "kind": self.kind,
            "person": self.person,
            "until": None if self.until is None else self.until.isoformat(),
            "keep_until": None if self.keep_until is None else self.keep_until.isoformat(),
            "hash": self.hash,
            "record": self.record,
        }


@dataclass(frozen=True)
class Verified:
    """What `Ledger.verify` found: how many entries, how many of them without their values, and what is wrong."""

    entries: int
    erased: int
    faults: tuple[str, ...]

    def __bool__(self) -> bool:
        return not self.faults

    def __str__(self) -> str:
        if self.faults:
            return "\n".join(self.faults)
        return f"{self.entries:,} entries, {self.erased:,} of them erased: the chain is whole"


def link_of(row: list[Any]) -> Link:
    number, at, kind, until, keep_until, digest, erases, previous = row
    return Link(number, at, kind, until, keep_until, digest, tuple(json.loads(erases)), previous)


def entry_of(link: Link, written: str, person: str | None, record: str | None) -> Entry:
    return Entry(
        link.number,
        datetime.fromisoformat(link.at),
        link.kind,
        person,
        None if record is None else json.loads(record),
        None if link.until is None else date.fromisoformat(link.until),
        None if link.keep_until is None else date.fromisoformat(link.keep_until),
        written,
    )


def record_text(given: Any) -> str:
    plain = given.to_dict() if hasattr(given, "to_dict") else given
    if not isinstance(plain, dict):
        raise LedgerError(f"a ledger takes an Explanation or what its to_dict() gave, got {shown(given)}")
    try:
        text = json.dumps(plain, ensure_ascii=False, allow_nan=False)
        return text if is_utf8(text) else json.dumps(plain)  # a value with half of a surrogate pair is escaped
    except (TypeError, ValueError) as error:
        raise LedgerError(f"the record cannot be written as JSON: {error}") from error


def person_text(person: Any) -> str | None:
    if person is not None and not isinstance(person, str):
        raise LedgerError(f"person must be text, got {shown(person)}")
    if person is not None and not is_utf8(person):
        raise LedgerError(f"person {shown(person)} holds half of a surrogate pair, which no file can keep")
    return person


def day_text(name: str, day: date | str | None) -> str | None:
    if day is None:
        return None
    try:
        if isinstance(day, datetime) or not isinstance(day, date | str):
            raise ValueError
        return (date.fromisoformat(day) if isinstance(day, str) else day).isoformat()
    except ValueError:
        raise LedgerError(f"{name} must be a day such as '2027-01-31', got {shown(day)}") from None


def today() -> str:
    return datetime.now(UTC).date().isoformat()
