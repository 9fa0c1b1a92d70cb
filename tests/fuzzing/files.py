"""Calls about files: tables, queries, programs, saved explainers; their paths, their bytes, their settings."""

from __future__ import annotations

import gzip
import io
import sqlite3
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import numpy as np

import geco
from fuzzing import people
from fuzzing.calls import mutated
from fuzzing.cases import Case
from fuzzing.hostile import hostile
from fuzzing.texts import damaged, odd_program
from fuzzing.trees import changed_by_hand, sealed

Rng = np.random.Generator

NAMES = (
    "it.csv",
    "it.csv.gz",
    "it.parquet",
    "it[1].csv",
    "it*.csv",
    "it?.CSV",
    "it",
    "ä ö.csv",
    "it.csv.parquet",
    "-.csv",
)
CSV = (
    b"a,b\n1,2\n",
    b'a,b\r\n"x\ny","""q"""\r3,4\n',
    b"a;b\n1;2\n",
    b"code,n\nb,20\n#1,y\n",
    b"a,a\n1,2\n",
    b",\n1,2\n",
    b"\xef\xbb\xbfa,b\n1,2\n",
    b"a,b\n0x10,1e400\n9223372036854775808,Infinity\n",
    b"a\n" + b"1\n" * 3000 + b"x\n",
    b"a,b\n1\n1,2,3\n",
    b"\xff\xfea\x00,\x00b\x00",
    b"a,b\n'1,2\n\"3,4\n",
)
QUERIES = (
    "SELECT * FROM t",
    "t",
    "\"t\"; copy t to 'FOLDER/out.csv'; select 1",
    "SELECT 1; SELECT 2",
    "DROP TABLE t",
    "SELECT * FROM read_csv('/etc/passwd')",
    "SELECT * FROM 'http://localhost:1/x.parquet'",
    "SELECT a, a FROM t",
    "SELECT 1/0 AS a FROM t",
    "SELECT [1,2] AS a",
    "SELECT NULL AS a",
    "SELECT * FROM t WHERE 1 = 0",
    "SELECT",
    "PRAGMA database_list",
    "ATTACH 'FOLDER/x.db'",
    "SELECT * FROM t -- and so on",
    "SELECT 'a\0b' AS a",
    "WITH x AS (SELECT 170141183460469231731687303715884105727::HUGEINT AS h) SELECT * FROM x",
    "SELECT TIMESTAMPTZ '2024-01-01' AS z",
    "SELECT INTERVAL 1 DAY AS i",
    "SELECT * FROM range(5) t(a)",
)


@cache
def csv_bytes() -> bytes:
    return people.people().head(40).to_csv(index=False).encode()


@cache
def parquet_bytes() -> bytes:
    buffer = io.BytesIO()
    people.people().head(40).to_parquet(buffer)
    return buffer.getvalue()


def written(name: str, data: bytes) -> Path:
    path = people.folder() / name
    path.write_bytes(data)
    return path


def odd_table(rng: Rng) -> tuple[Path, str]:
    """A CSV or Parquet file whose bytes are damaged, or that is called something strange."""
    name = NAMES[rng.integers(len(NAMES))]
    roll = rng.random()
    data, told = parquet_bytes() if name.endswith("parquet") else csv_bytes(), ""
    if roll < 0.25:
        data, told = CSV[rng.integers(len(CSV))], "a small file"
    if name.endswith(".gz") and rng.random() < 0.8:
        data = gzip.compress(data)
    if roll > 0.2:
        data, told = damaged(data, rng)
    return written(name, data), f"{name}: {told}"


def _used(database: geco.Database) -> None:
    for name in database.schema.names:
        database.distinct([name])
    assert len(database.dtypes) == len(database.marks) == len(database.schema)


def from_file(rng: Rng) -> Case:
    path, told = odd_table(rng)
    arguments: dict[str, Any] = {"path": path, "exclude": (), "kinds": None}
    if rng.random() < 0.35:
        arguments, more = mutated(rng, arguments)
        told += f"; {more}"
    return Case(lambda: _used(geco.Database.from_file(**arguments)), told)


