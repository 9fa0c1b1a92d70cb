"""Sets of categories that a library keeps as bits."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

BITS = 32  # of one word


def members(words: npt.NDArray[np.uint32]) -> npt.NDArray[np.int64]:
    """The numbers whose bits are set.

    Examples
    --------
    >>> members(np.array([5, 1], np.uint32))
    array([ 0,  2, 32])
    """
    bits = (words[:, None] >> np.arange(BITS, dtype=np.uint32)) & 1
    return np.flatnonzero(bits.ravel()).astype(np.int64)
