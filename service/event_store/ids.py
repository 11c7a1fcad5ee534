"""Ids that grow with time: UUIDv7 (RFC 9562, 5.7)."""

import secrets
import time
from uuid import UUID


def uuid7() -> UUID:
    """A new id: 48 bits of milliseconds since 1970, then 74 random bits."""
    millis = time.time_ns() // 1_000_000
    tail = secrets.randbits(74)
    return UUID(int=(millis << 80) | (0x7 << 76) | ((tail >> 62) << 64) | (0b10 << 62) | (tail & ((1 << 62) - 1)))


def now() -> int:
    """The current time as in records: microseconds since 1970-01-01 UTC."""
    return time.time_ns() // 1_000
