"""Several forests as one: the sums of each, whatever library they come from, and all conditions at once."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

import geco
from geco.models.compiling.compiled import Compiled
from geco.models.compiling.joined import compared, joined_bounds

pytest.importorskip("xgboost")
pytest.importorskip("lightgbm")


def table() -> pd.DataFrame:
    rng = np.random.default_rng(4)
    frame = pd.DataFrame({name: np.round(rng.normal(0, 3, 300), 2) for name in "abc"})
    return frame.mask(rng.random(frame.shape) < 0.05)


def models(frame: pd.DataFrame) -> list[object]:
    from lightgbm import LGBMClassifier
    from xgboost import XGBClassifier

    total = frame.fillna(0).sum(axis=1)
    two, three = (total > 0).astype(int), np.digitize(total, [-2, 2])
    return [
        XGBClassifier(n_estimators=7, max_depth=3).fit(frame, three),  # strict, in float32, an output per tree
        LGBMClassifier(n_estimators=6, num_leaves=5, verbose=-1).fit(frame, two),  # zeros and missing values
        RandomForestClassifier(5, max_depth=4, random_state=0).fit(frame, three),  # divided, a column per output
        HistGradientBoostingClassifier(max_iter=5).fit(frame, two),
        DecisionTreeClassifier(max_depth=4, random_state=0).fit(frame, two),
    ]


def compiled(model: object, frame: pd.DataFrame, target: object) -> Compiled:
    read = geco.Explainer(model, geco.Database.from_frame(frame), target=target)._parts.panel.members[0].compiled
    assert read is not None
    return read


@pytest.mark.filterwarnings("ignore:X does not have valid feature names")
def test_sums_are_those_of_each_model() -> None:
    frame = table()
    parts = [compiled(model, frame, {1}) for model in models(frame)]
    joined = joined_bounds(parts).forest
    rng = np.random.default_rng(1)
    points = np.stack([rng.integers(1, len(values), 200) for values in parts[0].encoding.encoded], axis=1)
    points = points.astype(np.int32)
    x = [np.where(np.isnan(part.encoding.constant), 0.0, part.encoding.constant) for part in parts]
    each = [part.core.points(part.core.anchor(of), points, np.inf) for part, of in zip(parts, x, strict=True)]
    together = joined.points(
        joined.anchor(np.concatenate([compared(part, of) for part, of in zip(parts, x, strict=True)])), points, np.inf
    )

    np.testing.assert_allclose(together, np.hstack(each), rtol=1e-5, atol=1e-6)
    assert together.shape[1] == sum(part.shape[1] for part in each)


def test_conditions_are_those_of_all_models_one_alternative_of_each() -> None:
    frame = table()
    several = [compiled(model, frame, {0, 1}) for model in (models(frame)[0], models(frame)[2])]
    alone = [joined_bounds([part]).conditions for part in several]
    made = joined_bounds(several).conditions

    assert len(made.needs) == len(alone[0].needs) * len(alone[1].needs)
    assert made.needs.shape[1] == alone[0].needs.shape[1] + alone[1].needs.shape[1]
    assert made.weights.shape[2] == alone[0].weights.shape[2] + alone[1].weights.shape[2]
