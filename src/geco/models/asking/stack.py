"""stack: candidates of several instances as one table, column by column, in the user's dtypes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from geco.models.asking.inputs import InputOfX
from geco.population.base import Rows


def stack(inputs: Sequence[InputOfX], rows: Sequence[Rows]) -> Any:
    """The table of the first candidates, and below it those of all others; their dtypes must be equal.

    Where all of x's values fit into D's columns, one take of their block serves all. Else columns are joined before the
    table is made: making a frame costs more than filling it. Neighbours of which D has all are taken from its columns
    together: each take costs more than its rows.
    """
    block, like_x = inputs[0].fits, [of_x.rows_like_x for of_x in inputs if of_x.rows_like_x is not None]
    if block is not None and len(like_x) == len(inputs) and all(of_x.fits is block for of_x in inputs):
        return block.table(rows, like_x, [of_x.heads for of_x in inputs])
    together: list[tuple[InputOfX, list[Rows]]] = []
    for of_x, part in zip(inputs, rows, strict=True):
        if together and of_x.within_d and together[-1][0].within_d:
            together[-1][1].append(of_x.found(part))
        else:
            together.append((of_x, [of_x.found(part)]))
    taken = [of_x.columns(np.concatenate(parts)) for of_x, parts in together]
    if len(taken) == 1:
        return inputs[0].as_table(taken[0])
    return inputs[0].as_table({f: _joined([columns[f] for columns in taken]) for f in taken[0]})


def _joined(parts: Sequence[Any]) -> Any:
    if isinstance(parts[0], np.ndarray):
        return np.concatenate(parts)
    library = type(parts[0]).__module__.partition(".")[0]
    if library == "polars":
        import polars

        return polars.concat(parts, rechunk=True)
    if library == "pyarrow":
        import pyarrow

        return pyarrow.concat_arrays(parts)
    import pandas

    return pandas.concat([pandas.Series(part, copy=False) for part in parts], ignore_index=True).array
