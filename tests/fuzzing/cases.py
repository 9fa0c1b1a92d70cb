"""One call with hostile arguments, carried out and judged.

Only a GecoError that is not about a fault of geco's, or a TypeError in our own words, may come out: raised by a
statement of geco's, or by Python at the very call because an argument does not exist. Every call ends; one with a
deadline ends soon after it.
"""

from __future__ import annotations

import linecache
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import geco
from fuzzing.models import Counting
from geco.errors import GecoError, InternalError

HOME = str(Path(geco.__file__).parent)
MOST_SECONDS = 60.0  # of a call without a deadline
MOST_TEXT = 100_000  # characters of an error's message


@dataclass
class Case:
    """What to call, and what is known about it."""

    run: Callable[[], Any]
    told: str
    deadline: float | None = None
    model: Counting | None = None
    raises: tuple[type[BaseException], ...] = ()
    """What may come out besides: what a callback of the user raised, Ctrl-C."""
    then: Callable[[Any], object] = repr
    """What is done with the answer afterwards; its time does not count."""
    kind: Callable[[Any], str] = lambda _: "answer"
    """What sort of answer it is, for the counts."""


@dataclass
class Outcome:
    """What came of it; ``fault`` None is what we want."""

    kind: str
    seconds: float
    fault: str | None = None
    overrun: float | None = None
    """Seconds past the deadline, without the longest model call."""
    waited: float = 0.0
    """Seconds this thread was ready but had no core: what a busy machine adds."""
    told: str = field(default="", repr=False)


def carried_out(case: Case) -> Outcome:
    """Run it, look at what comes out and at the clock."""
    started, queued = time.perf_counter(), _queued()
    ended: list[float] = []

    def run() -> str:
        answer = case.run()
        ended.extend((time.perf_counter(), _queued()))
        case.then(answer)
        return case.kind(answer)

    kind, fault = _come_out(run, case.raises)
    seconds = (ended[0] if ended else time.perf_counter()) - started
    overrun = None
    if case.deadline is not None:
        overrun = seconds - case.deadline - (case.model.longest if case.model else 0.0)
    elif seconds > MOST_SECONDS:
        fault = fault or f"took {seconds:.1f} s"
    return Outcome(kind, seconds, fault, overrun, (ended[1] if ended else _queued()) - queued, case.told)


def _queued() -> float:
    """Seconds this thread has spent waiting for a core since it began, where the system tells."""
    try:
        return int(Path("/proc/thread-self/schedstat").read_text().split()[1]) / 1e9
    except (OSError, IndexError, ValueError):
        return 0.0


def _come_out(run: Callable[[], str], raises: tuple[type[BaseException], ...]) -> tuple[str, str | None]:
    try:
        return run(), None
    except GecoError as error:
        return type(error).__name__, _message_fault(error)
    except BaseException as error:
        if isinstance(error, raises):
            return type(error).__name__, None
        if isinstance(error, TypeError) and in_our_own_words(error):
            return "TypeError", None
        return type(error).__name__, "".join(traceback.format_exception(error, limit=-5))[-2500:]


def _message_fault(error: GecoError) -> str | None:
    text = str(error)
    if isinstance(error, InternalError):
        return text
    if not text.strip():
        return f"{type(error).__name__} says nothing"
    return f"a message of {len(text):,} characters" if len(text) > MOST_TEXT else None


def in_our_own_words(error: TypeError) -> bool:
    """Raised by a raise statement of geco's, or by Python because the call itself does not fit the signature."""
    frames = traceback.extract_tb(error.__traceback__)
    last = frames[-1]
    if last.filename.startswith(HOME):
        return (linecache.getline(last.filename, last.lineno or 0)).strip().startswith("raise")
    return not any(frame.filename.startswith(HOME) for frame in frames) and "argument" in str(error)
