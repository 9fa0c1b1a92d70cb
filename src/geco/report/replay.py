"""replay: make a record anew and say whether the same comes out, or which of its causes has changed since."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from geco import __version__
from geco.answers.made import RECORD
from geco.errors import RecordError, shown
from geco.explainer import Explainer
from geco.models.goal.target import Target
from geco.params import Params
from geco.saved.fields import value_of

CLOCKS = ("seconds", "model_seconds", "at")  # what may differ from run to run, wherever it stands
LATER = ("lowest", "highest")  # what earlier records do not tell
CAUSES = {"model": "the model", "data": "the data", "rules": "the rules"}
MOST = 5  # differences that are named


@dataclass(frozen=True)
class Replay:
    """What became of a record.

    Attributes
    ----------
    same : the same came out, clocks aside; of a run that a clock had cut, that its answers are still valid.
    causes : what differs between then and now: version, model, data, rules, settings.
    differences : where the two differ, in words.
    valid_only : the run was cut by a clock, so that it cannot be repeated; its answers alone were checked.
    """

    same: bool
    causes: tuple[str, ...]
    differences: tuple[str, ...]
    valid_only: bool = False

    def __bool__(self) -> bool:
        return self.same

    def to_dict(self) -> dict[str, Any]:
        return {
            "same": self.same,
            "causes": list(self.causes),
            "differences": list(self.differences),
            "valid_only": self.valid_only,
        }

    def __str__(self) -> str:
        lines = [f"Changed since: {', '.join(self.causes)}."] if self.causes else []
        if self.valid_only:
            held = "its answers are still good and keep every rule" if self.same else "not all of its answers hold"
            lines.insert(0, f"The run was cut by a clock and cannot be repeated; {held}.")
        else:
            lines.insert(0, "The same comes out." if self.same else "Something else comes out.")
        return "\n".join([*lines, *self.differences])


def replay(record: Mapping[str, Any], explainer: Explainer) -> Replay:
    """Ask the question of the record again.

    Parameters
    ----------
    record : what ``Explanation.to_dict`` or ``to_json`` gave, read back.
    explainer : of today's model, data and rules.
    """
    made = _made(record)
    question = made["question"]
    causes = tuple(_causes(made, explainer))
    if record["stopped_by"] == "deadline" or isinstance(question.get("prove"), float):  # cut by a clock
        broken = tuple(_not_valid(record, explainer))
        return Replay(not broken, causes, broken[:MOST], valid_only=True)
    asked: dict[str, Any] = {"prove": False}  # what an earlier geco did
    asked |= {name: question[name] for name in question if name not in ("deadline", "target", "params")}
    asked |= {"target": _read(Target, question["target"]), "params": _read(Params, question["params"])}
    again = explainer.explain(dict(record["x"]), **asked)
    told = {**again.to_dict(), "made": None}
    then = {name: record.get(name) for name in told} | {"made": None}  # a command writes more around it
    differences = tuple(_differences("", then, told))
    return Replay(not differences, causes, differences[:MOST])


def _made(record: Any) -> Mapping[str, Any]:
    made = record.get("made") if isinstance(record, Mapping) else None
    if not isinstance(made, Mapping) or not {"record", "question", "fingerprint", "settings"} <= made.keys():
        raise RecordError("this is no record: it does not say how it was made; give what explanation.to_json() wrote")
    if not 1 <= made["record"] <= RECORD:
        raise RecordError(f"the record has format {shown(made['record'])}, and this geco reads up to {RECORD}")
    return made


def _causes(made: Mapping[str, Any], explainer: Explainer) -> Iterator[str]:
    now = explainer.fingerprint.to_dict()
    if made["version"] != __version__:
        yield f"geco itself ({made['version']}, now {__version__})"
    for name, words in CAUSES.items():
        if made["fingerprint"][name] != now[name]:
            yield words
    settings = explainer.settings
    changed = [name for name in settings if made["settings"].get(name) != settings[name]]
    said = [
        name for name in changed if made["question"].get(name) is None
    ]  # what was said for one question is no change
    if said:
        yield f"settings ({', '.join(said)})"


def _read(kind: type[Any], state: Any) -> Any:
    return None if state is None else value_of(kind, state)


def _not_valid(record: Mapping[str, Any], explainer: Explainer) -> Iterator[str]:
    for place, cf in enumerate(record["counterfactuals"], 1):
        tried = explainer.what_if(dict(record["x"]), dict(cf["values"]))
        if not tried.good:
            yield f"answer {place} is no longer good: the model says {tried.outcome}"
        for rule in tried.broken:
            yield f"answer {place} breaks {rule}"


def _differences(where: str, then: Any, now: Any) -> Iterator[str]:
    """The places that differ, clocks aside."""
    if isinstance(then, Mapping) and isinstance(now, Mapping):
        for name in [*then, *(n for n in now if n not in then and n not in LATER)]:
            if name not in CLOCKS:
                yield from _differences(f"{where}.{name}" if where else str(name), then.get(name), now.get(name))
    elif isinstance(then, list) and isinstance(now, list) and len(then) == len(now):
        for place, (a, b) in enumerate(zip(then, now, strict=True)):
            yield from _differences(f"{where}[{place}]", a, b)
    elif then != now:
        yield f"{where}: was {shown(then)}, is {shown(now)}"
