"""Batches on Spark: ``geco.spark.explain(df, saved, model)`` (docs/batch.md)."""

from geco.engines.on_spark import answers, explain

__all__ = ["answers", "explain"]
