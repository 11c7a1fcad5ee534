"""Where documents are kept: PostgreSQL, documents and log position in one transaction."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from msgspec.json import decode

from projections.builds import AnyConnection, Build, hold, move
from projections.memory import encoded
from projections.projection import Collection, D, Projection, Recorded, Wanted, advance


class _Held(NamedTuple):
    sort: bytes | None
    document: Any


_NOTHING = _Held(None, None)
_MOST_WRITTEN = 50_000
"""So many documents are written before they are sent: a ruling may touch the whole log behind it."""
_PAGE = 5_000
"""A collection with more documents than this is read in pages, and none of them is kept."""


class StoredDocuments:
    """A build's documents for the time of one batch: reads are kept, writes go out together by `flush`."""

    def __init__(self, connection: AnyConnection, build: Build) -> None:
        self._connection, self._build = connection, build
        self._known: defaultdict[str, dict[str, _Held]] = defaultdict(dict)
        self._scanned: dict[str, str] = {}
        self._changed: dict[tuple[str, str], None] = {}

    def fetch(self, wanted: Wanted) -> None:
        """These documents are read in one query."""
        places = dict.fromkeys((collection, key) for collection, key in wanted if not self._knows(collection, key))
        types = {collection.name: collection.document for collection, _ in places}
        for collection, key in places:
            self._known[collection.name][key] = _NOTHING
        for name, key, body in self._read([(collection.name, key) for collection, key in places]):
            self._known[name][key] = _Held(None, decode(body, type=types[name]))

    def _knows(self, collection: Collection[Any], key: str) -> bool:
        return key >= self._scanned.get(collection.name, "\uffff") or key in self._known[collection.name]

    def _read(self, places: list[tuple[str, str]]) -> list[Any]:
        if not places:
            return []
        names, keys = [name for name, _ in places], [key for _, key in places]
        return self._connection.execute(
            "SELECT collection, key, body FROM unnest(%s::text[], %s::text[]) AS wanted (collection, key)"
            " JOIN documents USING (collection, key) WHERE build = %s",
            (names, keys, self._build.build),
            binary=True,
        ).fetchall()

    def get(self, collection: Collection[D], key: str) -> D | None:
        if not self._knows(collection, key):
            self.fetch([(collection, key)])
        found: D | None = self._known[collection.name].get(key, _NOTHING).document
        return found

    def put(self, collection: Collection[D], key: str, document: D, sort: bytes | None = None) -> None:
        self._write(collection.name, key, _Held(sort, document))

    def delete(self, collection: Collection[D], key: str) -> None:
        self._write(collection.name, key, _NOTHING)

    def _write(self, name: str, key: str, held: _Held) -> None:
        if len(self._changed) >= _MOST_WRITTEN:
            self._send()
        self._known[name][key] = held
        self._changed[name, key] = None

    def scan(self, collection: Collection[D], since: str = "") -> Iterator[tuple[str, D]]:
        if self._scanned.get(collection.name, "\uffff") > since and not self._scan(collection, since):
            return self._pages(collection, since)
        known = self._known[collection.name]
        keys = sorted(key for key, held in known.items() if key >= since and held.document is not None)
        return iter([(key, known[key].document) for key in keys])

    def _scan(self, collection: Collection[Any], since: str) -> bool:
        """Whether all of the collection from there on is known now: not where it is long."""
        rows = self._rows(collection, "key >= %s ORDER BY key", since, _PAGE + 1)
        known = self._known[collection.name]
        if len(rows) <= _PAGE:
            known.update({key: _Held(None, document) for key, document in rows if key not in known})
            self._scanned[collection.name] = since
        return len(rows) <= _PAGE

    def _pages(self, collection: Collection[D], since: str) -> Iterator[tuple[str, D]]:
        """What was written goes to the database first, so that nothing else need be asked."""
        self._send()
        rows = self._rows(collection, "key >= %s ORDER BY key", since, _PAGE)
        while rows:
            yield from rows
            rows = self._rows(collection, "key > %s ORDER BY key", rows[-1][0], _PAGE)

    def before(self, collection: Collection[D], key: str) -> D | None:
        known = self._known[collection.name]
        last = max((one for one, held in known.items() if one < key and held.document is not None), default=None)
        stored = self._rows(collection, "key < %s ORDER BY key DESC", key, 1)
        while stored and stored[0][0] in known and known[stored[0][0]].document is None:
            stored = self._rows(collection, "key < %s ORDER BY key DESC", stored[0][0], 1)
        if last is not None and (not stored or stored[0][0] <= last):
            return self.get(collection, last)
        return stored[0][1] if stored else None

    def _rows(self, collection: Collection[D], which: str, key: str, limit: int) -> list[tuple[str, D]]:
        found = self._connection.execute(
            f"SELECT key, body FROM documents WHERE build = %s AND collection = %s AND {which} LIMIT %s".encode(),
            (self._build.build, collection.name, key, limit),
            binary=True,
        )
        return [(key, decode(body, type=collection.document)) for key, body in found]

    def flush(self, position: int) -> None:
        """Everything written goes to the database with the position; raises StaleBuild if the build has moved."""
        move(self._connection, self._build, position)  # first: whoever drops a build takes its row first, too
        self._upsert()
        self._remove()

    def _send(self) -> None:
        """What has been written so far goes to the database ahead of the position, and everything is forgotten."""
        hold(self._connection, self._build)
        self._upsert()
        self._remove()
        self._known.clear()
        self._scanned.clear()
        self._changed.clear()

    def _upsert(self) -> None:
        kept = sorted((name, key) for name, key in self._changed if self._known[name][key].document is not None)
        if kept:
            held = [self._known[name][key] for name, key in kept]
            self._connection.execute(
                "INSERT INTO documents (build, collection, key, sort, body)"
                " SELECT %s, * FROM unnest(%s::text[], %s::text[], %b::bytea[], %b::bytea[])"
                " ON CONFLICT (build, collection, key) DO UPDATE SET sort = excluded.sort, body = excluded.body",
                (self._build.build, [name for name, _ in kept], [key for _, key in kept], [h.sort for h in held],
                 _bodies(held)),
            )  # fmt: skip

    def _remove(self) -> None:
        gone = [(name, key) for name, key in self._changed if self._known[name][key].document is None]
        if gone:
            self._connection.execute(
                "DELETE FROM documents USING unnest(%s::text[], %s::text[]) AS gone (collection, key)"
                " WHERE build = %s AND documents.collection = gone.collection AND documents.key = gone.key",
                ([name for name, _ in gone], [key for _, key in gone], self._build.build),
            )


def _bodies(held: Iterable[_Held]) -> list[bytes]:
    """The stored forms; a document that stands in many collections is encoded once."""
    made: dict[int, bytes] = {}
    return [made.get(id(one.document)) or made.setdefault(id(one.document), encoded(one.document)) for one in held]


def fold_batch(connection: AnyConnection, build: Build, projection: Projection, batch: Iterable[Recorded]) -> Build:
    """The build after a batch of the log, written but not committed."""
    documents = StoredDocuments(connection, build)
    news = [recorded for recorded in batch if recorded.position > build.position]
    documents.fetch(
        wanted for recorded in news if projection.reads(recorded.record) for wanted in projection.wants(recorded.record)
    )
    position = advance(projection, documents, build.position, news)
    if position > build.position:
        documents.flush(position)
    return build._replace(position=position)
