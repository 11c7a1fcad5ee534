"""Which games of the store are verified: all that were opened up to a position, or a fair sample of them."""

from collections.abc import Iterator
from hashlib import blake2b
from heapq import nsmallest
from typing import Any, NamedTuple
from uuid import UUID

from psycopg import Connection

from service.event_store.reading.blocking import all_games

CHUNK = 50
"""Games that are handed to a process at once, and between two notes of the progress at least."""
Placed = tuple[int, UUID]


class Choice(NamedTuple):
    """Games opened up to position `until`; `sample` of them, or all. The seed decides which: each is as likely."""

    until: int
    sample: int | None = None
    seed: str = ""


def chosen(connection: Connection[Any], choice: Choice, after: int) -> Iterator[Placed]:
    """Position of the opening and id, in the order of opening, behind this position."""
    if choice.sample is None:
        yield from _opened(connection, choice.until, after)
        return
    lots = nsmallest(choice.sample, _opened(connection, choice.until, 0), key=lambda placed: _lot(choice.seed, placed))
    yield from sorted(placed for placed in lots if placed[0] > after)


def _opened(connection: Connection[Any], until: int, after: int) -> Iterator[Placed]:
    for placed in all_games(connection, after):
        if placed[0] > until:
            return
        yield placed


def _lot(seed: str, placed: Placed) -> bytes:
    """The lot that a game draws: any game's is as good as any other's, and nobody knows it without the seed."""
    return blake2b(placed[1].bytes, key=seed.encode()[:64], digest_size=16).digest()


def chunks(placed: Iterator[Placed]) -> Iterator[list[Placed]]:
    """So many at a time."""
    chunk: list[Placed] = []
    for one in placed:
        chunk.append(one)
        if len(chunk) == CHUNK:
            yield chunk
            chunk = []
    if chunk:
        yield chunk
