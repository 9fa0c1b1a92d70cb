"""obstacles against brute force on random problems with fitted trees and forests, or linear models, or networks.

    python tests/oracles/obstacles.py --problems 300 [--models linear] [--usual] [--hurry]

Without each rule in turn, and without every set of rules up to the size that was said to be smallest, all combinations
are scored. With ``--usual`` the distance is the one of an Explainer that is given none; with ``--hurry`` proofs have a
millisecond each and no more, so that they settle each other. The exit code is 1 if a price said to be proved is not the
optimum's or not that of the answer shown, a smaller set would do, or another rule alone brings a nearer answer.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).resolve().parents[1]))

import geco
from geco.plaf.syntax import FeatureList, Program, Rule
from geco.questions import tried
from generators.fitted import Models, fitted_problem
from oracles.brute import solve
from oracles.distance import Distance

CLOSE = 1e-9
USUAL = {"alpha": 0.05, "beta": 0.95}


def split(program: Program) -> tuple[list[Any], list[tuple[str, Any]]]:
    """What is no rule, and each rule with its text; a list of features is as many rules."""
    others: list[Any] = []
    rules: list[tuple[str, Any]] = []
    for statement in program.statements:
        if isinstance(statement, Rule):
            rules.append((str(Program((statement,))), statement))
        elif isinstance(statement, FeatureList) and statement.word != "ALLOW MISSING":
            each = [replace(statement, features=(name,), feature_spans=()) for name in statement.features]
            rules += [(str(Program((one,))), one) for one in each]
        else:
            others.append(statement)
    return others, rules


def disagreement(seed: int, usual: bool = False, models: Models = "trees") -> tuple[str, list[str]]:
    """The status of the answer, and where it differs from brute force."""
    fitted = fitted_problem(seed, models)
    problem = fitted.problem
    names = list(problem.frame.columns)  # on odd seeds all but the first are fixed: there is seldom an answer
    barred = "FIXED " + ", ".join(f'"{n}"' for n in names[1:]) if seed % 2 else ""
    program = geco.parse_plaf(f"{problem.program}\n{barred}")
    explainer = geco.Explainer(
        problem.model,
        geco.Database.from_frame(problem.frame, kinds=problem.kinds),
        program,
        target=fitted.target,
        params=None if usual else geco.Params(**problem.params),
    )
    found = explainer.obstacles(problem.x)
    others, rules = split(program)
    distance = Distance(problem.frame, program, problem.kinds, **(USUAL if usual else problem.params))

    def best(dropped: tuple[int, ...]) -> float | None:
        left = Program((*others, *(rule for n, (_, rule) in enumerate(rules) if n not in dropped)))
        solution = solve(problem.frame, left, problem.x, fitted.good, distance)
        return 0.0 if solution.x_allowed and solution.x_good else solution.distance  # x itself needs no change

    if found.status == "good already":
        return found.status, []
    wrong = _prices(found, rules, best)
    if found.nearest is None:
        wrong += _sets(found, rules, best)
    return found.status + ("" if found.proven else ", not proved"), wrong


def _prices(found: geco.Obstacles, rules: list[tuple[str, Any]], best: Any) -> list[str]:
    with_all, wrong = best(()), []
    if (with_all is None) != (found.nearest is None):
        return [f"nearest is {found.nearest}, the optimum {with_all}"] if found.proven else []
    by_text = {each.rule: each for each in found}
    repeated = Counter(text for text, _ in rules)
    for number, (text, _) in enumerate(rules):
        if repeated[text] > 1:
            continue
        without = best((number,))
        each = by_text.get(text)
        if with_all is None:
            if each is None and without is not None:
                wrong.append(f"{text}: does not concern x, but without it there is an answer")
            elif each is not None and each.proven and (each.answer is None) != (without is None):
                wrong.append(f"{text}: answer {each.answer}, the optimum {without}")
            continue
        price = with_all - without
        if each is not None and abs(found.nearest.distance - each.answer.distance - each.price) > CLOSE:
            wrong.append(f"{text}: costs {each.price}, but the answer shown is at {each.answer.distance}")
        if each is None and price > CLOSE:
            wrong.append(f"{text}: does not concern x, but costs {price}")
        elif each is not None and each.proven and abs(each.price - price) > CLOSE:
            wrong.append(f"{text}: costs {each.price}, but {price} by brute force")
        elif each is not None and not each.proven and each.price > price + CLOSE:
            wrong.append(f"{text}: {each.price} is more than it can cost, {price}")
    return wrong


def _sets(found: geco.Obstacles, rules: list[tuple[str, Any]], best: Any) -> list[str]:
    everything = tuple(range(len(rules)))
    if found.status == "no rule is to blame":
        return ["without any rule there is an answer"] if found.proven and best(everything) is not None else []
    texts = [text for text, _ in rules]
    dropped = tuple({texts.index(text) if texts.count(text) == 1 else i for i, text in enumerate(texts)
                     if text in found.give_up})  # fmt: skip
    if best(dropped) is None:
        return [f"giving up {found.give_up} brings nothing"]
    if found.proven and len(dropped) == 1:
        alone = [each.answer.distance for each in found if each.answer is not None]
        if found.without.distance > min(alone) + CLOSE:
            return [f"{found.give_up} is not the rule that brings the nearest answer"]
    smaller = [c for size in range(len(found.give_up)) for c in combinations(everything, size)] if found.proven else []
    return [f"{[texts[i] for i in c]} is smaller than {found.give_up}" for c in smaller if best(c) is not None][:1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--problems", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--models", choices=("trees", "linear", "network"), default="trees")
    parser.add_argument("--usual", action="store_true")
    parser.add_argument("--hurry", action="store_true")
    args = parser.parse_args()
    if args.hurry:
        tried.FIRST, tried.SECONDS = tried.LEAST, 0.0
    statuses: Counter[str] = Counter()
    wrong = 0
    for seed in range(args.seed, args.seed + args.problems):
        status, differences = disagreement(seed, args.usual, args.models)
        statuses[status] += 1
        wrong += bool(differences)
        for difference in differences:
            print(f"{seed}: {difference}", flush=True)
    print(f"{args.problems} problems, {wrong} differ from brute force; {dict(statuses)}")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
