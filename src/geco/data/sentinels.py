"""sentinels: a few codes far outside the other values of a column (999999 for unknown) that stretch its range."""

from __future__ import annotations

import numpy as np

from geco.data.columns import Array
from geco.data.domain import Domain

MOST_CODES = 3  # distinct values at one end
LEAST_OTHERS = 8  # distinct values that are left
FAR = 10.0  # times the range of the others; codes made of nines need less
NINES_FAR = 2.0


@np.errstate(over="ignore", invalid="ignore")  # a range above the largest float is far enough
def sentinels(domain: Domain, feature: str) -> tuple[list[float], float] | None:
    """The codes and how much larger they make the range; None if there are none.

    Examples
    --------
    >>> import pandas
    >>> from geco.data.database import Database
    >>> database = Database.from_frame(pandas.DataFrame({"days": [*range(20), 999999]}))
    >>> sentinels(Domain.build(database, [["days"]], database.schema), "days")
    ([999999.0], 52631.52631578947)
    """
    described = domain.features[feature]
    if described.kind != "continuous" or described.type not in ("integer", "number"):
        return None
    numbers = domain.tables[domain.group_of[feature]].numbers[feature][1:]
    values = np.unique(numbers[~np.isnan(numbers)])
    for codes in range(1, MOST_CODES + 1):
        for sign in (1, -1):  # codes above, codes below
            ends = np.sort(sign * values)
            others, apart = ends[:-codes], ends[-codes:]
            if len(others) < LEAST_OTHERS:
                return None
            usual = float(others[-1] - others[0])
            if apart[0] - others[-1] > usual * (NINES_FAR if _all_nines(apart) else FAR):
                return sorted((sign * apart).tolist()), float(ends[-1] - ends[0]) / usual
    return None


def _all_nines(codes: Array) -> bool:
    return all(code == int(code) and set(str(abs(int(code)))) == {"9"} for code in codes)
