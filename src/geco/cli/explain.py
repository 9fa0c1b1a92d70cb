"""``geco explain``: a model file, a table, a program and one instance."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from geco.cli.options import AsJson, Exclude, Model, Rules, Seed, Target, Trust, Ways
from geco.errors import DataError, InstanceError, ModelError, SettingsError

if TYPE_CHECKING:
    from geco.data.database import Database
    from geco.explainer import Explainer


def explain(
    model: Model = None,
    data: Annotated[Path | None, typer.Option(help="The table: .csv, .csv.gz or .parquet.")] = None,
    program: Rules = None,
    row: Annotated[int | None, typer.Option(help="Explain this row of the table, from 0.")] = None,
    x: Annotated[Path | None, typer.Option("--x", help="Explain the instance in this JSON file.")] = None,
    saved: Annotated[Path | None, typer.Option(help="An explainer made by geco save, instead of a table.")] = None,
    exclude: Exclude = None,
    target: Target = None,
    trust: Trust = None,
    k: Ways = 5,
    seed: Seed = 0,
    deadline: Annotated[float | None, typer.Option(help="Seconds after which the best so far is returned.")] = None,
    as_json: AsJson = False,
) -> None:
    """Explain one instance: a row of the table, or a JSON file."""
    if (row is None) == (x is None):
        raise SettingsError("say what to explain: give either --row NUMBER or --x FILE.json")
    from rich.console import Console
    from rich.text import Text

    from geco.cli.tables import effort, explanation_table, sentences

    if saved is not None:
        if x is None or data or program or exclude or target:
            raise SettingsError(
                "--saved has its table, rules and target in it; give it --x FILE.json, and perhaps --model"
            )
        explainer, instance = _loaded(saved, model, trust or []), _read_json(x)
    elif model is None or data is None:
        raise SettingsError(
            "say what explains: give --model and --data, or an explainer made by geco save with --saved"
        )
    else:
        from geco.data.database import Database

        database = Database.from_file(data, exclude=exclude or ())
        instance = _read_json(x) if x else database.row(row or 0)  # one of the two is given
        explainer = build(model, database, program, target, trust)
    explanation = explainer.explain(instance, k=k, seed=seed, deadline=deadline)
    if as_json:
        print(explanation.to_json(indent=2))
        return
    console = Console(highlight=False)
    if explanation.counterfactuals:
        console.print(explanation_table(explanation))
        console.print(sentences(explanation))
        for note in explanation.notes:
            console.print(Text(f"note: {note}"))
    else:
        console.print(Text(str(explanation)))
    console.print(Text(effort(explanation), style="dim"))


def build(
    model: Path, database: Database, program: Path | None, target: str | None, trust: list[str] | None
) -> Explainer:
    """An explainer made of files."""
    from geco.explainer import Explainer
    from geco.plaf.parser import read_plaf

    parsed = read_plaf(program) if program else None
    loaded = _load_model(model, trust or [])
    return Explainer(loaded, database, parsed, target=_target(target, loaded))


def _loaded(saved: Path, model: Path | None, trusted: list[str]) -> Explainer:
    from geco.explainer import Explainer

    return Explainer.load(saved, None if model is None else _load_model(model, trusted))


def _load_model(path: Path, trusted: list[str]) -> Any:
    """skops only: unlike a pickle, such a file cannot run code while it is read."""
    try:
        from skops.io import get_untrusted_types, load
    except ImportError as error:
        raise ModelError("reading model files needs skops: pip install 'geco-explain[demo]'") from error
    try:
        unknown = [name for name in get_untrusted_types(file=path) if name not in trusted]
    except Exception as error:
        raise ModelError(f"{path} is not a skops file ({error}); save the model with skops.io.dump") from error
    if unknown:
        flags = " ".join(f"--trust {name}" for name in unknown)
        raise ModelError(f"{path} contains types that are not trusted: {', '.join(unknown)}; to trust them add {flags}")
    try:
        return load(path, trusted=trusted)
    except Exception as error:  # a class that is not installed here, or another version of its library
        raise ModelError(
            f"{path} cannot be loaded here ({type(error).__name__}: {error}); install the libraries it was saved with"
        ) from error


def _read_json(path: Path) -> dict[str, Any]:
    try:
        instance = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise DataError(f"cannot read {path}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise InstanceError(f"{path} is not JSON: {error}") from error
    if not isinstance(instance, dict):
        raise InstanceError(f'{path} must hold one object with a value per feature, such as {{"age": 22}}')
    return instance


def _target(text: str | None, model: Any) -> Any:
    """The class of the model that is written like this, else a probability or an interval, else the text itself."""
    if text is None:
        return None
    for label in getattr(model, "classes_", ()):
        if str(label) == text:
            return label
    try:
        if ":" in text:
            low, high = text.split(":")
            return (float(low) if low else None, float(high) if high else None)
        return float(text)
    except ValueError:
        return text
