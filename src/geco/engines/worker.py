"""What runs in a worker process: take a part, explain it, write it, say so; until the driver closes or dies."""

from __future__ import annotations

import os
import signal
import threading
from multiprocessing import parent_process
from typing import Any

from geco.engines.parts import Job, explain_part
from geco.engines.shipped import unship
from geco.errors import BatchError, GecoError


def work(connection: Any, job: Job) -> None:
    """Answers each message of the driver: first what was shipped, then tasks."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the driver, which then ends us
    threading.Thread(target=_end_with_driver, daemon=True).start()
    try:
        explainer = unship(*connection.recv())
        connection.send("ready")
        while (task := connection.recv()) is not None:
            connection.send(explain_part(explainer, job, task))
    except (EOFError, BrokenPipeError):
        return
    except GecoError as error:
        connection.send(error)
    except Exception as error:
        connection.send(BatchError(f"a worker failed with {type(error).__name__}: {error}"))


def _end_with_driver() -> None:
    """A worker whose driver was killed must not go on writing beside the run that resumes."""
    driver = parent_process()
    if driver is not None:
        driver.join()
        os._exit(1)
