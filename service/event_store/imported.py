"""Games beside the log: whole records that were brought here, read where the log has no stream of that id."""

import zlib
from typing import Any, NamedTuple
from uuid import UUID

from psycopg import Connection

from domain.game.open_record import read
from service.event_store.codec import AnyRecord
from service.event_store.connections import Rows, unavailability

NOBODY = UUID(int=0)
"""The importer of what whoever runs the service has brought here."""

SELECT = (
    "SELECT body, ARRAY(SELECT player FROM importers WHERE importers.game = imports.game) FROM imports WHERE game = %s"
)


class Found(NamedTuple):
    """The records of one stream, and who has brought them here: None of what was recorded here."""

    records: list[AnyRecord]
    importers: frozenset[UUID] | None = None


def found(rows: Rows, after: int) -> Found:
    """The row of SELECT as records behind this version; no records where there is none."""
    if not rows:
        return Found([])
    body, importers = rows[0]
    records = read(unpacked(body)).records
    return Found([record for record in records if record.version > after], frozenset(importers))


def read_imported(connection: Connection[Any], game: UUID) -> list[AnyRecord]:
    """The same by a blocking connection; raises StoreUnavailable."""
    with unavailability(), connection.cursor(binary=True) as cursor:
        return found(cursor.execute(SELECT, [game]).fetchall(), 0).records


def imported_text(connection: Connection[Any], game: UUID) -> bytes | None:
    """The text of an imported game as it came; raises StoreUnavailable."""
    with unavailability():
        row = connection.execute("SELECT body FROM imports WHERE game = %s", [game]).fetchone()
    return None if row is None else unpacked(row[0])


def read_imported_text(connection: Connection[Any], game: UUID) -> bytes | None:
    """The text as it came, by a blocking connection; None of what was recorded here; raises StoreUnavailable."""
    with unavailability(), connection.cursor(binary=True) as cursor:
        row = cursor.execute("SELECT body FROM imports WHERE game = %s", [game]).fetchone()
    return None if row is None else unpacked(row[0])


def packed(text: bytes) -> bytes:
    """A record's text as it is kept."""
    return zlib.compress(text, 6)


def unpacked(body: bytes) -> bytes:
    """The text that is kept so."""
    return zlib.decompress(body)
