"""Start-up: what ``geco explain`` takes more than a bare Python that imports the model's library and loads the model.

    python -m benchmarks.acceptance.startup [--runs 15] [--models xgboost lightgbm sklearn]

Credit with the paper's rules, one project per library. Asked are: the saved explainer with its model and an x in JSON,
the same with a row of the project's table by number and by key (one of the last, so that most of the file is passed
by), the saved explainer alone, and the project without a saved file. Bare and asked runs take turns, bytecode is kept
as in an installation; figures are medians of seconds by the clock and of CPU seconds (user and system) of the process.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import pandas as pd

import geco
from benchmarks import datasets
from benchmarks.report import save, show

Command = Sequence[str]
LABEL = "NoDefaultNextMonth"
BARE = {
    "xgboost": "import xgboost; model = xgboost.XGBClassifier(); model.load_model('model.json')",
    "lightgbm": "import lightgbm; model = lightgbm.Booster(model_file='model.txt')",
    "sklearn": "from skops.io import get_untrusted_types, load\n"
    "import sklearn.ensemble\n"
    "load('model.skops', trusted=get_untrusted_types(file='model.skops'))",
}
FILES = {"xgboost": "model.json", "lightgbm": "model.txt", "sklearn": "model.skops"}
LIMIT = 0.3


def fit(library: str, rows: pd.DataFrame, label: pd.Series, file: Path) -> None:
    """A boosted model or a forest, saved as its users save it."""
    if library == "xgboost":
        import xgboost

        xgboost.XGBClassifier(n_estimators=100, max_depth=4, n_jobs=1).fit(rows, label).save_model(file)
    elif library == "lightgbm":
        import lightgbm

        fitted = lightgbm.LGBMClassifier(n_estimators=100, n_jobs=1, verbose=-1).fit(rows, label)
        fitted.booster_.save_model(str(file))
    else:
        import skops.io
        from sklearn.ensemble import RandomForestClassifier

        skops.io.dump(RandomForestClassifier(50, max_depth=8, random_state=0).fit(rows, label), file)


def project(library: str, folder: Path) -> Mapping[str, Command]:
    """A folder with table, model, rules, geco.toml, saved explainer and an x; what to run in it, by name."""
    credit = datasets.load("credit")
    rows = credit.frame
    keys = [f"C{number}" for number in range(len(rows))]
    rows.assign(**{LABEL: credit.label, "customer": keys}).to_csv(folder / "credit.csv", index=False)
    fit(library, rows, credit.label, folder / FILES[library])
    (folder / "rules.plaf").write_text(credit.program)
    (folder / "geco.toml").write_text(
        f'[data]\nsource = "credit.csv"\nlabel = "{LABEL}"\nkey = "customer"\n[model]\nfile = "{FILES[library]}"\n'
        f'{"threshold = 0.5" if library == "lightgbm" else ""}\n[rules]\nfile = "rules.plaf"\n'
    )
    explainer = geco.open(folder / "geco.toml").explainer
    explainer.save(folder / "credit.geco")
    row = next(n for n in reversed(range(len(rows))) if explainer.explain(rows.iloc[n].to_dict()).counterfactuals)
    (folder / "x.json").write_text(rows.iloc[row].to_json())
    ask = [sys.executable, "-m", "geco", "explain"]
    saved, own = ["--saved", "credit.geco"], ["--model", FILES[library]]
    return {
        "bare": [sys.executable, "-c", BARE[library]],
        "saved, model, x": [*ask, *saved, *own, "--x", "x.json"],
        "saved, model, row": [*ask, *saved, *own, "--row", str(row)],
        "saved, model, key": [*ask, *saved, *own, "--key", keys[row]],
        "saved alone": [*ask, *saved, "--x", "x.json"],
        "saved alone, row": [*ask, *saved, "--row", str(row)],
        "project, row": [*ask, "--row", str(row)],
    }


def run(command: Command, folder: Path) -> tuple[float, float]:
    """Seconds by the clock, and of CPU."""
    started = time.perf_counter()
    process = subprocess.Popen(
        command, cwd=folder, env=_environment(folder), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    _, status, used = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - started
    if os.waitstatus_to_exitcode(status):
        raise RuntimeError(f"{' '.join(command)}: {process.stderr.read().decode() if process.stderr else ''}")
    return seconds, used.ru_utime + used.ru_stime


def _environment(folder: Path) -> dict[str, str]:
    """Bytecode goes to a folder that all runs share, whatever is usual here; this geco is the one that is asked."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    own = {"PYTHONPATH": str(Path(geco.__file__).parents[1])}
    return {**kept, **own, "PYTHONPYCACHEPREFIX": str(folder.parent / "geco_startup_bytecode")}


def measure(library: str, runs: int) -> list[dict[str, Any]]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        commands = project(library, folder)
        turns = [{what: run(command, folder) for what, command in commands.items()} for _ in range(runs + 1)]
    warm = turns[1:]  # the first turn reads the libraries from disk
    taken = {what: np.median([turn[what] for turn in warm], axis=0) for what in commands}
    return [
        {
            "library": library,
            "asked": what,
            "runs": runs,
            "seconds": seconds,
            "more seconds": seconds - taken["bare"][0],
            "CPU seconds": busy,
            "more CPU seconds": busy - taken["bare"][1],
            "at most 0.3": bool(busy - taken["bare"][1] <= LIMIT),
        }
        for what, (seconds, busy) in taken.items()
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--models", nargs="*", default=list(BARE), choices=list(BARE))
    given = parser.parse_args()
    rows = [row for library in given.models for row in measure(library, given.runs)]
    show("start-up of geco explain, Credit", rows)
    save("startup", rows)


if __name__ == "__main__":
    main()
