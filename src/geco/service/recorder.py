"""Recorder: every answer that goes out is written to the ledger first, if the service keeps one."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from geco.errors import GecoError
from geco.report.ledger import Ledger
from geco.service.problems import refused

RECORDED = frozenset(("explain", "explain_many", "kserve_explain"))


class Recorder:
    """A ledger, or none."""

    def __init__(self, path: str | None) -> None:
        self.ledger = None if path is None else Ledger(path)

    def person(self, arguments: dict[str, Any]) -> str | None:
        """Whom an answer is for, taken out of the arguments; refused where nothing is written down."""
        person: str | None = arguments.pop("person", None)
        if person is not None and self.ledger is None:
            raise refused(422, "ledger", "this service keeps no ledger; leave person out, or start it with --ledger")
        return person

    async def record(self, do: str, body: bytes, person: str | None) -> dict[str, str]:
        """Write it down; the header that names the entries. An answer that cannot be written down does not go out."""
        if self.ledger is None or do not in RECORDED:
            return {}
        said = json.loads(body)
        answers = said.get("explanations", [said])
        try:
            numbers = await asyncio.to_thread(self.ledger.append_many, answers, [person] * len(answers))
        except GecoError:
            raise refused(
                503, "ledger", "the answer could not be written to the ledger", {"Retry-After": "5"}
            ) from None
        return {"Geco-Ledger": f"{numbers[0]}-{numbers[-1]}" if len(numbers) > 1 else str(numbers[0])}

    def close(self) -> None:
        if self.ledger is not None:
            self.ledger.close()
