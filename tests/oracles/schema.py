"""The few words of JSON Schema that our files use, checked by hand."""

from __future__ import annotations

from typing import Any

Schema = dict[str, Any]
ANY = ["object", "array", "string", "boolean", "null", "number"]


def against_schema(root: Schema, value: Any, name: str | None = None) -> list[str]:
    """How the value differs from the schema, or from one of its definitions."""
    return _violations(root, root if name is None else root["$defs"][name], value, "$")


def _violations(root: Schema, schema: Schema, value: Any, at: str) -> list[str]:
    """The few words of JSON Schema that our file uses, checked by hand."""
    if "$ref" in schema:
        return _violations(root, root["$defs"][schema["$ref"].removeprefix("#/$defs/")], value, at)
    if "anyOf" in schema:
        found = [_violations(root, choice, value, at) for choice in schema["anyOf"]]
        return [] if [] in found else found[0]
    if "enum" in schema:
        return [] if value in schema["enum"] else [f"{at}: {value!r} is not one of {schema['enum']}"]
    types = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None), "integer": int}
    wanted = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    numeric = isinstance(value, int | float) and not isinstance(value, bool)
    if not any(numeric and (t == "number" or isinstance(value, int)) if t in ("number", "integer")
               else isinstance(value, types[t]) for t in wanted):  # fmt: skip
        return [f"{at}: {value!r} is not {wanted}"]
    if isinstance(value, list):
        items = schema.get("items", {"type": ANY})
        return [v for i, item in enumerate(value) for v in _violations(root, items, item, f"{at}[{i}]")]
    if isinstance(value, dict):
        parts, rest = schema.get("properties", {}), schema.get("additionalProperties", {"type": ANY})
        wrong = [f"{at}: {key} is absent" for key in schema.get("required", ()) if key not in value]
        wrong += [f"{at}: {key} is unknown" for key in value if key not in parts and rest is False]
        return wrong + [v for key, item in value.items() if key in parts or rest is not False
                        for v in _violations(root, parts.get(key, rest), item, f"{at}.{key}")]  # fmt: skip
    return []
