"""The project that a command is about: a geco.toml, changed by what the options say, or the options alone."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from geco.cli.options import Files, given
from geco.errors import SettingsError

if TYPE_CHECKING:
    from geco.project.project import Project
    from geco.project.settings import Settings

NO_PROJECT = (
    "there is no geco.toml in this folder; make one with: geco init TABLE --label COLUMN, "
    "or give --project, or --model and --data"
)


def open_project(files: Files) -> Project:
    """As the options say it; with --data they say it all, and no geco.toml is looked for."""
    from geco.project.project import Project
    from geco.project.reader import NAME, read_project
    from geco.project.settings import Settings

    if files.project is not None:
        settings = read_project(files.project)
    elif files.data is not None:
        settings = Settings(Path())
    elif Path(NAME).exists():
        settings = read_project(NAME)
    else:
        raise SettingsError(NO_PROJECT)
    return Project(_changed(settings, files))


def _changed(settings: Settings, files: Files) -> Settings:
    here = settings.folder.resolve() == Path.cwd()

    def path(option: Path | None) -> str | None:
        """An option is relative to where the command runs, not to the project."""
        return None if option is None else str(option if here else option.resolve())

    data = given(source=path(files.data), exclude=files.exclude)
    if files.data is not None:
        data |= {"connection": None, "query": None}
    if files.exclude is not None:
        data["exclude"] = [*settings.get("data", "exclude", ()), *files.exclude]
    model = given(file=path(files.model), trust=files.trust, target=files.target)
    model |= given(threshold=files.threshold, margin=files.margin)
    if files.model is not None:
        model["python"] = None
    if files.trust_pickle:
        model["trust_pickle"] = True
    if files.target is not None or files.threshold is not None:
        model["interval"] = None
    rules = given(file=path(files.program))
    return settings.with_values({"data": data, "model": model, "rules": rules})
