"""The protocol other tools were measured with: its data, models, rows and exact optima.

The folder is ``GECO_PEERS``, by default ``shared/peers`` beside the repository. It is read-only; fitted models and the
list of rows go to a temporary folder.
"""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd

REPOSITORY = Path(__file__).resolve().parents[1]
PEERS = Path(os.environ.get("GECO_PEERS") or REPOSITORY.parent / "shared" / "peers")


@dataclass(frozen=True)
class Cell:
    """One data set and one model: D, the fitted pipeline, the complete program, the rows to explain."""

    dataset: str
    model: str
    frame: pd.DataFrame
    pipeline: Any
    program: str
    rows: tuple[int, ...]

    def x(self, row: int) -> dict[str, Any]:
        return {name: self.frame[name].iloc[row] for name in self.frame.columns}


def available() -> bool:
    return (PEERS / "protocol.py").exists()


@cache
def cell(dataset: str, model: str) -> Cell:
    protocol = _protocol()
    ds, fitted = protocol.load(dataset, model)
    rows = protocol.instance_lists(ds, fitted)["public"]
    return Cell(dataset, model, ds.df, fitted.pipe, (PEERS / f"{dataset}.plaf").read_text(), tuple(rows))


def results(dataset: str, model: str, peer: str) -> dict[int, dict[str, Any]]:
    """What one tool reached, by row."""
    stored = json.loads((PEERS / "results" / f"{dataset}_{model}_{peer}_public.json").read_text())
    return {record["row"]: record for record in stored["records"]}


@cache
def _protocol() -> Any:
    """The protocol module, told by its environment variables to write elsewhere."""
    folder = Path(tempfile.gettempdir()) / "geco_peers"
    (folder / "raw").mkdir(parents=True, exist_ok=True)
    shutil.copyfile(PEERS / "results" / "instances.json", folder / "raw" / "instances.json")
    os.environ.setdefault("PEERS_CACHE", str(folder / "cache"))
    os.environ["PEERS_RAW"] = str(folder / "raw")
    spec = importlib.util.spec_from_file_location("geco_peers_protocol", PEERS / "protocol.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
