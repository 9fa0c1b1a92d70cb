"""Which x a command is about: a row of the table, a key, or JSON; and other values for some of its features."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from geco.cli.options import About
from geco.errors import DataError, InstanceError, SettingsError, did_you_mean, shown

if TYPE_CHECKING:
    from geco.data.schema import Feature, Schema
    from geco.project.project import Project

WORDS = {"true": True, "yes": True, "false": False, "no": False}


def check_said(about: About) -> None:
    """Exactly one of the three ways to say it."""
    said = [about.row is not None, about.key is not None, about.x is not None]
    if sum(said) != 1:
        raise SettingsError("say what to explain: give one of --row NUMBER, --key KEY or --x FILE.json")


def read_x(about: About, project: Project | None, schema: Schema, saved: bool = False) -> dict[str, Any]:
    """The instance; ``project`` is asked for rows of its table, of which a saved explainer knows the ``schema``."""
    if about.x is not None:
        x = read_json(about.x)
    elif project is None:
        raise SettingsError(
            "--saved has no table in it; give it --x FILE.json, or say with --data or --project whose row is meant"
        )
    else:
        x = project.row(about.row, key=about.key, schema=schema if saved else None)
    return {**x, **changes(about.set or [], schema)}


def changes(said: list[str], schema: Schema, onehots: Sequence[str] = ()) -> dict[str, Any]:
    """``income=900`` by feature, in the type that the feature has; a ONEHOT set takes the name of a category."""
    made: dict[str, Any] = {}
    for text in said:
        name, equals, value = text.partition("=")
        name = name.strip()
        if equals and name in onehots:
            made[name] = value.strip()
            continue
        if not equals or name not in schema:
            hint = did_you_mean(name, [*schema.names, *onehots])
            raise SettingsError(f"{shown(text)}: write FEATURE=VALUE with a feature of the table{hint}")
        made[name] = value_of(schema[name], value.strip())
    return made


def value_of(feature: Feature, text: str) -> Any:
    """A value that somebody typed; empty is missing."""
    if text == "":
        return None
    if feature.type == "boolean":
        return WORDS.get(text.lower(), text)
    if feature.type in ("integer", "number"):
        for read in (int, float):
            try:
                return read(text)
            except ValueError:
                continue
        raise InstanceError(f"{feature.name} takes a number, and {text!r} is none")
    return text


def read_json(name: str) -> dict[str, Any]:
    try:
        text = sys.stdin.read() if name == "-" else Path(name).read_text(encoding="utf-8")
        instance = json.loads(text)
    except OSError as error:
        raise DataError(f"cannot read {name}: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:
        raise InstanceError(f"{'stdin' if name == '-' else name} is not JSON: {error}") from error
    if not isinstance(instance, dict):
        raise InstanceError(f'{name} must hold one object with a value per feature, such as {{"age": 22}}')
    return instance
