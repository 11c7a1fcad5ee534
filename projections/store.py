"""Where documents are kept: PostgreSQL, documents and log position in one transaction."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from msgspec.json import decode

from projections.builds import AnyConnection, Build, move
from projections.memory import encoded
from projections.projection import Collection, D, Projection, Recorded, Wanted, advance


class _Held(NamedTuple):
    sort: bytes | None
    document: Any


_NOTHING = _Held(None, None)


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
        self._known[name][key] = held
        self._changed[name, key] = None

    def scan(self, collection: Collection[D], since: str = "") -> Iterator[tuple[str, D]]:
        if self._scanned.get(collection.name, "\uffff") > since:
            self._scan(collection, since)
        known = self._known[collection.name]
        keys = sorted(key for key, held in known.items() if key >= since and held.document is not None)
        return iter([(key, known[key].document) for key in keys])

    def _scan(self, collection: Collection[Any], since: str) -> None:
        known = self._known[collection.name]
        for key, body in self._connection.execute(
            "SELECT key, body FROM documents WHERE build = %s AND collection = %s AND key >= %s",
            (self._build.build, collection.name, since),
            binary=True,
        ):
            if key not in known:
                known[key] = _Held(None, decode(body, type=collection.document))
        self._scanned[collection.name] = since

    def flush(self, position: int) -> None:
        """Everything written goes to the database with the position; raises StaleBuild if the build has moved."""
        move(self._connection, self._build, position)  # first: whoever drops a build takes its row first, too
        self._upsert()
        self._remove()

    def _upsert(self) -> None:
        kept = [(name, key, held) for name, key, held in self._written() if held.document is not None]
        if kept:
            names, keys, held = zip(*kept, strict=True)
            self._connection.execute(
                "INSERT INTO documents (build, collection, key, sort, body)"
                " SELECT %s, * FROM unnest(%s::text[], %s::text[], %b::bytea[], %b::bytea[])"
                " ON CONFLICT (build, collection, key) DO UPDATE SET sort = excluded.sort, body = excluded.body",
                (self._build.build, [*names], [*keys], [h.sort for h in held], [encoded(h.document) for h in held]),
            )

    def _remove(self) -> None:
        gone = [(name, key) for name, key, held in self._written() if held.document is None]
        if gone:
            self._connection.execute(
                "DELETE FROM documents USING unnest(%s::text[], %s::text[]) AS gone (collection, key)"
                " WHERE build = %s AND documents.collection = gone.collection AND documents.key = gone.key",
                ([name for name, _ in gone], [key for _, key in gone], self._build.build),
            )

    def _written(self) -> Iterator[tuple[str, str, _Held]]:
        return ((name, key, self._known[name][key]) for name, key in self._changed)


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
