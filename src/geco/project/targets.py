"""What [model] says is good ▶ the Target of an Explainer."""

from __future__ import annotations

from typing import Any

from geco.models.goal.target import Target
from geco.project.settings import Settings


def target_of(settings: Settings, model: Any) -> Target | None:
    """Target, threshold and interval of [model]; None if it says nothing."""
    interval, said, threshold = (settings.get("model", key) for key in ("interval", "target", "threshold"))
    if interval is not None:
        return Target(interval=_ends(interval))
    if said is None and threshold is None:
        return None
    return target_said(said, threshold, list(getattr(model, "classes_", ())))


def target_said(said: Any, threshold: float | None, classes: list[Any]) -> Target:
    """What somebody wrote or typed, for a model with these classes."""
    if isinstance(said, str) and not any(str(label) == said for label in classes):
        return _read(said, threshold, classes)
    several = said if isinstance(said, list) else [] if said is None else [said]
    labels = [_as_the_model_has_it(label, classes) for label in several]
    return Target(labels=labels or None, threshold=threshold)


def _read(text: str, threshold: float | None, classes: list[Any]) -> Target:
    """Text that is no class of the model: low:high, a probability, a number, or a label after all."""
    ends = text.split(":")
    try:
        numbers = [float(end) if end else None for end in ends]
    except ValueError:
        return Target(labels=text, threshold=threshold)
    if len(numbers) == 2:
        return Target(interval=(numbers[0], numbers[1]))
    number = numbers[0]
    if len(numbers) > 2 or number is None:
        return Target(labels=text, threshold=threshold)
    if not number.is_integer():
        return Target(threshold=number)
    return Target(labels=_as_the_model_has_it(int(number), classes), threshold=threshold)


def _as_the_model_has_it(label: Any, classes: list[Any]) -> Any:
    """The class that is equal, or written alike: 1 for '1', and the other way round."""
    return next((known for known in classes if known == label or str(known) == str(label)), label)


def _ends(interval: list[Any]) -> tuple[float | None, float | None]:
    low, high = (None if end == "any" else float(end) for end in interval)
    return low, high
