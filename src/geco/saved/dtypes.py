"""The user's dtypes in words: NumPy's and pandas', polars' and pyarrow's; and what stands for missing among objects.

No library is imported unless a model is given that takes its frames.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

import numpy as np

from geco.errors import SavedFileError
from geco.models.asking.inputs import Source
from geco.saved.fields import entries, value_of, wrong
from geco.state import state_of

POLARS = frozenset(
    (
        *(f"{sign}Int{bits}" for sign in ("", "U") for bits in (8, 16, 32, 64)),
        *("Float32", "Float64", "Boolean", "String", "Date", "Categorical", "Null", "Object"),
    )
)
MARKS = ("None", "nan", "NA")


def source_state(source: Source, features: Sequence[str]) -> dict[str, Any]:
    """The input form of these features; dtypes are there for frames only."""
    frames = bool(source.dtypes)
    return {
        "library": source.form,
        "dtypes": [_words(source.dtypes[f], f) for f in features] if frames else None,
        "marks": [_mark_word(source.marks[f]) for f in features],
    }


def source_of(state: Any, features: Sequence[str]) -> Source:
    """The Source again; imports the library that its dtypes belong to."""
    library, dtypes, marks = entries(state, "library", "dtypes", "marks")
    words, libraries = dtypes or [], ("pandas", "polars", "pyarrow")
    if library not in libraries or len(marks) != len(features) or len(words) not in (0, len(marks)):
        raise wrong("a dtype and a mark per feature", library)
    made = {f: _dtype(w) for f, w in zip(features, words, strict=False)}
    return Source(library, made, {f: _mark(m) for f, m in zip(features, marks, strict=True)})


def _words(dtype: Any, feature: str) -> dict[str, Any]:
    """What the dtype is called, and what else it takes to make it again."""
    library = type(dtype).__module__.partition(".")[0]
    if isinstance(dtype, np.dtype):
        return {"of": "numpy", "name": str(dtype)}
    if library == "pandas":
        return _pandas_words(dtype, feature)
    if library == "polars":
        return _polars_words(dtype, feature)
    if library == "pyarrow":
        return _arrow_words(dtype)
    raise SavedFileError(f"cannot be saved: column {feature!r} has the dtype {dtype}, which the format cannot describe")


def _dtype(words: Any) -> Any:
    readers: dict[str, Callable[..., Any]] = {
        "numpy": _numpy_type,
        "pandas": lambda name: import_module("pandas").api.types.pandas_dtype(value_of(str, name)),
        "category": _category,
        "string": _string,
        "arrow in pandas": lambda schema: import_module("pandas").ArrowDtype(_arrow_type(schema)),
        "pyarrow": _arrow_type,
        "polars": _polars_type,
    }
    of, *rest = words.values()
    if next(iter(words)) != "of" or of not in readers:
        raise wrong("a dtype", words)
    try:
        return readers[of](*rest)
    except ImportError as error:
        raise SavedFileError(f"needs {error.name} for the frames its model takes; install it") from error


def _numpy_type(name: Any) -> Any:
    dtype = np.dtype(value_of(str, name))
    if dtype.kind not in "biufMO":
        raise wrong("a dtype of numbers, dates or objects", name)
    return dtype


def _pandas_words(dtype: Any, feature: str) -> dict[str, Any]:
    match type(dtype).__name__:
        case "CategoricalDtype":
            kept = dtype.categories
            categories = None if kept is None else state_of(kept.tolist())
            return {
                "of": "category",
                "dtype": None if kept is None else _words(kept.dtype, feature),
                "categories": categories,
                "ordered": bool(dtype.ordered),
            }
        case "StringDtype":
            return {"of": "string", "storage": dtype.storage, "missing": _mark_word(dtype.na_value)}
        case "ArrowDtype":
            return {**_arrow_words(dtype.pyarrow_dtype), "of": "arrow in pandas"}
        case _:
            return {"of": "pandas", "name": str(dtype)}


def _category(dtype: Any, categories: Any, ordered: Any) -> Any:
    pandas = import_module("pandas")
    index = None if categories is None else pandas.Index(value_of(tuple[Any, ...], categories), dtype=_dtype(dtype))
    return pandas.CategoricalDtype(index, ordered=value_of(bool, ordered))


def _string(storage: Any, missing: Any) -> Any:
    pandas = import_module("pandas")
    if missing == "NA":
        return pandas.StringDtype(value_of(str, storage))
    try:
        return pandas.StringDtype(value_of(str, storage), na_value=_mark(missing))
    except TypeError:
        raise SavedFileError("has text columns as pandas 3 stores them; upgrade pandas") from None


def _polars_words(dtype: Any, feature: str) -> dict[str, Any]:
    name = str(dtype.base_type())
    arguments: list[Any] = []
    if name == "Enum":
        arguments = [dtype.categories.to_list()]
    elif name == "Datetime":
        arguments = [dtype.time_unit]
    elif name == "Decimal":
        arguments = [dtype.precision, dtype.scale]
    elif name not in POLARS:
        raise SavedFileError(f"cannot be saved: column {feature!r} has the dtype {dtype}, which the format lacks")
    return {"of": "polars", "name": name, "arguments": arguments}


def _polars_type(name: Any, arguments: Any) -> Any:
    polars = import_module("polars")
    hints: dict[str, Any] = {
        "Enum": tuple[tuple[str, ...]],
        "Datetime": tuple[str],
        "Decimal": tuple[int | None, int | None],
        **dict.fromkeys(POLARS, tuple[()]),
    }
    if name not in hints:
        raise wrong("a dtype of polars", name)
    given = arguments if name in POLARS else value_of(hints[name], arguments)
    kind = getattr(polars, name)
    return kind(*(list(a) if isinstance(a, tuple) else a for a in given)) if given else kind


def _arrow_words(dtype: Any) -> dict[str, Any]:
    """As Arrow itself writes a schema: its types nest."""
    schema = import_module("pyarrow").schema([("column", dtype)]).serialize().to_pybytes()
    return {"of": "pyarrow", "schema": np.frombuffer(schema, np.uint8)}


def _arrow_type(schema: Any) -> Any:
    pyarrow, ipc = import_module("pyarrow"), import_module("pyarrow.ipc")
    value_of(np.ndarray[Any, np.dtype[np.uint8]], schema)
    return ipc.read_schema(pyarrow.py_buffer(schema.tobytes())).field(0).type


def _mark_word(mark: Any) -> str:
    if mark is None:
        return "None"
    return "nan" if isinstance(mark, float) and math.isnan(mark) else "NA"


def _mark(word: Any) -> Any:
    if word not in MARKS:
        raise wrong("None, nan or NA", word)
    return {"None": None, "nan": math.nan}.get(word) if word != "NA" else import_module("pandas").NA
