"""The calls of an Explainer, and what it is made of, each as a case with hostile arguments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

import geco
from fuzzing import people
from fuzzing.cases import Case
from fuzzing.hostile import hostile
from fuzzing.models import Counting, good, odd_model
from fuzzing.texts import odd_program

Rng = np.random.Generator
Arguments = dict[str, Any]
KINDS = ("black box", "compiled", "exact", "genetic", "genetic black box")
DEADLINES = (0.001, 0.01, 0.05, 0.1, 0.2)


def mutated(rng: Rng, arguments: Arguments, at_least: int = 1) -> tuple[Arguments, str]:
    """The arguments with one or two replaced by hostile values, and which."""
    told, result = [], dict(arguments)
    for _ in range(max(at_least, 1 + int(rng.random() < 0.3))):
        place = list(arguments)[rng.integers(len(arguments))]
        name, result[place] = hostile(rng)
        told.append(f"{place}: {name}")
    return result, ", ".join(told)


def odd_x(rng: Rng) -> tuple[Any, str]:
    """An x with hostile values, names or form."""
    x = dict(people.xs()[rng.integers(4)])
    roll = rng.random()
    if roll < 0.65:
        changed, told = mutated(rng, x)
        return _in_some_form(changed, rng), f"x with {told}"
    if roll < 0.75:
        gone = list(x)[rng.integers(len(x))]
        del x[gone]
        return x, f"x without {gone}"
    if roll < 0.85:
        name, key = hostile(rng)
        try:
            return {**x, key: 1}, f"x with the key {name}"
        except Exception:
            return x, "x"
    name, value = hostile(rng)
    return value, f"x: {name}"


def _in_some_form(x: Arguments, rng: Rng) -> Any:
    try:
        if rng.random() < 0.15:
            return pd.Series(x)
        if rng.random() < 0.15:
            return pd.DataFrame([x])
    except Exception:  # pandas cannot hold it either
        pass
    return x


def explain(rng: Rng) -> Case:
    """x, settings, deadline and model of ``explain``."""
    deadline = float(rng.choice(DEADLINES)) if rng.random() < 0.5 else None
    asked, model = _asked(rng, deadline)
    arguments: Arguments = {"k": 3, "seed": 1, "deadline": deadline, "max_evals": None, "on_round": None}
    x, told = (people.xs()[0], "x as it is") if rng.random() < 0.5 else odd_x(rng)
    if rng.random() < 0.6:
        arguments, more = mutated(rng, arguments)
        told += f"; {more}"
    held = arguments["deadline"] if arguments["deadline"] is deadline else None
    raised = (ZeroDivisionError, ValueError, TypeError) if callable(arguments["on_round"]) else ()
    return Case(lambda: asked.explain(x, **arguments), f"{told}; deadline {deadline}", held, model, raised, _read)


def explain_many(rng: Rng) -> Case:
    """Rows, settings and deadline of ``explain_many``."""
    deadline = float(rng.choice(DEADLINES)) if rng.random() < 0.5 else None
    asked, model = _asked(rng, deadline)
    arguments: Arguments = {
        "k": 2,
        "seed": 1,
        "deadline": deadline,
        "max_evals": None,
        "progress": False,
        "threads": None,
    }
    rows, told = _odd_rows(rng)
    if rng.random() < 0.6:
        arguments, more = mutated(rng, arguments)
        told += f"; {more}"
    held = arguments["deadline"] if arguments["deadline"] is deadline else None
    return Case(
        lambda: asked.explain_many(rows, **arguments), f"{told}; deadline {deadline}", held, model, (), _all_read
    )


def _odd_rows(rng: Rng) -> tuple[Any, str]:
    roll = rng.random()
    if roll < 0.3:
        return people.people().head(int(rng.integers(0, 60))), "a frame"
    if roll < 0.7:
        odd, told = odd_x(rng)
        return [people.xs()[0], odd, people.xs()[1]], f"rows with {told}"
    if roll < 0.8:
        column, (name, value) = people.people().columns[rng.integers(7)], hostile(rng)
        try:
            return people.people().head(5).assign(**{column: [value] * 5}), f"frame with {column}: {name}"
        except Exception:
            pass
    name, value = hostile(rng)
    return value, f"rows: {name}"


def _asked(rng: Rng, deadline: float | None) -> tuple[geco.Explainer, Counting | None]:
    """An explainer, and its model if its calls are timed."""
    if deadline is not None and rng.random() < 0.5:
        return people.slow_explainer(float(rng.choice([0.0, 0.002, 0.02, 0.06])))
    kind = KINDS[rng.integers(len(KINDS))]
    if deadline is not None and "black box" in kind:
        return people.slow_explainer(0.0)
    return people.explainer(kind), None


def _read(explanation: Any) -> None:
    """An explanation can be shown in every form, and stands by what it says."""
    str(explanation), explanation.to_json(), explanation._repr_html_(), explanation.to_frame()
    for cf in explanation.counterfactuals:
        explanation.sentence(cf)


def _all_read(explanations: Any) -> None:
    repr(explanations), explanations.to_frame()
    for explanation in explanations:
        _read(explanation)


def explainer(rng: Rng) -> Case:
    """Everything an Explainer is made of; one that could be made is asked once."""
    arguments: Arguments = {
        "model": Counting(good),
        "database": people.database(),
        "program": people.program(),
        "target": None,
        "margin": 0.0,
        "method": "frontier",
        "params": None,
        "verify": True,
        "input": "auto",
        "compile": True,
    }
    told = ""
    if rng.random() < 0.5:
        told, arguments["model"] = odd_model(rng)
    if rng.random() < 0.3:
        arguments["target"] = odd_target(rng)
        told += f"; target {arguments['target']!r}"
    if rng.random() < 0.5:
        arguments, more = mutated(rng, arguments)
        told += f"; {more}"
    raised = (MemoryError, RecursionError) if "MemoryError" in told or "RecursionError" in told else ()

    def run() -> None:
        made = geco.Explainer(**arguments)
        made.describe()
        _read(made.explain(people.xs()[0], k=2))

    return Case(run, told, raises=raised)


def odd_target(rng: Rng) -> Any:
    choices = [0, 1, 2, 0.3, 0.7, 1.0, 1.5, -0.5, "yes", {0, 1}, {1}, [1], (0.2, 0.8), (None, 0.4), (None, None)]
    choices += [
        (0.8, 0.2),
        True,
        (1,),
        np.float32(0.7),
        np.array([1]),
        np.int64(1),
        geco.Target(labels=1, threshold=0.9),
    ]
    return choices[rng.integers(len(choices))]


def target(rng: Rng) -> Case:
    arguments, told = mutated(rng, {"labels": 1, "threshold": None, "interval": None, "margin": 0.0})
    model = (good, Counting(good), people.forest())[rng.integers(3)]
    return Case(lambda: geco.Explainer(model, people.database(), target=geco.Target(**arguments)), told)


def params(rng: Rng) -> Case:
    arguments: Arguments = {"alpha": 0.0, "beta": 1.0, "gamma": 0.0, "scale": "range", "min_support": 1}
    for option, value in (("weights", 1.0), ("costs", (1.0, 2.0)), ("steps", 1.0)):
        arguments[option] = {"age": value, "income": value}
    told = ""
    if rng.random() < 0.6:
        arguments, told = mutated(rng, arguments)
    else:
        option = ("weights", "costs", "steps")[rng.integers(3)]
        inside, told = mutated(rng, arguments[option])
        arguments[option] = inside
        told = f"{option}: {told}"
    kind = ("black box", "compiled")[rng.integers(2)]

    def run() -> None:
        model = people.explainer(kind).model.own
        made = geco.Explainer(model, people.database(), people.program(), params=geco.Params(**arguments))
        _read(made.explain(people.xs()[0], k=1))

    return Case(run, told)


def recheck(rng: Rng) -> Case:
    given: Any = people.explanations() if rng.random() < 0.7 else hostile(rng)[1]
    told, model = odd_model(rng) if rng.random() < 0.8 else ("forest", people.forest())
    raised = (MemoryError, RecursionError) if "MemoryError" in told or "RecursionError" in told else ()
    return Case(lambda: people.explainer("compiled").recheck(given, model).to_dicts(), told, raises=raised)


def check(rng: Rng) -> Case:
    (x, a), (x_cf, b) = odd_x(rng), odd_x(rng)
    first, second = [(x, people.xs()[1]), (people.xs()[0], x_cf), (x, x_cf)][rng.integers(3)]
    return Case(lambda: people.explainer("compiled").check(first, second), f"{a}; {b}")


def from_frame(rng: Rng) -> Case:
    frame = people.people().head(12)
    told, arguments = "", {"frame": frame, "exclude": ("since",), "kinds": {"age": "ordinal"}}
    roll = rng.random()
    if roll < 0.5:
        column = frame.columns[rng.integers(7)]
        told, arguments["frame"] = _odd_column(frame, column, rng)
    elif roll < 0.6:
        name, value = hostile(rng)
        told = f"kinds[age]: {name}"
        arguments["kinds"] = {"age": value}
    else:
        arguments, told = mutated(rng, arguments)

    def run() -> None:
        made = geco.Database.from_frame(**arguments)
        for name in made.schema.names:
            made.distinct([name])
        geco.Explainer(lambda table: np.full(len(table), 0.3), made).explain(frame.iloc[0])

    return Case(run, told)


def _odd_column(frame: pd.DataFrame, column: str, rng: Rng) -> tuple[str, Any]:
    """A frame with a column of hostile values or of a strange dtype or name."""
    name, value = hostile(rng)
    try:
        if rng.random() < 0.3 and hash(value) is not None:  # pandas 3 crashes on deep lists as names
            return f"a column called {name}", frame.rename(columns={column: value})
        values = [value if rng.random() < 0.5 else frame[column].iloc[i] for i in range(len(frame))]
        return f"{column}: {name}", frame.assign(**{column: pd.Series(values, dtype=object)})
    except Exception:
        return "a frame", frame


def parse_plaf(rng: Rng) -> Case:
    text, told = odd_program(rng)
    if rng.random() < 0.1:
        told, text = hostile(rng)

    def run() -> None:
        parsed = geco.parse_plaf(text)
        geco.Explainer(good, people.database(), parsed).explain(people.xs()[0], k=1)

    return Case(run, told)


CALLS: dict[str, Callable[[Rng], Case]] = {
    "explain": explain,
    "explain_many": explain_many,
    "explainer": explainer,
    "target": target,
    "params": params,
    "recheck": recheck,
    "check": check,
    "from_frame": from_frame,
    "parse_plaf": parse_plaf,
}
