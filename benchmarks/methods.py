"""The ways to explain that are compared: a name and an explainer for it."""

from __future__ import annotations

from typing import Any

import geco

PAPER = geco.Params(alpha=0, beta=1, gamma=0, round=False)  # the distance of the paper's experiments and of the peers
METHODS: dict[str, Any] = {
    "frontier": "frontier",
    "genetic": "genetic",
    "genetic_listing": geco.Genetic(representation="listing"),
    "genetic_selective": geco.Genetic(mutate="best"),
    "wit": "wit",
    "certifai": "certifai",
    "simcf": "simcf",
    "mace_active": "mace",
}


def explainer(
    method: str, model: Any, database: geco.Database, program: geco.Program, **settings: Any
) -> geco.Explainer:
    """An Explainer that uses the named method, by the paper's distance unless another is given."""
    return geco.Explainer(model, database, program, method=METHODS[method], **{"params": PAPER, **settings})
