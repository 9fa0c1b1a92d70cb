"""What a geco.toml says against what it may say: every unknown name and wrong value, with its line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from geco.errors import ProjectProblem, shown
from geco.plaf.diagnostics import closest
from geco.project.keys import BY_FEATURE, TABLES, Key
from geco.project.places import Path


class Checks:
    """The problems of one text, found by walking through what tomllib made of it."""

    def __init__(self, content: Mapping[str, Any], lines: Mapping[Path, int]) -> None:
        self._content = content
        self._lines = lines

    def problems(self) -> list[ProjectProblem]:
        """All of them, in the order of the lines."""
        return sorted(self._found(), key=lambda problem: problem.line)

    def _found(self) -> Iterator[ProjectProblem]:
        for name, value in self._content.items():
            if name in TABLES:
                yield from self._table((name,), value, TABLES[name])
            elif name in BY_FEATURE:
                yield from self._by_feature(name, value)
            else:
                yield self._unknown_table(name, value)

    def _by_feature(self, name: str, value: Any) -> Iterator[ProjectProblem]:
        if not isinstance(value, dict):
            yield self._problem((name,), f"{name} must be a table, written [{name}.income], got {shown(value)}")
            return
        for feature, inner in value.items():
            yield from self._table((name, feature), inner, BY_FEATURE[name])

    def _table(self, path: Path, value: Any, keys: Mapping[str, Key]) -> Iterator[ProjectProblem]:
        title = f"[{'.'.join(path)}]"
        if not isinstance(value, dict):
            example = next(iter(keys))
            yield self._problem(path, f"{title} must be a table with keys such as {example}, got {shown(value)}")
            return
        for name, given in value.items():
            if name not in keys:
                yield self._problem((*path, name), f"unknown key {name!r} in {title}{_meant(name, keys)}")
            elif not keys[name].value.fits(given):
                words = keys[name].value.words
                yield self._problem((*path, name), f"{name} in {title} must be {words}, got {shown(given)}")

    def _unknown_table(self, name: str, value: Any) -> ProjectProblem:
        known = [*TABLES, *BY_FEATURE]
        if not isinstance(value, dict):
            owner = next((table for table, keys in TABLES.items() if name in keys), None)
            hint = f"; it belongs into [{owner}]" if owner else f"; keys stand in a table: {_listed(known)}"
            return self._problem((name,), f"unknown key {name!r} outside of any table{hint}")
        match = closest(name, known)
        hint = f"did you mean [{match}]?" if match else f"the tables are {_listed(known)}"
        return self._problem((name,), f"unknown table [{name}]; {hint}")

    def _problem(self, path: Path, message: str) -> ProjectProblem:
        return ProjectProblem(line_of(path, self._lines), message)


def line_of(path: Path, lines: Mapping[Path, int]) -> int:
    """Of the key, or of the nearest thing around it that has a line; 0 if there is none."""
    return next((lines[path[:end]] for end in range(len(path), 0, -1) if path[:end] in lines), 0)


def _meant(name: str, keys: Mapping[str, Key]) -> str:
    match = closest(name, keys)
    return f"; did you mean {match!r}?" if match else f"; it may have {', '.join(keys)}"


def _listed(tables: list[str]) -> str:
    return ", ".join(f"[{table}]" for table in tables)
