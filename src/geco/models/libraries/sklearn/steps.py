"""scikit-learn's transformers as formulas, column by column: the same operations in the same order as ``transform``.

Only for these very classes, not for subclasses, which may do otherwise. What a fitted transformer holds that makes it
do something else than is written here (sparse input, weights, infrequent categories) leaves its columns unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Any

import numpy as np

from geco.models.libraries.formulas import Column, Matrix, Unknown, features_of

Transformed = Callable[[Any, Matrix], Matrix]
CHECKS = {"dtype", "ensure_all_finite", "force_all_finite"}


class _NotKnown(Exception):
    """What this transformer does is not known to the letter."""


def through(transformer: Any, matrix: Matrix, width: int | None = None) -> Matrix:
    """What it makes of these columns; ``width`` is how many it gives, where that is known."""
    if isinstance(transformer, str) or transformer is None:
        return matrix if transformer != "drop" else Matrix.of([])
    kind = type(transformer)
    known = KNOWN.get(kind.__name__) if kind.__module__.startswith("sklearn.") else None
    if known is None or "transform" in vars(transformer):
        return matrix.unknown(width)
    try:
        made = known(transformer, matrix)
    except (_NotKnown, AttributeError, IndexError, KeyError, TypeError, ValueError):  # or another version of it
        return matrix.unknown(width)
    fits = width is None or (made.columns is not None and len(made.columns) == width)
    return made if fits else matrix.unknown(width)


def _columns(matrix: Matrix, expected: int) -> Sequence[Column]:
    if matrix.columns is None or len(matrix.columns) != expected:
        raise _NotKnown
    return matrix.columns


def _pipeline(transformer: Any, matrix: Matrix) -> Matrix:
    for _, step in transformer.steps:
        matrix = through(step, matrix)
    return matrix


def _column_transformer(transformer: Any, matrix: Matrix) -> Matrix:
    if transformer.transformer_weights:
        raise _NotKnown
    places = transformer.output_indices_
    made: list[Column] = []
    for name, step, chosen in transformer.transformers_:
        at = places[name]
        if (isinstance(step, str) and step == "drop") or at.stop == at.start:
            continue
        if at.start != len(made):
            raise _NotKnown
        one = through(step, _chosen(transformer, matrix, chosen), at.stop - at.start)
        made += _columns(one, at.stop - at.start)
    return Matrix.of(made, sparse=bool(transformer.sparse_output_))


def _chosen(transformer: Any, matrix: Matrix, chosen: Any) -> Matrix:
    """The columns that one part of a ColumnTransformer sees."""
    names = list(getattr(transformer, "feature_names_in_", ()))
    columns = _columns(matrix, transformer.n_features_in_ if matrix.names is None or not names else len(matrix.names))
    if not isinstance(chosen, list | np.ndarray | slice):
        raise _NotKnown  # a single column goes on as a vector
    listed = list(range(transformer.n_features_in_)[chosen]) if isinstance(chosen, slice) else list(chosen)
    if listed and all(isinstance(each, bool | np.bool_) for each in listed):
        listed = np.flatnonzero(listed).tolist()
    if matrix.names is not None and names:
        wanted = [each if isinstance(each, str) else names[each] for each in listed]
        at = [matrix.names.index(name) for name in wanted]
        return Matrix.of([columns[i] for i in at], wanted)
    if any(isinstance(each, str) for each in listed):
        raise _NotKnown
    return Matrix.of([columns[i] for i in listed], sparse=matrix.sparse)


def _union(transformer: Any, matrix: Matrix) -> Matrix:
    if transformer.transformer_weights:
        raise _NotKnown
    parts = [through(step, matrix) for _, step in transformer.transformer_list]
    if any(part.columns is None for part in parts):
        raise _NotKnown
    columns = chain.from_iterable(part.columns or () for part in parts)
    return Matrix.of(columns, sparse=any(part.sparse for part in parts))


def _scaled(transformer: Any, matrix: Matrix, *steps: tuple[Any, Any]) -> Matrix:
    """Every column by its own number of each step; the steps of float64 alone are known."""
    if matrix.sparse:
        raise _NotKnown
    columns = _columns(matrix, transformer.n_features_in_)

    def scaled(number: int, column: Column) -> Column:
        if isinstance(column, Unknown) or column.kind == "text" or not column.double:
            return Unknown(features_of([column]))
        for operation, by in steps:
            value = float(np.broadcast_to(np.asarray(by, np.float64), len(columns))[number])
            if not np.isfinite(value) or (operation == "over" and value == 0.0):
                return Unknown(features_of([column]))
            column = column.then(operation, value)
        return column

    return matrix.each(scaled)


def _standard(transformer: Any, matrix: Matrix) -> Matrix:
    centred = [("minus", transformer.mean_)] if transformer.with_mean else []
    return _scaled(transformer, matrix, *centred, *([("over", transformer.scale_)] if transformer.with_std else []))


def _minmax(transformer: Any, matrix: Matrix) -> Matrix:
    low, high = transformer.feature_range
    clipped = [("at_least", low), ("at_most", high)] if transformer.clip else []
    return _scaled(transformer, matrix, ("times", transformer.scale_), ("plus", transformer.min_), *clipped)


def _maxabs(transformer: Any, matrix: Matrix) -> Matrix:
    if getattr(transformer, "clip", False):
        raise _NotKnown
    return _scaled(transformer, matrix, ("over", transformer.scale_))


def _robust(transformer: Any, matrix: Matrix) -> Matrix:
    centred = [("minus", transformer.center_)] if transformer.with_centering else []
    return _scaled(transformer, matrix, *centred, *([("over", transformer.scale_)] if transformer.with_scaling else []))


def _imputer(transformer: Any, matrix: Matrix) -> Matrix:
    """What is not missing stays; what stands for a missing value is asked for. Indicators come last."""
    missing, statistics = transformer.missing_values, transformer.statistics_
    columns = _columns(matrix, len(statistics))
    gaps = any(value is None or value != value for value in statistics)  # such columns are left out
    if matrix.sparse or gaps or not (isinstance(missing, float) and np.isnan(missing)):
        raise _NotKnown
    indicator = transformer.indicator_
    flags = [] if indicator is None else [_indicator(columns[i]) for i in indicator.features_]
    return Matrix.of([*columns, *flags])


def _indicator(column: Column) -> Column:
    if isinstance(column, Unknown):
        return column
    return replace(column, kind="codes", steps=(), known=(), whole=True)


def _onehot(transformer: Any, matrix: Matrix) -> Matrix:
    """A column per category; all that no category is for are encoded alike."""
    if transformer.handle_unknown == "error" or any(
        each is not None for each in getattr(transformer, "infrequent_categories_", ())
    ):
        raise _NotKnown
    dropped = transformer.drop_idx_ if transformer.drop_idx_ is not None else [None] * len(transformer.categories_)
    made: list[Column] = []
    columns = _columns(matrix, len(transformer.categories_))
    for column, categories, one in zip(columns, transformer.categories_, dropped, strict=True):
        made += [_coded(column, categories, transformer.dtype)] * (len(categories) - (one is not None))
    return Matrix.of(made, sparse=bool(transformer.sparse_output))


def _ordinal(transformer: Any, matrix: Matrix) -> Matrix:
    if transformer.handle_unknown == "error" or any(
        each is not None for each in getattr(transformer, "infrequent_categories_", ())
    ):
        raise _NotKnown
    columns = _columns(matrix, len(transformer.categories_))
    pairs = zip(columns, transformer.categories_, strict=True)
    return Matrix.of([_coded(column, categories, transformer.dtype) for column, categories in pairs])


def _coded(column: Column, categories: Any, dtype: Any) -> Column:
    if isinstance(column, Unknown) or column.steps or column.kind == "codes":
        return Unknown(features_of([column]))
    known = tuple(each for each in categories.tolist() if each is not None and each == each)
    plain = str if column.kind == "text" else (int, float)
    if not all(isinstance(each, plain) for each in known):
        return Unknown(features_of([column]))
    texts = known if column.kind == "text" else tuple(map(float, known))
    return replace(column, kind="codes", known=texts, double=True, whole=np.dtype(dtype).kind != "f")


def _function(transformer: Any, matrix: Matrix) -> Matrix:
    """The identity; scikit-learn's histogram boosting says it with a check of its own."""
    if transformer.func is not None and not _checks_only(transformer.func):
        raise _NotKnown
    return matrix


def _checks_only(function: Any) -> bool:
    """That each number is there as float64."""
    if not isinstance(function, partial) or function.args or set(function.keywords) - CHECKS:
        return False
    check = function.func
    of_sklearn = (getattr(check, "__module__", ""), getattr(check, "__name__", ""))
    return of_sklearn == ("sklearn.utils.validation", "check_array") and function.keywords.get("dtype") == [np.float64]


KNOWN: dict[str, Transformed] = {
    "Pipeline": _pipeline,
    "ColumnTransformer": _column_transformer,
    "FeatureUnion": _union,
    "StandardScaler": _standard,
    "MinMaxScaler": _minmax,
    "MaxAbsScaler": _maxabs,
    "RobustScaler": _robust,
    "SimpleImputer": _imputer,
    "OneHotEncoder": _onehot,
    "OrdinalEncoder": _ordinal,
    "FunctionTransformer": _function,
}
