"""Random CSV files against pandas; tests/csvs.py does the same with thousands."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from csvs import examine


@pytest.mark.parametrize("first", range(0, 80, 20))
def test_an_odd_file_is_read_as_pandas_reads_it_or_refused_with_the_reason(first: int, tmp_path: Path) -> None:
    verdicts = {seed: examine(seed, tmp_path) for seed in range(first, first + 20)}

    assert {seed: v for seed, v in verdicts.items() if v[0] != "equal" and not v[0].startswith("refused: ")} == {}
    assert sum(v[0] == "equal" for v in verdicts.values()) > 8


def test_what_pandas_reads_otherwise_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("csvs.pandas_reads", lambda path, delimiter: pd.DataFrame({"a": [1]}))

    assert {examine(seed, tmp_path)[0] for seed in range(10)} & {"differs in names", "differs in rows"}
