"""What a question needs: an explainer, from a project or a saved file; an x; what the project says of all questions."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from geco.cli.instance import check_said, read_x
from geco.cli.opened import open_project
from geco.cli.options import About, Files, given
from geco.errors import SettingsError

if TYPE_CHECKING:
    from geco.explainer import Explainer


@dataclass(frozen=True)
class Asked(Files):
    """The files of a project, or a saved explainer."""

    saved: Annotated[Path | None, typer.Option(help="An explainer made by geco save, instead of a project.")] = None


@dataclass(frozen=True)
class Limits:
    """What is added to one question."""

    fixed: Annotated[
        list[str] | None, typer.Option(help="May not change, for this question: age,income; repeatable.")
    ] = None
    only: Annotated[list[str] | None, typer.Option(help="Nothing but these may change; repeatable.")] = None
    rule: Annotated[
        list[str] | None, typer.Option(help="One rule more, such as 'PLAF x_cf.hours <= 40'; repeatable.")
    ] = None

    @property
    def words(self) -> dict[str, Any]:
        """As arguments of a question."""
        rules = None if self.rule is None else "\n".join(self.rule)
        return given(fixed=names(self.fixed), only=names(self.only), rules=rules)


class Question(NamedTuple):
    """An explainer, an x, what the options say of this question, and what [search] says of all."""

    explainer: Explainer
    x: dict[str, Any]
    words: dict[str, Any]
    search: dict[str, Any]


def asked(files: Asked, about: About, method: str | None = None) -> Question:
    """As the options say it."""
    check_said(about)
    if files.saved is not None:
        return _of_saved(files, about, method)
    if files.project is None and files.data is not None and files.model is None:
        raise SettingsError("--data comes with --model; without both, name a project or a saved explainer")
    project = open_project(files)
    if method is not None:
        project = project.with_method(method)
    x = read_x(about, project, project.database.schema)
    return Question(project.explainer, x, {}, project.question)


def load_saved(files: Asked) -> Explainer:
    """The saved explainer, around its model if one is given."""
    from geco.explainer import Explainer
    from geco.project.modelfiles import Trusted, load_model

    model = None
    if files.model is not None:
        model = load_model(files.model, Trusted(files.trust or (), files.trust_pickle))
    return Explainer.load(files.saved or "", model)


def _of_saved(files: Asked, about: About, method: str | None) -> Question:
    for option, value in {"--program": files.program, "--method": method}.items():
        if value is not None:
            raise SettingsError(f"--saved has its rules and method in it; leave {option} out, or save it anew")
    explainer = load_saved(files)
    has_table = about.x is None and (files.data is not None or files.project is not None or Path("geco.toml").exists())
    project = open_project(files) if has_table else None
    x = read_x(about, project, explainer.domain.schema, saved=True)
    words = given(target=_target(files, explainer), margin=files.margin)
    return Question(explainer, x, words, project.question if project else {})


def _target(files: Asked, explainer: Explainer) -> Any:
    """For this question alone; the model is not at hand, but the file knows its classes."""
    if files.target is None and files.threshold is None:
        return None
    from geco.project.targets import target_said

    return target_said(files.target, files.threshold, list(explainer.model.classes or ()))


def names(said: list[str] | None) -> list[str] | None:
    """``a,b`` and repeated options alike."""
    return None if said is None else [name.strip() for one in said for name in one.split(",") if name.strip()]
