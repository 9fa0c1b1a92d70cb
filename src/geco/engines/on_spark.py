"""Spark: a data frame in, one row per x with its answers out, by ``mapInArrow``."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from geco.engines.asked import asked
from geco.engines.explaining import Explaining, key_type_in
from geco.engines.schema import arrow, explained_schema
from geco.engines.shipped import ship, unship
from geco.errors import BatchError
from geco.search.base import Kind

_LOADED: dict[str, Explaining] = {}  # by what was shipped, in each of Spark's Python workers


def explain(
    df: Any,
    saved: Any,
    model: Any = None,
    *,
    key: str | None = None,
    row: str | None = None,
    k: int = 5,
    seed: int = 0,
    max_evals: int | None = None,
    ways: Kind | None = None,
    threads: int = 1,
) -> Any:
    """The answers for every row of a Spark data frame: one row per x, in the columns of docs/batch_schema.md.

    Nothing is done until the result is asked for; Spark decides where and how often. Explainer and model travel with
    the task, so that workers need geco and the model's library but no file.

    Parameters
    ----------
    df : a row per x, with a column for every feature of D.
    saved : an Explainer, a project, or the path of a saved explainer.
    model : of a saved explainer: the model, or the path of its file.
    key : a column that the answers carry.
    row : a column with the number of each row.
    k, seed, max_evals, ways : as in ``Explainer.explain``.
    threads : of the native core, in each task.

    Examples
    --------
    >>> explained = geco.spark.explain(df, "credit.geco", model, key="customer")  # doctest: +SKIP
    >>> geco.spark.answers(explained).write.parquet("answers")  # doctest: +SKIP
    """
    types = _spark()
    shipped = ship(saved, model)
    question = asked(
        saved, shipped.explainer.method, k=k, seed=seed, max_evals=max_evals, ways=ways, prove=shipped.explainer.prove
    )
    features = shipped.explainer.domain.schema
    plain = _without_zones(df)
    key_type = key_type_in(types.to_arrow_schema(plain.schema), features, key, row)
    needed = list(dict.fromkeys([*features.names, *(name for name in (key, row) if name is not None)]))
    cargo = (shipped.data, shipped.model, key, row, question, threads)
    digest = "".join(map(str, shipped.digests.values())) + repr(cargo[2:])
    schema = types.from_arrow_schema(explained_schema(features, key_type))
    return plain.select(*(plain[f"`{_quoted(name)}`"] for name in needed)).mapInArrow(_mapped(digest, cargo), schema)


def answers(explained: Any) -> Any:
    """One row per answer of what ``explain`` gave."""
    _spark()
    from pyspark.sql import functions

    each = explained.select("row", "key", functions.explode("answers").alias("answer"))
    return each.select("row", "key", "answer.*")


def _mapped(digest: str, cargo: tuple[Any, ...]) -> Callable[[Iterator[Any]], Iterator[Any]]:
    def mapped(batches: Iterator[Any]) -> Iterator[Any]:
        explaining = _loaded(digest, cargo)
        for batch in batches:
            yield from explaining(arrow().Table.from_batches([batch])).to_batches()

    return mapped


def _loaded(digest: str, cargo: tuple[Any, ...]) -> Explaining:
    """Once in every worker, which Spark uses for many tasks."""
    if digest not in _LOADED:
        data, model, *settings = cargo
        _LOADED.clear()
        _LOADED[digest] = Explaining(unship(data, model), *settings)
    return _LOADED[digest]


def _without_zones(df: Any) -> Any:
    """A timestamp of Spark is a moment; features are what a clock shows, which is that moment in the session's zone."""
    from pyspark.sql.types import TimestampType

    moments = {f.name: df[f"`{_quoted(f.name)}`"].cast("timestamp_ntz") for f in df.schema.fields
               if isinstance(f.dataType, TimestampType)}  # fmt: skip
    return df.withColumns(moments) if moments else df


def _quoted(name: str) -> str:
    return name.replace("`", "``")


def _spark() -> Any:
    try:
        from pyspark.sql.pandas import types
    except ImportError as error:
        raise BatchError("geco.spark needs Spark: pip install 'geco-explain[spark]'") from error
    return types
