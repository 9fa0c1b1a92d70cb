"""Formulas: what the preprocessing makes of an x with values that D does not have, once the user's model is gone.

In: an Encoding and the user's preprocessing. Out: for each group a formula per encoded column (the number itself,
scaled, or as in the row of D that has the same value), or None. A formula must give the preprocessing's bits on
every row of D and on values that D does not have: below, above, between and missing. Where none does, a new value of
that group needs the model.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from geco.data.domain import Domain
from geco.data.grouptable import GroupTable
from geco.errors import GecoError, InstanceError
from geco.models.asking.inputs import InputForm
from geco.models.compiling.encode import Encoding
from geco.models.compiling.preprocessing import Preprocessing, same
from geco.population.base import Floats
from geco.saved.domain import FIRST_DAY, LAST_DAY

FEW = 64  # rows that a pair of factors is tried on before all of them are
NUMBERS = ("integer", "number")


@dataclass(frozen=True)
class Formula:
    """One encoded column of a value n of one feature.

    Attributes
    ----------
    form : ``same`` n, ``single`` n as a float32, ``standard`` (n - a) / b, ``minmax`` n·a + b, ``seen`` what the
        first row of D with this value has.
    missing : what a missing value becomes; ``same`` stays missing; None needs the model.
    """

    feature: str
    form: Literal["same", "single", "standard", "minmax", "seen"]
    a: float = 0.0
    b: float = 0.0
    missing: float | Literal["same"] | None = None

    def of(self, numbers: Any) -> Any:
        """The encoded numbers of these values."""
        with np.errstate(all="ignore"):
            match self.form:
                case "single":
                    return np.asarray(numbers, np.float32).astype(np.float64)
                case "standard":
                    return (numbers - self.a) / self.b
                case "minmax":
                    return numbers * self.a + self.b
                case _:
                    return numbers


Formulas = tuple[tuple[Formula, ...] | None, ...]


class WithoutModel(Preprocessing):
    """The preprocessing of a deployment whose model is not there; takes x itself for a table."""

    encoding: Encoding  # which has this as its preprocessing, and so is made after it

    def __init__(self, domain: Domain, read: Sequence[int], formulas: Formulas) -> None:
        self.groups, self.read = tuple(table.name for table in domain.tables), tuple(read)
        self._domain, self._formulas = domain, formulas

    def of(self, table: Mapping[str, Any]) -> Floats:
        """What the final estimator would see of x."""
        row = self.encoding.constant.copy()
        for g in self.read:
            row_like_x = self._domain.find(g, table)
            columns = self.encoding.columns[g]
            if row_like_x:
                row[columns] = self.encoding.encoded[g][row_like_x]
            elif not self.encoding.formulas.fill(row, [g], table):
                row[columns] = self._new(g, table)
        return row[None]

    def _new(self, group: int, x: Mapping[str, Any]) -> list[float]:
        formulas = self._formulas[group]
        if formulas is None:
            features = self._domain.tables[group].features
            raise self._needed(" and ".join(f"{f} = {x[f]!r}" for f in features))
        return [self._one(group, j, formula, x[formula.feature]) for j, formula in enumerate(formulas)]

    def _one(self, group: int, position: int, formula: Formula, value: Any) -> float:
        number = self._domain.number(formula.feature, value)
        if formula.form == "seen":
            rows = self._domain.rows_with(formula.feature, value)
            if len(rows):
                return float(self.encoding.encoded[group][rows[0], position])
        elif not np.isnan(number):
            return float(formula.of(number))
        if np.isnan(number) and formula.missing is not None:
            return np.nan if formula.missing == "same" else formula.missing
        raise self._needed(f"{formula.feature} = {value!r}")

    def _needed(self, what: str) -> InstanceError:
        return InstanceError(
            f"x has {what}, which D does not have, and what the model makes of it only the model can say; "
            "load the explainer with it: Explainer.load(path, model=...)"
        )


def find_formulas(encoding: Encoding, domain: Domain, inputs: InputForm) -> Formulas:
    """A formula per column of each group, where they give what the user's preprocessing gives."""
    read = encoding.preprocessing.read
    found: list[tuple[Formula, ...] | None] = [
        _of_group(encoding, domain, g) if g in read else None for g in range(len(domain.tables))
    ]
    for g, formulas in enumerate(found):
        if formulas is not None:
            options = dict.fromkeys((formulas, _in_single(formulas, domain, g)))
            confirmed = (_confirmed(encoding, domain, inputs, g, option) for option in options)
            found[g] = next((option for option in confirmed if option is not None), None)
    return tuple(found)


def _in_single(formulas: tuple[Formula, ...], domain: Domain, group: int) -> tuple[Formula, ...]:
    """The same with float32 for every number that D does not tell from one: only values that D lacks do."""
    numbers = domain.tables[group].numbers
    single = [replace(formula, form="single") if formula.form == "same" else formula for formula in formulas]
    return tuple(
        option if same(option.of(numbers[option.feature]), numbers[option.feature]).all() else formula
        for option, formula in zip(single, formulas, strict=True)
    )


def _of_group(encoding: Encoding, domain: Domain, group: int) -> tuple[Formula, ...] | None:
    table, encoded = domain.tables[group], encoding.encoded[group][1:]
    made = []
    for j in range(encoded.shape[1]):
        options = (_formula(domain, f, table.codes(f)[1:], encoded[:, j]) for f in table.features)
        formula = next((option for option in options if option is not None), None)
        if formula is None:
            return None
        made.append(formula)
    return tuple(made)


