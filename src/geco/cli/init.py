"""``geco init``: a table becomes a project."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from geco.cli.options import AsJson
from geco.cli.output import say, show_json, write
from geco.errors import SettingsError

if TYPE_CHECKING:
    from geco.project.init import Seen


def init(
    data: Annotated[Path, typer.Argument(help="The table: .csv, .csv.gz, .parquet, or a folder.", metavar="TABLE")],
    label: Annotated[str | None, typer.Option(help="The column with the known outcome; it is left out.")] = None,
    model: Annotated[Path | None, typer.Option(help="The model file.")] = None,
    target: Annotated[str | None, typer.Option(help="The good outcome, a label of the model.")] = None,
    to: Annotated[Path, typer.Option(help="The folder to write into.")] = Path(),
    trust: Annotated[list[str] | None, typer.Option(help="A type the .skops file may contain; repeatable.")] = None,
    trust_pickle: Annotated[
        bool, typer.Option("--trust-pickle", help="Read a .pkl or .joblib, which can run any code.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Look at a table and write geco.toml and rules.plaf to begin with; nothing is overwritten.

    Example: geco init credit.csv --label repaid --model model.json
    """
    from geco.project.files import write_new
    from geco.project.init import Start, look, relative, rules_text, toml_text
    from geco.project.settings import Settings
    from geco.project.sources import label_column, open_database

    if not to.is_dir():
        raise SettingsError(f"there is no folder {to}; make it first, or leave --to out")
    files = [to / "geco.toml", to / "rules.plaf"]
    settings = Settings(Path(), None, {"data": {"source": str(data), **({"label": label} if label else {})}})
    database = open_database(settings)
    seen = look(database)
    loaded = None if model is None else _load(model, trust or [], trust_pickle)
    classes = [] if loaded is None else list(getattr(loaded, "classes_", ()))
    start = Start(
        relative(data, to), label, None if model is None else relative(model, to), target, trust or (), trust_pickle
    )
    text = toml_text(start, seen, classes, label_column(settings))
    write_new({files[0]: text, files[1]: rules_text(seen)})
    if as_json:
        show_json(
            "init", {"files": list(map(str, files)), **vars(seen) | {"onehots": [s.statement for s in seen.onehots]}}
        )
        return
    write(f"ok: {files[0]} and {files[1]}\n{_summary(seen, label)}")
    _say_next(text, model, to)


def _load(model: Path, trust: list[str], trust_pickle: bool) -> Any:
    from geco.project.modelfiles import Trusted, load_model

    return load_model(model, Trusted(trust, trust_pickle))


def _summary(seen: Seen, label: str | None) -> str:
    lines = [f"{seen.rows:,} rows, {len(seen.features)} features"]
    if label is not None:
        lines.append(f"label: {label}, left out")
    if seen.key is not None:
        lines.append(f"key: {seen.key}, left out, because it is different in every row")
    for what, names in {
        "also left out": seen.excluded,
        "codes, not quantities": seen.codes,
        "dates": seen.dates,
    }.items():
        if names:
            lines.append(f"{what}: {', '.join(names)}")
    lines += [f"one-hot set: {suggestion.statement.removeprefix('ONEHOT ')}" for suggestion in seen.onehots]
    return "".join(f"  {line}\n" for line in lines)


def _say_next(text: str, model: Path | None, to: Path) -> None:
    project = "" if to == Path() else f" --project {to}"
    if model is None:
        say("the project has no model yet: add file = … under [model] in geco.toml")
    if "# target =" in text:
        say("say which outcome is good: target = … under [model] in geco.toml")
    say(f"next: geco suggest{project}, then geco check{project}, then geco explain{project} --row 0")
