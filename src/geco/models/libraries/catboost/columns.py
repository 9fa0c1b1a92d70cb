"""What CatBoost's trees ask about a row: its numbers, the codes of its categories, and statistics of categories.

A category is known by a hash of its text. A statistic (CTR) is a count or mean of the training target for one category,
or for several at once, shifted and scaled, in float32; the model keeps the counts by hash.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from numbers import Integral
from typing import Any

import numpy as np
import numpy.typing as npt

from geco.models.libraries.catboost.cityhash import city_hash
from geco.models.libraries.reading import FloatMatrix, Refusal
from geco.models.libraries.tables import dense, frame, numbers

Hashes = npt.NDArray[np.uint64]
Single = npt.NDArray[np.float32]
MULTIPLIER = np.uint64(0x4906BA494954CB65)
MEANS, COUNTS = ("BinarizedTargetMeanValue", "FloatTargetMeanValue"), ("Counter", "FeatureFreq")


def columns_of(features: dict[str, Any], tables: dict[str, Any]) -> Callable[[Any], FloatMatrix]:
    """The columns, in the order float features, categories, statistics."""
    floats, cats = features.get("float_features") or [], features.get("categorical_features") or []
    statistics = [_Statistic(ctr, tables[ctr["identifier"]]) for ctr in features.get("ctrs") or ()]

    def columns(table: Any) -> FloatMatrix:
        table = dense(table) if hasattr(table, "tocsr") else table
        table_frame = frame(table)
        values = [_number(table, table_frame, f["flat_feature_index"]) for f in floats]
        hashes = [_hashes(_values(table, table_frame, f["flat_feature_index"]), _name(f)) for f in cats]
        codes = [_codes(h, f.get("values") or ()) for h, f in zip(hashes, cats, strict=True)]
        single = [_single(value) for value in values]
        return np.column_stack([*values, *codes, *(s.of(single, hashes) for s in statistics)]).astype(np.float64)

    return columns


def _values(table: Any, table_frame: Any, column: int) -> Any:
    return table_frame.iloc[:, column] if table_frame is not None else np.asarray(table)[:, column]


def _number(table: Any, table_frame: Any, column: int) -> FloatMatrix:
    values = _values(table, table_frame, column)
    return np.asarray(values, np.float64) if table_frame is None else numbers(values)


def _single(values: FloatMatrix) -> Single:
    with np.errstate(over="ignore"):
        return values.astype(np.float32)


def _name(feature: dict[str, Any]) -> str:
    return str(feature.get("feature_id") or feature["flat_feature_index"])


def _hashes(values: Any, name: str) -> Hashes:
    """Of each value's text, as the 64 bits of a signed number of 32."""
    texts = [_text(value, name) for value in values.tolist()]
    known = {text: city_hash(text) & 0xFFFFFFFF for text in set(texts)}
    hashes = np.array([known[text] for text in texts], np.uint32)
    return hashes.astype(np.int32).astype(np.int64).astype(np.uint64)


def _text(value: Any, name: str) -> bytes:
    if isinstance(value, str):
        return value.encode()
    if isinstance(value, bytes):
        return value
    if isinstance(value, Integral | np.bool_):
        return str(int(value)).encode()
    raise ValueError(
        f"{name!r} is {value!r}, and CatBoost takes whole numbers and text for categories: "
        "give a gap a text such as 'missing'"
    )


def _codes(hashes: Hashes, values: Sequence[int]) -> FloatMatrix:
    """The position of a category among those that are tested for; -1 for all others."""
    known = np.array(values, np.int64).astype(np.uint64)
    codes = np.full(len(hashes), -1.0)
    for code, value in enumerate(known):
        codes[hashes == value] = code
    return codes


class _Statistic:
    """One CTR: how the rows' hash is made, and what the model counted for each hash."""

    def __init__(self, ctr: dict[str, Any], table: dict[str, Any]) -> None:
        self.kind, self.border = ctr["ctr_type"], int(ctr["target_border_idx"])
        self.elements = ctr["elements"]
        self.prior = np.float32(ctr["prior_numerator"]), np.float32(ctr["prior_denomerator"])
        self.shift, self.scale = np.float32(ctr["shift"]), np.float32(ctr["scale"])
        self.denominator = np.float32(table["counter_denominator"])
        rows = np.array(table["hash_map"], object).reshape(-1, table["hash_stride"])
        hashes = np.array([int(h) for h in rows[:, 0]], np.uint64)
        order = np.argsort(hashes, kind="stable")
        self.hashes, self.counts = hashes[order], rows[order, 1:].astype(np.float64)

    def of(self, floats: Sequence[Single], hashes: Sequence[Hashes]) -> Single:
        """The statistic of each row."""
        key = self._key(floats, hashes)
        position = np.minimum(np.searchsorted(self.hashes, key), max(len(self.hashes) - 1, 0))
        known = (self.hashes[position] == key) if len(self.hashes) else np.zeros(len(key), np.bool_)
        counts = np.where(known[:, None], self.counts[position], 0.0)
        good, total = self._shares(counts)
        ratio = (good + self.prior[0]) / (total + self.prior[1])
        return np.asarray((ratio + self.shift) * self.scale, np.float32)

    def _key(self, floats: Sequence[Single], hashes: Sequence[Hashes]) -> Hashes:
        key = np.zeros(len((hashes or floats)[0]), np.uint64)
        for element in self.elements:
            key = MULTIPLIER * (key + MULTIPLIER * _part(element, floats, hashes))  # modulo 2^64
        return key

    def _shares(self, counts: FloatMatrix) -> tuple[Single, Single]:
        """What is above the line of a fraction, and what is below it, before the prior."""
        if self.kind in COUNTS:
            return counts[:, 0].astype(np.float32), np.full(len(counts), self.denominator)
        if self.kind in MEANS:
            return counts[:, 0].astype(np.float32), counts[:, 1].astype(np.float32)
        good = counts[:, self.border] if self.kind == "Buckets" else counts[:, self.border + 1 :].sum(axis=1)
        return good.astype(np.float32), counts.sum(axis=1).astype(np.float32)


def _part(element: dict[str, Any], floats: Sequence[Single], hashes: Sequence[Hashes]) -> Hashes:
    kind = element["combination_element"]
    if kind == "cat_feature_value":
        answers: Any = hashes[element["cat_feature_index"]]
    elif kind == "cat_feature_exact_value":
        answers = hashes[element["cat_feature_index"]] == np.uint64(element["value"] % 2**64)
    elif kind == "float_feature":
        answers = floats[element["float_feature_index"]] > np.float32(element["border"])
    else:
        raise Refusal(f"CatBoost's statistics of a {kind} are not compiled")
    return np.asarray(answers, np.uint64)
