"""seldom_collecting: Python's cyclic garbage collector looks at a growing batch less often.

A batch makes hundreds of small objects per row, and none of them in cycles. Looking through all of them again and again
took a quarter of the time of 5,000 explanations on two threads (benchmarks/acceptance/many.py, Credit, decision tree).
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

OBJECTS = 100_000  # made between two looks at the youngest of them

_lock = Lock()
_batches = 0
_before: tuple[int, int, int] = (0, 0, 0)


@contextmanager
def seldom_collecting() -> Iterator[None]:
    """While any batch is under way; the last one to end puts things back as they were.

    Examples
    --------
    >>> before = gc.get_threshold()
    >>> with seldom_collecting():
    ...     gc.get_threshold()[0] >= OBJECTS
    True
    >>> gc.get_threshold() == before
    True
    """
    global _batches, _before
    with _lock:
        if _batches == 0:
            _before = gc.get_threshold()
            if _before[0]:  # 0: the user has switched it off
                gc.set_threshold(max(_before[0], OBJECTS), *_before[1:])
        _batches += 1
    try:
        yield
    finally:
        with _lock:
            _batches -= 1
            if _batches == 0:
                gc.set_threshold(*_before)
