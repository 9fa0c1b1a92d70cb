"""Which tables and keys a geco.toml may have, what each takes and what it is for; the JSON schema is made of it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from geco.methods import METHODS
from geco.search.base import KINDS


@dataclass(frozen=True)
class Value:
    """What a key takes, in words, as a test and as JSON schema."""

    words: str
    fits: Callable[[Any], bool]
    schema: Mapping[str, Any]


@dataclass(frozen=True)
class Key:
    """A key and what it is for."""

    value: Value
    about: str


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _is_label(value: Any) -> bool:
    return isinstance(value, bool | str) or _is_number(value)


def _whole(least: int) -> Value:
    return Value(
        f"a whole number of at least {least}",
        lambda value: isinstance(value, int) and not isinstance(value, bool) and value >= least,
        {"type": "integer", "minimum": least},
    )


def _one_of(*words: str) -> Value:
    return Value(f"one of {', '.join(words)}", lambda value: value in words, {"enum": list(words)})


def _list_of(one: Value, words: str) -> Value:
    return Value(
        words,
        lambda value: isinstance(value, list) and bool(value) and all(map(one.fits, value)),
        {"type": "array", "items": one.schema, "minItems": 1},
    )


def _by_feature(one: Value, words: str) -> Value:
    return Value(
        words,
        lambda value: isinstance(value, dict) and all(map(one.fits, value.values())),
        {"type": "object", "additionalProperties": one.schema},
    )


TEXT = Value('text in quotes, such as "income"', _is_text, {"type": "string", "minLength": 1})
NUMBER = Value("a number", _is_number, {"type": "number"})
POSITIVE = Value("a number above 0", lambda v: _is_number(v) and v > 0, {"type": "number", "exclusiveMinimum": 0})
NOT_NEGATIVE = Value(
    "a number that is not negative", lambda v: _is_number(v) and v >= 0, {"type": "number", "minimum": 0}
)
SHARE = Value(
    "a number of at least 0 and below 1",
    lambda v: _is_number(v) and 0 <= v < 1,
    {"type": "number", "minimum": 0, "exclusiveMaximum": 1},
)
SWITCH = Value("true or false", lambda value: isinstance(value, bool), {"type": "boolean"})
PROVE = Value(
    'the text "quick", a number of seconds, or false',
    lambda v: v is False or v == "quick" or POSITIVE.fits(v),
    {"anyOf": [{"enum": ["quick", False]}, POSITIVE.schema]},
)
TEXTS = _list_of(TEXT, 'a list of texts, such as ["a", "b"]')
LABEL = Value("a label: text, a number, true or false", _is_label, {"type": ["string", "number", "boolean"]})
LABELS = _list_of(LABEL, "a list of labels")
TARGET = Value(
    "a label, or a list of labels",
    lambda value: _is_label(value) or LABELS.fits(value),
    {"anyOf": [LABEL.schema, LABELS.schema]},
)
INTERVAL = Value(
    'a list of two numbers, lowest first; one may be the text "any"',
    lambda v: isinstance(v, list) and len(v) == 2 and all(_is_number(e) or e == "any" for e in v) and v != ["any"] * 2,
    {"type": "array", "items": {"anyOf": [NUMBER.schema, {"const": "any"}]}, "minItems": 2, "maxItems": 2},
)
WEIGHTS = _by_feature(NOT_NEGATIVE, "a number for each feature, such as { income = 2 }")
COSTS = _by_feature(
    Value(
        "a pair",
        lambda v: isinstance(v, list) and len(v) == 2 and all(map(NOT_NEGATIVE.fits, v)),
        {"type": "array", "items": NOT_NEGATIVE.schema, "minItems": 2, "maxItems": 2},
    ),
    "for each feature the cost of raising and of lowering it, such as { income = [1, 3] }",
)

TABLES: Mapping[str, Mapping[str, Key]] = {
    "data": {
        "source": Key(TEXT, "the table: a .csv, .csv.gz or .parquet file, a folder of them, or a pattern"),
        "connection": Key(TEXT, "a DuckDB or SQLite file, instead of source"),
        "query": Key(TEXT, "the SELECT to run there, or the name of a table"),
        "label": Key(TEXT, "the column with the known outcome; it is left out"),
        "key": Key(TEXT, "the column that tells rows apart, for --key; it is left out"),
        "exclude": Key(TEXTS, "further columns to leave out"),
    },
    "model": {
        "file": Key(
            TEXT, "the model: .skops, .json or .ubj (XGBoost), .txt (LightGBM), .cbm, .onnx, .pt (TorchScript)"
        ),
        "python": Key(TEXT, "a model in Python instead, as package.module:attribute"),
        "target": Key(TARGET, "the good outcome: a label of the model, or several"),
        "threshold": Key(SHARE, "the probability of the good outcome must be above this; 0.5 if left out"),
        "interval": Key(INTERVAL, 'for a model that predicts a quantity: what is good, such as [2000, "any"]'),
        "margin": Key(NOT_NEGATIVE, "how far beyond the bare minimum answers must stay"),
        "trust": Key(TEXTS, "types that a skops file may contain beside those of scikit-learn"),
        "trust_pickle": Key(SWITCH, "read .pkl and .joblib, which can run any code while they are read"),
        "output": Key(_one_of("logit", "probability", "number"), "of a .pt file: what its numbers are"),
        "columns": Key(TEXTS, "of a .pt file: the columns it takes, in its order"),
        "classes": Key(LABELS, "of a .pt file: the labels of its classes"),
    },
    "rules": {"file": Key(TEXT, "the PLAF program")},
    "search": {
        "k": Key(_whole(1), "how many ways to look for"),
        "seed": Key(_whole(0), "same seed, same answer"),
        "ways": Key(_one_of(*KINDS), "which answers are worth telling beside a nearer one"),
        "method": Key(_one_of(*METHODS), "how to search"),
        "prove": Key(PROVE, "how long a proof is looked for that nothing is nearer: quick, seconds, or false for none"),
        "deadline": Key(POSITIVE, "seconds after which the best so far is returned"),
        "max_evals": Key(_whole(1), "rows that the model may be asked about"),
    },
    "distance": {
        "alpha": Key(NOT_NEGATIVE, "weight of the number of changed features"),
        "beta": Key(NOT_NEGATIVE, "weight of the sum of the changes"),
        "gamma": Key(NOT_NEGATIVE, "weight of the largest change"),
        "weights": Key(WEIGHTS, "how much changes of a feature count; 1 if left out"),
        "costs": Key(COSTS, "factors for raising and for lowering a feature"),
        "steps": Key(WEIGHTS, "the smallest change of a feature worth proposing"),
        "scale": Key(_one_of("range", "mad", "std"), "what a difference is divided by"),
        "min_support": Key(_whole(1), "values seen fewer times in the table are not offered"),
        "round": Key(SWITCH, "take a rounder value of the table where one does as well"),
    },
}
NAMES = _by_feature(TEXT, 'a name for each value, such as { 0 = "none", 1 = "some" }')
WORDS: Mapping[str, Key] = {
    "label": Key(TEXT, "its name for people"),
    "unit": Key(TEXT, "its unit, such as €"),
    "up": Key(TEXT, "the verb for raising it, such as raise"),
    "down": Key(TEXT, "the verb for lowering it, such as lower"),
    "values": Key(NAMES, "what its values are called, where they are codes"),
}
IN_GERMAN = Value(
    f'words in German, such as {{ label = "Einkommen" }}; there are {", ".join(WORDS)}',
    lambda v: isinstance(v, dict) and all(name in WORDS and WORDS[name].value.fits(word) for name, word in v.items()),
    {
        "type": "object",
        "properties": {name: key.value.schema for name, key in WORDS.items()},
        "additionalProperties": False,
    },
)
FEATURE: Mapping[str, Key] = {
    **WORDS,
    "de": Key(IN_GERMAN, "the same words in German"),
    "step": Key(POSITIVE, "the smallest change worth proposing"),
    "kind": Key(
        _one_of("categorical", "ordinal", "continuous"), "what its values are, where geco takes them otherwise"
    ),
}
REASON: Mapping[str, Key] = {
    "code": Key(TEXT, "the code of the reason, such as 07"),
    "text": Key(TEXT, "the reason, as it is told to people"),
    "de": Key(TEXT, "the same in German"),
    "never": Key(SWITCH, "true if it is no reason that anybody may be told, such as the sex of a person"),
}
# Tables whose keys are names of features, and what stands under each.
BY_FEATURE: Mapping[str, Mapping[str, Key]] = {"features": FEATURE, "reasons": REASON}
