"""MLflow: a model loaded by ``mlflow.pyfunc`` takes a pandas frame with the names and dtypes of its signature."""

from __future__ import annotations

from typing import Any

import numpy as np

from geco.models.asking.wrap import wrapper


@wrapper("mlflow:PyFuncModel")
class PyFunc:
    """``predict`` on any table, columns by name where the model has a signature.

    Where the signature says that several named columns of floats come out, they are the probabilities of classes of
    these names, and ``predict_proba`` gives them.
    """

    def __init__(self, model: Any) -> None:
        self.model = model
        metadata = model.metadata
        self._columns = _columns(metadata and metadata.get_input_schema())
        if self._columns:
            self.feature_names_in_ = list(self._columns)
        out = _columns(metadata and metadata.get_output_schema())
        if len(out) > 1 and all(getattr(column.type, "name", "") in ("double", "float") for column in out.values()):
            self.classes_ = np.array(list(out), object)
            self.predict_proba = self.predict

    def predict(self, table: Any) -> Any:
        """The model's answer for each row: labels, numbers, or one column of probabilities per class."""
        answer = self.model.predict(self._cast(table) if self._columns else table)
        return answer.to_numpy() if hasattr(answer, "to_numpy") else np.asarray(answer)

    def _cast(self, table: Any) -> Any:
        """The signature is enforced to the letter: a category is not a string, a whole number may not be a long."""
        import pandas as pd

        frame = table.to_pandas() if hasattr(table, "to_pandas") else table
        if not hasattr(frame, "iloc"):
            frame = pd.DataFrame(frame, columns=list(self._columns))
        return frame.assign(**{name: _as(frame[name], column) for name, column in self._columns.items()})


def _columns(schema: Any) -> dict[str, Any]:
    """By name what a schema says of each column; nothing where it has no names."""
    if schema is None or schema.is_tensor_spec() or not schema.has_input_names():
        return {}
    return {column.name: column for column in schema.inputs}


def _as(values: Any, column: Any) -> Any:
    """A column in the dtype of the signature; left as it is where that cannot hold its values."""
    if not hasattr(column.type, "to_pandas"):  # an array or an object
        return values
    wanted = column.type.to_pandas()
    if values.dtype == wanted or getattr(wanted, "kind", "") == "M":
        return values
    if wanted is object:
        return values.astype(object)
    whole = getattr(wanted, "kind", "O") in "biu"
    if whole and values.isna().any():
        return values
    cast = values.astype(wanted)
    return values if whole and (cast != values).any() else cast  # a fraction would be cut off
