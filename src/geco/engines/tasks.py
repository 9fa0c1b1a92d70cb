"""The input in parts of a fixed size: which are to be done, and the rows of each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from geco.engines.inputs import Source
from geco.engines.parts import Done, Task, input_digest
from geco.engines.rows import Row
from geco.errors import BatchError


@dataclass(frozen=True)
class Plan:
    """What is to be done.

    Attributes
    ----------
    size : rows of a part.
    known : parts that are whole, by number.
    again : parts that are whole but for their failed rows, which are to be explained once more.
    """

    source: Source
    size: int
    known: Mapping[int, Done]
    again: Mapping[int, Done]

    def tasks(self) -> Iterator[Task]:
        """With their rows, one after the other; an input without rows has one part, so that there are files."""
        for part, rows in enumerate(_pieces(self.source.rows(), self.size)):
            if part not in self.known:
                yield Task(part, part * self.size, rows, before=self.again.get(part))
            elif not self.source.checked and input_digest(rows) != self.known[part]["input"]:
                first = part * self.size
                raise BatchError(
                    f"the input differs in rows {first} to {first + len(rows) - 1}; it cannot be resumed. "
                    "A query must give its rows in a fixed order: ORDER BY"
                )

    def small_tasks(self) -> Iterator[Task]:
        """The same without rows where whoever does the task can read them from files."""
        if not self.source.files or self.source.total is None:
            yield from self.tasks()
            return
        for part in range(max(1, -(-self.source.total // self.size))):
            if part not in self.known:
                first = part * self.size
                count = min(self.size, self.source.total - first)
                yield Task(part, first, (), before=self.again.get(part), count=count)


def _pieces(rows: Iterator[Row], size: int) -> Iterator[list[Row]]:
    piece = list(islice(rows, size))
    yield piece
    while len(piece) == size:
        piece = list(islice(rows, size))
        if piece:
            yield piece
