"""Params: what "near" means (Eq. 2) and which rows of D count; frozen, checked when made."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from geco.errors import SettingsError, shown
from geco.given import choice, not_negative
from geco.whole import check_whole

Scale = Literal["range", "mad", "std"]


@dataclass(frozen=True)
class Params:
    """The distance of Eq. 2 and the support a value needs.

    Parameters
    ----------
    alpha, beta, gamma : weights of the ℓ0, ℓ1 and ℓ∞ terms; not negative, summing to 1. ``alpha=beta=0.5`` buys
        fewer changed features.
    weights : per feature or ONEHOT set, how much its changes count (default 1; 0 makes them free).
    costs : per feature ``(raising, lowering)``: factors for changes upwards and downwards (default 1; 0 is free).
    steps : per feature the smallest change worth proposing; smaller ones are not offered. Days for dates, ranks for
        ordered text.
    scale : what a difference is divided by: the feature's ``range``, median absolute deviation (``mad``) or standard
        deviation (``std``) in D; the range where that is 0, because most rows are alike.
    min_support : rows of a group's table seen fewer times in D are not offered.

    Examples
    --------
    >>> Params(alpha=0.5, beta=0.5).alpha
    0.5
    >>> Params(alpha=0.5)
    Traceback (most recent call last):
    ...
    geco.errors.SettingsError: alpha + beta + gamma must be 1, got 0.5 + 1.0 + 0.0
    """

    alpha: float = 0.0
    beta: float = 1.0
    gamma: float = 0.0
    weights: Mapping[str, float] = field(default_factory=dict)
    costs: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    steps: Mapping[str, float] = field(default_factory=dict)
    scale: Scale = "range"
    min_support: int = 1

    def __post_init__(self) -> None:
        for name in ("alpha", "beta", "gamma"):
            not_negative(name, getattr(self, name))
        if not math.isclose(self.alpha + self.beta + self.gamma, 1.0, abs_tol=1e-9):
            raise SettingsError(
                f"alpha + beta + gamma must be 1, got {float(self.alpha)} + {float(self.beta)} + {float(self.gamma)}"
            )
        choice("scale", self.scale, ("range", "mad", "std"))
        check_whole(self, "min_support")
        for name in ("weights", "costs", "steps"):
            for feature, value in _items(name, getattr(self, name)):
                setting = f"{name}[{shown(feature)}]"
                pair = isinstance(value, tuple | list) and len(value) == 2
                if name == "costs" and not pair:
                    raise SettingsError(f"{setting} must be a pair (raising, lowering), got {shown(value)}")
                for each in value if name == "costs" else [value]:
                    not_negative(setting, each)


def _items(name: str, by_feature: object) -> list[tuple[object, Any]]:
    if not isinstance(by_feature, Mapping):
        raise SettingsError(f"{name} must be a dict by feature, got {shown(by_feature)}")
    try:
        return list(by_feature.items())
    except Exception as error:
        raise SettingsError(f"{name} cannot be read: {type(error).__name__}: {error}") from error
