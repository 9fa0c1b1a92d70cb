"""What is asked about each row of a batch: what was given, else what the project says."""

from __future__ import annotations

from typing import Any

from geco.engines.watching import LOG
from geco.errors import SettingsError, shown
from geco.project.project import Project
from geco.question import Question
from geco.search.base import Method


def asked(explainer: Any, method: Method, **given: Any) -> dict[str, Any]:
    """What is asked about each row, checked: what was given, else what the project says."""
    said = explainer.question if isinstance(explainer, Project) else {}
    if "deadline" in said:
        LOG.warning("the deadline of the project is left aside: with a clock, two runs would give different answers")
    settings = {"k": 5, "seed": 0, "max_evals": None, "ways": None, "prove": "quick", **said}
    settings |= {name: value for name, value in given.items() if value is not None}
    asks = (settings[name] for name in ("k", "seed", "max_evals", "ways"))
    question = Question.of(method, *asks, prove=settings["prove"])
    if isinstance(question.prove, float):
        raise SettingsError(
            f"with prove={question.prove:g} seconds two runs would differ; a batch takes prove='quick' or False"
        )
    return {name: getattr(question, name) for name in ("k", "seed", "max_evals", "ways", "prove")}


def key_name(explainer: Any, key: Any) -> str | None:
    """The column of keys: what was given, else what the project says."""
    if key is not None and not isinstance(key, str):
        raise SettingsError(f"key must be the name of a column, got {shown(key)}")
    said = explainer.settings.get("data", "key") if key is None and isinstance(explainer, Project) else None
    return key or said
