"""Words at question time against a new Explainer that is built with them: the answers must be the same.

    python tests/oracles/words.py --problems 500

Each problem is asked as a black box and with a fitted, compiled model, and both again from a file, with the model and,
where it is compiled, without. The exit code is 1 if any explanation differs.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).resolve().parents[1]))

import numpy as np

import geco
from generators.fitted import fitted_problem
from generators.programs import name as quoted
from strategies import Problem, _begun, random_problem

Words = dict[str, Any]


def random_words(problem: Problem, target: Any, rng: np.random.Generator) -> Words:
    """One to three of the words, about this problem's features."""
    _, tables = _begun(problem.seed, problem.hostile)
    columns = [(t, c) for t in tables for c in t.columns]
    names = [c.name for _, c in columns]
    words: Words = {}
    for word in rng.choice(["fixed", "only", "rules", "aim", "params"], rng.integers(1, 4), replace=False):
        some = [names[i] for i in rng.permutation(len(names))[: rng.integers(1, max(2, len(names) // 2 + 1))]]
        if word == "fixed":
            words["fixed"] = some
        elif word == "only":
            words["only"] = [names[i] for i in rng.permutation(len(names))[: rng.integers(2, len(names) + 1)]]
        elif word == "rules":
            words["rules"] = "\n".join(_rule(*columns[i], rng) for i in rng.permutation(len(columns))[:2])
        elif word == "params":
            alpha = float(rng.choice([0.0, 0.05, 0.5]))
            weights = {c.name: float(rng.choice([0.5, 2.0])) for t, c in columns if t.kind != "onehot"}
            scale = str(rng.choice(["range", "mad", "std"]))
            words["params"] = geco.Params(alpha=alpha, beta=1 - alpha, weights=weights, scale=scale)
        else:
            words |= _aim(target, rng)
    return words


def _rule(table: Any, column: Any, rng: np.random.Generator) -> str:
    f = quoted(column)
    if table.kind == "onehot" or not column.numeric or column.categorical_code:
        return f"FIXED {f}"
    return str(rng.choice([f"INCREASE {f}", f"DECREASE {f}", f"PLAF x_cf.{f} <= x.{f} + 3", f"PLAF x_cf.{f} >= 2"]))


def _aim(target: Any, rng: np.random.Generator) -> Words:
    """Something else that is good, of the kind that this model can give; labels take no margin."""
    if isinstance(target, set):
        return {"target": {int(rng.integers(3))}} if rng.random() < 0.6 else {"margin": 0.1}
    if isinstance(target, tuple):
        low, high = target
        moved = (None if low is None else low * 0.9, None if high is None else high * 1.1)
        return {"target": moved} if low is None or high is None or moved[0] < moved[1] else {"margin": 0.0}
    if target == "labels":
        return {}
    return [{"target": float(rng.choice([0.3, 0.4, 0.6]))}, {"margin": 0.1}][rng.integers(2)]


def built(model: Any, problem: Problem, target: Any, words: Words, **settings: Any) -> geco.Explainer:
    """A new Explainer with the words among its own."""
    program = geco.parse_plaf(problem.program)
    if "rules" in words:
        program += geco.parse_plaf(words["rules"])
    names = list(problem.frame.columns)
    for kept in (words.get("fixed"), [n for n in names if n not in words["only"]] if "only" in words else None):
        if kept:
            program += geco.parse_plaf("FIXED " + ", ".join('"' + n.replace('"', '""') + '"' for n in kept))
    return geco.Explainer(
        model,
        geco.Database.from_frame(problem.frame, kinds=problem.kinds),
        program,
        target=words.get("target", target),
        margin=words.get("margin", 0.0),
        params=words.get("params", geco.Params(**problem.params)),
        **settings,
    )


def same(a: geco.Explanation, b: geco.Explanation) -> bool:
    """All but the names of the rules that bind, which only words have."""
    one, other = a.to_dict(), b.to_dict()
    for each in (one, other):
        each.pop("seconds"), each.pop("trace"), each.pop("made")
        for cf in each["counterfactuals"]:
            cf.pop("binding")
    return one == other


def asked(seed: int) -> Iterator[tuple[str, bool, str]]:
    """How it was asked, whether the two explanations are the same, and their statuses."""
    for way in ("black box", "compiled"):
        problem, target = random_problem(seed), None
        if way == "compiled":
            fitted = fitted_problem(seed)
            problem, target = fitted.problem, fitted.target
        elif "labels" in problem.tags:
            target = "labels"
        words = random_words(problem, target, np.random.default_rng([20265, seed]))
        target = None if target == "labels" else target
        usual = built(problem.model, problem, target, {})
        expected = built(problem.model, problem, target, words).explain(problem.x)
        answer = usual.explain(problem.x, **words)
        yield way, same(answer, expected), answer.status
        again = usual.explain_many([problem.x], **words)[0]
        yield f"{way}, many", same(again, expected), answer.status
        with tempfile.TemporaryDirectory() as folder:
            usual.save(f"{folder}/saved")
            answer = geco.Explainer.load(f"{folder}/saved", problem.model).explain(problem.x, **words)
            yield f"{way}, loaded", same(answer, expected), answer.status
            if way == "compiled" and usual.compiled is not None:
                yield _alone(f"{folder}/saved", problem, words, expected)


def _alone(path: str, problem: Problem, words: Words, expected: geco.Explanation) -> tuple[str, bool, str]:
    """From the file without the model, against the same that is not confirmed."""
    try:
        answer = geco.Explainer.load(path).explain(problem.x, **words)
    except geco.errors.TargetError as error:
        return "alone, refused", "its file holds no other class" in str(error), "refused"
    except geco.errors.InstanceError:
        return "alone, x needs the model", True, "refused"
    values = [cf.values for cf in answer.counterfactuals] == [cf.values for cf in expected.counterfactuals]
    return "compiled, alone", values and answer.status == expected.status, answer.status


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--problems", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    counts: Counter[str] = Counter()
    wrong = 0
    for seed in range(args.seed, args.seed + args.problems):
        for way, equal, status in asked(seed):
            counts[f"{way}: {status}"] += 1
            wrong += not equal
            if not equal:
                print(f"{seed}: {way} differs", flush=True)
    print(f"{args.problems} problems, {wrong} explanations differ; {dict(sorted(counts.items()))}")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
