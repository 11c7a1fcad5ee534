"""Pages of listed documents, their cursors, and a cache of counts for their ranks."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Any, Generic, NamedTuple

from cachetools import LRUCache

from projections.engine.contract import D


class BadCursor(ValueError):
    """A cursor that no page has given out."""


class Cursor(NamedTuple):
    """The last document of a page: its sort and its key."""

    sort: bytes
    key: str

    def text(self) -> str:
        """The cursor in one word of a URL."""
        return urlsafe_b64encode(len(self.sort).to_bytes(2, "big") + self.sort + self.key.encode()).decode().rstrip("=")


def read_cursor(text: str) -> Cursor:
    """The cursor that this text stands for; raises BadCursor."""
    try:
        raw = urlsafe_b64decode(text + "=" * (-len(text) % 4))
        length = int.from_bytes(raw[:2], "big")
        read = Cursor(raw[2 : 2 + length], raw[2 + length :].decode())
    except ValueError as error:
        raise BadCursor(text) from error
    if read.text() != text:
        raise BadCursor(text)
    return read


class Listed(NamedTuple, Generic[D]):
    """A document of a page; equal sorts share the rank, counted from 1."""

    rank: int
    key: str
    document: D


class Page(NamedTuple, Generic[D]):
    """Listed documents, greatest sort first, and the cursor of the next page: None at the end."""

    rows: tuple[Listed[D], ...]
    after: Cursor | None


class Gathered(NamedTuple, Generic[D]):
    """Documents, greatest sort first, and the cursor of the next page: None at the end."""

    documents: tuple[D, ...]
    after: Cursor | None


class CountCache:
    """A cache of counts in long lists of one database; keys hold build and position, so an entry never gets stale."""

    def __init__(self, most: int = 2000) -> None:
        self._kept: LRUCache[tuple[Any, ...], tuple[int, ...]] = LRUCache(most)

    def of(self, key: tuple[Any, ...]) -> tuple[int, ...] | None:
        """The cached counts, or None."""
        return self._kept.get(key)

    def keep(self, key: tuple[Any, ...], counted: tuple[int, ...]) -> tuple[int, ...]:
        """Cache these counts and return them."""
        self._kept[key] = counted
        return counted
