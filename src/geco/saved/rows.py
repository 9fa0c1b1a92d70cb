"""What questions need of D in a file: its rows, if they were saved, and which values are typical of the good."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from geco.data.domain import Domain
from geco.data.joint import RowsOfD
from geco.parts import Kept, Parts
from geco.saved.fields import entries, value_of, wrong


def rows_state(parts: Parts) -> dict[str, Any]:
    joint, counts = parts.rows.all()
    return {"rows": np.ascontiguousarray(joint), "counts": counts.astype(np.int64)}


def rows_of(state: Any, domain: Domain) -> RowsOfD:
    if state is None:
        return RowsOfD(domain)
    joint, counts = entries(state, "rows", "counts")
    value_of(npt.NDArray[np.int32], joint), value_of(npt.NDArray[np.int64], counts)
    tables = [table.rows for table in domain.tables]
    if joint.ndim != 2 or joint.shape[1] != len(tables) or counts.shape != (len(joint),):
        raise wrong("a row of each group", joint.shape)
    if (joint < 1).any() or (joint > tables).any() or (counts < 1).any():
        raise wrong("rows of D", "others")
    return RowsOfD(domain, made=(np.asfortranarray(joint), counts))


def kept_of(state: Any, domain: Domain) -> Kept:
    if state is None:
        return Kept()
    typical = value_of(npt.NDArray[np.int32], state)
    most = [domain.tables[domain.group_of[name]].rows for name in domain.names]
    if typical.shape != (len(most),) or (typical < 0).any() or (typical > most).any():
        raise wrong("a row for each feature", typical.shape)
    return Kept(typical)
