"""The chain of a ledger: every entry holds the hash of the one before it, so that none can be changed unnoticed.

What a person must be able to have erased (who they are, and the record with their values) is kept apart from the entry
itself, which holds only a digest of it with a random salt. Without the salt, which goes with the values, the digest
tells nothing, and the chain stays whole.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

FIRST = "0" * 64  # what the first entry holds in place of a hash


@dataclass(frozen=True)
class Link:
    """One entry as the chain has it.

    Attributes
    ----------
    number : from 1.
    at : when it was written, UTC, ISO 8601.
    kind : ``answer`` or ``erasure``.
    until : the day until which the answer is promised.
    keep_until : the day after which the values are to be erased.
    digest : of the salt, the person and the record; of an erasure, nothing.
    erases : the numbers of the entries whose values it erased.
    previous : the hash of the entry before it.
    """

    number: int
    at: str
    kind: str
    until: str | None
    keep_until: str | None
    digest: str | None
    erases: tuple[int, ...]
    previous: str

    @property
    def hash(self) -> str:
        return sha256(canonical(asdict(self)).encode())


@dataclass(frozen=True)
class Content:
    """What can be erased."""

    salt: bytes
    person: str | None
    record: str

    @property
    def digest(self) -> str:
        return sha256(self.salt + canonical([self.person, self.record]).encode())


def canonical(value: Any) -> str:
    """One text for one value."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def faults(links: Iterable[tuple[Link, str, Content | None]], head: tuple[int, str] | None) -> Iterator[str]:
    """What is wrong with a chain, in words: of every entry its link, the hash written beside it, and its content.

    ``head`` is the number and hash of an entry that somebody noted elsewhere; without it, entries cut off at the end
    cannot be missed.
    """
    previous, expected = FIRST, 1
    without: set[int] = set()
    erased: set[int] = set()
    seen_head = head is None
    for link, written, content in links:
        if link.number != expected:
            yield f"entry {expected} is missing"
        expected = link.number + 1
        if link.previous != previous:
            yield f"entry {link.number} does not follow the one before it"
        if link.hash != written:
            yield f"entry {link.number} was changed"
        if content is None and link.kind == "answer":
            without.add(link.number)
        elif content is not None and content.digest != link.digest:
            yield f"the record of entry {link.number} was changed"
        erased.update(link.erases)
        previous = written
        seen_head = seen_head or (link.number, written) == head
    for number in sorted(without - erased):
        yield f"the record of entry {number} is missing, and no erasure says so"
    if not seen_head and head is not None:
        yield f"entry {head[0]} with the hash {head[1]} is not in the chain"
