"""The rows of documents, their one stored form, and the SQL that reads and writes those of many builds at once."""

from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct
from psycopg import Connection

AnyConnection = Connection[Any]
DocumentRow = tuple[str, str, bytes | None, bytes]
"""Collection, key, sort and body of a stored document."""
_ENCODER = msgspec.msgpack.Encoder(uuid_format="bytes")
_FEW = 200
"""With fewer new rows than this, one upsert of all rows is faster than a COPY of the new ones."""


class Key(NamedTuple):
    """Where a document is kept."""

    build: int
    collection: str
    key: str


class Row(NamedTuple):
    """A document as it is stored."""

    build: int
    collection: str
    key: str
    sort: bytes | None
    body: bytes


class Changes(NamedTuple):
    """Changes of a batch: rows that are new, rows that may exist already, and keys to delete."""

    new: list[Row]
    changed: list[Row]
    gone: list[Key]


def read(connection: AnyConnection, keys: Sequence[Key]) -> list[Any]:
    """Build, collection, key and body of the documents that exist."""
    if not keys:
        return []
    return connection.execute(
        "SELECT build, collection, key, body FROM unnest(%s::bigint[], %s::text[], %s::text[])"
        " AS wanted (build, collection, key) JOIN documents USING (build, collection, key)",
        _columns(keys),
        binary=True,
    ).fetchall()


def write(connection: AnyConnection, made: Iterable[Changes]) -> None:
    """Write all of these changes in the order of the index, so that its pages are touched one after the other."""
    parts = list(made)
    new, changed = [row for part in parts for row in part.new], [row for part in parts for row in part.changed]
    if len(new) < _FEW:
        new, changed = [], [*changed, *new]
    new.sort(key=_place)
    changed.sort(key=_place)
    if new:
        statement = "COPY documents (build, collection, key, sort, body) FROM STDIN (FORMAT binary)"
        with connection.cursor() as cursor, cursor.copy(statement) as copy:
            copy.set_types(["int8", "text", "text", "bytea", "bytea"])
            for row in new:
                copy.write_row(row)
    if changed:
        connection.execute(
            "INSERT INTO documents (build, collection, key, sort, body)"
            " SELECT * FROM unnest(%s::bigint[], %s::text[], %s::text[], %b::bytea[], %b::bytea[])"
            " ON CONFLICT (build, collection, key) DO UPDATE SET sort = excluded.sort, body = excluded.body",
            _columns(changed),
        )
    if gone := sorted(key for part in parts for key in part.gone):
        connection.execute(
            "DELETE FROM documents USING unnest(%s::bigint[], %s::text[], %s::text[]) AS gone (build, collection, key)"
            " WHERE documents.build = gone.build"
            " AND documents.collection = gone.collection AND documents.key = gone.key",
            _columns(gone),
        )


def _place(row: Row) -> tuple[int, str, str]:
    return row[:3]


def _columns(rows: Sequence[tuple[Any, ...]]) -> list[list[Any]]:
    return [list(column) for column in zip(*rows, strict=True)]


def encode_document(document: Struct) -> bytes:
    """The one stored form of a document: MessagePack, fields in their declared order, ids as their 16 bytes."""
    return _ENCODER.encode(document)


def fingerprint(rows: Iterable[DocumentRow]) -> str:
    """SHA-256, in hex, over rows in the order of collection and key; equal exactly when all documents are equal."""
    total = sha256()
    for name, key, sort, body in rows:
        parts = (name.encode(), key.encode(), b"" if sort is None else b"=" + sort, body)
        total.update(b"".join(len(part).to_bytes(4, "big") + part for part in parts))
    return total.hexdigest()
