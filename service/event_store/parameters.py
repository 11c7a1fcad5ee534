"""Parameters in PostgreSQL's formats, without the driver's adapters: binary arrays, and single values as text.

Formats: "Frontend/Backend Protocol" and "Arrays" in the manual of PostgreSQL. A value that cannot be
encoded raises one of UNFIT.
"""

from collections.abc import Sequence
from struct import error, pack
from typing import Any
from uuid import UUID

UNFIT = (TypeError, ValueError, error)
"""Errors for a value that cannot be encoded: unknown kind, too large, or a text with a NUL."""
INT4, INT8, TEXT, BYTEA, UUID_ = 23, 20, 25, 17, 2950


def array(element: int, items: Sequence[bytes]) -> bytes:
    """A one-dimensional array without NULLs, in binary: `element` is the type's oid, `items` are in binary."""
    if not items:
        return pack("!iiI", 0, 0, element)
    head = pack("!iiIii", 1, 0, element, len(items), 1)
    return head + b"".join([part for item in items for part in (pack("!i", len(item)), item)])


def text(value: Any) -> bytes | None:
    """One value as text; None is NULL."""
    if value is None:
        return None
    if isinstance(value, bool):
        return b"t" if value else b"f"
    if isinstance(value, int | str | UUID):
        return _without_nul(str(value).encode())
    if isinstance(value, bytes):
        return b"\\x" + value.hex().encode()
    if isinstance(value, list | tuple):
        return b"{" + b",".join(map(_quoted_item, value)) + b"}"
    raise TypeError(f"{type(value).__name__} has no text here")


def _without_nul(plain: bytes) -> bytes:
    """The text; raises ValueError for a NUL, at which libpq would cut it."""
    if b"\0" in plain:
        raise ValueError("a text with a NUL")
    return plain


def _quoted_item(value: Any) -> bytes:
    plain = text(value)
    return b"NULL" if plain is None else b'"' + plain.replace(b"\\", b"\\\\").replace(b'"', b'\\"') + b'"'