@np.errstate(over="ignore", divide="ignore", invalid="ignore")  # a guess that overflows is a wrong one
def _formula(domain: Domain, feature: str, numbers: Floats, encoded: Floats) -> Formula | None:
    known = ~np.isnan(numbers)
    n, e = numbers[known], encoded[known]
    if domain.features[feature].type in NUMBERS and feature not in domain.exact and len(n) and n.min() < n.max():
        for option in (Formula(feature, "same"), Formula(feature, "single"), *_scaled(feature, n, e)):
            if same(option.of(n), e).all():
                return option
    _, first, which = np.unique(numbers, return_index=True, return_inverse=True)  # equal where the values are
    return Formula(feature, "seen") if same(encoded[first][which], encoded).all() else None


def _scaled(feature: str, n: Floats, e: Floats) -> Iterator[Formula]:
    """(n - a) / b and n·a + b with factors that fit to the bit: a few steps of rounding from what two rows say."""
    low, high = int(np.argmin(n)), int(np.argmax(n))
    if not np.isfinite(e).all():
        return
    if e[low] == e[high]:  # nothing but a gap moves it: an indicator of missing values
        yield Formula(feature, "minmax", 0.0, float(e[low]))
        return
    few = np.unique(np.linspace(0, len(n) - 1, min(len(n), FEW)).astype(int))
    slope = (n[high] - n[low]) / (e[high] - e[low])
    for b in _near(slope, 6):
        middle = int(np.argmin(np.abs(e)))
        for a in (0.0, *_near(n[middle] - e[middle] * b, 8)):
            if same((n[few] - a) / b, e[few]).all():
                yield Formula(feature, "standard", float(a), float(b))
    for a in _near(1 / slope, 6):
        middle = int(np.argmin(np.abs(n)))
        for b in (0.0, *_near(e[middle] - n[middle] * a, 8)):
            if same(n[few] * a + b, e[few]).all():
                yield Formula(feature, "minmax", float(a), float(b))


def _near(number: float, steps: int) -> list[float]:
    """The number and the next ones to both sides, nearest first."""
    return [number + k * float(np.spacing(abs(number))) for k in sorted(range(-steps, steps + 1), key=abs)]


def _confirmed(
    encoding: Encoding, domain: Domain, inputs: InputForm, group: int, formulas: tuple[Formula, ...]
) -> tuple[Formula, ...] | None:
    """The formulas, if the user's preprocessing gives the same for values that D does not have."""
    x = {f: table.values[f][_frequent(table)] for table in domain.tables for f in table.features}
    rows, columns = np.zeros((1, len(domain.tables)), np.int32), encoding.columns[group]

    def agree(tried: tuple[Formula, ...], feature: str, value: Any) -> bool:
        asked = {**x, feature: value}
        theirs = _ask(encoding.preprocessing, inputs, rows, asked)
        ours = WithoutModel(domain, encoding.preprocessing.read, tuple(tried for _ in domain.tables))
        ours.encoding = encoding
        try:
            return theirs is not None and bool(same(theirs, ours.of(asked)[0]).all())
        except InstanceError:  # another feature of the group needs the model
            return False

    for feature in domain.tables[group].features:
        forms = {formula.form for formula in formulas if formula.feature == feature}
        # One column that is known for the values of D only is enough for a new value to need the model.
        if "seen" not in forms and not all(agree(formulas, feature, value) for value in _unseen(domain, feature)):
            return None
        missing = _ask(encoding.preprocessing, inputs, rows, {**x, feature: None})
        if missing is None:
            continue
        tried = tuple(
            replace(formula, missing="same" if np.isnan(missing[c]) else float(missing[c]))
            if formula.feature == feature
            else formula
            for formula, c in zip(formulas, columns, strict=True)
        )
        formulas = tried if agree(tried, feature, None) else formulas
    return formulas


def _frequent(table: GroupTable) -> int:
    """The most frequent row, of those without gaps if there are any: gaps are asked about feature by feature."""
    gaps = np.isnan([table.numbers[f][1:] for f in table.features]).any(axis=0)
    return int(np.argmax(np.where(gaps, 0, table.counts[1:]))) + 1


def _ask(theirs: Preprocessing, inputs: InputForm, rows: Any, x: Mapping[str, Any]) -> Floats | None:
    """The user's preprocessing of x; None where it fails."""
    try:
        numbers: Floats = theirs.of(inputs.of(x).table(rows))[0]
        return numbers
    except GecoError:
        return None


@np.errstate(over="ignore", invalid="ignore")  # what is no number is left out
def _unseen(domain: Domain, feature: str) -> list[Any]:
    """Values below, above and between those of D, or text that D does not have."""
    kind = domain.features[feature].type
    if kind in ("text", "boolean"):
        return ["a text that no one has"] if kind == "text" else [True, False]
    numbers = domain.tables[domain.group_of[feature]].numbers[feature][1:]
    known = np.unique(numbers[~np.isnan(numbers)]) if not np.isnan(numbers).all() else np.zeros(1)
    low, high, wide = known[0], known[-1], known[-1] - known[0]
    gap = int(np.argmax(np.diff(known, append=known[-1])))
    between = [(known[gap] + known[min(gap + 1, len(known) - 1)]) / 2, low + wide * 0.6180339887]
    wanted = [n for n in (low - wide, low - 1, high + 1, high + wide, *between) if np.isfinite(n)]
    if kind != "number":
        wanted = [float(round(n)) for n in wanted if abs(n) < 2.0**53]
    if kind in ("date", "datetime"):
        wanted = [n for n in wanted if FIRST_DAY <= n <= LAST_DAY]
    return [domain.plain(feature, _raw(kind, n)) for n in wanted if n not in known]


def _raw(kind: str, number: float) -> Any:
    """The value that a number stands for."""
    if kind in ("date", "datetime"):
        return np.datetime64(int(number), "D").astype("datetime64[D]" if kind == "date" else "datetime64[us]").item()
    return int(number) if kind == "integer" else float(number)
