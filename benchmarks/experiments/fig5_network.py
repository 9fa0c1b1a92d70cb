"""Figures 5 and 9: a neural network on Adult, against DiCE (Sec. 6.3, appendix A.2).

20 hidden units, ReLU, neither capital gain nor capital loss; rules without implications. The paper used DiCE's
variational auto-encoder; here it is dice-ml's ``random``, ``genetic`` and torch method (``gradient``), in ``make
bench-peers`` only.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from benchmarks.experiments import drawing
from benchmarks.experiments.harness import Experiment, Record, Size, Verdict, chunk, chunks, mean
from benchmarks.experiments.problems import NAMES, Problem, rejected, without_implications
from benchmarks.experiments.table1_example import example
from benchmarks.peers import dice as dice_peer

ROWS = {"frontier": 50, "genetic": 50, "wit": 50, "certifai": 50, "simcf": 50}
DICE = {"dice random": 20, "dice genetic": 20, "dice gradient": 10}
LABELS = {**NAMES, **{name: name.replace("dice", "DiCE") for name in DICE}}
LIMIT = 240.0  # seconds for one chunk of DiCE


class Network(Experiment):
    name = "fig5_network"
    title = "Neural network on Adult, against DiCE (Figures 5 and 9)"

    def keys(self, size: Size) -> list[str]:
        dice = DICE if size == "peers" or (size == "paper" and dice_peer.available()) else {}
        return [f"{system}/{part}" for system, rows in {**ROWS, **dice}.items() for part in chunks(size, rows)]

    def run(self, key: str) -> list[Record]:
        system, part = key.split("/")
        asked = network()
        rows = chunk(asked.rows, part)
        if system in ROWS:
            return [asked.answer(system, row) for row in rows]
        xs = [asked.x(row) for row in rows]
        method: Any = system.split()[1]
        given = dice_peer.dice_answers(asked.frame, asked.pipeline, xs, method, 1, asked.program, timeout=LIMIT)
        return [
            {"row": row, "system": system, "seconds": got.seconds, "error": got.error}
            | asked.judge(x, got.answers[0] if got.answers else None)
            for row, x, got in zip(rows, xs, given, strict=True)
        ]

    def tables(self, records: Sequence[Record]) -> dict[str, list[Record]]:
        return {"All systems, the network, best answer": list(self._lines(records).values())}

    def figures(self, records: Sequence[Record]) -> dict[str, Any]:
        lines = self._lines(records)
        figure, axes = drawing.panels(2, 2, width=6.8)
        for axis, (column, label, log) in zip(axes.flat, _PANELS, strict=False):
            drawing.bars(axis, {LABELS[s]: line[column] for s, line in lines.items()}, label, log)
        drawing.hide_after(len(_PANELS), axes)
        return {self.name: figure}

    def claims(self, records: Sequence[Record]) -> dict[str, Verdict]:
        lines = self._lines(records)
        ours = {s: lines[s] for s in ("genetic", "frontier")}
        others = [s for s in ("wit", "certifai", "simcf") if s in lines and lines[s]["changed"]]  # with any answer
        nearer = [LABELS[s] for s in others if lines[s]["distance x1000"] < lines["genetic"]["distance x1000"]]
        said = ", ".join(f"{LABELS[s]} {lines[s]['distance x1000']:.3g}" for s in (*ours, *others))
        verdicts = {
            "network-others": Verdict(
                f"distance x1000: {said}", not nearer, ", ".join(nearer) + " is nearer" if nearer else ""
            )
        }
        dice = [line for s, line in lines.items() if s in DICE]
        if not any(line["changed"] for line in dice):
            changed = ", ".join(f"{LABELS[s]} {line['changed']:.3g}" for s, line in ours.items())
            why = "DiCE found no answer" if dice else "DiCE runs in make bench-peers only"
            nothing = {name: Verdict("-", None, why) for name in ("dice-faster", "dice-distance")}
            return verdicts | nothing | {"dice-features": Verdict(changed, None, why)}
        return verdicts | self._against_dice(lines)

    def _against_dice(self, lines: dict[str, Record]) -> dict[str, Verdict]:
        dice = {s: line for s, line in lines.items() if s.startswith("dice") and line["changed"]}
        genetic, frontier = lines["genetic"], lines["frontier"]
        faster = {s: genetic["ms"] / line["ms"] for s, line in dice.items()}
        farther = {s: line["distance x1000"] / genetic["distance x1000"] for s, line in dice.items()}
        changed = ", ".join(f"{LABELS[s]} {line['changed']:.3g}" for s, line in dice.items())
        quick = any(ratio > 1 for ratio in faster.values())
        more = all(line["changed"] > genetic["changed"] for line in dice.values())
        far = all(ratio > 1 for ratio in farther.values())
        return {
            "dice-faster": Verdict(
                ", ".join(f"{LABELS[s]} {r:.2g} times" for s, r in faster.items()), quick,
                "" if quick else "today's dice-ml optimises per instance, it has no trained auto-encoder",
            ),
            "dice-features": Verdict(
                f"GeCo {genetic['changed']:.3g}, geco {frontier['changed']:.3g}, {changed}", more,
                "" if more else "these methods of dice-ml are not the paper's auto-encoder",
            ),
            "dice-distance": Verdict(
                ", ".join(f"{LABELS[s]} {r:.2g} times" for s, r in farther.items()), far,
                "" if far else "see the table",
            ),
        }  # fmt: skip

    def _lines(self, records: Sequence[Record]) -> dict[str, Record]:
        lines = {}
        for system in LABELS:
            some = [r for r in records if r["system"] == system]
            flips = [r for r in some if r["found"]]
            if some:
                lines[system] = {
                    "system": LABELS[system],
                    "instances": len(some),
                    "found %": 100 * len(flips) / len(some),
                    "valid %": 100 * (mean(some, "valid") or 0.0),
                    "off D %": 100 * (mean(flips, "off_domain") or 0.0),
                    "distance x1000": 1e3 * (mean(flips, "distance") or 0.0) if flips else None,
                    "changed": mean(flips, "changed"),
                    "ms": 1e3 * (mean(some, "seconds") or 0.0),
                }
        return lines


_PANELS = (("distance x1000", "distance, x1000", False), ("ms", "ms per explanation", True),
           ("changed", "changed features", False))  # fmt: skip


@cache
def network() -> Problem:
    """The example's network on all rows that it rejects."""
    base = example("network")
    program = without_implications(base.program)
    program = "\n".join(line for line in program.splitlines() if "HoursPerWeek" not in line)
    return Problem(base.name, base.frame, base.kinds, base.pipeline, program, rejected(base.frame, base.pipeline))
