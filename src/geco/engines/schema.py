"""The Arrow schema of answers: one row per x, its answers in a list; or one row per answer. There is no clock in it.

docs/batch_schema.md and docs/batch_schema.json are the published form, made by ``described``. ``FORMAT`` counts its
changes.
"""

from __future__ import annotations

from typing import Any

from geco.data.schema import Schema
from geco.errors import BatchError

FORMAT = 1

# What each column is, in the order of the files; types as in Arrow. `<features>` has a field per feature of D.
ROWS = {
    "row": ("int64", "number of the row in the input, from 0"),
    "key": ("int64 or string", "the key of the input, if one was named"),
    "status": ("string", "found, already_good, none_found, infeasible or failed"),
    "stopped_by": ("string", "converged, exhausted, budget or error"),
    "reason": ("string", "one sentence that says why it ended so; of a failed row, what is wrong with it"),
    "target": ("string", "what counts as good, in words"),
    "outcome": ("double", "the model's number for x"),
    "found": ("int32", "how many answers there are"),
    "distance": ("double", "of the nearest answer"),
    "proven": ("bool", "whether it is proved that nothing nearer exists; null where there is no proof"),
    "gap": ("double", "how much nearer another answer may be; null where there is no proof"),
    "proven_ways": ("int32", "so many answers, from the first, are proved to be the nearest ways in this order"),
    "notes": ("list<string>", "warnings, such as rules skipped because a value of x is missing"),
    "x": ("<features>", "x as it was read; null if it could not be"),
    "nearest_miss": ("<answer>", "where nothing was found, the allowed candidate with the highest outcome"),
}
ANSWER = {
    "distance": ("double", "from x"),
    "outcome": ("double", "the model's number for the answer"),
    "confirmed": ("bool", "the user's model called it good"),
    "groups": ("list<string>", "names of the changed groups"),
    "changes": ("list<<change>>", "what changes"),
    "values": ("<features>", "all features, changed or not"),
    "holds": ("bool", "of an earlier answer that was rechecked, whether it is still good; null of a new one"),
}
CHANGE = {
    "feature": ("string", "a feature, or the name of a ONEHOT group"),
    "before": ("string", "the value in x, as JSON"),
    "after": ("string", "the value in the answer, as JSON"),
    "required_by": ("string", "the rule that asks for this change; null if none does"),
    "low": ("string", "the rest as here, from which value on it would do, as JSON; null where that was not asked"),
    "high": ("string", "and up to which"),
    "others": ("list<string>", "of categories, which other values would do, as JSON"),
}
FEATURES = {
    "integer": "int64",
    "number": "double",
    "text": "string",
    "boolean": "bool",
    "date": "date32",
    "datetime": "timestamp[us]",
}


def arrow() -> Any:
    """pyarrow, or how to get it."""
    try:
        import pyarrow
    except ImportError as error:
        raise BatchError(
            "Parquet and Arrow need pyarrow: pip install 'geco-explain[batch]'; JSON lines and CSV do not"
        ) from error
    return pyarrow


def explained_schema(features: Schema, key: str = "string") -> Any:
    """One row per x, with its answers in the last column; what Ray and Spark give.

    Parameters
    ----------
    features : those of D.
    key : the type of the key, ``int64`` or ``string``.
    """
    pa = arrow()
    answer = _struct(ANSWER, features, key)
    answers = pa.list_(pa.struct([pa.field("place", pa.int32()), *answer]))
    return _schema([*_struct(ROWS, features, key), pa.field("answers", answers)])


def answers_schema(features: Schema, key: str = "string") -> Any:
    """One row per answer."""
    pa = arrow()
    first = [pa.field("row", pa.int64()), pa.field("key", pa.type_for_alias(key)), pa.field("place", pa.int32())]
    return _schema([*first, *_struct(ANSWER, features, key)])


def described() -> dict[str, Any]:
    """The same in words, for those who read the files without geco; docs/batch_schema.json."""
    place = {"place": ("int32", "1 is the nearest answer of its x")}
    tables = {
        "rows": ROWS,
        "answers": {name: ROWS[name] for name in ("row", "key")} | place | ANSWER,
        "<answer>": ANSWER,
        "<change>": CHANGE,
    }
    columns = {
        table: [{"name": name, "type": cls, "means": means} for name, (cls, means) in each.items()]
        for table, each in tables.items()
    }
    return {"format": FORMAT, **columns, "<features>": dict(FEATURES)}


def _schema(fields: list[Any]) -> Any:
    return arrow().schema(fields, metadata={b"geco.answers": str(FORMAT).encode()})


def _struct(columns: dict[str, tuple[str, str]], features: Schema, key: str) -> Any:
    pa = arrow()
    return pa.struct([pa.field(name, _type(cls, features, key)) for name, (cls, _) in columns.items()])


def _type(cls: str, features: Schema, key: str) -> Any:
    pa = arrow()
    match cls:
        case "<features>":
            return pa.struct([pa.field(f.name, pa.type_for_alias(FEATURES[f.type])) for f in features])
        case "<answer>":
            return _struct(ANSWER, features, key)
        case "list<<change>>":
            return pa.list_(_struct(CHANGE, features, key))
        case "list<string>":
            return pa.list_(pa.string())
        case "int64 or string":
            return pa.type_for_alias(key)
    return pa.type_for_alias(cls)
