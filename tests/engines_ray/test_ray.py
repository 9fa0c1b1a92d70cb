"""Batches on Ray: the bytes of the local engine, by ``geco.ray.Explain`` and by ``engine="ray"``."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import ray

import geco
from conftest import REPOSITORY
from engines import small
from geco.engines.tables import answers_table
from geco.errors import BatchError

COPIES = 4


@pytest.fixture(scope="module")
def cluster() -> Iterator[None]:
    """Ray on this machine, with two CPUs to give away; workers must find geco and the tests where we do."""
    found = os.pathsep.join(filter(None, [os.environ.get("PYTHONPATH"), str(REPOSITORY / "tests")]))
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, runtime_env={"env_vars": {"PYTHONPATH": found}})
    yield
    ray.shutdown()


@pytest.fixture(scope="module")
def deployment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A saved explainer, and rows to explain with their numbers."""
    folder = tmp_path_factory.mktemp("deployment")
    small.compiled().save(folder / "e.geco")
    frame = pd.concat([small.table()[["customer", "age", "income"]].fillna(0)] * COPIES, ignore_index=True)
    frame.assign(number=range(len(frame))).to_parquet(folder / "in.parquet", index=False)
    frame.to_csv(folder / "in.csv", index=False)
    return folder


def run(folder: Path, out: Path, rows: str = "in.parquet", **more: Any) -> geco.Batch:
    settings: dict[str, Any] = {"key": "customer", "k": 2, "part_rows": 25, "progress": False, **more}
    return geco.batch(folder / "e.geco", folder / rows, out, **settings)


@pytest.mark.parametrize("rows", ["in.parquet", "in.csv"])
def test_the_ray_engine_writes_the_bytes_of_the_local_one(
    rows: str, cluster: None, deployment: Path, tmp_path: Path
) -> None:
    run(deployment, tmp_path / "local", rows, workers=1)
    run(deployment, tmp_path / "ray", rows, engine="ray", workers=2)

    assert small.files(tmp_path / "ray") == small.files(tmp_path / "local")


def test_what_one_engine_left_the_other_completes(cluster: None, deployment: Path, tmp_path: Path) -> None:
    run(deployment, tmp_path / "whole", workers=1)
    run(deployment, tmp_path / "out", workers=1)
    for part in (1, 3):
        (tmp_path / "out" / "rows" / f"part-{part:06d}.parquet").unlink()
    (tmp_path / "out" / "_SUCCESS").unlink()
    run(deployment, tmp_path / "out", engine="ray", resume=True)

    assert small.files(tmp_path / "out") == small.files(tmp_path / "whole")


def test_explain_in_map_batches_gives_the_same_rows_for_any_batch_size(
    cluster: None, deployment: Path, tmp_path: Path
) -> None:
    run(deployment, tmp_path / "local", workers=1, part_rows=1000)
    expected = pq.ParquetFile(tmp_path / "local" / "answers" / "part-000000.parquet").read()
    saved = ray.put((deployment / "e.geco").read_bytes())
    explained = ray.data.read_parquet(str(deployment / "in.parquet")).map_batches(
        geco.ray.Explain,
        fn_constructor_args=(saved,),
        fn_constructor_kwargs={"key": "customer", "row": "number", "k": 2},
        batch_format="pyarrow",
        batch_size=17,
        concurrency=1,
    )
    table = pa.concat_tables(ray.get(explained.to_arrow_refs())).sort_by("row")

    assert answers_table(table).to_pylist() == expected.to_pylist()
    assert geco.ray.answers(table).num_rows == expected.num_rows > 0


def test_an_error_of_ours_comes_through_in_one_sentence(cluster: None, deployment: Path, tmp_path: Path) -> None:
    (tmp_path / "out" / "rows" / "part-000001.parquet" / "in the way").mkdir(parents=True)
    with pytest.raises(BatchError, match=r"cannot write .*part-000001.parquet: Is a directory"):
        run(deployment, tmp_path / "out", engine="ray", part_rows=5)

    under_way = [thread for thread in threading.enumerate() if thread.name == "Prefetcher"]  # of Ray Data
    for thread in under_way:
        thread.join(60)  # one that has all it wanted may take a moment to end
    assert not any(thread.is_alive() for thread in under_way)
