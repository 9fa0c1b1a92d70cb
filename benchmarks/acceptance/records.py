"""A thousand records replayed in a new process, with each of their causes changed, and of runs that a clock cut.

python -m benchmarks.acceptance.records [--records 1000]
"""

from __future__ import annotations

import argparse
import json
import pickle
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd

import geco
from benchmarks.datasets import Dataset, load
from benchmarks.models import fit
from benchmarks.report import save

DEADLINES = (1e-4, 1e-3, 3e-3, 6e-3)  # seconds
AGAIN = """
import json, pickle, sys, geco
from geco.report.replay import replay
explainer = geco.Explainer.load(sys.argv[1], pickle.load(open(sys.argv[2], "rb")))
print(json.dumps([replay(json.loads(line), explainer).to_dict() for line in open(sys.argv[3])]))
"""


def explainer_of(dataset: Dataset, model: Any) -> geco.Explainer:
    return geco.Explainer(model, dataset.database(), geco.parse_plaf(dataset.program))


def replayed(folder: Path, explainer: geco.Explainer, model: Any, records: Path) -> list[dict[str, Any]]:
    """In a process that has only the files."""
    explainer.save(folder / "e.geco")
    (folder / "m.pkl").write_bytes(pickle.dumps(model))
    command = [sys.executable, "-c", AGAIN, str(folder / "e.geco"), str(folder / "m.pkl"), str(records)]
    told: list[dict[str, Any]] = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    return told


def cell(folder: Path, name: str, kind: str, count: int) -> dict[str, Any]:
    """Records of one data set and model: how many come out the same, and what is named when a cause has changed."""
    dataset = load(name)
    model = fit(dataset, kind)
    explainer = explainer_of(dataset, model)
    refused = dataset.frame[model.predict(dataset.frame) == 0].sample(count, random_state=11, replace=True)
    records = folder / "records.jsonl"
    records.write_text("".join(f"{each.to_json()}\n" for each in explainer.explain_many(refused, k=3)))
    told = replayed(folder, explainer, model, records)
    few = folder / "few.jsonl"
    few.write_text("\n".join(records.read_text().splitlines()[:20]) + "\n")
    frame = dataset.frame.copy()
    feature = frame.select_dtypes("number").columns[-1]
    frame.loc[frame.index[0], feature] += 1
    fewer = fit(replace(dataset, frame=dataset.frame.iloc[:-200], label=dataset.label.iloc[:-200]), kind)
    changed = {
        "model": (explainer_of(dataset, fewer), fewer),
        "data": (explainer_of(replace(dataset, frame=frame), model), model),
        "rules": (explainer_of(replace(dataset, program=dataset.program + f"\nFIXED {feature}"), model), model),
    }
    named = {
        cause: dict(Counter(" + ".join(each["causes"]) for each in replayed(folder, *of, few)))
        for cause, of in changed.items()
    }
    line = {"cell": f"{name}/{kind}", "records": count, "same": sum(each["same"] for each in told), "named": named}
    return line | cut_by_a_clock(folder, explainer, model, refused)


def cut_by_a_clock(folder: Path, explainer: geco.Explainer, model: Any, refused: pd.DataFrame) -> dict[str, Any]:
    """Runs that ended early: their records say that only the answers were checked, and those hold."""
    runs = [explainer.explain(x, k=3, deadline=after) for _, x in refused.head(100).iterrows() for after in DEADLINES]
    cut = [each for each in runs if each.stopped_by == "deadline"]
    records = folder / "cut.jsonl"
    records.write_text("".join(f"{each.to_json()}\n" for each in cut))
    told = replayed(folder, explainer, model, records)
    return {
        "cut": len(cut),
        "with answers": sum(bool(each.counterfactuals) for each in cut),
        "checked for validity only": sum(each["valid_only"] for each in told),
        "valid": sum(each["same"] for each in told),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, default=1_000)
    count = parser.parse_args().records // 4
    with tempfile.TemporaryDirectory() as name:
        cells = [("credit", "dt"), ("credit", "xgb"), ("german", "xgb"), ("adult", "dt")]
        results = [cell(Path(name), dataset, kind, count) for dataset, kind in cells]
    print(json.dumps(results, indent=2))
    save("records", results)


if __name__ == "__main__":
    main()
