"""The ledger under load: 100,000 records, a writer killed ten times, a thousand damages, promises under a new model.

python -m benchmarks.acceptance.ledger [--records 100000] [--damages 1000]
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import pandas as pd
from sklearn.tree import DecisionTreeClassifier

import geco
from benchmarks.report import save
from geco.errors import LedgerError
from geco.report.promises import broken_promises

WRITER = """
import sys, geco
ledger = geco.Ledger(sys.argv[1])
while True:
    print(ledger.append({"n": 1, "text": "x" * 200}, person="p", until="2027-01-31"), flush=True)
"""


def killed(path: Path, times: int = 10) -> dict[str, Any]:
    """A writer killed at random moments: is every entry it acknowledged there?"""
    rng, lost, acknowledged = random.Random(1), 0, 0
    for _ in range(times):
        writer = subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE)
        assert writer.stdout is not None
        last = int(writer.stdout.readline())
        time.sleep(rng.uniform(0.01, 0.5))
        writer.send_signal(signal.SIGKILL)
        last = max([last, *map(int, writer.stdout.read().split(b"\n")[:-1])])
        writer.wait()
        with geco.Ledger(path) as ledger:
            lost += len(ledger) < last
            acknowledged = last
    with geco.Ledger(path) as ledger:
        return {"kills": times, "acknowledged": acknowledged, "lost": lost, "whole": bool(ledger.verify())}


def damaged(folder: Path, times: int) -> dict[str, int]:
    """Single bits flipped anywhere in the file: found, or without any effect on what is read."""
    path = folder / "small.db"
    with geco.Ledger(path) as ledger:
        ledger.append_many([{"n": n, "text": "y" * (n % 97)} for n in range(500)], [f"p{n}" for n in range(500)])
    with geco.Ledger(path) as ledger:
        before = [entry.to_dict() for entry in ledger]
    whole, rng, counts = path.read_bytes(), random.Random(2), {"found": 0, "no effect": 0, "missed": 0}
    for _ in range(times):
        at = rng.randrange(len(whole))
        copy = folder / "copy.db"
        copy.write_bytes(whole[:at] + bytes([whole[at] ^ (1 << rng.randrange(8))]) + whole[at + 1 :])
        try:
            with geco.Ledger(copy) as ledger:
                found = not ledger.verify()
                same = found or [entry.to_dict() for entry in ledger] == before
        except LedgerError:
            found, same = True, True
        counts["found" if found else "no effect" if same else "missed"] += 1
        for left in folder.glob("copy.db*"):
            left.unlink()
    return counts


def promised(folder: Path, records: int) -> dict[str, Any]:
    """Many promises under a stricter model, streamed."""
    table = pd.DataFrame({"pay": [*range(0, 100, 5)] * 2, "town": ["a", "b"] * 20})

    def tree(limit: int) -> DecisionTreeClassifier:
        return DecisionTreeClassifier().fit(table[["pay"]], table.pay > limit)

    explainer = geco.Explainer(tree(40), geco.Database.from_frame(table))
    given = [explainer.explain({"pay": pay, "town": "a"}, k=1).to_dict() for pay in range(0, 40, 5)]
    path = folder / "many.db"
    started = time.perf_counter()
    with geco.Ledger(path) as ledger:
        for first in range(0, records, 1000):
            ledger.append_many([given[n % len(given)] for n in range(first, first + 1000)], until="2027-01-31")
        written = time.perf_counter() - started
        started = time.perf_counter()
        whole = bool(ledger.verify())
        verified = time.perf_counter() - started
        started, peaks, broken = time.perf_counter(), [], 0
        for each in broken_promises(ledger, explainer, tree(60), on="2027-01-01"):
            broken += 1
            if each.entry.number % (records // 4) < 10:
                peaks.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
    return {
        "records": records,
        "megabytes": path.stat().st_size // 2**20,
        "whole": whole,
        "seconds": {"written": written, "verified": verified, "rechecked": time.perf_counter() - started},
        "broken": broken,
        "peak megabytes": sorted(set(peaks)),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, default=100_000)
    parser.add_argument("--damages", type=int, default=1_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        result = {
            "killed": killed(folder / "killed.db"),
            "damaged": damaged(folder, options.damages),
            "promises": promised(folder, options.records),
        }
    print(json.dumps(result, indent=2))
    save("ledger", result)


if __name__ == "__main__":
    main()