@cache
def _databases() -> dict[str, Any]:
    """A DuckDB file, a SQLite file, a DuckDB connection and something else."""
    frame = people.people().head(20).drop(columns="since")
    for name in ("it.duckdb", "it.sqlite"):
        (people.folder() / name).unlink(missing_ok=True)
    with duckdb.connect(str(people.folder() / "it.duckdb")) as made:
        made.register("frame", frame)
        made.execute("CREATE TABLE t AS SELECT * FROM frame")
    lite = sqlite3.connect(people.folder() / "it.sqlite")
    frame.to_sql("t", lite, index=False)
    lite.commit()
    lite.close()
    open_one = duckdb.connect()
    open_one.execute("CREATE TABLE t AS SELECT range AS a, 'x' AS b FROM range(9)")
    return {"duckdb": people.folder() / "it.duckdb", "sqlite": str(people.folder() / "it.sqlite"), "open": open_one}


def from_sql(rng: Rng) -> Case:
    kinds = _databases()
    which = list(kinds)[rng.integers(3)]
    query = QUERIES[rng.integers(len(QUERIES))] if rng.random() < 0.8 else _garbled(rng)
    query = query.replace("FOLDER", str(people.folder()))
    arguments: dict[str, Any] = {"query": query, "connection": kinds[which], "exclude": (), "kinds": None}
    told = f"{which}: {query!r}"
    if rng.random() < 0.4:
        arguments, more = mutated(rng, arguments)
        told += f"; {more}"
    elif rng.random() < 0.1:
        broken = written("broken.duckdb", damaged((people.folder() / "it.duckdb").read_bytes()[:20_000], rng)[0])
        arguments["connection"], told = broken, "a damaged file"

    def run() -> None:
        out = people.folder() / "out.csv"
        out.unlink(missing_ok=True)
        try:
            _used(geco.Database.from_sql(**arguments))
        finally:
            if out.exists():
                raise AssertionError("the query wrote a file")

    return Case(run, told)


def _garbled(rng: Rng) -> str:
    query = list(QUERIES[rng.integers(len(QUERIES))])
    for _ in range(3):
        query[rng.integers(len(query))] = "'\";-()*\0\ud800 x"[rng.integers(11)]
    return "".join(query)


def read_plaf(rng: Rng) -> Case:
    text, told = odd_program(rng)
    data = text.encode("utf-8", "surrogatepass")
    if rng.random() < 0.4:
        data, told = damaged(data, rng)
    path: Any = written("it.plaf", data)
    if rng.random() < 0.2:
        told, path = hostile(rng)
    return Case(lambda: geco.read_plaf(path), told)


def load(rng: Rng) -> Case:
    kind = ("black box", "compiled", "exact")[rng.integers(3)]
    whole = people.saved(kind)
    roll = rng.random()
    if roll < 0.55:
        data, told = changed_by_hand(whole, rng)
    elif roll < 0.75:
        data, told = damaged(whole, rng)
        data = sealed(data)
    else:
        data, told = damaged(whole, rng) if roll < 0.85 else (whole, "as it is")
    arguments: dict[str, Any] = {"path": written("it.geco", data), "model": people.explainer(kind).model.own}
    if rng.random() < 0.3:
        arguments["model"] = None
    if rng.random() < 0.3:
        arguments, more = mutated(rng, arguments)
        told += f"; {more}"

    def run() -> None:
        made = geco.Explainer.load(**arguments)
        made.describe()
        str(made.explain(people.xs()[0], k=2))

    return Case(run, f"{kind}: {told}")


def save(rng: Rng) -> Case:
    kind = ("black box", "compiled", "exact")[rng.integers(3)]
    name, path = hostile(rng)
    if rng.random() < 0.3:
        name = path = str(
            ("/no/such/folder/it", "/", "", ".", "..", "/dev/full", "/proc/it", "x" * 300)[rng.integers(8)]
        )
    # Relative names are written into the folder of this process.
    if isinstance(path, str) and not path.startswith("/") and path not in ("", ".", ".."):
        path = f"{people.folder()}/{path}"
    return Case(lambda: people.explainer(kind).save(path), f"{kind}: {name}")


CALLS: dict[str, Callable[[Rng], Case]] = {
    "from_file": from_file,
    "from_sql": from_sql,
    "read_plaf": read_plaf,
    "load": load,
    "save": save,
}
