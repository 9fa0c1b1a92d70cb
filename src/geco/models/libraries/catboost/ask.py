"""CatBoost: a plain model is asked for probabilities if it was trained on classes; gaps in categories are named."""

from __future__ import annotations

from typing import Any

from geco.models.asking.wrap import wrapper
from geco.models.libraries.tables import frame


@wrapper("catboost:CatBoost")
def model(own: Any) -> Any:
    """A classifier, unless the model has no classes."""
    return CatBoostNumbers(own) if len(own.classes_) == 0 else CatBoostClasses(own)


class CatBoostModel:
    """What a black box has to know of a CatBoost model."""

    def __init__(self, own: Any) -> None:
        self.own = own
        names = [str(name) for name in own.feature_names_]
        self.n_features_in_ = len(names)
        if names != [str(number) for number in range(len(names))]:  # fitted on an array it numbers its columns
            self.feature_names_in_ = names
        self.categories = own.get_cat_feature_indices()

    def _refuse_gaps(self, table: Any) -> None:
        if not self.categories or (shown := frame(table)) is None:
            return
        for number in self.categories:
            if gaps := int(shown.iloc[:, number].isna().sum()):
                raise ValueError(
                    f"{shown.columns[number]!r} is missing in {gaps} of them, and CatBoost takes no missing category: "
                    "give the gaps a text such as 'missing', in D and where the model is trained"
                )


class CatBoostClasses(CatBoostModel):
    """A model of classes."""

    def __init__(self, own: Any) -> None:
        super().__init__(own)
        self.classes_ = own.classes_

    def predict_proba(self, table: Any) -> Any:
        """A column per class."""
        self._refuse_gaps(table)
        if hasattr(self.own, "predict_proba"):
            return self.own.predict_proba(table)
        return self.own.predict(table, prediction_type="Probability")


class CatBoostNumbers(CatBoostModel):
    """A model of quantities."""

    _estimator_type = "regressor"

    def predict(self, table: Any) -> Any:
        """One number per row."""
        self._refuse_gaps(table)
        return self.own.predict(table)
