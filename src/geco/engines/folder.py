"""The output of a batch: part files, a journal of the parts that are whole, at the end the manifest and _SUCCESS.

manifest.json   what the batch is about, from the start; when it is complete, all parts too
_parts.jsonl    while it runs, a line per whole part, in the order in which they were done
rows/           part-000000.parquet, …: one row per x
answers/        part-000000.parquet, …: one row per answer
_SUCCESS        empty, written last
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from geco.engines.durable import append_line, cannot_write, is_temporary, remove, write_text
from geco.engines.parts import Done
from geco.errors import BatchError

MANIFEST, JOURNAL, SUCCESS = "manifest.json", "_parts.jsonl", "_SUCCESS"
# Named in a manifest, but no reason to refuse to go on.
_FREE = ("python", "numpy")


class Folder:
    """One batch on disk."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            for folder in (path / "rows", path / "answers"):
                folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise cannot_write(path, error) from error

    @property
    def complete(self) -> bool:
        return (self.path / SUCCESS).exists()

    def begin(self, about: Mapping[str, Any], resume: bool) -> dict[int, Done]:
        """The parts that are whole already, by number; refuses a folder of something else."""
        manifest = self.manifest()
        if manifest is None:
            self._check_empty()
            self._write(MANIFEST, {**about, "complete": False})
            return {}
        if not resume:
            what = "a complete batch" if self.complete else "an unfinished batch; resume goes on with it"
            raise BatchError(f"{self.path} holds {what}; choose another folder to begin anew")
        differ = differences(manifest, about)
        if differ:
            raise BatchError(f"{self.path} holds a batch that differs in {'; '.join(differ)}; it cannot be resumed")
        for file in [*self.path.glob(".*"), *self.path.glob("*/.*")]:
            if is_temporary(file):  # of a run that was killed
                remove(file)
        return {number: done for number, done in self._known(manifest).items() if self._is_whole(done)}

    def reopen(self, about: Mapping[str, Any], whole: Iterable[Done]) -> None:
        """The batch is no longer complete: only these parts are."""
        remove(self.path / SUCCESS)
        self._write(MANIFEST, {**about, "complete": False, "parts": list(whole)})
        remove(self.path / JOURNAL)

    def add(self, done: Done) -> None:
        """This part is whole."""
        append_line(self.path / JOURNAL, json.dumps(done))

    def finish(self, about: Mapping[str, Any], parts: Mapping[int, Done]) -> dict[str, Any]:
        """Write the manifest, then _SUCCESS."""
        ordered = [parts[number] for number in sorted(parts)]
        manifest = {**about, "complete": True, **totals(ordered), "parts": ordered}
        self._write(MANIFEST, manifest)
        remove(self.path / JOURNAL)
        write_text(self.path / SUCCESS, "")
        return manifest

    def manifest(self) -> dict[str, Any] | None:
        """As it is on disk; None if there is none."""
        return read_manifest(self.path)

    def _known(self, manifest: Mapping[str, Any]) -> dict[int, Done]:
        known = {done["part"]: done for done in manifest.get("parts", [])}
        try:
            lines = (self.path / JOURNAL).read_text(encoding="utf-8").split("\n")
        except FileNotFoundError:
            lines = []
        for line in lines:
            try:
                done = json.loads(line)
                known[done["part"]] = done
            except (ValueError, TypeError, KeyError):  # the line that was being written when it was killed
                continue
        return known

    def _is_whole(self, done: Done) -> bool:
        files = [(self.path / name, of["bytes"]) for name, of in done["files"].items()]
        return all(path.exists() and path.stat().st_size == length for path, length in files)

    def _check_empty(self) -> None:
        others = [f for f in self.path.rglob("*") if f.is_file() and not is_temporary(f)]
        if others:
            found = others[0].relative_to(self.path)
            raise BatchError(f"{self.path} is not empty ({found}) and holds no batch; choose another folder")

    def _write(self, name: str, content: Mapping[str, Any]) -> None:
        write_text(self.path / name, json.dumps(content, indent=1, ensure_ascii=False) + "\n")


def read_manifest(folder: Path) -> dict[str, Any] | None:
    """What a folder says of its batch; None if there is no manifest."""
    path = folder / MANIFEST
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        return found if isinstance(found, dict) else None
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError) as error:
        raise BatchError(f"cannot read {path}: {error}") from error


def totals(parts: Iterable[Done]) -> dict[str, Any]:
    """Of all parts together."""
    rows = answers = 0
    statuses: Counter[str] = Counter()
    changed: Counter[str] = Counter()
    for done in parts:
        rows, answers = rows + done["rows"], answers + done["answers"]
        statuses.update(done["statuses"])
        changed.update(done["changed"])
    return {
        "rows": rows,
        "answers": answers,
        "statuses": dict(sorted(statuses.items())),
        "changed": dict(sorted(changed.items(), key=lambda each: (-each[1], each[0]))),
    }


def differences(then: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """What two batches are not the same in, in words.

    Examples
    --------
    >>> differences({"question": {"k": 5}}, {"question": {"k": 3}})
    ['question.k (5 then, 3 now)']
    """
    before, after = (dict(_flat(each)) for each in (then, now))
    named = [name for name in after if before.get(name) != after[name] and name.rpartition(".")[2] not in _FREE]
    return [f"{name} ({_short(before.get(name))} then, {_short(after[name])} now)" for name in named]


def _flat(tree: Any, name: str = "") -> Iterable[tuple[str, Any]]:
    if isinstance(tree, Mapping):
        for key, value in tree.items():
            yield from _flat(value, f"{name}.{key}" if name else str(key))
    elif isinstance(tree, list):
        yield f"{name}.length", len(tree)
        for number, value in enumerate(tree):
            yield from _flat(value, f"{name}[{number}]")
    else:
        yield name, tree


def _short(value: Any) -> str:
    text = "none" if value is None else str(value)
    return text if len(text) < 40 else f"{text[:12]}…"
