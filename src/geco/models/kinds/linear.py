"""Linear: a model that is a weighted sum of its encoded columns (Sec. 5.2).

In: encoded columns. Out: the answer of the user's method.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from geco.models.kinds.link import Link

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Linear:
    """X · coefficient + intercept, then the link.

    Attributes
    ----------
    coefficient : one row per encoded column, one column per output.
    intercept : one number per output.
    single : XGBoost's gblinear: the sum runs in float32, column by column in order, and leaves out what is NaN.
    """

    coefficient: Floats  # [W, K]
    intercept: Floats  # [K]
    link: Link
    single: bool = False

    def sums(self, X: Floats) -> Floats:
        """[n, K] before the link."""
        if not self.single:
            return np.asarray(X @ self.coefficient + self.intercept)
        values, weights = X.astype(np.float32), self.coefficient.astype(np.float32)
        total = np.tile(self.intercept.astype(np.float32), (len(X), 1))
        for column, weight in zip(values.T, weights, strict=True):
            known = ~np.isnan(column)
            total[known] += column[known, None] * weight
        return total.astype(np.float64)

    def linked(self, sums: Floats) -> Floats:
        """The raw answer for these sums."""
        return self.link(sums)

    def predict(self, X: Floats) -> Floats:
        """The user's method on encoded rows."""
        return self.linked(self.sums(X))
