"""category: what a one-hot set stands for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def category(features: tuple[str, ...], values: Mapping[str, Any]) -> str:
    """The name of its column that is 1, without what all names begin with.

    Examples
    --------
    >>> category(("color_red", "color_blue"), {"color_red": 0, "color_blue": 1})
    'blue'
    """
    hot = [f for f in features if values[f]]
    first, last = min(features), max(features)
    shared = next((i for i, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), 0)
    cut = max(first.rfind(separator, 0, shared) for separator in "_=.- ") + 1
    return " and ".join(f[cut:] for f in hot) or "none"
