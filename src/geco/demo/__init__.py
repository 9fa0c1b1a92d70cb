"""The demo: German credit, a program of what applicants could do, and a model trained at first use.

Source and licence of the data are in README.md beside this file.
"""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import as_file, files
from typing import TYPE_CHECKING, Any, NamedTuple

from geco.errors import GecoError

if TYPE_CHECKING:
    import pandas as pd

    from geco.data.database import Database
    from geco.plaf.syntax import Program

LABEL = "risk"
GOOD = "good"
APPLICANT = 3


class Demo(NamedTuple):
    """``frame, model, database, program = geco.demo.load()``; the model's classes are 'bad' and 'good'."""

    frame: pd.DataFrame
    model: Any
    database: Database
    program: Program


def load() -> Demo:
    """The data, read and the model trained once per process; the frame is the caller's own."""
    demo = _loaded()
    return demo._replace(frame=demo.frame.copy())


@lru_cache(maxsize=1)
def _loaded() -> Demo:
    from geco.data.database import Database
    from geco.plaf.parser import read_plaf

    try:
        import pandas as pd
        import sklearn  # noqa: F401
    except ImportError as error:
        raise GecoError(f"the demo needs {error.name}; install it with: pip install 'geco-explain[demo]'") from error
    folder = files(__name__)
    with as_file(folder / "german.csv") as path:
        frame = pd.read_csv(path)
    with as_file(folder / "german.plaf") as path:
        program = read_plaf(path)
    database = Database.from_frame(frame, exclude=[LABEL], kinds={"job": "ordinal"})
    return Demo(frame, _train(frame), database, program)


def _train(frame: pd.DataFrame) -> Any:
    """Boosted trees on one-hot text; the seed is fixed, so every demo shows the same model.

    Leaves of at least 20 applicants keep it from learning single loans by heart.
    """
    from sklearn.compose import ColumnTransformer, make_column_selector
    from sklearn.ensemble import GradientBoostingClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder

    encode = ColumnTransformer(
        [("text", OneHotEncoder(handle_unknown="ignore"), make_column_selector(dtype_exclude="number"))],
        remainder="passthrough",
    )
    model = make_pipeline(encode, GradientBoostingClassifier(min_samples_leaf=20, random_state=0))
    return model.fit(frame.drop(columns=LABEL), frame[LABEL].map({0: "bad", 1: GOOD}))
