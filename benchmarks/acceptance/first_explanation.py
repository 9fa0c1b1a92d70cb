"""A new user's first minutes: the first example of each library's page, in a fresh process.

    python -m benchmarks.acceptance.first_explanation [PAGE ...]

Seconds until the libraries are there and the model is fitted, to make the explainer, and for the first explanation.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import textwrap
from typing import Any

from benchmarks.report import DOCS, save, show

PAGES = ("scikit-learn", "xgboost", "lightgbm", "catboost", "pytorch", "onnx", "mlflow")
WATCHED = textwrap.dedent("""
    import json, sys, time
    begun = time.perf_counter()
    laps = {}
    def watch(owner, name):
        work = getattr(owner, name)
        def timed(*arguments, **settings):
            start = time.perf_counter()
            try:
                return work(*arguments, **settings)
            finally:
                laps.setdefault(name, (start - begun, time.perf_counter() - start))
        setattr(owner, name, timed)
    import geco
    watch(geco.Explainer, "__init__")
    watch(geco.Explainer, "explain")
    exec(compile(sys.stdin.read(), "the page's example", "exec"), {"__name__": "__main__"})
    print(json.dumps(laps), file=sys.stderr)
""")


def first_example(page: str) -> str:
    """The page's code down to the first block that asks for an explanation."""
    code = []
    for block in re.findall(r"^```python\n(.*?)^```", (DOCS / f"{page}.md").read_text(encoding="utf-8"), re.M | re.S):
        code.append(block)
        if ".explain(" in block:
            return "\n".join(code)
    raise ValueError(f"docs/{page}.md has no example that explains")


def measured(page: str) -> dict[str, Any]:
    run = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", WATCHED], input=first_example(page), capture_output=True, text=True
    )
    if run.returncode:
        raise RuntimeError(f"the first example of docs/{page}.md fails:\n{run.stderr}")
    laps = json.loads(run.stderr.splitlines()[-1])
    (fitted, made), (_, explained) = laps["__init__"], laps["explain"]
    return {"page": page, "until the model is fitted s": fitted, "explainer s": made, "first explanation s": explained}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", nargs="*", default=PAGES, metavar="PAGE")
    records = [measured(page) for page in parser.parse_args().pages]
    save("first_explanation", records)
    show("the first explanation", records)


if __name__ == "__main__":
    main()
