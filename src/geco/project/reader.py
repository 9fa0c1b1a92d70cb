"""The one reader of geco.toml: text ▶ Settings, or every problem of the file at once."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from geco.errors import ProjectError, ProjectProblem
from geco.given import path_of
from geco.project import places
from geco.project.checks import Checks, line_of
from geco.project.settings import Settings

NAME = "geco.toml"
_PLACE = re.compile(r"\s*\(at (?:line (\d+), column (\d+)|end of document)\)$")


def read_project(path: str | os.PathLike[str]) -> Settings:
    """Read a geco.toml, or the one in a folder.

    Raises
    ------
    ProjectError : the file cannot be read, is not TOML, or has keys or values that it may not have.
    """
    file = Path(path_of(path))
    file = file / NAME if file.is_dir() else file
    text = _text(file)
    content = _parsed(text, str(file))
    lines = places.places(text)
    problems = [*Checks(content, lines).problems(), *_contradictions(content, lines)]
    if problems:
        raise ProjectError(str(file), sorted(problems))
    return Settings(file.parent, str(file), content, lines)


def _text(file: Path) -> str:
    try:
        return file.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise _whole(file, "there is no such file; make one with: geco init TABLE --label COLUMN") from None
    except OSError as error:
        raise _whole(file, f"the file cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        raise _whole(file, f"byte {error.start + 1:,} is not UTF-8 text; save the file as UTF-8") from None


def _whole(file: Path, message: str) -> ProjectError:
    return ProjectError(str(file), [ProjectProblem(0, message)])


def _parsed(text: str, file: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        said = str(error)
        place = _PLACE.search(said)
        message = _PLACE.sub("", said)
        message = f"{message[:1].lower()}{message[1:]}, so this is not TOML{_help(message)}"
        if place is None or place[1] is None:
            raise ProjectError(f"{file}:{len(text.splitlines())}", [ProjectProblem(0, message)]) from None
        raise ProjectError(f"{file}:{place[1]}:{place[2]}", [ProjectProblem(0, message)]) from None
    except RecursionError:
        raise ProjectError(file, [ProjectProblem(0, "its values are nested too deeply")]) from None


def _help(message: str) -> str:
    if "Invalid value" in message:
        return '; text is written in quotes: label = "repaid"'
    if "overwrite" in message:
        return "; a key may be given once"
    if "twice" in message:
        return "; put all keys of a table under one heading"
    return ""


def _contradictions(content: Mapping[str, Any], lines: Mapping[places.Path, int]) -> list[ProjectProblem]:
    """Keys that exclude or need each other."""
    found = []

    def wrong(message: str, *place: str) -> None:
        found.append(ProjectProblem(line_of(place, lines), message))

    tables = {name: table for name, table in content.items() if isinstance(table, dict)}
    data, model = tables.get("data", {}), tables.get("model", {})
    if "source" in data and "connection" in data:
        wrong("[data] has source and connection; give one of them", "data", "connection")
    elif "connection" in data and "query" not in data:
        wrong('[data] has a connection and no query; add query = "SELECT …", or the name of a table', "data")
    elif "query" in data and "connection" not in data:
        wrong('[data] has a query and no connection; add connection = "file.duckdb"', "data", "query")
    elif "source" not in data and "connection" not in data:
        wrong('[data] names no table; add source = "table.csv", or connection and query', "data")
    if "file" in model and "python" in model:
        wrong("[model] has file and python; give one of them", "model", "python")
    if "interval" in model and ("target" in model or "threshold" in model):
        wrong("[model] has an interval, which goes with neither target nor threshold", "model", "interval")
    return found
