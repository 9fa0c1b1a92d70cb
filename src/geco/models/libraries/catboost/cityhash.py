"""CityHash64, version 1.0: the number CatBoost knows a category by is made of its text by this hash."""

from __future__ import annotations

ALL = (1 << 64) - 1
K0, K1, K2, K3 = 0xC3A5C85C97CB3127, 0xB492B66FBE98F273, 0x9AE16A3B2F90404F, 0xC949D7C7509E6557
MULTIPLIER = 0x9DDFEA08EB382D69
BLOCK = 64


def city_hash(text: bytes) -> int:
    """An unsigned number of 64 bits.

    Examples
    --------
    >>> hex(city_hash(b""))
    '0x9ae16a3b2f90404f'
    """
    if len(text) <= 16:
        return _short(text)
    if len(text) <= 32:
        return _middling(text)
    return _long(text) if len(text) <= BLOCK else _blocks(text)


def _word(text: bytes, at: int, size: int = 8) -> int:
    start = at if at >= 0 else len(text) + at
    return int.from_bytes(text[start : start + size], "little")


def _rotated(value: int, by: int) -> int:
    value &= ALL
    return (value >> by | value << (BLOCK - by)) & ALL


def _mixed(value: int) -> int:
    value &= ALL
    return value ^ value >> 47


def _pair(low: int, high: int) -> int:
    """Two words as one."""
    first = _mixed((low ^ high) * MULTIPLIER)
    return _mixed((high ^ first) * MULTIPLIER) * MULTIPLIER & ALL


def _short(text: bytes) -> int:
    size = len(text)
    if size > 8:
        last = _word(text, -8)
        return _pair(_word(text, 0), _rotated(last + size, size)) ^ last
    if size >= 4:
        return _pair(size + (_word(text, 0, 4) << 3), _word(text, -4, 4))
    if size == 0:
        return K2
    low, high = text[0] + (text[size >> 1] << 8), size + (text[-1] << 2)
    return _mixed(low * K2 ^ high * K3) * K2 & ALL


def _middling(text: bytes) -> int:
    a, b = _word(text, 0) * K1, _word(text, 8)
    c, d = _word(text, -8) * K2, _word(text, -16) * K0
    return _pair((_rotated(a - b, 43) + _rotated(c, 30) + d) & ALL, (a + _rotated(b ^ K3, 20) - c + len(text)) & ALL)


def _long(text: bytes) -> int:
    first = _half(_word(text, 0) + (len(text) + _word(text, -16)) * K0, *(_word(text, at) for at in (8, 16, 24)))
    second = _half(_word(text, 16) + _word(text, -32), *(_word(text, at) for at in (-24, -16, -8)))
    crossed = _mixed((first[0] + second[1]) * K2 + (second[0] + first[1]) * K0)
    return _mixed(crossed * K0 + first[1]) * K2 & ALL


def _half(a: int, second: int, third: int, last: int) -> tuple[int, int]:
    b, c = _rotated(a + last, 52), _rotated(a, 37)
    a += second
    c += _rotated(a, 7)
    a += third
    return a + last, b + _rotated(a, 31) + c


def _blocks(text: bytes) -> int:
    size = len(text)
    x, y, z = _word(text, 0), _word(text, -16) ^ K1, _word(text, -56) ^ K0
    v, w = _quarter(text, size - 64, size, y), _quarter(text, size - 32, size * K1, K0)
    z += _mixed(v[1]) * K1
    x, y = _rotated(z + x, 39) * K1 & ALL, _rotated(y, 33) * K1 & ALL
    for at in range(0, (size - 1) & ~(BLOCK - 1), BLOCK):
        x = _rotated(x + y + v[0] + _word(text, at + 16), 37) * K1 & ALL
        y = _rotated(y + v[1] + _word(text, at + 48), 42) * K1 & ALL
        x, y = x ^ w[1], y ^ v[0]
        z = _rotated(z ^ w[0], 33)
        v, w = _quarter(text, at, v[1] * K1, x + w[0]), _quarter(text, at + 32, z + w[1], y)
        x, z = z, x
    return _pair((_pair(v[0], w[0]) + _mixed(y) * K1 + z) & ALL, (_pair(v[1], w[1]) + x) & ALL)


def _quarter(text: bytes, at: int, a: int, b: int) -> tuple[int, int]:
    """Four words and two seeds as two."""
    words = [_word(text, at + 8 * i) for i in range(4)]
    a += words[0]
    b = _rotated(b + a + words[3], 21)
    c = a
    a += words[1] + words[2]
    return (a + words[3]) & ALL, (b + _rotated(a, 44) + c) & ALL
