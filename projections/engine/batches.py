"""Where documents are kept, and one batch of the log folded into many builds.

Documents and log position are written in one transaction. Documents read are kept for the next batch, writes go out
together.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import psycopg
from msgspec import DecodeError
from msgspec.msgpack import decode

from projections.engine import rows
from projections.engine.builds import Build, StaleBuild, lock_build, reset_position, set_positions
from projections.engine.contract import Collection, D, Projection, Recorded, Wanted, advance
from projections.engine.rows import AnyConnection, Changes, Key, Row, encode_document


class _Held(NamedTuple):
    sort: bytes | None
    document: Any


_NOTHING = _Held(None, None)
_MOST_WRITTEN = 50_000
"""Unsent writes are sent at this number: a ruling may touch the whole log behind it."""
_PAGE = 5_000
"""A collection with more documents than this is read in pages, which are not kept."""
_END = "\uffff"


class StoredDocuments:
    """A build's documents: reads and writes are cached, and writes go out together.

    The cache is right only while no other process writes to the build: a caller that keeps it from batch to batch holds
    the worker's lock and checks the build's position. Of a build that began at position 0 all is known until `trim`.
    """

    def __init__(self, connection: AnyConnection, build: Build) -> None:
        self._connection, self._build = connection, build
        self._known: defaultdict[str, dict[str, _Held]] = defaultdict(dict)
        self._scanned: dict[str, str] = {}
        self._whole = build.position == 0
        self._changed: dict[tuple[str, str], bool | None] = {}
        self._sent = False

    @property
    def build(self) -> Build:
        """The build, at the position of these documents."""
        return self._build

    @property
    def whole(self) -> bool:
        """Whether every document of the build is known."""
        return self._whole

    def missing(self, wanted: Wanted) -> dict[Key, type[Any]]:
        """The wanted documents that must be read, with their types."""
        return {
            Key(self._build.build, collection.name, key): collection.document
            for collection, key in wanted
            if not self._knows(collection, key)
        }

    def take(self, keys: Iterable[Key], documents: Iterable[tuple[Key, Any]]) -> None:
        """Keep the documents found for these keys; note that the others do not exist."""
        for _, name, key in keys:
            self._known[name][key] = _NOTHING
        for (_, name, key), document in documents:
            self._known[name][key] = _Held(None, document)

    def _knows(self, collection: Collection[Any], key: str) -> bool:
        name = collection.name
        return self._whole or key in self._known[name] or key >= self._scanned.get(name, _END)

    def get(self, collection: Collection[D], key: str) -> D | None:
        if not self._knows(collection, key):
            place = Key(self._build.build, collection.name, key)
            bodies = [row[3] for row in rows.read(self._connection, [place])]
            self.take([place], [(place, decode(body, type=collection.document)) for body in bodies])
        document: D | None = self._known[collection.name].get(key, _NOTHING).document
        return document

    def put(self, collection: Collection[D], key: str, document: D, sort: bytes | None = None) -> None:
        self._write(collection, key, _Held(sort, document))

    def delete(self, collection: Collection[D], key: str) -> None:
        self._write(collection, key, _NOTHING)

    def _write(self, collection: Collection[Any], key: str, held: _Held) -> None:
        if len(self._changed) >= _MOST_WRITTEN:
            self._send_written()
        place = collection.name, key
        if place not in self._changed:  # whether the database has this document; None: it may have
            before = self._known[collection.name].get(key, _NOTHING)
            self._changed[place] = before.document is not None if self._knows(collection, key) else None
        self._known[collection.name][key] = held

    def scan(self, collection: Collection[D], since: str = "") -> Iterator[tuple[str, D]]:
        if (
            not self._whole
            and self._scanned.get(collection.name, _END) > since
            and not self._read_collection(collection, since)
        ):
            return self._pages(collection, since)
        entries = self._known[collection.name]
        keys = sorted(key for key, held in entries.items() if key >= since and held.document is not None)
        return iter([(key, entries[key].document) for key in keys])

    def _read_collection(self, collection: Collection[Any], since: str) -> bool:
        """Read the collection from this key on; False if it is too long to be kept."""
        read = self._rows(collection, "key >= %s ORDER BY key", since, _PAGE + 1)
        entries = self._known[collection.name]
        if len(read) <= _PAGE:
            entries.update({key: _Held(None, document) for key, document in read if key not in entries})
            self._scanned[collection.name] = since
        return len(read) <= _PAGE

    def _pages(self, collection: Collection[D], since: str) -> Iterator[tuple[str, D]]:
        """Send writes to the database first, so that its pages are complete."""
        self._send_written()
        read = self._rows(collection, "key >= %s ORDER BY key", since, _PAGE)
        while read:
            yield from read
            read = self._rows(collection, "key > %s ORDER BY key", read[-1][0], _PAGE)

    def before(self, collection: Collection[D], key: str) -> D | None:
        entries = self._known[collection.name]
        last = max(
            (other for other, held in entries.items() if other < key and held.document is not None), default=None
        )
        stored = self._before(collection, key)
        while stored and stored[0][0] in entries and entries[stored[0][0]].document is None:
            stored = self._before(collection, stored[0][0])
        if last is not None and (not stored or stored[0][0] <= last):
            return self.get(collection, last)
        return stored[0][1] if stored else None

    def _before(self, collection: Collection[D], key: str) -> list[tuple[str, D]]:
        return [] if self._whole else self._rows(collection, "key < %s ORDER BY key DESC", key, 1)

    def _rows(self, collection: Collection[D], which: str, key: str, limit: int) -> list[tuple[str, D]]:
        read = self._connection.execute(
            f"SELECT key, body FROM documents WHERE build = %s AND collection = %s AND {which} LIMIT %s".encode(),
            (self._build.build, collection.name, key, limit),
            binary=True,
        )
        return [(key, decode(body, type=collection.document)) for key, body in read]

    def changes(self) -> Changes:
        """The writes since the last call, each document in its stored form.

        A document in many collections is encoded once; one that was added and deleted is left out.
        """
        made, bodies = Changes([], [], []), dict[int, bytes]()
        for (name, key), stored in self._changed.items():
            place, (sort, document) = Key(self._build.build, name, key), self._known[name][key]
            if document is not None:
                body = bodies.get(id(document)) or bodies.setdefault(id(document), encode_document(document))
                (made.new if stored is False else made.changed).append(Row(*place, sort, body))
            elif stored is not False:
                made.gone.append(place)
        self._changed.clear()
        return made

    def _send_written(self) -> None:
        """Send the writes so far to the database before the position moves, and forget all documents."""
        lock_build(self._connection, self._build)
        if not self._sent:
            self._connection.execute(f"SAVEPOINT sent_{self._build.build}".encode())
            self._sent = True
        rows.write(self._connection, [self.changes()])
        self._forget()

    def roll_back(self) -> None:
        """Undo what was sent before a position that will not be reached."""
        if self._sent:
            self._connection.execute(f"ROLLBACK TO SAVEPOINT sent_{self._build.build}".encode())

    def note_committed(self, position: int) -> None:
        """Note that the writes are in the database at this position."""
        self._build, self._sent = self._build._replace(position=position), False

    def trim(self, most: int) -> None:
        """Forget all documents if there are more than this."""
        if sum(map(len, self._known.values())) > most:
            self._forget()

    def _forget(self) -> None:
        self._known.clear()
        self._scanned.clear()
        self._whole = False


_DAMAGED = object()
Wants = Iterable[tuple[StoredDocuments, Wanted]]


KEPT = 50_000
"""So many documents of a build are kept at most from batch to batch."""

FoldTarget = tuple[Build, Projection]


class FoldResult(NamedTuple):
    """The builds at their new position, and those whose fold has raised, at their old one."""

    builds: list[Build]
    failed: list[tuple[Build, Exception]]


class BatchFolder:
    """Folds batches and keeps the builds' documents between them; right only while no other process writes to them."""

    def __init__(self) -> None:
        self._kept: dict[int, StoredDocuments] = {}

    def forget(self) -> None:
        """Drop all kept documents: another process may have written since."""
        self._kept.clear()

    def fold(
        self, connection: AnyConnection, group: Sequence[FoldTarget], batch: Sequence[Recorded], upto: int
    ) -> FoldResult:
        """Fold, write and commit the builds up to this position; raises StaleBuild, and then commits nothing."""
        parts = [_Part(build, projection, batch) for build, projection in group]
        failed = dict[int, Exception]()
        try:
            if any(part.news for part in parts):
                with connection.transaction():
                    failed = self._fold(connection, parts, upto)
            else:  # only the positions move
                set_positions(connection, [part.build for part in parts], upto)
        except BaseException:
            self.forget()
            raise
        folded = [part.build._replace(position=upto) for part in parts if part.build.build not in failed]
        for build in folded:
            if (stored := self._kept.get(build.build)) is not None:
                stored.note_committed(upto)
                stored.trim(KEPT)
        return FoldResult(
            folded, [(part.build, failed[part.build.build]) for part in parts if part.build.build in failed]
        )

    def _fold(self, connection: AnyConnection, parts: list["_Part"], upto: int) -> dict[int, Exception]:
        """The exceptions raised, by build number."""
        set_positions(connection, [part.build for part in parts], upto)  # first, the lock order of `drop`
        reading = [(self._documents(connection, part.build), part) for part in parts if part.news]
        fetch_wanted(connection, [(documents, part.wanted) for documents, part in reading if not documents.whole])
        failed = dict[int, Exception]()
        for documents, part in reading:
            if (error := _fold_error(part, documents)) is not None:
                failed[part.build.build] = error
                self._kept.pop(part.build.build).roll_back()
                reset_position(connection, part.build)
        rows.write(connection, [documents.changes() for documents in self._kept.values()])
        return failed

    def _documents(self, connection: AnyConnection, build: Build) -> StoredDocuments:
        """The kept documents, if they are at the build's position; else new ones."""
        stored = self._kept.get(build.build)
        if stored is None or stored.build.position != build.position:
            stored = self._kept[build.build] = StoredDocuments(connection, build)
        return stored


