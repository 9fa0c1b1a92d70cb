"""Frames: the messages between the front process and a worker. Two lengths, a JSON header, then bytes as they are.

An answer goes from the explainer to the client as bytes that nobody in between reads again.
"""

from __future__ import annotations

import asyncio
import json
import struct
from typing import Any, BinaryIO, NamedTuple

LENGTHS = struct.Struct("<II")


class Frame(NamedTuple):
    """One message."""

    header: dict[str, Any]
    body: bytes


def packed(header: dict[str, Any], body: bytes = b"") -> bytes:
    """As it goes through the pipe.

    Examples
    --------
    >>> import io
    >>> read_frame(io.BytesIO(packed({"id": 1}, b"{}")))
    Frame(header={'id': 1}, body=b'{}')
    """
    text = json.dumps(header).encode()
    return b"".join((LENGTHS.pack(len(text), len(body)), text, body))


def read_frame(stream: BinaryIO) -> Frame | None:
    """The next one; None at the end of the stream."""
    lengths = stream.read(LENGTHS.size)
    if len(lengths) < LENGTHS.size:
        return None
    header, body = LENGTHS.unpack(lengths)
    return Frame(json.loads(stream.read(header)), stream.read(body))


async def receive_frame(stream: asyncio.StreamReader) -> Frame:
    """The same in the front process; raises IncompleteReadError at the end of the stream."""
    header, body = LENGTHS.unpack(await stream.readexactly(LENGTHS.size))
    return Frame(json.loads(await stream.readexactly(header)), await stream.readexactly(body))
