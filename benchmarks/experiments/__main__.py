"""Run the paper's experiments, or make the report again.

    python -m benchmarks.experiments tiny|quick|peers|paper|report [NAME ...]

``tiny`` is a trial, ``peers`` is quick with DiCE, ``report`` only assembles results/README.md from what is published in
results/experiments/. Interrupted runs go on where they ended.
"""

from __future__ import annotations

import argparse

from benchmarks.experiments import harness, page
from benchmarks.experiments.catalogue import EXPERIMENTS


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("size", choices=("tiny", "quick", "peers", "paper", "report"))
    parser.add_argument("names", nargs="*", metavar="NAME", help="experiments; all if none is named")
    args = parser.parse_args()
    unknown = set(args.names) - {e.name for e in EXPERIMENTS}
    if unknown:
        parser.error(f"no experiment {', '.join(sorted(unknown))}; there are {', '.join(e.name for e in EXPERIMENTS)}")
    if args.size != "report":
        named = [e for e in EXPERIMENTS if not args.names or e.name in args.names]
        harness.run(named, args.size)
        harness.publish(named)
    print(page.write(EXPERIMENTS, harness.RESULTS.parent / "README.md"))


if __name__ == "__main__":
    main()
