"""Inputs that nobody meant: rubbish, and good samples with something wrong."""

import json
from random import Random
from typing import Any

from hypothesis import strategies as st

LONGEST = 300_000
"""Bytes; a little more than the longest body that is read."""
_ODD: tuple[Any, ...] = (
    None, True, 0, -1, 7.0, 1.5, 1e300, 2**31, 2**63, 2**64, 10**400, -(2**70), "", "x", "\0", "\ud800", "\u202e", "#",
    "é" * 300, "A" * 5_000, "AS", "*1", "9" * 4_400, [], {}, [[]], [None] * 600, {"type": "klondike/draw"}, {"": {}},
    "01900000-0000-7000-8000-000000000000", "2026-01-01T00:00:00Z", "9999-12-31T23:59:60+23:59",
)  # fmt: skip
_PIECES = (
    b"\0", b"\xff", b"\xc1", b"\xed\xa0\x80", b"\r\n", b"\n", b" ", b'"', b"\\", b"{", b"}", b"[", b"]", b":", b",",
    b"-", b"9" * 25, b"9" * 4_400, b"1e999", b"NaN", b"null", b"%00", b"\xef\xbb\xbf", b"\\ud800", b"=", b";", b"#",
)  # fmt: skip
_LOTS = (
    b"[", b"{", b'{"a":', b'"', b'\\"', b"\\", b"[[],", b"0", b" ", b"\n", b"\x91", b"\xdc\xff\xff",
    b"\xdd\xff\xff\xff\xff",
)  # fmt: skip


def inputs(samples: tuple[bytes, ...]) -> st.SearchStrategy[bytes]:
    """Bytes near these samples and far from them."""
    kinds = [st.binary(max_size=400), st.text(max_size=100).map(lambda text: text.encode("utf-8", "surrogatepass"))]
    kinds.append(
        st.builds(_repeated, st.sampled_from(_LOTS), st.integers(1, LONGEST), st.sampled_from((b"", *samples)))
    )
    if samples:
        seeds, chosen = st.integers(0, 2**64 - 1), st.sampled_from(samples)
        kinds += [st.builds(_bruised, chosen, seeds), st.builds(_spliced, chosen, chosen, seeds)]
        kinds += [st.builds(_twisted, chosen, seeds)] * 3
    return st.one_of(kinds)


def _repeated(piece: bytes, count: int, before: bytes) -> bytes:
    return (before[:1_000] + piece * (count // len(piece)))[:LONGEST]


def _bruised(sample: bytes, seed: int) -> bytes:
    """Some bytes changed, left out, doubled or put in."""
    lots, bruised = Random(seed), bytearray(sample)
    for _ in range(lots.randint(1, 6)):
        at = lots.randrange(len(bruised) + 1)
        until = min(len(bruised), at + lots.choice((1, 1, 2, 4, 16, 200)))
        kind = lots.randrange(4)
        if kind == 0 and at < len(bruised):
            bruised[at] ^= 1 << lots.randrange(8)
        elif kind == 1:
            del bruised[at:until]
        elif kind == 2:
            bruised[at:at] = bruised[at:until] * lots.choice((1, 2, 50))
        else:
            bruised[at:at] = lots.choice(_PIECES)
    return bytes(bruised[:LONGEST])


def _spliced(one: bytes, other: bytes, seed: int) -> bytes:
    lots = Random(seed)
    return one[: lots.randrange(len(one) + 1)] + other[lots.randrange(len(other) + 1) :]


def _twisted(sample: bytes, seed: int) -> bytes:
    """JSON, or lines of it, with a few values that are odd; other bytes are bruised."""
    lots = Random(seed)
    try:
        lines = [json.loads(line) for line in sample.splitlines()]
    except (ValueError, RecursionError):
        return _bruised(sample, seed)
    for _ in range(lots.choice((1, 1, 2, 3))):
        place = lots.randrange(len(lines))
        lines[place] = _odd(lines[place], lots)
    return b"\n".join(json.dumps(line).encode() for line in lines)


def _odd(value: Any, lots: Random) -> Any:
    """The value with one odd thing in it, somewhere."""
    if isinstance(value, list) and value and lots.random() < 0.9:
        at = lots.randrange(len(value))
        return [*value[:at], *_odd_items(value[at], lots), *value[at + 1 :]]
    if isinstance(value, dict) and value and lots.random() < 0.9:
        name = lots.choice(list(value))
        if lots.random() < 0.1:
            return {
                **{other: value[other] for other in value if other != name},
                lots.choice(("x", "type", "")): value[name],
            }
        return {**value, name: _odd(value[name], lots)}
    if isinstance(value, int) and not isinstance(value, bool) and lots.random() < 0.5:
        return value + lots.choice((-1, 1, 2, 100, 10**6))
    return lots.choice(_ODD)


def _odd_items(item: Any, lots: Random) -> list[Any]:
    return lots.choice(([], [item, item], [_odd(item, lots)], [_odd(item, lots)], [_odd(item, lots)]))
