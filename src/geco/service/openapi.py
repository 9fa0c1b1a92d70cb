"""The OpenAPI document: what FastAPI makes of the routes, the published schema of an Explanation, D's features."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from geco import __version__

PUBLISHED = ("questions.schema.json", "explanation.schema.json")  # parts of the same name are those of the second
TYPES = {"integer": ["number", "null"], "number": ["number", "null"], "boolean": ["boolean", "null"]}
DESCRIPTION = (
    "What to change to turn a model's no into a yes. Every request but health and documents needs "
    "`Authorization: Bearer TOKEN`. Errors are problem documents (RFC 9457). A POST with an `Idempotency-Key` is "
    "answered once; the same key and body get the same answer again."
)


def document(app: FastAPI, facts: dict[str, Any]) -> dict[str, Any]:
    """The whole of it."""
    made = get_openapi(title="geco", version=__version__, description=DESCRIPTION, routes=app.routes, tags=None)
    schemas = made["components"]["schemas"]
    schemas.update(_published())
    for name in [n for n in schemas if n in ("HTTPValidationError", "ValidationError")]:
        del schemas[name]
    made["components"]["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
    x = x_schema(facts["features"])
    for path, methods in made["paths"].items():
        for method in methods.values():
            if path.startswith(("/v1/", "/metrics")):
                method["security"] = [{"token": []}]
            _example(method, facts)
    _put_x(schemas, x)
    return made


def x_schema(features: list[dict[str, Any]]) -> dict[str, Any]:
    """An x of this explainer: every feature is there; columns that D excludes may be, too."""
    return {
        "type": "object",
        "title": "X",
        "description": "A value for every feature; null where it is missing.",
        "required": [feature["name"] for feature in features],
        "properties": {f["name"]: {"type": TYPES.get(f["type"], ["string", "null"])} for f in features},
        "additionalProperties": {"$ref": "#/components/schemas/value"},
        "example": {feature["name"]: feature["example"] for feature in features},
    }


def _published() -> dict[str, Any]:
    """The schemas of an Explanation and of the questions, with their parts, as components."""
    found: dict[str, Any] = {}
    for name in PUBLISHED:
        text = (files("geco.service") / name).read_text(encoding="utf-8")
        read = json.loads(text.replace("#/$defs/", "#/components/schemas/"))
        found.update(read.pop("$defs"))
        read.pop("$schema")
    return {"Explanation": read, **found}


def _put_x(schemas: dict[str, Any], x: dict[str, Any]) -> None:
    """Wherever an instance is asked for, this explainer's features are."""
    schemas["X"] = x
    reference = {"$ref": "#/components/schemas/X"}
    for name in EXAMPLES:
        asked = schemas[name]["properties"]
        if "x" in asked:
            asked["x"] = reference
        if "rows" in asked:
            asked["rows"]["items"] = reference
    schemas["ExplainRows"]["properties"]["rows"]["items"] = reference
    listed = schemas["KServe"]["properties"]
    for field in ("instances", "inputs"):
        array = next(each for each in listed[field]["anyOf"] if each.get("type") == "array")
        array["items"]["anyOf"][0] = reference


def _example(method: dict[str, Any], facts: dict[str, Any]) -> None:
    """An example of what is asked, made of the most frequent values."""
    x = {feature["name"]: feature["example"] for feature in facts["features"]}
    for media in method.get("requestBody", {}).get("content", {}).values():
        name = media["schema"].get("$ref", "").rpartition("/")[2]
        example = EXAMPLES.get(name)
        if example is not None:
            media["example"] = {key: _filled(value, x) for key, value in example.items()}


def _filled(value: Any, x: dict[str, Any]) -> Any:
    if isinstance(value, dict):
        return {name: _filled(each, x) for name, each in value.items()}
    if value == "FEATURE":
        return next(iter(x))
    return x if value == "X" else [x] if value == ["X"] else value


EXAMPLES: dict[str, dict[str, Any]] = {
    "Explain": {"x": "X", "k": 3, "seed": 0},
    "ExplainMany": {"rows": ["X"], "k": 3},
    "Predict": {"rows": ["X"]},
    "BeginJob": {"explain_many": {"rows": ["X"], "k": 3}},
    "WhatIf": {"x": "X", "changes": {}},
    "Smallest": {"x": "X", "feature": "FEATURE"},
    "Obstacles": {"x": "X"},
    "Tradeoffs": {"x": "X", "k": 3},
    "Reasons": {"x": "X", "n": 4},
    "NearestRow": {"x": "X"},
    "Summary": {"rows": ["X"], "k": 1},
    "Report": {"x": "X", "language": "en"},
    "AllowedFor": {"x": "X"},
    "Plans": {"x": "X", "k": 3, "language": "en"},
    "CheckRules": {"rules": "PLAF x_cf.age >= x.age"},
    "KServe": {"instances": ["X"]},
}
