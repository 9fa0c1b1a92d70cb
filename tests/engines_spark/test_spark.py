"""Batches on Spark: ``geco.spark.explain`` gives the rows, and so the bytes, of the local engine."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

import geco
from conftest import REPOSITORY
from engines import small
from geco.engines.formats import Table
from geco.errors import DataError

COPIES = 3


@pytest.fixture(scope="module")
def spark() -> Iterator[SparkSession]:
    """Two cores of this machine."""
    found = os.pathsep.join(filter(None, [os.environ.get("PYTHONPATH"), str(REPOSITORY / "tests")]))
    os.environ.update({"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1", "PYTHONPATH": found})
    session = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.execution.arrow.maxRecordsPerBatch", "23")
        .config("spark.sql.session.timeZone", "America/New_York")
        .getOrCreate()
    )
    yield session
    session.stop()


def frame() -> pd.DataFrame:
    repeated = pd.concat([small.table()] * COPIES, ignore_index=True)
    return repeated.assign(number=range(len(repeated)))


def written(table: Any, path: Path) -> bytes:
    Table(table).write(path)
    return path.read_bytes()


def test_spark_gives_the_bytes_of_the_local_engine(spark: SparkSession, tmp_path: Path) -> None:
    rows = frame()
    rows.to_parquet(tmp_path / "in.parquet", index=False)
    geco.batch(small.explainer(), rows, tmp_path / "out", key="customer", k=2, part_rows=10**6, workers=1)
    df = spark.read.parquet(str(tmp_path / "in.parquet")).repartition(3)
    explained = geco.spark.explain(df, small.explainer(), key="customer", row="number", k=2).orderBy("row").persist()
    answers = geco.spark.answers(explained).orderBy("row", "place")
    local = {name: tmp_path / "out" / name / "part-000000.parquet" for name in ("rows", "answers")}
    by_spark = {"rows": explained.drop("answers").toArrow(), "answers": answers.toArrow()}

    assert by_spark["answers"].num_rows > 40
    for name, path in local.items():
        read = pq.ParquetFile(path).read()
        assert written(by_spark[name].cast(read.schema), tmp_path / "a") == written(read, tmp_path / "b")


def test_a_data_frame_without_a_feature_is_refused_before_anything_runs(spark: SparkSession) -> None:
    df = spark.createDataFrame(small.features().drop(columns="age"))
    with pytest.raises(DataError, match="the table has no column 'age'"):
        geco.spark.explain(df, small.explainer())


def test_the_example_on_spark_writes_answers() -> None:
    command = [sys.executable, str(REPOSITORY / "examples" / "batch_on_spark.py")]
    ended = subprocess.run(command, capture_output=True, text=True)

    assert " answers in " in ended.stdout, ended.stderr
