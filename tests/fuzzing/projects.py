"""The commands that work on a project: its file, table, rules, model, saved file, record or ledger may be damaged."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

import numpy as np

import geco
from fuzzing import commands, people
from fuzzing.cases import Case
from fuzzing.commands import command, model_file
from fuzzing.files import odd_table
from fuzzing.texts import damaged, odd_program
from fuzzing.trees import changed_by_hand

Rng = np.random.Generator
PROJECT = """
[data]
source = "people.csv"
key = "customer"
[model]
file = "model.skops"
target = 1
[rules]
file = "rules.plaf"
[search]
k = 2
[features.income]
label = "yearly income"
unit = "k"
[reasons]
age = { code = "01", text = "Too young" }
"""
WRONG = (
    "source = 3", "file = ''", "nobody = 1", "[features.nobody]", "k = -1", "k = 'many'", "[search]", "label = 'home'",
    "kind = 'odd'", "target = []", "exclude = ['member', 'age', 'home', 'region']", "key = 'age'", "threshold = 2.0",
    "[[data]]", "x = ", "\0", "strict = true", "prove = 'never'", "margin = nan", "weights = { age = -1 }",
)  # fmt: skip
NUMBER = itertools.count()
QUESTIONS = {"--fixed": "age", "--only": "member,home", "--rule": "PLAF x_cf.age <= 60", "--margin": "0.01"}
SEARCH = {"--k": "2", "--seed": "1", "--deadline": "0.5"}


def folder() -> Path:
    """A new one for each case: what one case writes is no matter of the next."""
    made = people.folder() / f"case{next(NUMBER)}"
    made.mkdir()
    return made


@cache
def record() -> bytes:
    return people.explainer("compiled").explain(people.xs()[0], k=2).to_json().encode()


@cache
def ledger() -> bytes:
    path = people.folder() / "made.db"
    with geco.Ledger(path) as made:
        for i, explanation in enumerate(people.explanations()):
            made.append(explanation, person=f"p{i}")
    return path.read_bytes()


@cache
def table() -> bytes:
    frame = people.people().head(60)
    return frame.assign(customer=[f"c{i}" for i in range(len(frame))]).to_csv(index=False).encode()


def options(rng: Rng, required: dict[str, str], optional: dict[str, str], more: list[str]) -> list[str]:
    """Options of which some are wrong, in half the cases; in the others what is wrong is in the files."""
    if rng.random() < 0.5:
        return commands.options(rng, required, optional, more)
    chosen = required | {name: value for name, value in optional.items() if rng.random() < 0.4}
    return [part for pair in chosen.items() for part in pair] + more


def put(into: Path, name: str, content: bytes) -> str:
    (into / name).write_bytes(content)
    return str(into / name)


def project(into: Path, rng: Rng) -> dict[str, str]:
    """A project in this folder; something about it is wrong in a third of the cases."""
    text, rows, rules, model = PROJECT, table(), people.RULES, model_file().read_bytes()
    roll = rng.random() * 1.5
    if roll < 0.15:
        lines = text.splitlines()
        lines.insert(int(rng.integers(len(lines) + 1)), WRONG[rng.integers(len(WRONG))])
        text = "\n".join(lines)
    elif roll < 0.25:
        text = damaged(text.encode(), rng)[0].decode("utf-8", "replace")
    elif roll < 0.35:
        rows = odd_table(rng)[0].read_bytes()
    elif roll < 0.45:
        rules = odd_program(rng)[0]
    elif roll < 0.5:
        model = damaged(model, rng)[0]
    put(into, "people.csv", rows)
    put(into, "rules.plaf", rules.encode("utf-8", "surrogatepass"))
    put(into, "model.skops", model)
    return {"--project": put(into, "geco.toml", text.encode("utf-8", "surrogatepass"))}


def saved_or_project(into: Path, rng: Rng) -> dict[str, str]:
    if rng.random() < 0.7:
        return project(into, rng)
    saved = changed_by_hand(people.saved("compiled"), rng)[0] if rng.random() < 0.5 else people.saved("compiled")
    return {"--saved": put(into, "it.geco", saved)}


def somebody(into: Path, rng: Rng) -> dict[str, str]:
    roll = rng.random()
    if roll < 0.3:
        return {"--row": str(rng.integers(65))}
    if roll < 0.5:
        return {"--key": f"c{rng.integers(65)}"}
    x = json.dumps({**people.xs()[rng.integers(3)], "since": "2011-05-31 00:00:00.000017"}).encode()
    return {"--x": put(into, "x.json", damaged(x, rng)[0] if rng.random() < 0.2 else x)}


def as_json(rng: Rng) -> list[str]:
    return ["--json"] * int(rng.random() < 0.3)


def question(name: str, optional: dict[str, str], rng: Rng) -> Case:
    """A command that asks about one person."""
    into = folder()
    required = saved_or_project(into, rng) | somebody(into, rng)
    if name == "whatif" or rng.random() < 0.2:
        required["--set"] = ("age=50", "home=own", "member=True", "age=", "=", "nobody=1", "age=x", "id=1")[
            rng.integers(8)
        ]
    more = as_json(rng)
    if name == "smallest":
        more.append(("age", "income", "home", "nobody", "id", "since")[rng.integers(6)])
    files = {"--to": str(into / "out.html")} if name == "report" else {}
    return command([name, *options(rng, required, optional | files, more)])


def cli_init(rng: Rng) -> Case:
    into = folder()
    rows = odd_table(rng)[0] if rng.random() < 0.5 else Path(put(into, "people.csv", table()))
    optional = {"--label": "member", "--model": str(model_file()), "--target": "1"}
    if rng.random() < 0.1:
        put(into, "geco.toml", b"")
    return command(["init", *options(rng, {"--to": str(into)}, optional, [str(rows), *as_json(rng)])])


def cli_look(name: str, optional: dict[str, str], flags: tuple[str, ...], rng: Rng) -> Case:
    """A command about the project as a whole."""
    into = folder()
    more = [flag for flag in flags if rng.random() < 0.3] + as_json(rng)
    return command([name, *options(rng, project(into, rng), optional, more)])


def cli_replay(rng: Rng) -> Case:
    into = folder()
    content = record() if rng.random() < 0.4 else damaged(record(), rng)[0]
    required = saved_or_project(into, rng) | {"--record": put(into, "record.json", content)}
    return command(["replay", *options(rng, required, {}, as_json(rng))])


def cli_batch(rng: Rng) -> Case:
    into = folder()
    rows = odd_table(rng)[0] if rng.random() < 0.4 else Path(put(into, "in.csv", table()))
    required = saved_or_project(into, rng) | {"--in": str(rows), "--out": str(into / "out")}
    optional = {
        "--format": "csv",
        "--part-rows": "7",
        "--key": "customer",
        "--k": "2",
        "--workers": "1",
        "--threads": "1",
    }
    more = [flag for flag in ("--resume", "--retry-failed") if rng.random() < 0.1]
    return command(["batch", *options(rng, required, optional, more + as_json(rng))])


def cli_serve(rng: Rng) -> Case:
    """As far as to the point where it would begin to wait for requests."""
    import geco.cli.serve as serve

    into = folder()
    tokens = put(
        into,
        "tokens",
        (b"staff abcdefghijklmnopqrstuvwxyz0123", b"", b"staff", b"\xff", b"king x" * 9)[rng.integers(5)],
    )
    optional = {
        "--token-file": tokens,
        "--port": "0",
        "--workers": "1",
        "--queue": "5",
        "--body": "5000",
        "--cors": "*",
    }
    optional |= {
        "--host": "127.0.0.1",
        "--log": "info",
        "--name": "it",
        "--deadline": "2",
        "--ledger": str(into / "l.db"),
    }
    required = {"--port": "0"} if rng.random() < 0.8 else {}
    words = options(rng, required, optional, [*project(into, rng).values()])
    serve.run_service = lambda *_: None  # type: ignore[assignment]
    serve._saved = lambda *_: None  # type: ignore[assignment]
    return command(["serve", *words])


def cli_ledger(rng: Rng) -> Case:
    into = folder()
    content = ledger() if rng.random() < 0.5 else damaged(ledger(), rng)[0]
    file = put(into, "given.db", content)
    name = ("verify", "export", "erase", "recheck")[rng.integers(4)]
    required = {"export": {"--to": str(into / "out.jsonl")}, "erase": {"--person": "p1"}}.get(name, {})
    if name == "recheck":
        required = saved_or_project(into, rng) | {"--new": str(model_file())}
    optional = {"verify": {"--head": "1:abc"}, "recheck": {"--on": "2027-01-31"}}.get(name, {})
    more = as_json(rng) if name in ("verify", "recheck") else []
    return command(["ledger", name, *options(rng, required, optional, [file, *more])])


CALLS: dict[str, Callable[[Rng], Case]] = {
    "cli_init": cli_init,
    "cli_suggest": partial(cli_look, "suggest", {"--most": "3"}, ("--write",)),
    "cli_check_project": partial(cli_look, "check", {"--margin": "0.1", "--threshold": "0.6"}, ("--strict",)),
    "cli_describe": partial(cli_look, "describe", {"--margin": "0.1", "--target": "0.2:0.8"}, ()),
    "cli_explain_project": partial(question, "explain", {**QUESTIONS, **SEARCH, "--prove": "0.1", "--ways": "sets"}),
    "cli_whatif": partial(question, "whatif", {"--target": "1"}),
    "cli_smallest": partial(question, "smallest", {**QUESTIONS, **SEARCH}),
    "cli_obstacles": partial(question, "obstacles", {**QUESTIONS, "--deadline": "1"}),
    "cli_reasons": partial(question, "reasons", {"--n": "3", "--against": "best", "--never": "age"}),
    "cli_tradeoffs": partial(question, "tradeoffs", {**QUESTIONS, "--deadline": "1"}),
    "cli_compare": partial(question, "compare", {**QUESTIONS, "--methods": "frontier,exact,wit", "--deadline": "0.5"}),
    "cli_report": partial(question, "report", {**QUESTIONS, "--k": "2", "--language": "de", "--plans": "2"}),
    "cli_replay": cli_replay,
    "cli_batch": cli_batch,
    "cli_serve": cli_serve,
    "cli_ledger": cli_ledger,
}
