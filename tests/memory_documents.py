"""Documents held in memory, as the law that stored ones are held to; and one batch folded into a build by itself."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from msgspec import Struct

from projections.engine import rows as stored_rows
from projections.engine.batches import StoredDocuments, fetch_wanted, wanted
from projections.engine.builds import Build, set_positions
from projections.engine.contract import Collection, D, Projection, Recorded, advance
from projections.engine.rows import AnyConnection, DocumentRow, encode_document


class _Held(NamedTuple):
    sort: bytes | None
    document: Struct


class MemoryDocuments:
    """The documents of one projection, by collection and key."""

    def __init__(self) -> None:
        self._collections: dict[str, dict[str, _Held]] = {}
        self._sorted: dict[str, list[str]] = {}

    def get(self, collection: Collection[D], key: str) -> D | None:
        held: Any = self._collections.get(collection.name, {}).get(key)
        return held.document if held else None

    def put(self, collection: Collection[D], key: str, document: D, sort: bytes | None = None) -> None:
        held = self._collections.setdefault(collection.name, {})
        keys = self._sorted.get(collection.name)
        if keys is not None and key not in held:
            self._insert_key(collection.name, keys, key)
        held[key] = _Held(sort, document)

    def _insert_key(self, name: str, keys: list[str], key: str) -> None:
        """Append a key that sorts last; for any other drop the sorted list, which is made again on the next read."""
        if not keys or key > keys[-1]:
            keys.append(key)
        else:
            del self._sorted[name]

    def delete(self, collection: Collection[D], key: str) -> None:
        if self._collections.get(collection.name, {}).pop(key, None) is not None:
            self._sorted.pop(collection.name, None)

    def scan(self, collection: Collection[D], since: str = "") -> Iterator[tuple[str, D]]:
        held: Any = self._collections.get(collection.name, {})
        keys = self._keys(collection.name)
        return iter([(key, held[key].document) for key in keys[bisect_left(keys, since) :]])

    def before(self, collection: Collection[D], key: str) -> D | None:
        keys = self._keys(collection.name)
        at = bisect_left(keys, key)
        return self.get(collection, keys[at - 1]) if at else None

    def _keys(self, name: str) -> list[str]:
        if name not in self._sorted:
            self._sorted[name] = sorted(self._collections.get(name, {}))
        return self._sorted[name]

    def listed(self, collection: Collection[D]) -> list[tuple[str, D]]:
        """The documents that have a sort, greatest first, equal ones by key."""
        held: Any = self._collections.get(collection.name, {})
        keys = sorted(key for key in held if held[key].sort is not None)
        keys.sort(key=lambda key: held[key].sort, reverse=True)
        return [(key, held[key].document) for key in keys]

    def rows(self) -> list[DocumentRow]:
        """Every document as it would be stored, in the order of collection and key."""
        named = ((name, key, row) for name, rows in self._collections.items() for key, row in rows.items())
        return sorted((name, key, row.sort, encode_document(row.document)) for name, key, row in named)

    def documents(self) -> Iterator[tuple[str, str, Struct]]:
        """Every document with its collection's name and its key."""
        for name, rows in self._collections.items():
            yield from ((name, key, row.document) for key, row in rows.items())


def fold_batch(connection: AnyConnection, build: Build, projection: Projection, batch: Iterable[Recorded]) -> Build:
    """The build after a batch of the log, written but not committed."""
    documents = StoredDocuments(connection, build)
    news = [recorded for recorded in batch if recorded.position > build.position]
    fetch_wanted(connection, [(documents, wanted(projection, news))])
    position = advance(projection, documents, build.position, news)
    if position > build.position:
        flush(connection, documents, position)
    return build._replace(position=position)


def flush(connection: AnyConnection, documents: StoredDocuments, position: int) -> None:
    """Everything written goes to the database with the position; raises StaleBuild if the build has moved."""
    set_positions(connection, [documents.build], position)
    stored_rows.write(connection, [documents.changes()])
    documents.note_committed(position)
