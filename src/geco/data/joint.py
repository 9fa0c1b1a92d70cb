"""The rows of D as candidates: per distinct row and group, the number of its row in the group's table.

In: the Database and its Domain. Out: an integer matrix, sorted as DuckDB sorts the features. For systems that choose
among whole rows (baselines/); geco's own searches need the group tables only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from geco.data.columns import Array, Column
from geco.errors import DataError

if TYPE_CHECKING:
    from geco.data.database import Database
    from geco.data.domain import Domain, GroupTable

Rows = npt.NDArray[np.int32]
Counts = npt.NDArray[np.int64]
SAMPLE, SEED = 10_000, 0


class RowsOfD:
    """The distinct rows of D as candidates, read when first asked for; in a file only if it was saved with them.

    Attributes
    ----------
    held : they are there, or can be read.
    """

    def __init__(
        self, domain: Domain, database: Database | None = None, made: tuple[Rows, Counts] | None = None
    ) -> None:
        self._domain, self._database, self._made = domain, database, made
        self.held = database is not None or made is not None

    def all(self) -> tuple[Rows, Counts]:
        """Rows and how often each occurs."""
        if self._made is None:
            if self._database is None:
                raise DataError(
                    "this needs the rows of D, and the explainer was loaded from a file without them; "
                    "save it with explainer.save(path, rows=True)"
                )
            self._made = counted_rows(self._database, self._domain)
        return self._made

    def sample(self) -> tuple[Rows, Counts]:
        """Rows drawn from D without replacement, and how often each was; always the same ones."""
        rows, counts = self.all()
        if counts.sum() <= SAMPLE:
            return rows, counts
        drawn = np.random.default_rng(SEED).multivariate_hypergeometric(counts, SAMPLE, method="marginals")
        return np.ascontiguousarray(rows[drawn > 0]), drawn[drawn > 0]


def joint_rows(database: Database, domain: Domain) -> Rows:
    """The distinct rows of D, one column per group; one scan of D.

    Rows with values that a cut group table (`GroupTable.sampled_from`) no longer has are left out.

    Examples
    --------
    >>> import pandas
    >>> from geco.data.database import Database
    >>> from geco.data.domain import Domain
    >>> database = Database.from_frame(pandas.DataFrame({"age": [41, 30, 41], "job": ["none", "clerk", "none"]}))
    >>> joint_rows(database, Domain.build(database, [["age"], ["job"]], database.schema)).tolist()
    [[1, 1], [2, 2]]
    """
    return counted_rows(database, domain)[0]


def counted_rows(database: Database, domain: Domain) -> tuple[Rows, Counts]:
    """The same, and how often each of them occurs in D."""
    features = [name for table in domain.tables for name in table.features]
    columns, counts = database.project(features)
    given = dict(zip(features, columns, strict=True))
    rows = np.stack(
        [_found({f: _codes(domain, table, f, given[f]) for f in table.features}) for table in domain.tables], axis=1
    )
    whole = (rows > 0).all(axis=1)
    return np.asfortranarray(rows[whole]), counts[whole]  # it is read group by group


def _codes(domain: Domain, table: GroupTable, name: str, column: Column) -> tuple[Array, Array]:
    """Numbers of the rows of D and of the table, equal where the values are; texts are translated once each."""
    if name in table.exact:
        both = np.concatenate([column.data, table.exact[name][1:]])
        codes = np.unique(both, return_inverse=True)[1].astype(np.float64)
        codes[np.concatenate([column.missing, np.isnan(table.numbers[name][1:])])] = np.nan
        return codes[: len(column)], codes[len(column) :]
    if column.dictionary is None:
        return column.numbers(), table.numbers[name][1:]
    translated = np.array([*(domain.number(name, text) for text in column.dictionary), np.nan])
    return np.asarray(translated[np.where(column.missing, -1, column.data)]), table.numbers[name][1:]


def _found(codes: dict[str, tuple[Array, Array]]) -> Rows:
    """Per row of D its position in the group's table, 0 if it is not there."""
    of_d, of_table = next(iter(codes.values()))
    wanted, known = np.zeros(len(of_d), np.int64), np.zeros(len(of_table), np.int64)
    present = np.ones(len(wanted), bool)
    # Feature by feature, what was the same so far gets one number: no key grows beyond the rows squared.
    for of_d, of_table in codes.values():
        values = np.unique(of_table)
        positions = np.minimum(np.searchsorted(values, of_d), len(values) - 1)
        present &= (values[positions] == of_d) | (np.isnan(values[positions]) & np.isnan(of_d))
        keys = known * len(values) + np.searchsorted(values, of_table)
        wanted = wanted * len(values) + positions
        distinct = np.unique(keys)
        at = np.minimum(np.searchsorted(distinct, wanted), len(distinct) - 1)
        present &= distinct[at] == wanted
        known, wanted = np.searchsorted(distinct, keys), at
    # Rows are sorted by these very numbers, so the keys are too.
    return np.where(present, np.searchsorted(known, wanted) + 1, 0).astype(np.int32)
