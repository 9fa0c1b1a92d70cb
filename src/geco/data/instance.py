"""read_instance: x as the user gives it (dict, Series, one-row frame) ▶ plain raw values of every feature.

`read_numbered` gives the same with the numbers of the values: what most x are made of is read by the core
(native/bind/reader.cpp, docs/decisions/0013).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from geco.data.domain import Domain
from geco.data.values import plain_value
from geco.errors import InstanceError, did_you_mean


def read_instance(x: Any, domain: Domain) -> dict[str, Any]:
    """Plain raw values in the order of the schema; columns that D excluded are left aside.

    A feature of D that is missing from x, or a name in x that is close to one (a misspelling), is an error.
    """
    values = _given(x, domain.names)
    plain = {f.name: plain_value(f, value) for f, value in zip(domain.schema, values, strict=True)}
    for name in domain.ranked:
        domain.number(name, plain[name])  # raises InstanceError where its order does not have the value
    return plain


def read_numbered(x: Any, domain: Domain) -> tuple[dict[str, Any], list[float]]:
    """The same, and the number of each feature, group by group; NaN where it is missing."""
    read = domain.reader.read(x) if type(x) is dict else None
    if read is None:
        x = dict(zip(domain.names, _given(x, domain.names), strict=True))
        read = domain.reader.read(x)
    assert read is not None
    plain, numbers, left = read
    if left:  # to be converted, refused, or text that D does not have
        features = [domain.schema.features[at] for at in left]
        for feature in features:
            plain[feature.name] = plain_value(feature, x[feature.name])
        for feature in sorted(features, key=lambda feature: feature.order is None):  # these may be refused
            numbers[domain.place_of[feature.name]] = domain.number(feature.name, plain[feature.name])
    return plain, numbers


def _given(x: Any, names: Sequence[str]) -> tuple[Any, ...]:
    """The values as they are, in this order."""
    try:
        given = as_mapping(x)
        missing = [name for name in names if name not in given]
        values = () if missing else tuple([given[name] for name in names])
        others = [g for g in given if isinstance(g, str) and g not in names] if missing else []
    except InstanceError:
        raise
    except Exception as error:  # an object of the user's that raises
        raise InstanceError(f"x cannot be read: {type(error).__name__}: {error}") from error
    if missing:
        shown = ", ".join(f"{name!r}{did_you_mean(name, others)}" for name in missing[:5])
        more = f" and {len(missing) - 5} more" if len(missing) > 5 else ""
        raise InstanceError(f"x has no value for {shown}{more}; give all {len(names)} features of the schema")
    return values


def as_mapping(x: Any) -> Mapping[str, Any]:
    if isinstance(x, Mapping):
        return x
    library = type(x).__module__.partition(".")[0]
    if library == "pandas" and hasattr(x, "to_dict"):
        if getattr(x, "ndim", 1) == 2:
            _one_row(len(x))
            return dict(zip(x.columns.tolist(), _row_of(x), strict=True))
        return dict(zip(x.index.tolist(), x.tolist(), strict=True))
    if library == "polars" and hasattr(x, "row"):
        _one_row(len(x))
        return x.row(0, named=True)  # type: ignore[no-any-return]
    if library == "pyarrow" and hasattr(x, "num_rows"):
        _one_row(x.num_rows)
        return x.to_pylist()[0]  # type: ignore[no-any-return]
    raise InstanceError(f"x must be a dict, a Series or a frame of one row, got {type(x).__name__}{_several(x)}")


def _row_of(frame: Any) -> list[Any]:
    """The values of a pandas frame of one row; column by column they would take fifty times as long."""
    row = frame.iloc[0]
    # Of columns that have no common type each value stays as it is; of others whole numbers may have become floats.
    values = row if row.dtype == object else frame.to_numpy(dtype=object)[0]
    return values.tolist()  # type: ignore[no-any-return]


def _one_row(rows: int) -> None:
    if rows != 1:
        raise InstanceError(f"x must be one row, got a frame of {rows} rows; explain them all with explain_many(frame)")


def _several(x: Any) -> str:
    return "; for several rows use explain_many" if isinstance(x, list | tuple) else ""