class _Part:
    """A build's part of a batch: the records that its projection reads."""

    def __init__(self, build: Build, projection: Projection, batch: Sequence[Recorded]) -> None:
        self.build, self.projection = build, projection
        self.news = [
            recorded for recorded in batch if recorded.position > build.position and projection.reads(recorded.record)
        ]

    @property
    def wanted(self) -> list[tuple[Collection[Any], str]]:
        """The documents that the fold will probably read; if `wants` raises, the fold will show the fault."""
        try:
            return list(wanted(self.projection, self.news))
        except Exception:  # noqa: BLE001  a projection may raise anything
            return []


def _fold_error(part: _Part, documents: StoredDocuments) -> Exception | None:
    """The exception of the fold, or None; database errors are raised: they are not the fold's fault."""
    try:
        advance(part.projection, documents, part.build.position, part.news)
    except (psycopg.Error, StaleBuild):
        raise
    except Exception as error:  # noqa: BLE001  a fold may raise anything
        return error
    return None


def fetch_wanted(connection: AnyConnection, wants: Wants) -> None:
    """Read all wanted documents that are not known yet, in one query; a damaged one stays unknown."""
    requests = [(documents, documents.missing(wanted)) for documents, wanted in wants]
    bodies = {Key(*row[:3]): row[3] for row in rows.read(connection, [key for _, keys in requests for key in keys])}
    for documents, types in requests:
        documents_read = {key: _decode(bodies[key], types[key]) if key in bodies else None for key in types}
        readable = {key: document for key, document in documents_read.items() if document is not _DAMAGED}
        documents.take(readable, [(key, document) for key, document in readable.items() if document is not None])


def _decode(body: bytes, type_: type[Any]) -> Any:
    try:
        return decode(body, type=type_)
    except DecodeError:
        return _DAMAGED


def wanted(projection: Projection, batch: Iterable[Recorded]) -> Wanted:
    """The documents that folding these records will probably read."""
    return (key for recorded in batch if projection.reads(recorded.record) for key in projection.wants(recorded.record))
