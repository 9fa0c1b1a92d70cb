"""Ray: the class for ``map_batches``, and parts of a batch as the rows of a Ray dataset.

Where tasks run, how often they are tried again, when the next one may begin and what is moved to disk is Ray's affair.
"""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from geco.engines.asked import asked
from geco.engines.batch import Ordered
from geco.engines.explaining import Explaining
from geco.engines.parquetrows import parquet_range
from geco.engines.parts import Done, Job, Task, explain_part
from geco.engines.shipped import Shipped, ship, unship
from geco.engines.tasks import Plan
from geco.errors import BatchError, GecoError
from geco.explainer import Explainer
from geco.search.base import Kind


class Explain:
    """For ``ray.data.Dataset.map_batches``, with ``batch_format="pyarrow"``: one row per x, its answers in a list.

    Parameters
    ----------
    saved : the path of a saved explainer that every node can read, or a reference to its bytes or to an Explainer.
    model : the model, the path of its file, or a reference to it; None if the saved explainer can do without.
    key : a column that the answers carry.
    row : a column with the number of each row.
    k, seed, max_evals, ways : as in ``Explainer.explain``.
    threads : of the native core, in each actor; as many as the actor has CPUs.

    Examples
    --------
    >>> import ray  # doctest: +SKIP
    >>> explained = ray.data.read_parquet("applicants").map_batches(  # doctest: +SKIP
    ...     geco.ray.Explain, fn_constructor_args=("credit.geco", "model.skops"), fn_constructor_kwargs={"k": 3},
    ...     batch_format="pyarrow", batch_size=1024, concurrency=8)
    """

    def __init__(
        self,
        saved: Any,
        model: Any = None,
        *,
        key: str | None = None,
        row: str | None = None,
        k: int = 5,
        seed: int = 0,
        max_evals: int | None = None,
        ways: Kind | None = None,
        threads: int = 1,
    ) -> None:
        explainer = _explainer(_fetched(saved), _fetched(model))
        question = asked(None, explainer.method, k=k, seed=seed, max_evals=max_evals, ways=ways, prove=explainer.prove)
        self.explaining = Explaining(explainer, key, row, question, threads)

    def __call__(self, table: Any) -> Any:
        return self.explaining(table)


class WriteParts:
    """The same for the parts of a batch: each row that comes in is a part to write, each that goes out one that is."""

    def __init__(self, cargo: Any, job: Job, files: Sequence[Any], key: str | None) -> None:
        data, model = _fetched(cargo)
        self.explainer = unship(data, model)
        self.job, self.files, self.key = job, files, key
        self.failed: Done | None = None

    def __call__(self, batch: dict[str, Any]) -> dict[str, list[str]]:
        done = [self._write(pickle.loads(each)) for each in batch["task"]]
        return {"done": [json.dumps(each) for each in done]}

    def _write(self, task: Task) -> Done:
        """An error of ours is an answer too: trying again would not help, and Ray would hide its words.

        What comes after it is left to a resume.
        """
        if self.failed is None:
            try:
                return self._written(task)
            except GecoError as error:
                self.failed = {"error": str(error)}
        return self.failed

    def _written(self, task: Task) -> Done:
        if task.count is not None:
            rows = parquet_range(self.files, self.explainer.domain.schema, self.key, task.first, task.count)
            task = replace(task, rows=list(rows))
        return explain_part(self.explainer, self.job, task)


def run_ray(
    shipped: Shipped, job: Job, key: str | None, plan: Plan, order: Ordered, took: Callable[[Done], None]
) -> None:
    """Do all tasks on a cluster; ``took`` is told of each part when it is whole.

    Rows of Parquet files are read where they are explained; all others travel.
    """
    ray = _ray()
    items = [{"task": pickle.dumps(task)} for task in plan.small_tasks()]
    if not items:
        return
    if not ray.is_initialized():
        ray.init(address=order.address, log_to_driver=False, logging_level="warning")
    cargo = ray.put((shipped.data, shipped.model))
    written = ray.data.from_items(items, override_num_blocks=len(items)).map_batches(
        WriteParts,
        fn_constructor_args=(cargo, job, plan.source.files, key),
        batch_size=1,
        num_cpus=job.threads,
        concurrency=order.workers or max(1, int(ray.cluster_resources().get("CPU", 1)) // job.threads),
    )
    try:
        failed = _take_all(written.iter_rows(), took)
    except Exception as error:
        last = (str(error).strip().splitlines() or [""])[-1]
        what = f"{type(error).__name__}: {last}"
        raise BatchError(f"Ray ended the batch ({what}); resume goes on from what is whole") from error
    if failed is not None:
        raise failed


def _take_all(rows: Iterable[dict[str, Any]], took: Callable[[Done], None]) -> GecoError | None:
    """To the last row, after an error too: threads of Ray fetch rows that nobody takes, and where Ray is shut down
    meanwhile they end the process without a word. Returns the first error.
    """
    failed: GecoError | None = None
    for row in rows:
        done = json.loads(row["done"])
        try:
            if "error" in done:
                raise BatchError(done["error"])
            took(done)
        except GecoError as error:
            failed = failed or error
    return failed


def _ray() -> Any:
    try:
        import ray
        import ray.data
    except ImportError as error:
        raise BatchError("engine='ray' needs Ray: pip install 'geco-explain[ray]'") from error
    return ray


def _fetched(value: Any) -> Any:
    """What a reference refers to."""
    return _ray().get(value) if type(value).__name__ == "ObjectRef" else value


def _explainer(saved: Any, model: Any) -> Explainer:
    if isinstance(saved, bytes):
        return Explainer._unpickled(saved, model)
    return ship(str(saved) if isinstance(saved, Path) else saved, model).explainer
