"""``geco explain``: one instance, and the ways to a good outcome."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from geco.cli.flattened import flattened
from geco.cli.instance import check_said, read_x
from geco.cli.opened import open_project
from geco.cli.options import About, AsJson, Files, Seed, Ways, given
from geco.cli.output import show, show_json
from geco.errors import SettingsError

if TYPE_CHECKING:
    from geco.answers.explanation import Explanation
    from geco.explainer import Explainer

ANSWERED = ("found", "already_good")


@dataclass(frozen=True)
class Asked(Files):
    """The same, or a saved explainer."""

    saved: Annotated[Path | None, typer.Option(help="An explainer made by geco save, instead of a project.")] = None


@flattened
def explain(
    files: Asked,
    about: About,
    k: Ways = None,
    seed: Seed = None,
    method: Annotated[str | None, typer.Option(help="frontier, genetic, exact, wit, certifai, simcf or mace.")] = None,
    deadline: Annotated[float | None, typer.Option(help="Seconds after which the best so far is returned.")] = None,
    as_json: AsJson = False,
) -> None:
    """Say what would have to change for a good outcome.

    Examples: geco explain --row 17, geco explain --key 4711 --k 3, geco explain --x applicant.json --set income=900
    """
    explainer, x, question = asked(files, about, method)
    explanation = explainer.explain(x, **{**question, **given(k=k, seed=seed, deadline=deadline)})
    answer(explanation, "explain", as_json)


def asked(files: Asked, about: About, method: str | None = None) -> tuple[Explainer, dict[str, Any], dict[str, Any]]:
    """The explainer, the instance, and what [search] of the project says about every question."""
    check_said(about)
    if files.saved is not None:
        return _loaded(files, about, method)
    project = open_project(files)
    if files.project is None and files.data is not None and files.model is None:
        raise SettingsError("--data comes with --model; without both, name a project or a saved explainer")
    if method is not None:
        from geco.project.project import Project

        project = Project(project.settings.with_values({"search": {"method": method}}))
    x = read_x(about, project, project.database.schema)
    return project.explainer, x, project.question


def _loaded(files: Asked, about: About, method: str | None) -> tuple[Explainer, dict[str, Any], dict[str, Any]]:
    from geco.explainer import Explainer
    from geco.project.modelfiles import Trusted, load_model

    told: dict[str, Any] = {
        "--program": files.program,
        "--exclude": files.exclude,
        "--target": files.target,
        "--method": method,
    }
    told |= {"--threshold": files.threshold, "--margin": files.margin}
    for option, value in told.items():
        if value is not None:
            raise SettingsError(f"--saved has its rules, target and method in it; leave {option} out, or save it anew")
    model = None
    if files.model is not None:
        model = load_model(files.model, Trusted(files.trust or (), files.trust_pickle))
    explainer = Explainer.load(files.saved or "", model)
    has_table = about.x is None and (files.data is not None or files.project is not None or Path("geco.toml").exists())
    project = open_project(files) if has_table else None
    return explainer, read_x(about, project, explainer.domain.schema), project.question if project else {}


def answer(explanation: Explanation, command: str, as_json: bool) -> None:
    """Print it; exit code 1 if there is no way."""
    if as_json:
        show_json(command, explanation.to_dict())
    else:
        _print(explanation)
    if explanation.status not in ANSWERED:
        raise typer.Exit(1)


def _print(explanation: Explanation) -> None:
    from rich.text import Text

    from geco.cli.tables import effort, explanation_table, sentences

    if explanation.counterfactuals:
        notes = [f"note: {note}" for note in explanation.notes]
        show(explanation_table(explanation), sentences(explanation), *notes, Text(effort(explanation), style="dim"))
    else:
        show(str(explanation), Text(effort(explanation), style="dim"))
