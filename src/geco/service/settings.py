"""Settings: what `geco serve` was told, and the limits that every request keeps."""

from __future__ import annotations

from dataclasses import dataclass

MOST_K = 100
MOST_ROWS = 1_000  # of one request
MOST_JOB_ROWS = 10_000
MOST_FEATURES = 10_000
MOST_RULES = 20_000  # characters
DEEPEST = 32  # arrays and objects inside each other
LARGEST_INTEGER = 2**64  # beyond it no column has values


@dataclass(frozen=True)
class Settings:
    """How much the service takes on.

    Attributes
    ----------
    name : of the model, in the paths of KServe.
    workers : processes that explain.
    queue : requests that may wait; further ones are told to come again.
    body : bytes of a request.
    body_seconds : in which a body must have arrived.
    deadline : seconds that an explanation may take at most, its waiting included.
    grace : seconds beyond the deadline after which a worker counts as stuck and is replaced.
    jobs : that may be kept, waiting and done ones included.
    job_seconds : that a job may take.
    kept_seconds : how long a job that is done, or an answer with an idempotency key, is kept.
    ledger : the file that every answer is written to; None for no such file.
    origins : of pages that may ask from a browser; none by default.
    """

    name: str = "geco"
    workers: int = 1
    queue: int = 64
    body: int = 1_000_000
    body_seconds: float = 10.0
    deadline: float = 10.0
    grace: float = 20.0
    jobs: int = 64
    job_seconds: float = 600.0
    kept_seconds: float = 600.0
    ledger: str | None = None
    origins: tuple[str, ...] = ()
