"""LightGBM's own Booster: it looks columns up by their position only, so geco has to give them in its order."""

from __future__ import annotations

from typing import Any

from geco.models.asking.wrap import wrapper

QUANTITIES = ("regression", "regression_l1", "huber", "fair", "quantile", "mape", "poisson", "gamma", "tweedie")


@wrapper("lightgbm:Booster")
class BoosterModel:
    """``predict`` on frames and arrays; columns by the names the Booster was trained with, if it has them."""

    def __init__(self, booster: Any) -> None:
        self.predict = booster.predict
        self.n_features_in_ = booster.num_feature()
        self.feature_names_in_ = booster.feature_name()
        header = booster.model_to_string(num_iteration=1).partition("\nTree=")[0].splitlines()
        objective = next((line.partition("=")[2] for line in header if line.startswith("objective=")), "")
        self._estimator_type = "regressor" if objective.split(" ")[0] in QUANTITIES else None
