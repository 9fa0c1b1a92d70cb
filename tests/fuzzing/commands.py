"""The commands, with hostile options and files; and Ctrl-C during ``explain``."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from typer.testing import CliRunner

from fuzzing import people
from fuzzing.cases import Case
from fuzzing.files import csv_bytes, odd_table, written
from fuzzing.texts import damaged, odd_program
from fuzzing.trees import changed_by_hand
from geco.cli import app

Rng = np.random.Generator
WORDS = (
    "", " ", "-1", "0", "1", "5", "1e9", "nan", "inf", "-inf", "9" * 30, "0x10", "1_000", "½", "\ud800", "a\0b", "é",
    "x" * 5000, "--k", "-h", "--", "-", "0.5", "0.2:0.8", ":", "0.8:0.2", ":0.4", "::", "nan:nan", "yes", "True", "/",
    "/dev/null", "no/such/file", ".", "*", "it[1].csv", "[]", "{}", "null",
)  # fmt: skip
EXITS = (0, 1, 2, 130)
UNFORESEEN = ("Traceback", "geco did not expect this")


class BadExit(Exception):
    """A command that ended in a traceback, or with an exit code that means nothing."""


def command(arguments: list[str]) -> Case:
    return Case(lambda: ran(arguments), str(arguments), kind=lambda code: f"exit {code}")


def ran(arguments: list[str]) -> int:
    os.chdir(people.folder())  # what a command writes where nobody said where
    result = CliRunner().invoke(app, arguments, env={"COLUMNS": "100"})
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    if result.exit_code not in EXITS or any(sign in result.output for sign in UNFORESEEN):
        raise BadExit(f"exit code {result.exit_code}: {result.output[-500:]}")
    return result.exit_code


@cache
def model_file() -> Path:
    from skops.io import dump

    path = people.folder() / "model.skops"
    dump(people.forest(), path)
    return path


@cache
def _trusted() -> list[str]:
    from skops.io import get_untrusted_types

    return [part for name in get_untrusted_types(file=model_file()) for part in ("--trust", name)]


def options(rng: Rng, required: dict[str, str], optional: dict[str, str], more: list[str]) -> list[str]:
    """Options of which some are left out, given twice, or have a strange value."""
    chosen = dict(required) | {name: v for name, v in optional.items() if rng.random() < 0.5}
    for _ in range(int(rng.integers(0, 3))):
        if chosen:
            chosen[list(chosen)[rng.integers(len(chosen))]] = WORDS[rng.integers(len(WORDS))]
    if rng.random() < 0.15 and chosen:
        del chosen[list(chosen)[rng.integers(len(chosen))]]
    arguments = [part for pair in chosen.items() for part in pair] + more
    if rng.random() < 0.1:
        arguments.insert(int(rng.integers(len(arguments) + 1)), WORDS[rng.integers(len(WORDS))])
    return arguments


def _files(rng: Rng) -> dict[str, str]:
    """A model, a table and rules; one of them is damaged in half the cases."""
    model, data, rules = model_file(), written("good.csv", csv_bytes()), written("good.plaf", people.RULES.encode())
    roll = rng.random()
    if roll < 0.2:
        data = odd_table(rng)[0]
    elif roll < 0.35:
        rules = written("odd.plaf", odd_program(rng)[0].encode("utf-8", "surrogatepass"))
    elif roll < 0.5:
        model = written("odd.skops", damaged(model.read_bytes(), rng)[0])
    return {"--model": str(model), "--data": str(data), "--program": str(rules)}


def cli_explain(rng: Rng) -> Case:
    x = {**people.xs()[0], "since": "2011-05-31 00:00:00.000017"}
    text = json.dumps(x).encode()
    if rng.random() < 0.3:
        text = damaged(text, rng)[0]
    others = {"--x": str(written("x.json", text)), "--k": "2", "--seed": "1", "--deadline": "0.5", "--target": "1"}
    required = _files(rng)
    if rng.random() < 0.3:
        saved, _ = changed_by_hand(people.saved("compiled"), rng) if rng.random() < 0.6 else (people.saved("exact"), "")
        required = {"--saved": str(written("it.geco", saved)), "--x": others["--x"]}
    elif rng.random() < 0.4:
        required["--row"] = "3"
        del others["--x"]
    else:
        required["--x"] = others["--x"]
    arguments = ["explain", *options(rng, required, others, [*_trusted(), *["--json"] * int(rng.integers(2))])]
    return command(arguments)


def cli_save(rng: Rng) -> Case:
    required = _files(rng) | {"--to": str(people.folder() / "cli.geco")}
    arguments = ["save", *options(rng, required, {"--target": "1", "--exclude": "id"}, _trusted())]
    return command(arguments)


def cli_check(rng: Rng) -> Case:
    files = _files(rng)
    arguments = ["check", *options(rng, {"--data": files["--data"]}, {"--exclude": "id"}, [])]
    arguments.insert(int(rng.integers(1, len(arguments) + 1)), files["--program"])
    return command(arguments)


def cli_demo(rng: Rng) -> Case:
    arguments = [
        "demo",
        *options(rng, {}, {"--k": "1", "--seed": "3", "--applicant": "5"}, ["--json"] * int(rng.integers(2))),
    ]
    return command(arguments)


def cli(rng: Rng) -> Case:
    """Any words at all."""
    words = (*WORDS, "explain", "save", "check", "demo", "--help", "--version", "--json", "--model", "--data", "--x")
    arguments = [words[rng.integers(len(words))] for _ in range(int(rng.integers(0, 6)))]
    return command(arguments)


def interrupt(rng: Rng) -> Case:
    """Ctrl-C after some milliseconds: KeyboardInterrupt comes out soon, and the explainer can be asked again."""
    kind = ("black box", "compiled", "exact", "genetic")[rng.integers(4)]
    after, many = float(rng.uniform(0.0005, 0.03)), bool(rng.integers(2))
    asked = people.slow_explainer(0.005)[0] if kind == "black box" else people.explainer(kind)
    rows: Any = people.people().head(60)

    def run() -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job ignores it
        before = signal.signal(signal.SIGALRM, lambda *_: signal.raise_signal(signal.SIGINT))
        signal.setitimer(signal.ITIMER_REAL, after)
        try:
            asked.explain_many(rows, k=5) if many else asked.explain(people.xs()[0], k=5)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
        if asked.explain(people.xs()[1], k=1).status != "found":
            raise BadExit("asked again, it finds nothing")

    return Case(run, f"{kind}, {after * 1000:.1f} ms, {'many' if many else 'one'}", raises=(KeyboardInterrupt,))


CALLS: dict[str, Callable[[Rng], Case]] = {
    "cli": cli,
    "cli_explain": cli_explain,
    "cli_save": cli_save,
    "cli_check": cli_check,
    "cli_demo": cli_demo,
    "interrupt": interrupt,
}
