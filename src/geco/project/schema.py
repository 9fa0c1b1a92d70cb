"""The JSON schema of geco.toml, for editors; docs/geco.schema.json is what this makes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from geco.project.keys import BY_FEATURE, TABLES, Key


def schema_text() -> str:
    """The schema as it is published."""
    tables: dict[str, Any] = {name: _table(keys) for name, keys in TABLES.items()}
    for name, keys in BY_FEATURE.items():
        tables[name] = {"type": "object", "additionalProperties": _table(keys)}
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "geco.toml",
        "description": "A project of geco: table, model, rules, and words for people.",
        **_object(tables),
    }
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def _table(keys: Mapping[str, Key]) -> dict[str, Any]:
    return _object({name: {"description": key.about, **key.value.schema} for name, key in keys.items()})


def _object(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "object", "additionalProperties": False, "properties": dict(properties)}
