"""What the service adds to explain for one client: in process and served, ten instances each in turn.

    python -m benchmarks.acceptance.service_turns [--cells demo credit/xgb]

The pace of a shared machine changes within minutes: measured one after the other, the two differ by more than the
service adds.
"""

from __future__ import annotations

import argparse
import http.client
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import joblib
import numpy as np

import geco
from benchmarks.acceptance.service import DEADLINE, ROWS, TOKEN, deployed, serving
from benchmarks.report import save, show

TURNS = 4  # of all instances


def turns(cells: Sequence[str], folder: Path) -> list[dict[str, Any]]:
    """Ten instances in process and ten served, in turn, so that a machine whose pace changes hurts both alike."""
    lines = []
    for name in cells:
        what = deployed(name, folder)
        loaded = geco.Explainer.load(what.saved, joblib.load(what.model))
        bodies, headers = what.bodies(), {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
        with serving(what) as port:
            client = http.client.HTTPConnection("127.0.0.1", port)

            def served(i: int, client: Any = client, bodies: Any = bodies, headers: Any = headers) -> None:
                client.request("POST", "/v1/explain", bodies[i], headers)
                client.getresponse().read()

            def alone(i: int, loaded: Any = loaded, xs: Any = what.xs) -> None:
                loaded.explain(xs[i], deadline=DEADLINE).to_json()

            taken = {"explain p50 ms": [], "served p50 ms": []}
            for first in [*range(0, ROWS, 10)] * TURNS:
                for times, ask in zip(taken.values(), (alone, served), strict=True):
                    for i in range(first, first + 10):
                        started = time.perf_counter()
                        ask(i)
                        times.append(1e3 * (time.perf_counter() - started))
        figures = {kind: float(np.median(times)) for kind, times in taken.items()}
        lines.append({"cell": name, **figures, "more ms": figures["served p50 ms"] - figures["explain p50 ms"]})
        print(lines[-1], flush=True)
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cells", nargs="+", default=["demo", "credit/xgb"], metavar="DATASET/MODEL")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        records = turns(args.cells, Path(folder))
    save("service_turns", records)
    show("the service: turns", records)


if __name__ == "__main__":
    main()
