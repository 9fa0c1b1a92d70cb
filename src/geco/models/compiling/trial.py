"""Formulas tried against the user's own preprocessing, bit for bit, on values of D and on values that it lacks.

What a missing value becomes, and any text that no encoder knows, is asked here, as it is one number for each column. A
group keeps its formulas only if all of them give what the preprocessing gives, each time it is asked; where the
preprocessing fails on such a value, none of that group's is used.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from geco.data.grouptable import GroupTable
from geco.errors import GecoError
from geco.models.asking.inputs import InputForm
from geco.models.compiling.formulas import Formulas, OfColumn, OfGroup
from geco.models.compiling.preprocessing import Preprocessing, same
from geco.population.base import Floats

ROWS_OF_D = 200  # of each table
LARGEST = 1e15  # of made-up values
SCATTERED = 4  # made-up values anywhere around those of D
STRANGERS = ("a text that no one has", "zz")
ODD = (-0.0, 0.1, -1e-7, 1e-300, -12345.678, 1e9 + 0.5)
GAP, OTHER = 5, 3  # every so many values of a made-up row are missing, or a text that no encoder knows

Groups = dict[int, OfGroup]


def tried(formulas: Formulas, preprocessing: Preprocessing, inputs: InputForm, encoded: Sequence[Floats]) -> Formulas:
    """The formulas that stand; ``encoded`` is what the preprocessing made of each group's rows."""
    domain, trial = inputs.domain, _Trial(preprocessing, inputs)
    groups = {g: of for g, of in enumerate(formulas.by_group) if of is not None}
    groups = trial.asked(groups)
    groups = {g: of for g, of in groups.items() if _holds_on_d(of, domain.tables[g], encoded[g])}
    for x in trial.made_up(groups):
        groups = trial.agreeing(groups, x)
    return Formulas(tuple(groups.get(g) for g in range(len(domain.tables))))


