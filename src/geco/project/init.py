"""A table ▶ the text of a geco.toml and a rules.plaf to begin with: what can be seen is written, the rest is asked."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from geco.data.columns import Column
from geco.data.database import Database
from geco.plaf.printer import print_name
from geco.project.suggest.keys import why_key
from geco.project.suggest.names import words_of
from geco.project.suggest.onehots import onehot_sets
from geco.project.suggest.sheet import Sheet
from geco.project.suggest.suggestion import Suggestion
from geco.project.suggest.written import as_plaf

CODES = (
    *("zip", "zipcode", "postcode", "postal", "code", "type", "category", "region", "district", "branch", "cluster"),
    *("state", "county", "province", "municipality", "msa", "industry", "sector", "occupation", "occ"),
)
GOOD = (
    "good",
    "yes",
    "approved",
    "accepted",
    "paid",
    "repaid",
    "granted",
    "positive",
    "true",
    "success",
    "pass",
    ">50k",
)
NO = ("no", "false", "n", "never", "none")
BAD = (
    *(
        "deny",
        "denied",
        "default",
        "reject",
        "refus",
        "fraud",
        "churn",
        "bad",
        "delinq",
        "dlq",
        "recid",
        "arrest",
        "late",
    ),
    *("dead", "death", "died", "loss", "attrition", "cancel", "fail", "bankrupt", "unemploy"),
)
MOST_CODES = 2_000


@dataclass(frozen=True)
class Start:
    """What the user said; paths as they are to stand in the file."""

    source: str
    label: str | None = None
    model: str | None = None
    target: Any = None
    trust: Sequence[str] = ()
    trust_pickle: bool = False


@dataclass
class Seen:
    """What the table shows."""

    rows: int
    features: list[str]
    quantities: list[str] = field(default_factory=list)
    key: str | None = None
    excluded: list[str] = field(default_factory=list)
    codes: list[str] = field(default_factory=list)
    dates: list[str] = field(default_factory=list)
    onehots: list[Suggestion] = field(default_factory=list)


def look(database: Database) -> Seen:
    """Keys, codes, dates and one-hot sets; the label must be left out of the database already."""
    sheet = Sheet(database)
    keys = [name for name in sheet.names if why_key(sheet, name) is not None]
    features = [name for name in sheet.names if name not in keys]
    seen = Seen(sheet.rows, features, [n for n in sheet.numeric if n in features], keys[0] if keys else None, keys[1:])
    seen.codes = [name for name in features if _is_code(sheet, name)]
    seen.dates = [name for name in features if sheet.feature(name).type in ("date", "datetime")]
    seen.onehots = list(onehot_sets(sheet))
    return seen


def _is_code(sheet: Sheet, name: str) -> bool:
    """Whole numbers that are names: by the name of the column alone, since 1, 2, 3 may be anything."""
    whole = sheet.feature(name).type == "integer" and name not in sheet.flags
    return whole and any(word in CODES for word in words_of(name)) and sheet.distinct(name) <= MOST_CODES


def toml_text(start: Start, seen: Seen, classes: list[Any], labels: Column | None) -> str:
    """The geco.toml."""
    lines = ["# A project of geco: table, model and rules. All keys: docs/project.md", "", "[data]"]
    lines += [f"source = {_text(start.source)}"]
    if start.label is not None:
        lines.append(f"label = {_text(start.label)}")
    if seen.key is not None:
        lines.append(f"key = {_text(seen.key)}")
    if seen.excluded:
        lines.append(f"exclude = [{', '.join(map(_text, seen.excluded))}]")
    lines += ["", "[model]"]
    lines.append(
        f"file = {_text(start.model)}" if start.model else '# file = "model.json"   # .skops .ubj .txt .cbm .onnx .pt'
    )
    if start.trust:
        lines.append(f"trust = [{', '.join(map(_text, start.trust))}]")
    if start.trust_pickle:
        lines.append("trust_pickle = true")
    lines += [*_target_lines(start, classes, labels), "", "[rules]", 'file = "rules.plaf"', ""]
    lines += ["[search]", "k = 5", ""]
    for name in seen.codes:
        lines += [f"[features.{_key(name)}]", 'kind = "categorical"   # numbers that are names', ""]
    example = next((name for name in seen.quantities if name not in seen.codes), "income")
    lines += ["# How people are told of a feature:", f"# [features.{_key(example)}]"]
    lines += [
        f"# label = {_text(example.replace('_', ' '))}",
        '# unit = "€"',
        '# up = "raise"',
        '# down = "lower"',
        "# step = 1",
    ]
    return "\n".join(lines) + "\n"


def _target_lines(start: Start, classes: list[Any], labels: Column | None) -> list[str]:
    known = classes or ([] if labels is None else sorted({*labels.compact().values()} - {None}, key=str)[:20])
    if start.target is None and (start.model or "").endswith(".txt") and len(known) < 3:  # a file without labels
        return [
            "threshold = 0.5   # of the probability that the model gives; 1 must have meant good when it was fitted"
        ]
    return [_target_line(start, known), "# threshold = 0.5"]


def _target_line(start: Start, known: list[Any]) -> str:
    if start.target is not None:
        return f"target = {_value(start.target)}"
    bad = _names_something_bad(start.label or "")
    if set(known) == {0, 1}:
        return f"target = {int(not bad)}   # the good outcome, guessed; {int(bad)} if it is that one"
    likely = [label for label in known if str(label).strip().lower() in (NO if bad else GOOD)]
    listed = ", ".join(_value(label) for label in known)
    if len(known) == 2 and len(likely) == 1:
        return f"target = {_value(likely[0])}   # the good outcome, guessed from {listed}"
    told = f"one of {listed}" if listed and len(known) < 20 else "a label of the model"
    return f"# target =   # the good outcome: {told}"


def _names_something_bad(label: str) -> bool:
    """Where a column is called deny or default, no is what people want to hear; NoDefault is the other way round."""
    words = words_of(label)
    return any(word.startswith(BAD) for word in words) != bool({"no", "not", "non"} & {*words})


def rules_text(seen: Seen) -> str:
    """The rules.plaf: one-hot sets that were found, and examples with names of this table."""
    names = [*seen.quantities, *seen.features, "age", "income"]
    one, two = (print_name(name) for name in list(dict.fromkeys(names))[:2])
    examples = {
        f"FIXED {one}": "may not change",
        f"INCREASE {one}": "may only grow",
        f"GROUP {one}, {two}": "change together, to a pair that occurs in the table",
        f"PLAF x_cf.{one} <= 2 * x.{one}": "a limit",
        f"PLAF IF x_cf.{one} != x.{one} THEN x_cf.{two} >= x.{two}": "one change asks for another",
    }
    width = max(map(len, examples))
    lines = [
        "# What may change, how far, and what changes with it: every answer obeys every rule of this file.",
        "# x is the person as is, x_cf the person after the change. Some examples (the whole language: docs/plaf.md):",
        "#",
        *(f"#   {rule:<{width}}   {meaning}" for rule, meaning in examples.items()),
        "#",
        "# geco suggest --write adds what the table suggests; a rule that begins with # is not suggested again.",
        "",
    ]
    return "\n".join(lines) + ("\n" + as_plaf(seen.onehots) if seen.onehots else "")


def relative(path: Path, folder: Path) -> str:
    """The path as it stands in a file of that folder, with forward slashes."""
    return Path(os.path.relpath(path, folder)).as_posix()


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _value(value: Any) -> str:
    value = value.item() if hasattr(value, "item") else value
    if isinstance(value, bool | int | float):
        return json.dumps(value)
    return _text(str(value))


def _key(name: str) -> str:
    bare = name.isascii() and name.replace("_", "").replace("-", "").isalnum()
    return name if bare else _text(name)
