"""What is to be explained ▶ a Source: rows one at a time, in a fixed order, and what the manifest says of them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from geco.data.domain import Domain
from geco.data.frames import Frame
from geco.data.parts import Part, check_same_columns, find_parts
from geco.engines.csvrows import csv_names, csv_records, field_reader, text_or_missing
from geco.engines.durable import digest_of
from geco.engines.parquetrows import ParquetPart, arrow_rows, parquet_key, parquet_names, parquet_part, parquet_range
from geco.engines.queries import query_rows
from geco.engines.rows import Row, key_type_of
from geco.errors import DataError, did_you_mean
from geco.given import path_of
from geco.lockstep.instances import count, instances, is_frame


@dataclass(frozen=True)
class Source:
    """Rows to explain.

    Attributes
    ----------
    said : what the manifest says of it; for files their lengths and digests.
    key_type : ``int64`` or ``string``.
    total : how many rows there are, if that is known in advance.
    rows : all rows from the beginning; may be asked for once.
    checked : whether ``said`` tells if the rows are others; if not, the digest of each part does.
    files : Parquet files that any process can read a range of; empty for others.
    """

    said: dict[str, Any]
    key_type: str
    total: int | None
    rows: Callable[[], Iterator[Row]]
    checked: bool
    files: tuple[ParquetPart, ...] = ()


def source_of(rows: Any, domain: Domain, key: str | None, connection: Any = None) -> Source:
    """Rows of files, of a query on a connection, of a frame or an Arrow reader, or anything with rows to explain."""
    if connection is not None:
        return _query(rows, domain, key, connection)
    if isinstance(rows, (str, os.PathLike)):
        return _files(path_of(rows), domain, key)
    if hasattr(rows, "read_next_batch"):
        _check(rows.schema.names, domain, key, "the reader")
        key_type = "string" if key is None else key_type_of(rows.schema.field(key).type)
        return Source({"kind": "rows"}, key_type, None, lambda: arrow_rows(rows, domain.names, key), checked=False)
    dtypes = Frame(rows).dtypes if is_frame(rows) else {}
    if dtypes:
        _check(list(dtypes), domain, key, "the frame")
    picked = partial(_picked, lambda: instances(rows), domain, key)
    return Source({"kind": "rows"}, key_type_of(dtypes.get(key or "", "")), count(rows), picked, checked=False)


def _query(query: Any, domain: Domain, key: str | None, connection: Any) -> Source:
    names, key_type, read = query_rows(query, connection, key)
    _check(names, domain, key, "the query")
    picked = partial(_picked, lambda: (dict(zip(names, values, strict=True)) for values in read()), domain, key)
    return Source({"kind": "query", "query": str(query)}, key_type, None, picked, checked=False)


def _files(path: str, domain: Domain, key: str | None) -> Source:
    parts = find_parts(path)
    names = check_same_columns([(part, csv_names(part) if part.is_csv else parquet_names(part)) for part in parts])
    _check(names, domain, key, repr(path))
    said = {"kind": "files", "files": [_said(part.path, path) for part in parts]}
    wanted = [*domain.names, *([key] if key is not None and key not in domain.names else [])]
    if parts[0].is_csv:
        return Source(said, "string", None, lambda: _csv_rows(parts, domain, key, wanted), checked=True)
    files = tuple(parquet_part(part, domain.schema, wanted) for part in parts)
    total = sum(part.rows for part in files)
    rows = partial(parquet_range, files, domain.schema, key, 0, total)
    return Source(said, parquet_key(files, key), total, rows, True, files)


def _said(path: str, given: str) -> dict[str, Any]:
    """Of one file; its name within the folder that was given, so that a folder may be moved."""
    try:
        length, digest = digest_of(Path(path))
    except OSError as error:
        raise DataError(f"cannot read {path!r}: {error.strerror or error}") from error
    name = os.path.relpath(path, given) if os.path.isdir(given) else os.path.basename(path)
    return {"file": name, "bytes": length, "sha256": digest}


def _check(names: Sequence[str], domain: Domain, key: str | None, what: str) -> None:
    missing = [name for name in domain.names if name not in names]
    if missing:
        shown = ", ".join(f"{name!r}{did_you_mean(name, names)}" for name in missing[:5])
        more = f" and {len(missing) - 5} more" if len(missing) > 5 else ""
        raise DataError(f"{what} has no column {shown}{more}; it must have all {len(domain.names)} features of D")
    if key is not None and key not in names:
        raise DataError(f"{what} has no column {key!r} for the key{did_you_mean(key, names)}")


def _csv_rows(parts: Sequence[Part], domain: Domain, key: str | None, wanted: Sequence[str]) -> Iterator[Row]:
    readers = {name: field_reader(domain.schema, name) for name in domain.names}
    for part in parts:
        names = set(csv_names(part))
        inside = [name for name in wanted if name in names]
        given = {name: part.values[name] for name in wanted if name not in names}
        for record in csv_records(part, inside):
            fields = {**dict(zip(inside, record, strict=True)), **given}
            of_row = None if key is None else text_or_missing(fields[key])
            yield Row(of_row, {name: read(fields[name]) for name, read in readers.items()})


def _picked(rows: Callable[[], Iterator[Any]], domain: Domain, key: str | None) -> Iterator[Row]:
    """Features and key; what is no mapping goes to ``explain`` as it is."""
    for row in rows():
        if isinstance(row, Mapping):
            yield Row(None if key is None else row.get(key), {n: row[n] for n in domain.names if n in row})
        else:
            yield Row(None, row)
