"""The worker: a process that holds one explainer and answers one message after the other.

Messages come on stdin and answers go to what was stdout; what a model prints goes to stderr. The thread that answers
also reads: a message handed over by another thread reaches it late, and often on another core.
"""

from __future__ import annotations

import os
import select
import sys
import threading
from collections import deque
from functools import partial
from typing import TYPE_CHECKING, Any, BinaryIO, NoReturn

from geco.service.frames import Arriving, Frame, packed

if TYPE_CHECKING:
    from geco.service.source import Served

MOST_READ = 1 << 16  # bytes at once: as many as a pipe holds


class Mailbox:
    """What came in, and what was cancelled last: messages have growing numbers, and are answered one by one."""

    def __init__(self, pipe: int) -> None:
        self._pipe, self._arriving = pipe, Arriving()
        self._messages: deque[Frame] = deque()
        self._cancelled = 0

    def next(self) -> Frame:
        """The next message, waited for."""
        while not self._messages:
            self._read()
        return self._messages.popleft()

    def cancelled(self, number: int) -> bool:
        """Whether nobody wants this answer any more, as far as has been said by now."""
        while select.select([self._pipe], [], [], 0)[0]:
            self._read()
        return number == self._cancelled

    def _read(self) -> None:
        data = os.read(self._pipe, MOST_READ)
        if not data:
            os._exit(0)
        for frame in self._arriving.add(data):
            if frame.header["do"] == "cancel":
                self._cancelled = frame.header["id"]
            else:
                self._messages.append(frame)


def end_with_front(pipe: int) -> None:
    """End when the front process has ended, whatever the model is at; messages do not wake the thread that watches."""
    watching = select.poll()
    watching.register(pipe, select.POLLHUP)

    def watch() -> None:
        watching.poll()
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()


def main() -> None:
    """Load what the first message names, then answer until stdin ends."""
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    end_with_front(sys.stdin.fileno())
    mailbox = Mailbox(sys.stdin.fileno())
    _answer_all(_begin(mailbox.next().header["arguments"], out), mailbox, out)


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


def _answer_all(served: Served, mailbox: Mailbox, out: BinaryIO) -> NoReturn:
    from geco.service.answering import answer
    from geco.service.together import answer_together
    from geco.service.told import Told

    while True:
        header = mailbox.next().header
        number = header["id"]
        if "xs" in header:
            for place, reply in answer_together(served, header["xs"], header["words"]):
                _send(out, {"id": number, "place": place, **reply.header}, reply.body)
            continue
        told = Told(partial(_tell, number, mailbox, out) if header.get("progress") else None)
        reply = answer(served, header["do"], header["arguments"], told)
        _send(out, {"id": number, **reply.header}, reply.body)


def _tell(number: int, mailbox: Mailbox, out: BinaryIO, progress: dict[str, Any]) -> bool:
    """Say how far it is; False if nobody wants the answer any more."""
    _send(out, {"id": number, "progress": progress})
    return not mailbox.cancelled(number)


def _send(out: BinaryIO, header: dict[str, Any], body: bytes = b"") -> None:
    out.write(packed(header, body))
    out.flush()


if __name__ == "__main__":
    main()
