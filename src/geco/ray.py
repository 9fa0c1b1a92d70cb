"""Batches on Ray: ``geco.ray.Explain`` for ``ray.data.Dataset.map_batches`` (docs/batch.md)."""

from geco.engines.on_ray import Explain
from geco.engines.tables import answers_table as answers

__all__ = ["Explain", "answers"]
