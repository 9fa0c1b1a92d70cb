"""scikit-learn's own check of an input, under the name it has in the installed version."""

from __future__ import annotations

from typing import Any


def validated(model: Any, table: Any, **checks: Any) -> Any:
    """The table as the model's methods see it; raises what they would."""
    if hasattr(model, "_validate_data"):  # before 1.6
        return model._validate_data(table, reset=False, **checks)
    from sklearn.utils.validation import validate_data

    return validate_data(model, table, reset=False, **checks)