class _Trial:
    def __init__(self, preprocessing: Preprocessing, inputs: InputForm) -> None:
        self.preprocessing, self.inputs, self.domain = preprocessing, inputs, inputs.domain
        self._usual = {f: t.values[f][_frequent(t)] for t in self.domain.tables for f in t.features}
        self._slot0 = np.zeros((1, len(self.domain.tables)), np.int32)

    def _encode(self, x: Mapping[str, Any]) -> Floats | None:
        """By the user's preprocessing, which is shown x as any other; None where it fails."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of values that nobody gave
            try:
                numbers: Floats = self.preprocessing.of(self.inputs.of({**self._usual, **x}).table(self._slot0))[0]
                return numbers
            except GecoError:
                return None

    def asked(self, groups: Groups) -> Groups:
        """With what no arithmetic says."""
        columns = [column for of in groups.values() for column in of.columns]
        if not columns:
            return groups
        coded = _features(column for column in columns if column.formula.kind == "codes")
        missing = self._each(dict.fromkeys(_features(columns)))
        others = [self._each({f: self._stranger(f, i) for f in coded}) for i in range(len(STRANGERS))]
        return {
            g: replace(of, columns=tuple(_told(column, missing, others) for column in of.columns))
            for g, of in groups.items()
        }

    def _each(self, values: Mapping[str, Any]) -> dict[str, Floats]:
        """What each of these values is encoded as: all at once; where that fails, one by one."""
        numbers = self._encode(values) if values else None
        if numbers is not None:
            return dict.fromkeys(values, numbers)
        alone = {f: self._encode({f: value}) for f, value in values.items()}
        return {f: numbers for f, numbers in alone.items() if numbers is not None}

    def _stranger(self, feature: str, number: int) -> Any:
        """A value that no encoder knows."""
        if self.domain.schema[feature].type == "text":
            return STRANGERS[number]
        return self._plain(feature, np.nan_to_num(self._table(feature).ends(feature)[1]) + 997.0 + number)

    def _table(self, feature: str) -> GroupTable:
        return self.domain.tables[self.domain.group_of[feature]]

    def _plain(self, feature: str, number: float) -> Any:
        of = self.domain.schema[feature]
        only_whole = of.type == "integer" and of.kind == "categorical"
        return self.domain.plain(feature, round(number) if only_whole else number)

    def made_up(self, groups: Groups) -> Iterator[dict[str, Any]]:
        """Values for all features of these groups at once, with other neighbours each time."""
        columns = [column for of in groups.values() for column in of.columns]
        coded = _features(column for column in columns if column.formula.kind == "codes")
        gaps = _features(columns) - _features(column for column in columns if column.formula.missing is None)
        numbers = {f: self._numbers(f) for f in sorted(_features(columns) - coded)}
        most = max((len(each) for each in numbers.values()), default=2 if coded else 0)
        for i in range(most):
            x = {f: self._plain(f, each[(i + j) % len(each)]) for j, (f, each) in enumerate(numbers.items())}
            x |= {f: self._stranger(f, i % 2) for j, f in enumerate(sorted(coded)) if (i + j) % OTHER == 0}
            yield x | {f: None for j, f in enumerate(sorted(gaps)) if (i + j) % GAP == 1}

    def _numbers(self, feature: str) -> list[float]:
        """Between, below and above those of D, and at odd places."""
        known, _ = self._table(feature).distinct(feature)
        low, high = np.clip([known[0], known[-1]] if len(known) else [0.0, 1.0], -LARGEST, LARGEST).tolist()
        wide = high - low
        gap = int(np.argmax(np.diff(known))) if len(known) > 1 else 0
        between = float(known[gap] + known[gap + 1]) / 2 if len(known) > 1 else low
        rng = np.random.default_rng(self.domain.group_of[feature])
        scattered = rng.uniform(low - wide, high + wide, SCATTERED).tolist()
        wanted = [between, low + wide * 0.6180339887, low - wide - 1, high + wide + 1, *scattered, *ODD]
        return [n for n in wanted if abs(n) <= LARGEST]

    def agreeing(self, groups: Groups, x: Mapping[str, Any]) -> Groups:
        """Those whose formulas give the same for this x; where the preprocessing fails, each is asked about alone."""
        numbers = self._encode(x)
        if numbers is not None:
            return {g: of for g, of in groups.items() if _agrees(of, {**self._usual, **x}, numbers)}
        left: Groups = {}
        for g, of in groups.items():
            alone = {f: x[f] for f in _features(of.columns) if f in x}
            numbers = self._encode(alone)
            if numbers is not None and _agrees(of, {**self._usual, **alone}, numbers):
                left[g] = of
        return left


def _features(columns: Any) -> set[str]:
    return {column.formula.feature for column in columns}


def _told(column: OfColumn, missing: Mapping[str, Floats], others: Sequence[Mapping[str, Floats]]) -> OfColumn:
    """The column with what the preprocessing said of a missing value, and of values that no encoder knows."""
    known: dict[str, Any] = {}
    feature = column.formula.feature
    if feature in missing:
        known["missing"] = _plain(missing[feature][column.number])
    told = [each[feature][column.number] for each in others if feature in each]
    if column.formula.kind == "codes" and len(told) == len(others) and same(*told):
        known["other"] = _plain(told[0])
    return replace(column, formula=replace(column.formula, **known))


def _plain(number: float) -> Any:
    return "nan" if np.isnan(number) else float(number)


def _holds_on_d(of: OfGroup, table: GroupTable, encoded: Floats) -> bool:
    """On D's own values; codes are for values that encoders do not know, and say nothing of these."""
    rows = np.unique(np.linspace(1, table.rows, min(table.rows, ROWS_OF_D)).astype(np.int64))
    moved = [column for column in of.columns if column.moves]
    for place, column in enumerate(moved):  # both in the order of their numbers
        if column.formula.kind == "codes":
            continue
        values = table.values[column.formula.feature][rows].tolist()
        for value, theirs in zip(values, encoded[rows, place].tolist(), strict=True):
            ours = column.formula.of(value)
            if ours is not None and not same(ours, theirs):
                return False
    return True


def _agrees(of: OfGroup, x: Mapping[str, Any], numbers: Floats) -> bool:
    """True if these are the same bits, zeros of the same sign included; a value that an encoder knows is not tried."""
    for column in of.columns:
        value, formula = x[column.formula.feature], column.formula
        if formula.kind == "codes" and value in of.encoders[formula.feature]:
            continue
        ours, theirs = formula.of(value), numbers[column.number]
        if ours is not None and not (same(ours, theirs) and np.signbit(ours) == np.signbit(theirs)):
            return False
    return True


def _frequent(table: GroupTable) -> int:
    """The most frequent row, of those without gaps if there are any."""
    gaps = np.isnan([table.numbers[f][1:] for f in table.features]).any(axis=0)
    return int(np.argmax(np.where(gaps, 0, table.counts[1:]))) + 1
