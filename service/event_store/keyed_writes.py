"""The Idempotency-Key of the current request: stored with the request's records, in one transaction.

Code that records for a request adds `companions`. A repeat of the request gets its `first_use`: nothing is decided or
recorded again, and the answer is made from those records.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from uuid import UUID

from msgspec import Struct

from service.event_store.writing.rows import Companion


class FirstUse(Struct, frozen=True):
    """The records of a key's first use: their versions (0 where there is no event), and the seat of its answer.

    `answer`: further values that the answer needs.
    """

    stream: UUID
    first_version: int
    last_version: int
    seat: int | None
    answer: bytes | None


Row = Callable[[UUID, int, int, bytes | None], Companion]
"""Stream, first and last version, further values of the answer -> the statement that stores the key."""


class KeyedWrite:
    """One request with a key: the maker of its row, and its first use, if this is a repeat."""

    def __init__(self, row: Row, first_use: FirstUse | None) -> None:
        self.row, self.first_use, self.stored, self.over = row, first_use, False, False
        self.companion: Companion | None = None


current_write: ContextVar[KeyedWrite | None] = ContextVar("keyed", default=None)
"""The current request, where it has a key that `answer_once` stores."""


@contextmanager
def keyed_write(row: Row, first_use: FirstUse | None) -> Iterator[KeyedWrite]:
    """The context in which a request with a key is carried out; tasks that outlive it see no key."""
    keyed = KeyedWrite(row, first_use)
    token = current_write.set(keyed)
    try:
        yield keyed
    finally:
        keyed.over = True
        current_write.reset(token)


def companions(stream: UUID, first: int = 0, last: int = 0, answer: bytes | None = None) -> Sequence[Companion]:
    """The row that stores the request's key; none without a key, or once it is stored."""
    keyed = current_write.get()
    if keyed is None or keyed.stored or keyed.over:
        return ()
    keyed.companion = keyed.row(stream, first, last, answer)
    return (keyed.companion,)


def note_stored(companions: Sequence[Companion]) -> None:
    """Note that these are stored: if the request's key was among them, further records go without it."""
    if (keyed := current_write.get()) is not None and any(stored is keyed.companion for stored in companions):
        keyed.stored = True


def first_use() -> FirstUse | None:
    """The first use of the request's key; None without a key or at its first use."""
    keyed = current_write.get()
    return None if keyed is None else keyed.first_use
