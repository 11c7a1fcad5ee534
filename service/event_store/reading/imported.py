"""Games beside the log: whole records that were brought here, read where the log has no stream of that id."""

import zlib
from collections.abc import Callable
from hashlib import sha256
from typing import Any, NamedTuple
from uuid import UUID

from psycopg import Connection

from domain.play.events import Source
from domain.play.imported import brought
from domain.play.open_record import OpenRecord, read
from domain.record import uuid8
from service.event_store.codec import AnyRecord
from service.event_store.connections import Rows, unavailability

NOBODY = UUID(int=0)
"""The importer of what whoever runs the service has brought here."""

SELECT = """
SELECT game, body, ARRAY(SELECT player FROM importers WHERE importers.game = imports.game)
FROM imports WHERE game = %s OR formerly = %s
"""
_TEXT = "SELECT body FROM imports WHERE game = %s OR formerly = %s"
Vouch = Callable[[OpenRecord], str | None]
"""Who vouches for a record by a signature, None where nobody does."""


def nobody(record: OpenRecord) -> str | None:
    """Who vouches where no keys are at hand."""
    return None


def import_id(text: bytes) -> UUID:
    """The id of the game that this text is imported as: a UUIDv8 of its SHA-256.

    The same text has the same id whoever brings it, and no text has an id that somebody chose.
    """
    return uuid8(sha256(text).digest())


class Found(NamedTuple):
    """The records of one stream, and who has brought them here: None of what was recorded here."""

    records: list[AnyRecord]
    importers: frozenset[UUID] | None = None


def found(rows: Rows, after: int, vouch: Vouch) -> Found:
    """The row of SELECT as records behind this version, as they are shown; no records where there is none."""
    if not rows:
        return Found([])
    game, body, importers = rows[0]
    record = read(unpacked(body))
    shown = brought(record.records, game, Source(record.records[0].stream, vouch(record)))
    return Found([record for record in shown if record.version > after], frozenset(importers))


def read_imported(connection: Connection[Any], game: UUID, vouch: Vouch = nobody) -> list[AnyRecord]:
    """The same by a blocking connection; raises StoreUnavailable."""
    with unavailability(), connection.cursor(binary=True) as cursor:
        return found(cursor.execute(SELECT, [game, game]).fetchall(), 0, vouch).records


def read_imported_text(connection: Connection[Any], game: UUID) -> bytes | None:
    """The text as it came, by a blocking connection; None of what was recorded here; raises StoreUnavailable."""
    with unavailability(), connection.cursor(binary=True) as cursor:
        row = cursor.execute(_TEXT, [game, game]).fetchone()
    return None if row is None else unpacked(row[0])


def packed(text: bytes) -> bytes:
    """A record's text as it is kept."""
    return zlib.compress(text, 6)


def unpacked(body: bytes) -> bytes:
    """The text that is kept so."""
    return zlib.decompress(body)
