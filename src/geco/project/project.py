"""Project: what a geco.toml stands for, each part made when it is first asked for."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from geco.answers.codes import Code
from geco.answers.explanation import Explanation
from geco.answers.labels import Label
from geco.data.schema import Schema
from geco.errors import ModelError, SettingsError
from geco.explainer import Explainer
from geco.params import Params
from geco.plaf.syntax import Program
from geco.project.categories import category_dtypes
from geco.project.columns import check_columns
from geco.project.keys import WORDS
from geco.project.modelfiles import Trusted, load_model
from geco.project.reader import NAME, read_project
from geco.project.settings import Settings
from geco.project.sources import check_there, known_row, left_out, open_database, row_of_key
from geco.project.targets import target_of

if TYPE_CHECKING:
    from geco.data.database import Database

LABELLED = (*WORDS, "de")  # keys of a feature that are words


def open(path: str | os.PathLike[str] = NAME) -> Project:
    """The project of a geco.toml, or of the one in a folder; nothing else is read yet.

    Raises
    ------
    ProjectError : with every problem of the file.

    Examples
    --------
    >>> project = geco.open("credit/geco.toml")  # doctest: +SKIP
    >>> print(project.explain(project.row(17)))  # doctest: +SKIP
    """
    return Project(read_project(path))


class Project:
    """Table, model and rules of a geco.toml.

    Attributes
    ----------
    settings : what the file says.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    @cached_property
    def database(self) -> Database:
        """D, without label, key and what else [data] leaves out."""
        return open_database(self.settings)

    @cached_property
    def program(self) -> Program:
        """The rules; an empty program if the project has none."""
        from geco.plaf.parser import read_plaf  # with it comes the grammar, which a saved explainer does without

        path = self._file("rules")
        return Program() if path is None else read_plaf(path)

    @cached_property
    def model(self) -> Any:
        """The model: from its file, or from Python."""
        settings, path = self.settings, self._file("model")
        if path is not None:
            trusted = Trusted(settings.get("model", "trust", ()), settings.get("model", "trust_pickle", False))
            return _with_output(load_model(path, trusted), settings)
        if settings.get("model", "python") is None:
            raise settings.wrong(
                'the project has no model yet; add [model] with file = "model.json", .skops, .txt, .cbm, .onnx or .pt',
                "model",
            )
        return _from_python(settings)

    @cached_property
    def explainer(self) -> Explainer:
        """Everything put together; asked often, built once."""
        check_columns(self.model, self.database.schema.names, left_out(self.settings))
        return Explainer(
            self.model,
            self.database.shown_as(category_dtypes(self.model, self.database.schema)),
            self.program,
            target=self.target,
            margin=self.settings.get("model", "margin", 0.0),
            method=self.settings.get("search", "method", "frontier"),
            params=self.params,
            labels=self.labels,
            codes=self.codes,
        )

    @property
    def target(self) -> Any:
        """What is good, as an Explainer takes it."""
        return target_of(self.settings, self.model)

    @property
    def params(self) -> Params:
        """The distance; steps may stand in [distance] or with the feature."""
        given = dict(self.settings.table("distance"))
        steps = {name: said["step"] for name, said in self._features.items() if "step" in said}
        if steps:
            given["steps"] = {**steps, **given.get("steps", {})}
        try:
            return Params(**given)
        except SettingsError as error:
            raise self.settings.wrong(str(error), "distance") from error

    @property
    def labels(self) -> dict[str, Label]:
        """Names, units and verbs of [features], for people."""
        words = {name: {k: v for k, v in said.items() if k in LABELLED} for name, said in self._features.items()}
        return {name: Label(**said) for name, said in words.items() if said}

    @property
    def codes(self) -> dict[str, Code]:
        """Code and text of [reasons], by feature."""
        return {name: Code(**reason) for name, reason in self.settings.table("reasons").items()}

    @property
    def _features(self) -> Mapping[str, Mapping[str, Any]]:
        return self.settings.table("features")

    @property
    def question(self) -> dict[str, Any]:
        """What [search] says about every question, as arguments of ``explain``."""
        asked = self.settings.table("search")
        return {key: asked[key] for key in ("k", "seed", "ways", "prove", "deadline", "max_evals") if key in asked}

    def with_method(self, method: str) -> Project:
        """The same project, searched in another way; what is read already is not read again."""
        other = Project(self.settings.with_values({"search": {"method": method}}))
        vars(other).update(
            {part: made for part, made in vars(self).items() if part in ("database", "program", "model")}
        )
        return other

    def row(self, number: int | None = None, *, key: object = None, schema: Schema | None = None) -> dict[str, Any]:
        """One row of the table, by its number from 0 or by its key.

        With the schema of a saved explainer the rest of a CSV is not read.
        """
        if (number is None) == (key is None):
            raise SettingsError("give the number of a row, or its key: project.row(17) or project.row(key=4711)")
        if schema is not None and (known := known_row(self.settings, schema, number, key)) is not None:
            return known
        return self.database.row(row_of_key(self.settings, key) if number is None else number)

    def _file(self, table: str) -> Path | None:
        """The file that a table names, if it is there; without a geco.toml whoever reads it says that it is not."""
        path = self.settings.path(table, "file")
        if path is not None and self.settings.file is not None:
            check_there(self.settings, path, table, "file")
        return path

    def explain(self, x: Any, **question: Any) -> Explanation:
        """The explainer's answer, with k, seed and limits of [search] where none are given."""
        return self.explainer.explain(x, **{**self.question, **question})


def _with_output(model: Any, settings: Settings) -> Any:
    """A TorchScript module, with what the project says of its numbers."""
    said = {key: settings.get("model", key) for key in ("output", "columns", "classes")}
    if type(model).__module__.partition(".")[0] != "torch":
        for key, value in said.items():
            if value is not None:
                raise settings.wrong(f"{key} in [model] is for .pt files only; leave it out", "model", key)
        return model
    from geco.models.libraries.torch.ask import Torch

    return Torch(model, **said)


def _from_python(settings: Settings) -> Any:
    """``package.module:attribute``, looked for in the folder of the project first."""
    written = settings.get("model", "python")
    module, _, attribute = written.partition(":")
    if not module or not attribute:
        raise settings.wrong(f"python in [model] must be package.module:attribute, got {written!r}", "model", "python")
    folder = str(settings.folder.resolve())
    sys.path.insert(0, folder)
    try:
        found = importlib.import_module(module)
        for name in attribute.split("."):
            found = getattr(found, name)
        return found
    except Exception as error:
        why = f"{type(error).__name__}: {error}"
        raise ModelError(f"python = {written!r} in [model] cannot be loaded ({why}); check the name") from error
    finally:
        sys.path.remove(folder)
