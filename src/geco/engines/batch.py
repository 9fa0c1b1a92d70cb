"""geco.batch: the answers of any number of rows, as files; interrupted at any moment, it goes on where it was."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from os import PathLike
from pathlib import Path
from typing import Any

from geco.engines.about import about_batch
from geco.engines.asked import asked, key_name
from geco.engines.durable import alone
from geco.engines.folder import Folder, read_manifest
from geco.engines.formats import FORMATS
from geco.engines.inputs import Source, source_of
from geco.engines.local import run_local
from geco.engines.parts import Done, Job
from geco.engines.rechecking import earlier_batch
from geco.engines.shipped import Shipped, ship, ship_renewed
from geco.engines.tasks import Plan
from geco.engines.watching import watching
from geco.errors import BatchError
from geco.files import write_text
from geco.given import choice, path_of, switch
from geco.lockstep.lockstep import cores
from geco.search.base import Kind
from geco.whole import whole

PART_ROWS = 2000
MOST_ROWS = 10**9  # of a part
MOST_WORKERS = 1024
PAGE_ROWS = 1000
ENGINES = ("local", "ray")


@dataclass(frozen=True)
class Batch:
    """A complete batch.

    Attributes
    ----------
    out : its folder, with ``rows/`` (one row per x) and ``answers/`` (one row per answer).
    manifest : what manifest.json says.
    """

    out: Path
    manifest: Mapping[str, Any]

    @classmethod
    def open(cls, out: str | PathLike[str]) -> Batch:
        """The complete batch in a folder."""
        folder = Path(path_of(out))
        manifest = read_manifest(folder)
        if manifest is None or not manifest.get("complete"):
            raise BatchError(f"{folder} holds no complete batch")
        return cls(folder, manifest)

    @property
    def rows(self) -> int:
        return int(self.manifest["rows"])

    @property
    def answers(self) -> int:
        return int(self.manifest["answers"])

    @property
    def statuses(self) -> dict[str, int]:
        """How many rows ended how."""
        return dict(self.manifest["statuses"])

    def recheck(
        self,
        explainer: Any,
        out: str | PathLike[str],
        *,
        model: Any = None,
        format: str = "parquet",
        part_rows: int = PART_ROWS,
        engine: str = "local",
        workers: int | None = None,
        threads: int | None = None,
        resume: bool = False,
        retry_failed: bool = False,
        progress: bool | None = None,
        address: str | None = None,
    ) -> Batch:
        """The answers of this batch under a new model, as a batch in another folder (docs/batch.md).

        Parameters
        ----------
        explainer : an Explainer or the path of a saved one, with the new ``model``; or a project that has it already.
        model : the new model, or the path of its file.
        """
        order = Ordered(engine, workers, threads, resume, retry_failed, progress, address)
        return recheck_batch(self, ship_renewed(explainer, model), Path(path_of(out)), format, part_rows, order)

    def to_html(
        self,
        explainer: Any,
        path: str | PathLike[str] | None = None,
        *,
        rows: int = PAGE_ROWS,
        by: str | None = None,
        language: str = "en",
    ) -> str:
        """One self-contained page: how all rows ended, and of some of them a summary and what each is told.

        Parameters
        ----------
        explainer : the Explainer of the batch.
        path : of the file; an older one is replaced.
        rows : so many are drawn, the same each time.
        by : a feature whose values make the groups that stand side by side.
        language : ``"en"`` or ``"de"``.
        """
        from geco.engines.reporting import batch_page

        choice("language", language, ("en", "de"))
        html = batch_page(self.out, self.manifest, explainer, whole("rows", rows), by, language)
        if path is not None:
            write_text(path, html)
        return html

    def __repr__(self) -> str:
        return f"<Batch of {self.rows:,} rows in {str(self.out)!r}: {_counted(self.statuses)}>"

    def __str__(self) -> str:
        """The summary: how rows ended, and what the nearest answers change."""
        lines = [f"{self.rows:,} rows, {self.answers:,} answers: {_counted(self.statuses)}"]
        found = self.statuses.get("found", 0)
        if found:
            most = [f"{name} {100 * n / found:.0f} %" for name, n in islice(self.manifest["changed"].items(), 8)]
            lines.append(f"the nearest answers change {', '.join(most)}")
        if self.statuses.get("failed"):
            lines.append("rows that failed have their reason in rows/; once it is gone, retry_failed explains them")
        return "\n".join(lines)


@dataclass(frozen=True)
class Ordered:
    """How a batch is to be carried out; none of it changes a byte of the output."""

    engine: str = "local"
    workers: int | None = None
    threads: int | None = None
    resume: bool = False
    retry_failed: bool = False
    progress: bool | None = None
    address: str | None = None


def batch(
    explainer: Any,
    rows: Any,
    out: str | PathLike[str],
    *,
    model: Any = None,
    key: str | None = None,
    connection: Any = None,
    k: int | None = None,
    seed: int | None = None,
    max_evals: int | None = None,
    ways: Kind | None = None,
    format: str = "parquet",
    part_rows: int = PART_ROWS,
    engine: str = "local",
    workers: int | None = None,
    threads: int | None = None,
    resume: bool = False,
    retry_failed: bool = False,
    progress: bool | None = None,
    address: str | None = None,
) -> Batch:
    """Explain every row and write the answers into a folder, part by part (docs/batch.md).

    Parameters
    ----------
    explainer : an Explainer, a project of ``geco.open``, or the path of a saved explainer.
    model : of a saved explainer: the model, or the path of its file.
    rows : the path of a Parquet or CSV file, a folder or a pattern of such files; a query, with ``connection``; a
        frame, an Arrow reader, or any iterable of what ``explain`` takes. Read as it is needed, never as a whole.
    out : a new folder. ``rows/`` will have one row per x, ``answers/`` one per answer, ``manifest.json`` what they
        were made of; ``_SUCCESS`` is written last.
    key : a column of the input that the answers carry; that of the project if it is not given.
    k, seed, max_evals, ways : as in ``explain``, for each row; the project's where they are not given.
    format : ``"parquet"``, ``"jsonl"`` or ``"csv"``.
    part_rows : rows of the input per part: what is lost at most by each worker when all is killed.
    engine : ``"local"``, processes of this machine; or ``"ray"``, a Ray cluster, whose nodes all see ``rows`` (if it
        is Parquet) and ``out`` under the same path.
    workers : processes; as many as there are cores if None. One is this process itself. On Ray, actors.
    threads : of the native core in each worker; as many as there are cores for each of them if None, on Ray one.
    resume : go on with what an interrupted run has left in ``out``. Refused if anything is not as it was.
    retry_failed : explain those rows again that failed, in a folder that may be complete.
    progress : a bar on stderr; None shows it on a terminal. Lines go to the logger ``geco.batch``.
    address : of the Ray cluster; None starts one on this machine, unless ``ray.init`` was called.

    Raises
    ------
    BatchError : the folder cannot be written, or holds something else; ``resume`` names what differs.
    """
    order = Ordered(engine, workers, threads, resume, retry_failed, progress, address)
    shipped, key = ship(explainer, model), key_name(explainer, key)
    question = asked(
        explainer,
        shipped.explainer.method,
        k=k,
        seed=seed,
        max_evals=max_evals,
        ways=ways,
        prove=shipped.explainer.prove,
    )
    source = source_of(rows, shipped.explainer.domain, key, connection)
    return carry_out(shipped, source, Path(path_of(out)), key, question, format, part_rows, order)


def recheck_batch(earlier: Batch, shipped: Shipped, out: Path, format: str, part_rows: int, order: Ordered) -> Batch:
    """The answers of an earlier batch, judged by the model of an explainer."""
    source = earlier_batch(earlier.out, dict(earlier.manifest))
    question = {"recheck": True, "seed": earlier.manifest["question"]["seed"]}
    return carry_out(shipped, source, out, earlier.manifest["key"], question, format, part_rows, order)


def carry_out(
    shipped: Shipped,
    source: Source,
    out: Path,
    key: str | None,
    question: dict[str, Any],
    format: str,
    part_rows: int,
    order: Ordered,
) -> Batch:
    """The batch of what is read and checked already."""
    choice("format", format, tuple(FORMATS))
    choice("engine", order.engine, ENGINES)
    part_rows = whole("part_rows", part_rows, most=MOST_ROWS)
    about = about_batch(shipped, source, key, question, format, part_rows)
    folder = Folder(out)
    with alone(out):
        retry = switch("retry_failed", order.retry_failed)
        done = folder.begin(about, switch("resume", order.resume) or retry)
        again = {n: of for n, of in done.items() if retry and of["statuses"].get("failed")}
        if folder.complete and not again and done:
            return Batch(out, folder.manifest() or {})
        if again:
            folder.reopen(about, [of for n, of in sorted(done.items()) if n not in again])
        job = _job(out, question, format, source.key_type, order)
        known = {n: of for n, of in done.items() if n not in again}
        made = _run(shipped, job, key, Plan(source, part_rows, known, again), folder, order)
        return Batch(out, folder.finish(about, {**known, **made}))


def _run(shipped: Shipped, job: Job, key: str | None, plan: Plan, folder: Folder, order: Ordered) -> dict[int, Done]:
    """Explain all parts that are not whole."""
    made: dict[int, Done] = {}
    already = sum(of["rows"] for of in plan.known.values())
    with watching(plan.source.total, already, order.progress) as advance:

        def took(done: Done) -> None:
            folder.add(done)
            made[done["part"]] = done
            advance(done["rows"])

        if order.engine == "ray":
            from geco.engines.on_ray import run_ray

            run_ray(shipped, job, key, plan, order, took)
        else:
            run_local(shipped, job, plan.tasks(), _workers(order.workers), took)
    return made


def _job(out: Path, question: dict[str, Any], format: str, key_type: str, order: Ordered) -> Job:
    each = 1 if order.engine == "ray" else max(1, cores() // _workers(order.workers))
    threads = each if order.threads is None else whole("threads", order.threads, 1, MOST_WORKERS)
    return Job(str(out), question, format, key_type, threads, rechecks="recheck" in question)


def _workers(workers: int | None) -> int:
    return cores() if workers is None else whole("workers", workers, 1, MOST_WORKERS)


def _counted(statuses: Mapping[str, int]) -> str:
    ordered = sorted(statuses.items(), key=lambda each: (-each[1], each[0]))
    return ", ".join(f"{n:,} {status.replace('_', ' ')}" for status, n in ordered) or "no rows"
