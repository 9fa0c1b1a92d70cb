"""Load for a service on the loopback: keep-alive connections that ask one after the other, for a bounded time.

A client of our own, because the usual ones need more CPU than the service that they measure; its share is reported.
"""

from __future__ import annotations

import asyncio
import json
import resource
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np


@dataclass
class Load:
    """What came back: seconds per answer, statuses, and answers that were not as expected."""

    seconds: list[float] = field(default_factory=list)
    statuses: Counter[int] = field(default_factory=Counter)
    wrong: int = 0
    lost: int = 0
    answered_at: list[float] = field(default_factory=list)
    own_cpu: float = 0.0
    lasted: float = 0.0

    def figures(self) -> dict[str, Any]:
        ms = 1e3 * np.array(self.seconds or [np.nan])
        others = {str(status): count for status, count in sorted(self.statuses.items()) if status != 200}
        return {
            "answers": self.statuses[200],
            "per second": self.statuses[200] / self.lasted,
            "p50 ms": float(np.percentile(ms, 50)),
            "p95 ms": float(np.percentile(ms, 95)),
            "p99 ms": float(np.percentile(ms, 99)),
            "others": json.dumps(others) if others else "none",
            "wrong": self.wrong,
            "lost": self.lost,
            "client CPU": self.own_cpu / self.lasted,
        }


Check = Callable[[int, bytes], bool]


async def ask_all(
    port: int, token: str, path: str, bodies: Sequence[bytes], clients: int, seconds: float, check: Check | None = None
) -> Load:
    """So many clients at once for so many seconds; each body in turn, 429 heeded."""
    load, started = Load(), time.perf_counter()
    cpu = _cpu()
    ends = started + seconds
    await asyncio.gather(*(_client(load, port, token, path, bodies, n, ends, check) for n in range(clients)))
    load.lasted, load.own_cpu = time.perf_counter() - started, _cpu() - cpu
    return load


async def _client(
    load: Load, port: int, token: str, path: str, bodies: Sequence[bytes], n: int, ends: float, check: Check | None
) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    number = n
    while time.perf_counter() < ends:
        place = number % len(bodies)
        number += 1
        started = time.perf_counter()
        try:
            status, headers, body = await request(reader, writer, token, path, bodies[place])
        except (asyncio.IncompleteReadError, ConnectionError):
            load.lost += 1
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            continue
        load.statuses[status] += 1
        if status == 200:
            load.seconds.append(time.perf_counter() - started)
            load.answered_at.append(time.perf_counter())
            load.wrong += check is not None and not check(place, body)
        elif status == 429:
            await asyncio.sleep(min(float(headers.get("retry-after", 1)), max(0.0, ends - time.perf_counter())))
    writer.close()


async def request(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, token: str, path: str, body: bytes
) -> tuple[int, dict[str, str], bytes]:
    """One POST on an open connection."""
    head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {token}\r\n"
    head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    writer.write(head.encode() + body)
    await writer.drain()
    first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines if line)}
    return int(first.split()[1]), headers, await reader.readexactly(int(headers["content-length"]))


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime
