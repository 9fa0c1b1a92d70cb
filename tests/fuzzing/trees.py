"""Saved files made by hand: the tree inside is changed and packed again, so that length and checksum are right."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np

from geco.saved.container import DIGEST, PREFIX, packed, unpacked

Rng = np.random.Generator

LEAVES: tuple[Any, ...] = (
    None,
    True,
    -1,
    0,
    1,
    2**31,
    2**63,
    2**70,
    0.5,
    1e308,
    "",
    "age",
    "\ud800",
    "a\0b",
    [],
    {},
    [[]],
)
ARRAYS: tuple[Any, ...] = (
    np.array(3.0),
    np.array(3),
    np.zeros(0),
    np.zeros((0, 0)),
    np.array([np.nan, np.inf, -np.inf]),
    np.array([[1.0, 2.0], [3.0, 4.0]]),
    np.array([-1, 2**31 - 1], np.int32),
    np.array([-(2**63), 2**63 - 1], np.int64),
    np.array([2**64 - 1], np.uint64),
    np.array([True, False]),
    np.arange(100_000.0),
)


def changed_by_hand(data: bytes, rng: Rng) -> tuple[bytes, str]:
    """A whole file with one to three places of its tree changed."""
    tree, done = unpacked(data), []
    for _ in range(int(rng.integers(1, 4))):
        tree = _changed(tree, rng, done)
    return packed(tree), "; ".join(done)


def sealed(data: bytes) -> bytes:
    """Length and checksum made right again after damage to the bytes."""
    body = bytearray(data[:-DIGEST] if len(data) > PREFIX.size + DIGEST else data)
    if len(body) < PREFIX.size:
        return bytes(body)
    magic, version, nothing, _, header = PREFIX.unpack_from(body)
    PREFIX.pack_into(body, 0, magic, version, nothing, len(body) + DIGEST, header)
    return bytes(body) + hashlib.sha256(bytes(body)).digest()


def _changed(tree: Any, rng: Rng, done: list[str], path: str = "") -> Any:
    """Walk down at random; change what is there."""
    inside = list(tree) if isinstance(tree, dict) else list(range(len(tree))) if isinstance(tree, list) else []
    if inside and rng.random() < 0.93:
        place = inside[rng.integers(len(inside))]
        copied = dict(tree) if isinstance(tree, dict) else list(tree)
        if rng.random() < 0.04:
            done.append(f"{path}/{place} dropped")
            del copied[place]
        else:
            copied[place] = _changed(copied[place], rng, done, f"{path}/{place}")
        return copied
    value = _other(tree, rng)
    done.append(f"{path} = {str(value)[:60]}")
    return value


def _other(old: Any, rng: Rng) -> Any:
    if isinstance(old, np.ndarray) and old.size and rng.random() < 0.6:
        array = old.copy()
        limits = {"f": (np.nan, np.inf, -np.inf, 1e308, -0.0), "b": (True, False), "u": (0, 255)}
        choices = limits.get(array.dtype.kind, (-(2**31), -1, 0, 1, 2**31 - 1))
        array.flat[rng.integers(array.size)] = choices[rng.integers(len(choices))]
        return array if rng.random() < 0.7 else array[: rng.integers(len(array) + 1)] if array.ndim else array
    if isinstance(old, bool) or old is None or rng.random() < 0.4:
        return (*LEAVES, *ARRAYS)[rng.integers(len(LEAVES) + len(ARRAYS))]
    if isinstance(old, int):
        return old + int(rng.choice([-1, 1, 7, 2**31, -(2**31)]))
    if isinstance(old, float):
        return float(rng.choice([0.0, -1.0, 1e308, 5e-324, old * 2 if abs(old) < 1e307 else old / 2]))
    return old * 2 if isinstance(old, str | list) else LEAVES[rng.integers(len(LEAVES))]
