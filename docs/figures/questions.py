"""The pictures of the pages in docs/questions/, from the examples that the pages show.

python docs/figures/questions.py
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib

import geco
import geco.demo

FOLDER = Path(__file__).parent


def keep(figure: Any, name: str) -> None:
    """The same picture is the same file."""
    with matplotlib.rc_context({"svg.hashsalt": "geco"}):
        figure.savefig(FOLDER / f"questions_{name}.svg", metadata={"Date": None})


def main() -> None:
    frame, model, database, program = geco.demo.load()
    labels = {
        "credit_amount": geco.Label("amount of the loan", unit="€"),
        "duration": geco.Label("duration", unit="months"),
    }
    explainer = geco.Explainer(model, database, program, target="good", labels=labels)
    x = frame.drop(columns="risk").iloc[3].to_dict()
    explanation = explainer.explain(x)
    keep(explainer.smallest(x, "checking_account").plot().figure, "smallest")
    keep(explainer.obstacles(x).plot().figure, "obstacles")
    keep(explainer.obstacles(x, only=["housing", "age"]).plot().figure, "obstacles_blocked")
    keep(explainer.tradeoffs(x, k=3).plot().figure, "tradeoffs")
    keep(explainer.reasons(x).plot().figure, "reasons")
    keep(explainer.plot_steps(explanation, 2).figure, "steps")
    keep(explainer.plot_strips(explanation, 1), "strips")
    keep(explainer.plot_strips(explainer.what_if(x, credit_amount=5000, checking_account="rich")), "what_if")
    anyone = geco.Explainer(model, database, target="good", labels=labels)
    keep(anyone.plot_strips(anyone.nearest_row(x)), "nearest_row")
    refused = frame[model.predict(frame.drop(columns="risk")) == "bad"].drop(columns="risk").head(60)
    keep(explainer.summary(explainer.explain_many(refused), by="sex", obstacles=0).plot(), "summary")


if __name__ == "__main__":
    main()
