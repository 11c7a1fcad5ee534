"""The contract of a read model: a deterministic fold over the log, in position order, into documents."""

from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, Generic, NamedTuple, Protocol, TypeVar
from uuid import UUID

from msgspec import Struct

from domain.record import Record, Withheld

D = TypeVar("D", bound=Struct)


class Recorded(Protocol):
    """A record with its place in the log; positions start at 1 and grow, gaps are allowed."""

    @property
    def position(self) -> int: ...

    @property
    def record(self) -> Record[Any, Any]: ...


class Placed(NamedTuple):
    """The plain value of a record with its place in the log."""

    position: int
    record: Record[Any, Any]


_LONGEST_PART = 16


class Collection(NamedTuple, Generic[D]):
    """A named set of documents of one type, keyed by text; `name` is `family`, `family/part/...` or `family/digest`."""

    name: str
    document: type[D]


@dataclass(frozen=True, slots=True)
class Family(Generic[D]):
    """The collections of one document type: called with parts (a game type, a player) it gives one of them.

    Each row and index entry repeats its collection's name: of long parts it has a digest of 96 bits.
    """

    name: str
    document: type[D]

    def __call__(self, *parts: str | UUID) -> Collection[D]:
        part = "/".join(map(str, parts))
        if len(part) > _LONGEST_PART:
            part = urlsafe_b64encode(blake2b(part.encode(), digest_size=12).digest()).decode()
        return Collection(f"{self.name}/{part}" if parts else self.name, self.document)


class Documents(Protocol):
    """What a fold reads and writes. With a `sort` a document is listed in its collection, greatest sort first."""

    def get(self, collection: Collection[D], key: str) -> D | None: ...

    def put(self, collection: Collection[D], key: str, document: D, sort: bytes | None = None) -> None: ...

    def delete(self, collection: Collection[D], key: str) -> None: ...

    def scan(self, collection: Collection[D], since: str = "") -> Iterator[tuple[str, D]]:
        """Every document of the collection from the key `since` on, listed or not, in the order of the keys' bytes.

        While scanning, write only to documents of the collection that have been yielded already.
        """
        ...

    def before(self, collection: Collection[D], key: str) -> D | None:
        """The document with the last key below this one."""
        ...


Wanted = Iterable[tuple[Collection[Any], str]]


@dataclass(frozen=True, kw_only=True)
class Projection:
    """One read model. A change of `fold` or of a document's meaning is a new `version` and a rebuild.

    topics    tags of the events it reads (None: all)
    families  its document types, by collection family
    fold      documents, record at a position -> nothing; writes documents; no clock, no chance, no other source
    wants     record -> the documents that folding it will probably read, fetched together beforehand
    """

    name: str
    version: int
    topics: frozenset[str] | None
    families: tuple[Family[Any], ...]
    fold: Callable[[Documents, Recorded], None]
    wants: Callable[[Record[Any, Any]], Wanted] = lambda record: ()

    def reads(self, record: Record[Any, Any]) -> bool:
        """Whether this record's event is one of its topics."""
        event = record.event
        topic = event.topic if type(event) is Withheld else type(event).__struct_config__.tag
        return self.topics is None or topic in self.topics


class KeyMissing(LookupError):
    """An event is sealed under a key that is not at hand: a fold waits for it. The text names the key."""


def advance(projection: Projection, documents: Documents, position: int, batch: Iterable[Recorded]) -> int:
    """Fold a batch of the log and return its position; records at or before `position` are skipped."""
    for recorded in batch:
        if recorded.position > position:
            position = recorded.position
            try:
                if projection.reads(recorded.record):
                    if (
                        type(event := recorded.record.event) is Withheld
                    ):  # a fold that skipped it would be wrong for ever
                        raise KeyMissing(f"The sealing key {event.key} is missing: give it back, or give it up.")
                    projection.fold(documents, recorded)
            except Exception as error:
                error.add_note(f"{projection.name} at position {recorded.position}: {recorded.record!r}")
                raise
    return position


def rank_key(*numbers: int) -> bytes:
    """A sort that orders like the tuple of these numbers, each within 64 signed bits."""
    return b"".join((number + 2**63).to_bytes(8, "big") for number in numbers)


def reason_text(event: Struct) -> str:
    """Why a table says something else since this event: the event in words, with the reason that it gives."""
    kind, _, said = str(type(event).__struct_config__.tag).partition("/")
    told = f"contest {said}" if kind == "contest" else said.replace("_", " ")
    reason = getattr(event, "reason", None)
    return f"{told}: {reason}" if reason else told
