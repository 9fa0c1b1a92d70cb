"""Categories: columns of a file that the model was fitted on as categories; a file has texts and numbers only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from geco.data.schema import Schema


def category_dtypes(model: Any, schema: Schema) -> Mapping[str, object]:
    """The dtypes that LightGBM wrote into its file with the model; empty where it wrote none."""
    booster = getattr(model, "booster_", model)
    listed = getattr(booster, "pandas_categorical", None)
    if not listed or not hasattr(booster, "feature_name"):
        return {}
    columns = _columns(booster, schema, len(listed))
    import pandas as pd

    return {name: pd.CategoricalDtype(values) for name, values in zip(columns, listed, strict=True)} if columns else {}


def _columns(booster: Any, schema: Schema, count: int) -> Sequence[str]:
    """The features in the order of the model that are categories: by what it says of them, or those of text."""
    by_name = {name.replace(" ", "_"): name for name in schema.names}
    names = [by_name.get(name, "") for name in booster.feature_name()]
    head = booster.model_to_string(num_iteration=1).partition("feature_infos=")[2].partition("\n")[0]
    infos = head.split(" ")
    said = [name for name, info in zip(names, infos, strict=False) if not info.startswith(("[", "none"))]
    texts = [name for name in names if name and schema[name].type == "text"]
    return next((found for found in (said, texts) if len(found) == count and all(found)), ())
