"""Told: whom a worker tells how far it is, and what all its answers are made with."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from geco.answers.explanation import Explanation
from geco.answers.progress import Progress
from geco.service.source import Served

Arguments = dict[str, Any]
Tell = Callable[[dict[str, Any]], bool]


@dataclass
class Told:
    """Whom to tell how far it is, if anyone; and how many rows the model was asked about."""

    tell: Tell | None = None
    model_rows: int = 0

    def count(self, explanation: Explanation) -> None:
        self.model_rows += explanation.trace.model_rows

    def did(self, rows: int, of: int) -> bool:
        """So many rows; False if nobody wants the others."""
        return self.tell is None or self.tell({"rows_done": rows, "rows": of})

    def on_round(self, progress: Progress) -> bool:
        best = None if progress.best is None else progress.best.to_dict()
        said = {"round": progress.round, "model_rows": progress.model_rows, "seconds": progress.seconds, "best": best}
        return self.tell is None or self.tell(said)


def as_json(value: Any) -> bytes:
    """As Explanation.to_json writes it."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False).encode()


Answer = Callable[[Served, Arguments, Told], bytes]
