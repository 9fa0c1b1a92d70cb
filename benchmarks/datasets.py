"""The shared data sets by name: table, label, kinds and PLAF file, as ``datasets.json`` describes them.

The folder is ``GECO_DATA``, by default ``shared/data`` beside the repository.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

import geco

REPOSITORY = Path(__file__).resolve().parents[1]
DATA = Path(os.environ.get("GECO_DATA") or REPOSITORY.parent / "shared" / "data")


@dataclass(frozen=True)
class Dataset:
    """One data set: the features of D, the label (1 is good), and what geco needs to know."""

    name: str
    frame: pd.DataFrame
    label: pd.Series
    kinds: dict[str, Any]
    program: str

    def database(self) -> geco.Database:
        return geco.Database.from_frame(self.frame, kinds=self.kinds)


def names(ruled: bool = True) -> list[str]:
    """Data sets that come with a program, or all."""
    return [name for name, entry in _catalogue().items() if entry.get("plaf") or not ruled]


def load(name: str) -> Dataset:
    entry = _catalogue()[name]
    table = pd.read_csv(DATA / entry["file"])
    label = (table[entry["label"]].astype(str) == str(entry["good"])).astype(int)
    program = (DATA / entry["plaf"]).read_text() if entry.get("plaf") else ""
    return Dataset(name, table.drop(columns=entry["label"]), label, _kinds(entry), program)


def _kinds(entry: dict[str, Any]) -> dict[str, Any]:
    """Categories written as digits, and the order of ordinal text; the rest geco infers."""
    kinds: dict[str, Any] = {}
    for column in entry["columns"]:
        if column["name"] != entry["label"] and column["type"] != "numeric":
            kinds[column["name"]] = column.get("order") or column["type"]
    return kinds


def _catalogue() -> dict[str, Any]:
    catalogue: dict[str, Any] = json.loads((DATA / "datasets.json").read_text())
    return catalogue
