"""Ledger: the answers given out, to whom, and until when they are promised; append-only, in one SQLite file."""

from __future__ import annotations

import json
import secrets
import sqlite3
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

from geco.errors import LedgerError, shown
from geco.given import path_of
from geco.report.chain import FIRST, Content, Link, faults
from geco.report.entries import Entry, Verified, day_text, entry_of, link_of, person_text, record_text, today

TABLES = (
    """CREATE TABLE entries (
    number INTEGER PRIMARY KEY, at TEXT NOT NULL, kind TEXT NOT NULL, until TEXT, keep_until TEXT, digest TEXT,
    erases TEXT NOT NULL, previous TEXT NOT NULL, hash TEXT NOT NULL)""",
    "CREATE TABLE contents (number INTEGER PRIMARY KEY, salt BLOB NOT NULL, person TEXT, record TEXT NOT NULL)",
    "CREATE INDEX persons ON contents (person)",
    "CREATE INDEX promises ON entries (until)",
    "CREATE TRIGGER no_change BEFORE UPDATE ON entries BEGIN SELECT RAISE(ABORT, 'a ledger is append-only'); END",
    "CREATE TRIGGER no_removal BEFORE DELETE ON entries BEGIN SELECT RAISE(ABORT, 'a ledger is append-only'); END",
    "CREATE TRIGGER no_rewriting BEFORE UPDATE ON contents BEGIN SELECT RAISE(ABORT, 'a ledger is append-only'); END",
)
WAIT = 60.0  # seconds for another writer
ENTRIES = "entries LEFT JOIN contents USING (number)"
LINK = "number, at, kind, until, keep_until, digest, erases, previous"


