"""Params: what "near" means (Eq. 2) and which rows of D count; frozen, checked when made."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from geco.errors import SettingsError, shown
from geco.given import choice, not_negative, switch
from geco.whole import check_whole

Scale = Literal["range", "mad", "std"]
UNSAID: Any = None
NEAR = 0.05, 0.95, 0.0  # docs/costs.md says why


@dataclass(frozen=True)
class Params:
    """The distance of Eq. 2 and the support a value needs.

    Parameters
    ----------
    alpha, beta, gamma : weights of the ℓ0, ℓ1 and ℓ∞ terms; not negative, summing to 1. If none is given 0.05, 0.95
        and 0: one more feature costs as much as a twentieth of a feature's range. Otherwise alpha and gamma default to
        0 and beta to the rest; the paper's distance is ``alpha=0, beta=1, gamma=0``.
    weights : per feature or ONEHOT set, how much its changes count (default 1; 0 makes them free).
    costs : per feature ``(raising, lowering)``: factors for changes upwards and downwards (default 1; 0 is free).
    steps : per feature the smallest change worth proposing; smaller ones are not offered. Days for dates, ranks for
        ordered text.
    scale : what a difference is divided by: the feature's ``range``, median absolute deviation (``mad``) or standard
        deviation (``std``) in D; the range where that is 0, because most rows are alike.
    min_support : rows of a group's table seen fewer times in D are not offered.
    round : answers in rounder numbers where a change grows by no more than a tenth; values still come from D.

    Examples
    --------
    >>> Params().alpha, Params(alpha=0.5).beta
    (0.05, 0.5)
    >>> Params(alpha=0.5, gamma=0.75)
    Traceback (most recent call last):
    ...
    geco.errors.SettingsError: alpha + beta + gamma must be 1, and none of them negative, got 0.5 + -0.25 + 0.75
    """

    alpha: float = UNSAID
    beta: float = UNSAID
    gamma: float = UNSAID
    weights: Mapping[str, float] = field(default_factory=dict)
    costs: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    steps: Mapping[str, float] = field(default_factory=dict)
    scale: Scale = "range"
    min_support: int = 1
    round: bool = True

    usual: bool = field(init=False, compare=False, repr=False)  # none of alpha, beta and gamma was given
    note: str | None = field(init=False, compare=False, repr=False, default=None)  # what a method made of it

    def __post_init__(self) -> None:
        for name, value in zip(("alpha", "beta", "gamma", "usual"), _norm(self), strict=True):
            object.__setattr__(self, name, value)
        choice("scale", self.scale, ("range", "mad", "std"))
        check_whole(self, "min_support")
        switch("round", self.round)
        for name in ("weights", "costs", "steps"):
            for feature, value in _items(name, getattr(self, name)):
                setting = f"{name}[{shown(feature)}]"
                pair = isinstance(value, tuple | list) and len(value) == 2
                if name == "costs" and not pair:
                    raise SettingsError(f"{setting} must be a pair (raising, lowering), got {shown(value)}")
                for each in value if name == "costs" else [value]:
                    not_negative(setting, each)

    def l1_alone(self, who: str) -> Params:
        """For a method that knows no other distance: the ℓ1 term, where none of the three weights was given."""
        if not self.usual:
            return self
        plain = replace(self, alpha=0.0, beta=1.0, gamma=0.0)
        object.__setattr__(plain, "note", f"{who} knows one distance: alpha=0, beta=1, gamma=0")
        return plain


def _norm(params: Params) -> tuple[float, float, float, bool]:
    """The three weights, what was not given filled in; and whether none was."""
    given = params.alpha, params.beta, params.gamma
    for name, value in zip(("alpha", "beta", "gamma"), given, strict=True):
        if value is not UNSAID:
            not_negative(name, value)
    if given == (UNSAID,) * 3:
        return *NEAR, True
    alpha, gamma = (0.0 if value is UNSAID else value for value in (given[0], given[2]))
    beta = 1.0 - alpha - gamma if given[1] is UNSAID else given[1]
    if beta < 0 or not math.isclose(alpha + beta + gamma, 1.0, abs_tol=1e-9):
        raise SettingsError(
            "alpha + beta + gamma must be 1, and none of them negative, "
            f"got {float(alpha)} + {float(beta)} + {float(gamma)}"
        )
    return alpha, beta, gamma, False


def _items(name: str, by_feature: object) -> list[tuple[object, Any]]:
    if not isinstance(by_feature, Mapping):
        raise SettingsError(f"{name} must be a dict by feature, got {shown(by_feature)}")
    try:
        return list(by_feature.items())
    except Exception as error:
        raise SettingsError(f"{name} cannot be read: {type(error).__name__}: {error}") from error
