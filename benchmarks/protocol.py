"""The protocol other tools were measured with: its data, models, rows and exact optima.

The folder is ``GECO_PEERS``, by default ``shared/peers`` beside the repository. It is read-only; the list of rows and
the models fitted by this version of scikit-learn go to a temporary folder.
"""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pandas as pd

REPOSITORY = Path(__file__).resolve().parents[1]
PEERS = Path(os.environ.get("GECO_PEERS") or REPOSITORY.parent / "shared" / "peers")
CELLS = [f"{dataset}/{model}" for dataset in ("credit", "adult") for model in ("dt", "rf", "mlp", "xgb")]


@dataclass(frozen=True)
class Cell:
    """One data set and one model: D, the fitted pipeline, the complete program, the rows to explain."""

    dataset: str
    model: str
    frame: pd.DataFrame
    pipeline: Any
    program: str
    rows: tuple[int, ...]
    judged_by: Any  # the protocol's own data set and model

    @property
    def name(self) -> str:
        return f"{self.dataset}/{self.model}"

    @property
    def without_implications(self) -> str:
        """The rules that the peers' tables were made with."""
        return "\n".join(line for line in self.program.splitlines() if " IF " not in line)

    def x(self, row: int) -> dict[str, Any]:
        return {name: self.frame[name].iloc[row] for name in self.frame.columns}

    def as_frame(self, answers: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
        """Answers as the pipeline takes them."""
        return pd.DataFrame(list(answers), columns=self.frame.columns).astype(self.frame.dtypes.to_dict())

    def judge(self, row: int, answers: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """What the protocol itself says of the best of these answers (rules without implications)."""
        data, model = self.judged_by
        coded = data.to_codes(self.as_frame(answers)) if answers else None
        verdict: dict[str, Any] = _protocol().judge(data, model, data.X[row], coded)
        return verdict


def available() -> bool:
    return (PEERS / "protocol.py").exists()


@cache
def cell(dataset: str, model: str) -> Cell:
    protocol = _protocol()
    ds, fitted = protocol.load(dataset, model)
    rows = protocol.instance_lists(ds, fitted)["public"]
    program = (PEERS / f"{dataset}.plaf").read_text()
    return Cell(dataset, model, ds.df, fitted.pipe, program, tuple(rows), (ds, fitted))


def results(dataset: str, model: str, peer: str) -> dict[int, dict[str, Any]]:
    """What one tool reached, by row."""
    file = f"mace_{dataset}_{model}_public.json" if peer == "mace" else f"{dataset}_{model}_{peer}_public.json"
    stored = json.loads((PEERS / "results" / file).read_text())
    return {record["row"]: record for record in stored["records"]}


@cache
def _protocol() -> Any:
    """The protocol module, told by its environment variables to write elsewhere."""
    folder = Path(tempfile.gettempdir()) / "geco_peers"
    (folder / "raw").mkdir(parents=True, exist_ok=True)
    shutil.copyfile(PEERS / "results" / "instances.json", folder / "raw" / "instances.json")
    os.environ.setdefault("PEERS_CACHE", str(folder / f"fitted-{version('scikit-learn')}-{version('numpy')}"))
    os.environ["PEERS_RAW"] = str(folder / "raw")
    spec = importlib.util.spec_from_file_location("geco_peers_protocol", PEERS / "protocol.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
