"""XGBoost's own Booster: tables become a DMatrix on the way."""

from __future__ import annotations

import json
from typing import Any

from geco.models.asking.wrap import wrapper


@wrapper("xgboost:Booster")
class BoosterModel:
    """``predict`` on frames and arrays; columns by the names the Booster was trained with, if it has them."""

    def __init__(self, booster: Any) -> None:
        self.booster = booster
        self.n_features_in_ = booster.num_features()
        if booster.feature_names is not None:
            self.feature_names_in_ = list(booster.feature_names)
        learner = json.loads(booster.save_config())["learner"]
        objective = learner["objective"]["name"]
        if objective == "multi:softmax":  # it answers with the number of a class
            self.classes_ = list(range(int(learner["learner_model_param"]["num_class"])))
        self._estimator_type = "regressor" if objective.startswith(("reg:", "count:")) else None

    def predict(self, table: Any) -> Any:
        """The Booster's answer for each row."""
        from xgboost import DMatrix

        return self.booster.predict(DMatrix(table, enable_categorical=True))
