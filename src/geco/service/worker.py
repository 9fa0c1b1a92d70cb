"""The worker: a process that holds one explainer and answers one message after the other.

Messages come on stdin and answers go to what was stdout; what a model prints goes to stderr. A second thread reads, so
that a cancellation is seen while an explanation is under way, and so that a worker ends with its front process.
"""

from __future__ import annotations

import os
import queue
import sys
import threading
from typing import TYPE_CHECKING, Any, BinaryIO

from geco.service.frames import Frame, packed, read_frame

if TYPE_CHECKING:
    from geco.service.source import Served


class Mailbox:
    """What came in, and which of it was cancelled since."""

    def __init__(self, stream: BinaryIO) -> None:
        self.messages: queue.SimpleQueue[Frame] = queue.SimpleQueue()
        self.cancelled: set[int] = set()
        threading.Thread(target=self._read, args=(stream,), daemon=True).start()

    def _read(self, stream: BinaryIO) -> None:
        try:
            while (frame := read_frame(stream)) is not None:
                if frame.header["do"] == "cancel":
                    self.cancelled.add(frame.header["id"])
                else:
                    self.messages.put(frame)
        finally:
            os._exit(0)  # the front process is gone, or has no more use for this one


def main() -> None:
    """Load what the first message names, then answer until stdin ends."""
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    mailbox = Mailbox(sys.stdin.buffer)
    served = _begin(mailbox.messages.get().header["source"], out)
    while True:
        _answer(served, mailbox.messages.get(), mailbox, out)


def _begin(source: dict[str, Any], out: BinaryIO) -> Served:
    from geco.errors import GecoError
    from geco.service.answering import facts
    from geco.service.source import Source

    try:
        served = Source.from_dict(source).load()
        _send(out, {"ready": True, "facts": facts(served.explainer)})
    except GecoError as error:
        _send(out, {"ready": False, "error": str(error)})
        sys.exit(2)
    return served


def _answer(served: Served, frame: Frame, mailbox: Mailbox, out: BinaryIO) -> None:
    from geco.service.answering import answer
    from geco.service.together import answer_together
    from geco.service.told import Told

    number = frame.header["id"]
    if "xs" in frame.header:
        for place, reply in answer_together(served, frame.header["xs"], frame.header["words"]):
            _send(out, {"id": number, "place": place, **reply.header}, reply.body)
        return

    def tell(progress: dict[str, Any]) -> bool:
        """Say how far it is; False if nobody wants the answer any more."""
        _send(out, {"id": number, "progress": progress})
        return number not in mailbox.cancelled

    told = Told(tell if frame.header.get("progress") else None)
    reply = answer(served, frame.header["do"], frame.header["arguments"], told)
    mailbox.cancelled.discard(number)
    _send(out, {"id": number, **reply.header}, reply.body)


def _send(out: BinaryIO, header: dict[str, Any], body: bytes = b"") -> None:
    out.write(packed(header, body))
    out.flush()


if __name__ == "__main__":
    main()
