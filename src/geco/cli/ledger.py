"""``geco ledger``: what was given out, and whether it still holds."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from geco.cli.asked import Asked, load_saved
from geco.cli.flattened import flattened
from geco.cli.opened import open_project
from geco.cli.options import AsJson
from geco.cli.output import show, show_json, write
from geco.errors import DataError, SettingsError

File = Annotated[Path, typer.Argument(help="The ledger, as geco serve --ledger or geco.Ledger made it.")]

ledger = typer.Typer(help="Answers that were given out: verify, export, erase, recheck.", no_args_is_help=True)


@ledger.command("verify")
def verify(
    file: File,
    head: Annotated[str | None, typer.Option(help="NUMBER:HASH of an entry that was noted elsewhere.")] = None,
    as_json: AsJson = False,
) -> None:
    """Walk the whole chain of hashes; exit code 1 if anything was changed.

    Example: geco ledger verify given.db
    """
    from geco.report.ledger import Ledger

    noted = _head(head)
    with Ledger(_there(file)) as opened:
        verified, last = opened.verify(noted), opened.head
    if as_json:
        told = {"entries": verified.entries, "erased": verified.erased, "faults": list(verified.faults)}
        show_json("ledger verify", {**told, "head": None if last is None else f"{last[0]}:{last[1]}"})
    else:
        show(str(verified), *([] if last is None else [f"head {last[0]}:{last[1]}"]))
    if not verified:
        raise typer.Exit(1)


@ledger.command("export")
def export(
    file: File,
    to: Annotated[Path, typer.Option(help="The file to write, one line of JSON per entry; a new one.")],
) -> None:
    """Write every entry as one line of JSON.

    Example: geco ledger export given.db --to given.jsonl
    """
    from geco.report.ledger import Ledger

    with Ledger(_there(file)) as opened:
        show(f"{opened.export(to):,} entries written to {to}")


@ledger.command("erase")
def erase(
    file: File,
    person: Annotated[str | None, typer.Option(help="Whose values to erase.")] = None,
    expired: Annotated[bool, typer.Option("--expired", help="Those whose time of keeping is over.")] = False,
) -> None:
    """Erase values; the chain of hashes stays whole.

    Examples: geco ledger erase given.db --person "customer 17", geco ledger erase given.db --expired
    """
    from geco.report.ledger import Ledger

    if (person is None) == (not expired):
        raise SettingsError("say whose values to erase: give either --person NAME or --expired")
    with Ledger(_there(file)) as opened:
        count = opened.expire() if person is None else opened.erase(person)
        show(f"the values of {count:,} entries are erased")


@ledger.command("recheck")
@flattened
def recheck(
    files: Asked,
    file: File,
    new: Annotated[Path, typer.Option(help="The new model's file.")],
    on: Annotated[str | None, typer.Option(help="Promises of this day, such as 2027-01-31; today if not said.")] = None,
    as_json: AsJson = False,
) -> None:
    """List the promises that a new model breaks, with what would take their place; exit code 1 if there are any.

    Example: geco ledger recheck given.db --new june.skops
    """
    from geco.project.modelfiles import Trusted, load_model
    from geco.report.ledger import Ledger
    from geco.report.promises import broken_promises

    explainer = load_saved(files) if files.saved is not None else open_project(files).explainer
    model = load_model(new, Trusted(files.trust or (), files.trust_pickle))
    count = 0
    with Ledger(_there(file)) as opened:
        for broken in broken_promises(opened, explainer, model, on):
            count += 1
            if as_json:
                show_json("ledger recheck", broken.to_dict())
            else:
                write(f"{broken}\n")
    if not as_json:
        show(f"{count:,} answers are broken" if count else "every promise holds")
    if count:
        raise typer.Exit(1)


def _there(file: Path) -> Path:
    """A ledger that is read is not made by that."""
    if not file.is_file():
        raise DataError(f"there is no ledger {file}")
    return file


def _head(text: str | None) -> tuple[int, str] | None:
    if text is None:
        return None
    number, colon, digest = text.partition(":")
    if not colon or not number.isdigit():
        raise SettingsError(f"--head is NUMBER:HASH, as geco ledger verify prints it, not {text}")
    return int(number), digest