class Ledger:
    """A file of answers given out. One process writes at a time, others wait; any number may read.

    Parameters
    ----------
    path : the file; made if it is not there.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder, Ledger(f"{folder}/given.db") as ledger:
    ...     number = ledger.append({"status": "found"}, person="customer 17", until="2027-01-31")
    ...     print(number, ledger.verify())
    1 1 entries, 0 of them erased: the chain is whole
    """

    def __init__(self, path: str | PathLike[str]) -> None:
        self.path = path_of(path)
        self._lock = threading.RLock()
        with self._errors("open"):
            self._db = sqlite3.connect(self.path, timeout=WAIT, isolation_level=None, check_same_thread=False)
            self._prepare()

    def append(
        self,
        given: Any,
        person: str | None = None,
        until: date | str | None = None,
        keep_until: date | str | None = None,
    ) -> int:
        """Write down an answer; it is on disk when this returns its number.

        Parameters
        ----------
        given : an Explanation, or what its ``to_dict`` gave.
        person : to whom, in the caller's words; erased with the values.
        until : the last day on which the answer is promised.
        keep_until : the last day on which the values are kept, see `expire`.
        """
        return self.append_many([given], [person], until, keep_until)[0]

    def append_many(
        self,
        given: Iterable[Any],
        persons: Iterable[str | None] | None = None,
        until: date | str | None = None,
        keep_until: date | str | None = None,
    ) -> list[int]:
        """Write down several answers, all of them or none."""
        records = [record_text(each) for each in given]
        names = [None] * len(records) if persons is None else [person_text(person) for person in persons]
        if len(names) != len(records):
            raise LedgerError(f"there are {len(records)} answers and {len(names)} persons; give one person per answer")
        last, kept = day_text("until", until), day_text("keep_until", keep_until)
        with self._writing():
            return [
                self._add("answer", last, kept, Content(secrets.token_bytes(16), person, record))
                for person, record in zip(names, records, strict=True)
            ]

    def erase(self, person: str) -> int:
        """Erase this person's name and the values of all answers to them; says how many. The chain stays whole."""
        with self._writing():
            found = self._db.execute("SELECT number FROM contents WHERE person = ?", (person_text(person),)).fetchall()
            erased = self._erase([number for (number,) in found])
        self._wipe()
        return erased

    def expire(self, on: date | str | None = None) -> int:
        """Erase the values whose ``keep_until`` is before this day (today, UTC, if None); says how many."""
        day = day_text("on", on) or today()
        with self._writing():
            found = self._db.execute(
                "SELECT number FROM contents JOIN entries USING (number) WHERE keep_until < ?", (day,)
            ).fetchall()
            erased = self._erase([number for (number,) in found])
        self._wipe()
        return erased

    def __len__(self) -> int:
        with self._errors("read"):
            return int(self._db.execute("SELECT count(*) FROM entries").fetchone()[0])

    def __iter__(self) -> Iterator[Entry]:
        """Every entry, in order; read as it is asked for."""
        return self._entries("", ())

    def __getitem__(self, number: int) -> Entry:
        for entry in self._entries("WHERE number = ?", (number,)):
            return entry
        raise LedgerError(f"{self.path} has no entry {shown(number)}; it has {len(self)}")

    def promises(self, on: date | str | None = None) -> Iterator[Entry]:
        """The answers that are promised on this day (today, UTC, if None) and whose values are still there."""
        day = day_text("on", on) or today()
        return self._entries("WHERE kind = 'answer' AND until >= ? AND record IS NOT NULL", (day,))

    @property
    def head(self) -> tuple[int, str] | None:
        """Number and hash of the last entry: noted elsewhere, they show that nothing was cut off; None if empty."""
        with self._errors("read"):
            return self._db.execute("SELECT number, hash FROM entries ORDER BY number DESC LIMIT 1").fetchone()  # type: ignore[no-any-return]

    def verify(self, head: tuple[int, str] | None = None) -> Verified:
        """Walk the whole chain; see `head` for what its argument adds."""
        entries = erased = 0

        def links() -> Iterator[tuple[Link, str, Content | None]]:
            nonlocal entries, erased
            rows = self._db.execute(f"SELECT {LINK}, hash, salt, person, record FROM {ENTRIES} ORDER BY number")
            for *link, written, salt, person, record in rows:
                entries += 1
                erased += salt is None and link[2] == "answer"
                yield link_of(link), written, None if salt is None else Content(salt, person, record)

        try:
            found = [*self._structure(), *faults(links(), None if head is None else (head[0], head[1]))]
        except (sqlite3.DatabaseError, ValueError, TypeError) as error:
            found = [f"{self.path} cannot be read to its end: {error}"]
        return Verified(entries, erased, tuple(found))

    def export(self, path: str | PathLike[str]) -> int:
        """Write every entry as one line of JSON, or nothing; says how many."""
        to = Path(path_of(path))
        try:
            with open(to, "x", encoding="utf-8") as file:
                try:
                    return self._export(file)
                except BaseException:
                    to.unlink()
                    raise
        except OSError as error:
            raise LedgerError(f"cannot write {shown(path)}: {error.strerror or error}") from error

    def _export(self, file: IO[str]) -> int:
        count = 0
        for entry in self:
            file.write(record_text(entry) + "\n")
            count += 1
        return count

    def close(self) -> None:
        self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def _prepare(self) -> None:
        """A new file gets its tables; another must be a ledger."""
        self._db.execute("PRAGMA synchronous = FULL")  # an entry that was acknowledged is on disk
        self._db.execute("PRAGMA secure_delete = ON")  # what is erased is overwritten
        if self._tables():
            if self._structure():
                raise LedgerError(f"{self.path} is not a ledger, or one of another version")
            return
        self._db.execute("PRAGMA journal_mode = WAL")  # readers do not wait for the writer
        with self._writing():
            if not self._tables():  # nobody was quicker
                for statement in TABLES:
                    self._db.execute(statement)

    def _tables(self) -> list[str]:
        made = self._db.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid").fetchall()
        return [sql for (sql,) in made]

    def _structure(self) -> list[str]:
        if self._tables() != list(TABLES):
            return ["its tables are not those of a ledger"]
        return [said for (said,) in self._db.execute("PRAGMA integrity_check(10)") if said != "ok"]

    def _add(self, kind: str, until: str | None, keep: str | None, content: Content | None, erases: Any = ()) -> int:
        number, previous = self.head or (0, FIRST)
        at = datetime.now(UTC).isoformat(timespec="milliseconds")
        digest = None if content is None else content.digest
        link = Link(number + 1, at, kind, until, keep, digest, tuple(erases), previous)
        self._db.execute(
            "INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (link.number, at, kind, until, keep, digest, json.dumps(link.erases), previous, link.hash),
        )
        if content is not None:
            self._db.execute(
                "INSERT INTO contents VALUES (?, ?, ?, ?)", (link.number, content.salt, content.person, content.record)
            )
        return link.number

    def _erase(self, numbers: list[int]) -> int:
        if numbers:
            self._db.executemany("DELETE FROM contents WHERE number = ?", [(number,) for number in numbers])
            self._add("erasure", None, None, None, sorted(numbers))
        return len(numbers)

    def _wipe(self) -> None:
        """What was erased may still stand in the write-ahead log; a reader under way puts this off to the next time."""
        with self._errors("write"):
            self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def _entries(self, where: str, values: tuple[Any, ...]) -> Iterator[Entry]:
        query = f"SELECT {LINK}, hash, person, record FROM {ENTRIES} {where}"
        with self._errors("read"):
            for *link, written, person, record in self._db.execute(f"{query} ORDER BY number", values):
                try:
                    entry = entry_of(link_of(link), written, person, record)
                except (ValueError, TypeError) as error:
                    raise LedgerError(
                        f"entry {shown(link[0])} of {self.path} is damaged ({error}); verify() names all that is"
                    ) from error
                yield entry

    @contextmanager
    def _writing(self) -> Iterator[None]:
        with self._lock, self._errors("write"):
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                self._db.execute("ROLLBACK")
                raise
            self._db.execute("COMMIT")

    @contextmanager
    def _errors(self, doing: str) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, UnicodeDecodeError) as error:  # the words of SQLite about damage need not be UTF-8
            raise LedgerError(f"cannot {doing} the ledger {self.path}: {error}") from error
