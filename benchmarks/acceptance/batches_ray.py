"""A cluster of two nodes on this machine for `batches_scale ray`: once undisturbed, once with a node killed half-way.

python -m benchmarks.acceptance.batches_ray PREPARED_FOLDER OUTPUT_FOLDER PART_ROWS
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

from benchmarks.acceptance.batches import command


def main(place: Path, folder: Path, part_rows: str) -> None:
    from ray.cluster_utils import Cluster

    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    second = cluster.add_node(num_cpus=1)

    def batch(name: str) -> subprocess.Popen[bytes]:
        more = ("--engine", "ray", "--address", cluster.address, "--workers", "2", "--part-rows", part_rows)
        return subprocess.Popen(command(place, folder / name, *more))

    if batch("ray").wait():
        raise SystemExit("the undisturbed batch failed")
    parts = len(list((folder / "ray" / "rows").iterdir()))
    running, rows = batch("ray_killed"), folder / "ray_killed" / "rows"
    while running.poll() is None and (not rows.exists() or len(list(rows.glob("part*"))) < parts // 2):
        time.sleep(0.2)
    print(f"killing a node after {len(list(rows.glob('part*')))} of {parts} parts", flush=True)
    cluster.remove_node(second, allow_graceful=False)
    time.sleep(1)
    cluster.add_node(num_cpus=1)
    running.wait()
    cluster.shutdown()


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3])
