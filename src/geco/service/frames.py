"""Frames: the messages between the front process and a worker. Two lengths, a JSON header, then bytes as they are.

An answer goes from the explainer to the client as bytes that nobody in between reads again.
"""

from __future__ import annotations

import json
import struct
from typing import Any, NamedTuple

LENGTHS = struct.Struct("<II")


class Frame(NamedTuple):
    """One message."""

    header: dict[str, Any]
    body: bytes


def packed(header: dict[str, Any], body: bytes = b"") -> bytes:
    """As it goes through the pipe."""
    text = json.dumps(header).encode()
    return b"".join((LENGTHS.pack(len(text), len(body)), text, body))


class Arriving:
    """What has come out of a pipe, in whatever pieces: kept until it is a whole frame.

    Examples
    --------
    >>> arriving, sent = Arriving(), packed({"id": 1}, b"{}")
    >>> arriving.add(sent[:5])
    []
    >>> arriving.add(sent[5:])
    [Frame(header={'id': 1}, body=b'{}')]
    """

    def __init__(self) -> None:
        self._bytes = bytearray()

    def add(self, more: bytes) -> list[Frame]:
        """The frames that are whole now."""
        self._bytes += more
        found = []
        while (frame := self._next()) is not None:
            found.append(frame)
        return found

    def _next(self) -> Frame | None:
        if len(self._bytes) < LENGTHS.size:
            return None
        header, body = LENGTHS.unpack_from(self._bytes)
        begins = LENGTHS.size + header
        ends = begins + body
        if len(self._bytes) < ends:
            return None
        frame = Frame(json.loads(self._bytes[LENGTHS.size : begins]), bytes(self._bytes[begins:ends]))
        del self._bytes[:ends]
        return frame
