"""Which games of the store are verified: all that were opened up to a position, or a fair sample of them."""

from collections.abc import Iterator
from hashlib import blake2b
from heapq import nsmallest
from itertools import islice
from typing import Any, NamedTuple
from uuid import UUID

from psycopg import Connection

from service.event_store.reading import all_games

CHUNK = 50
"""Games handed to a process at once; progress is noted after a chunk at the earliest."""
Placed = tuple[int, UUID]


class Choice(NamedTuple):
    """Games opened up to position `until`; `sample` of them, or all. The seed decides which: each is as likely."""

    until: int
    sample: int | None = None
    seed: str = ""


def chosen_games(connection: Connection[Any], choice: Choice, after: int) -> Iterator[Placed]:
    """The chosen games opened after this position, each as position of its opening and id, in order."""
    if choice.sample is None:
        yield from _opened_games(connection, choice.until, after)
        return
    lots = nsmallest(
        choice.sample, _opened_games(connection, choice.until, 0), key=lambda placed: _lot(choice.seed, placed)
    )
    yield from sorted(placed for placed in lots if placed[0] > after)


def _opened_games(connection: Connection[Any], until: int, after: int) -> Iterator[Placed]:
    for placed in all_games(connection, after):
        if placed[0] > until:
            return
        yield placed


def _lot(seed: str, placed: Placed) -> bytes:
    """A pseudo-random value for a game, unpredictable without the seed; the smallest values make the sample."""
    return blake2b(placed[1].bytes, key=seed.encode()[:64], digest_size=16).digest()


def chunks(placed: Iterator[Placed]) -> Iterator[list[Placed]]:
    """So many at a time."""
    while chunk := list(islice(placed, CHUNK)):
        yield chunk
