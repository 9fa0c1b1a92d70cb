"""``geco compare``: one instance, explained by several methods side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from geco.cli.asked import Limits, names
from geco.cli.explain import ANSWERED
from geco.cli.flattened import flattened
from geco.cli.instance import check_said, read_x
from geco.cli.opened import open_project
from geco.cli.options import About, AsJson, Files, Kind, Prove, Seed, Ways, given, proving
from geco.cli.output import show, show_json
from geco.cli.words import in_words
from geco.errors import GecoError

if TYPE_CHECKING:
    from geco.answers.explanation import Explanation
    from geco.project.project import Project


@flattened
def compare(
    files: Files,
    about: About,
    limits: Limits,
    methods: Annotated[list[str] | None, typer.Option(help="Such as frontier,genetic,exact,wit; repeatable.")] = None,
    k: Ways = None,
    seed: Seed = None,
    ways: Kind = None,
    prove: Prove = None,
    deadline: Annotated[float, typer.Option(help="Seconds for each method; the best so far counts.")] = 10.0,
    as_json: AsJson = False,
) -> None:
    """Explain one instance by several methods: what each finds, how near it is, and what it takes.

    Example: geco compare --row 17 --methods frontier,genetic,exact
    """
    from geco.methods import method_of

    chosen = names(methods) or ["frontier", "genetic", "exact"]
    for name in chosen:
        method_of(name)  # a misspelled one is told before anything is built
    check_said(about)
    project = open_project(files)
    x = read_x(about, project, project.database.schema)
    said = given(k=k, seed=seed, ways=ways, prove=proving(prove), deadline=deadline)
    words = {**project.question, **limits.words, **said}
    found = {name: _explained(project, name, x, words) for name in dict.fromkeys(chosen)}
    if as_json:
        show_json("compare", {"methods": {name: _content(each) for name, each in found.items()}})
    else:
        _print(found)
    if not any(not isinstance(each, GecoError) and each.status in ANSWERED for each in found.values()):
        raise typer.Exit(1)


def _explained(project: Project, method: str, x: dict[str, Any], words: dict[str, Any]) -> Explanation | GecoError:
    """What a method finds, or why it cannot be asked here; the others are not affected."""
    try:
        return project.with_method(method).explainer.explain(x, **words)
    except GecoError as error:
        return error


def _content(found: Explanation | GecoError) -> dict[str, Any]:
    return {"error": in_words(str(found))} if isinstance(found, GecoError) else found.to_dict()


def _print(found: dict[str, Explanation | GecoError]) -> None:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    from geco.answers.values import shorten

    table = Table("method", "ways", "distance", "outcome", "model rows", "seconds", box=box.SIMPLE_HEAD, pad_edge=False)
    nearest = Table.grid(padding=(0, 2))
    for column in table.columns[1:]:
        column.justify = "right"
    for name, each in found.items():
        if isinstance(each, GecoError):
            table.add_row(name, *[""] * 5)
            nearest.add_row(f"{name}:", Text(in_words(str(each))))
            continue
        cfs, effort = each.counterfactuals, [f"{each.trace.model_rows:,}", f"{each.seconds:.2f}"]
        first = [shorten(cfs[0].distance), shorten(cfs[0].outcome)] if cfs else ["", ""]
        table.add_row(name, str(len(cfs)), *first, *effort)
        nearest.add_row(f"{name}:", Text(each.sentence(cfs[0]) if cfs else in_words(each.reason)))
    show(table, nearest)
