"""geco: what to change to turn a model's no into a yes."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from geco.answers.explanation import Action, Counterfactual, Explanation
    from geco.answers.explanations import Explanations
    from geco.answers.labels import Label
    from geco.answers.progress import Progress
    from geco.baselines.certifai import Certifai
    from geco.baselines.mace import Mace
    from geco.baselines.simcf import SimCF
    from geco.baselines.wit import Wit
    from geco.data.database import Database
    from geco.engines.batch import Batch, batch
    from geco.errors import GecoError
    from geco.explainer import Explainer
    from geco.models.goal.target import Target
    from geco.models.libraries.torch.ask import Torch
    from geco.notebook.widget import widget
    from geco.params import Params
    from geco.plaf.parser import parse_plaf, read_plaf
    from geco.plaf.syntax import Program
    from geco.project.project import Project, open
    from geco.questions.nearest_row import NearestRow
    from geco.questions.obstacles import Obstacles
    from geco.questions.reasons import Reasons
    from geco.questions.smallest import Smallest
    from geco.questions.summary import Summary
    from geco.questions.tradeoffs import Tradeoffs
    from geco.questions.what_if import WhatIf
    from geco.report.ledger import Ledger
    from geco.search.exact import Exact
    from geco.search.frontier import Frontier
    from geco.search.genetic import Genetic

__version__ = "0.1.0"

_HOME = {
    "Certifai": "geco.baselines.certifai",
    "Mace": "geco.baselines.mace",
    "SimCF": "geco.baselines.simcf",
    "Wit": "geco.baselines.wit",
    "Explanations": "geco.answers.explanations",
    "Label": "geco.answers.labels",
    "Database": "geco.data.database",
    "Batch": "geco.engines.batch",
    "batch": "geco.engines.batch",
    "GecoError": "geco.errors",
    "Explainer": "geco.explainer",
    "Action": "geco.answers.explanation",
    "Counterfactual": "geco.answers.explanation",
    "Explanation": "geco.answers.explanation",
    "Target": "geco.models.goal.target",
    "Torch": "geco.models.libraries.torch.ask",
    "widget": "geco.notebook.widget",
    "Params": "geco.params",
    "parse_plaf": "geco.plaf.parser",
    "read_plaf": "geco.plaf.parser",
    "Program": "geco.plaf.syntax",
    "NearestRow": "geco.questions.nearest_row",
    "Obstacles": "geco.questions.obstacles",
    "Reasons": "geco.questions.reasons",
    "Smallest": "geco.questions.smallest",
    "Summary": "geco.questions.summary",
    "Tradeoffs": "geco.questions.tradeoffs",
    "WhatIf": "geco.questions.what_if",
    "Project": "geco.project.project",
    "open": "geco.project.project",
    "Progress": "geco.answers.progress",
    "Ledger": "geco.report.ledger",
    "Exact": "geco.search.exact",
    "Frontier": "geco.search.frontier",
    "Genetic": "geco.search.genetic",
}
__all__ = [
    "Action",
    "Batch",
    "Certifai",
    "Counterfactual",
    "Database",
    "Exact",
    "Explainer",
    "Explanation",
    "Explanations",
    "Frontier",
    "GecoError",
    "Genetic",
    "Label",
    "Ledger",
    "Mace",
    "NearestRow",
    "Obstacles",
    "Params",
    "Program",
    "Progress",
    "Project",
    "Reasons",
    "SimCF",
    "Smallest",
    "Summary",
    "Target",
    "Torch",
    "Tradeoffs",
    "WhatIf",
    "Wit",
    "batch",
    "open",
    "parse_plaf",
    "read_plaf",
    "widget",
]


def __getattr__(name: str) -> object:
    # Public names are loaded when first used, so that `geco --help` does not wait for DuckDB and the grammar.
    if name in _HOME:
        from importlib import import_module

        return getattr(import_module(_HOME[name]), name)
    if name in ("ray", "spark"):
        from importlib import import_module

        return import_module(f"geco.{name}")
    raise AttributeError(f"module 'geco' has no attribute {name!r}")


def __dir__() -> list[str]:
    # For completion, which would otherwise know only what was used before.
    return sorted({*__all__, "__version__", "__doc__", "__file__", "__name__", "__path__"})
