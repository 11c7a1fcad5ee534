"""The Idempotency-Key of the request in hand: stored with what the request records, in one transaction.

Whoever records something for a request adds `companions`. A repeat of the request finds its `first_use`: nothing is
decided or recorded again, and the answer is made of what was recorded then.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from uuid import UUID

from msgspec import Struct

from service.event_store.writing.rows import Companion


class FirstUse(Struct, frozen=True):
    """What a key's first use recorded: the versions (0 where no event tells it), and the seat it answered.

    `answer`: what the answer needs beside them.
    """

    stream: UUID
    first_version: int
    last_version: int
    seat: int | None
    answer: bytes | None


Row = Callable[[UUID, int, int, bytes | None], Companion]
"""Stream, first and last version, what else the answer needs -> the statement that keeps the key."""


class KeyedWrite:
    """One request with a key: how its row is made, and what its first use recorded, if this is a repeat."""

    def __init__(self, row: Row, first_use: FirstUse | None) -> None:
        self.row, self.first_use, self.stored, self.over = row, first_use, False, False
        self.made: Companion | None = None


in_hand: ContextVar[KeyedWrite | None] = ContextVar("keyed", default=None)
"""The request in hand, where it has a key that `answer_once` looks after."""


@contextmanager
def keyed_write(row: Row, first_use: FirstUse | None) -> Iterator[KeyedWrite]:
    """The context in which a request with a key is carried out; tasks that outlive it see no key."""
    keyed = KeyedWrite(row, first_use)
    token = in_hand.set(keyed)
    try:
        yield keyed
    finally:
        keyed.over = True
        in_hand.reset(token)


def companions(stream: UUID, first: int = 0, last: int = 0, answer: bytes | None = None) -> Sequence[Companion]:
    """The row that keeps the request's key; none where it has no key, or where it was stored already."""
    keyed = in_hand.get()
    if keyed is None or keyed.stored or keyed.over:
        return ()
    keyed.made = keyed.row(stream, first, last, answer)
    return (keyed.made,)


def note_stored(companions: Sequence[Companion]) -> None:
    """Note that these are stored: if the request's key was among them, further records go without it."""
    if (keyed := in_hand.get()) is not None and any(one is keyed.made for one in companions):
        keyed.stored = True


def first_use() -> FirstUse | None:
    """What the request's key recorded before; None without a key or at its first use."""
    keyed = in_hand.get()
    return None if keyed is None else keyed.first_use
