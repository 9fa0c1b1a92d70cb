"""Settings: what a project says, as plain values; made by the reader, or by the options of a command."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from geco.errors import ProjectError, ProjectProblem
from geco.project import places
from geco.project.checks import line_of


@dataclass(frozen=True)
class Settings:
    """The tables of a geco.toml, with defaults for nothing: a key that is not there was not written.

    Attributes
    ----------
    folder : what paths are relative to.
    file : the name of the geco.toml in messages; None if there is none.
    tables : by table and key what was written.
    lines : where it was written.
    """

    folder: Path
    file: str | None = None
    tables: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    lines: Mapping[places.Path, int] = field(default_factory=dict)

    def get(self, table: str, key: str, default: Any = None) -> Any:
        """What was written under this key of this table."""
        return self.tables.get(table, {}).get(key, default)

    def path(self, table: str, key: str) -> Path | None:
        """The same as a path, relative to the folder of the project."""
        written = self.get(table, key)
        return None if written is None else self.folder / written

    def table(self, name: str) -> Mapping[str, Any]:
        """All keys of a table."""
        return self.tables.get(name, {})

    def wrong(self, message: str, *place: str) -> ProjectError:
        """An error that names the place."""
        return ProjectError(self.file or "geco", [ProjectProblem(line_of(place, self.lines), message)])

    def with_values(self, changes: Mapping[str, Mapping[str, Any]]) -> Settings:
        """The same, with these keys instead; None takes a key away."""
        merged = {name: dict(keys) for name, keys in self.tables.items()}
        for table, keys in changes.items():
            both = {**merged.get(table, {}), **keys}
            merged[table] = {key: value for key, value in both.items() if value is not None}
        return Settings(self.folder, self.file, merged, self.lines)
