"""Imported games: texts in a table, read as records where the log has no stream of that id."""

import zlib
from collections.abc import Callable
from hashlib import sha256
from typing import Any, NamedTuple
from uuid import UUID

from psycopg import Connection

from domain.play.events import Source
from domain.play.imported import imported_records
from domain.play.open_record import OpenRecord, read_record
from domain.record import uuid8
from service.event_store.codec import AnyRecord
from service.event_store.connections import Rows, unavailability

NOBODY = UUID(int=0)
"""The importer of records that the operator imported."""

SELECT = """
SELECT game, body, ARRAY(SELECT player FROM importers WHERE importers.game = imports.game)
FROM imports WHERE game = %s OR formerly = %s
"""
_TEXT = "SELECT body FROM imports WHERE game = %s OR formerly = %s"
Vouch = Callable[[OpenRecord], str | None]
"""A record -> who vouches for it by a signature, or None."""


def no_verifier(record: OpenRecord) -> str | None:
    """A Vouch without keys: no signature counts."""
    return None


def import_id(text: bytes) -> UUID:
    """The id of the game imported from this text: a UUIDv8 of its SHA-256.

    A text has the same id for each importer, and an id cannot be chosen.
    """
    return uuid8(sha256(text).digest())


class Stream(NamedTuple):
    """The records of one stream, and its importers; None: recorded here."""

    records: list[AnyRecord]
    importers: frozenset[UUID] | None = None


def imported_stream(rows: Rows, after: int, vouch: Vouch) -> Stream:
    """The row of SELECT as records after this version, with the game's id; empty without a row."""
    if not rows:
        return Stream([])
    game, body, importers = rows[0]
    text = read_record(zlib.decompress(body))
    records = imported_records(text.records, game, Source(text.records[0].stream, vouch(text)))
    return Stream([record for record in records if record.version > after], frozenset(importers))


def read_imported(connection: Connection[Any], game: UUID, vouch: Vouch = no_verifier) -> list[AnyRecord]:
    """The records of an imported game, by a blocking connection; raises StoreUnavailable."""
    with unavailability(), connection.cursor(binary=True) as cursor:
        return imported_stream(cursor.execute(SELECT, [game, game]).fetchall(), 0, vouch).records


def read_imported_text(connection: Connection[Any], game: UUID) -> bytes | None:
    """An imported game's original text, by a blocking connection; None: not imported. Raises StoreUnavailable."""
    with unavailability(), connection.cursor(binary=True) as cursor:
        row = cursor.execute(_TEXT, [game, game]).fetchone()
    return None if row is None else zlib.decompress(row[0])


def compressed_text(text: bytes) -> bytes:
    """A record's text as it is stored."""
    return zlib.compress(text, 6)
