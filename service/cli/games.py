"""Games as the command line reads them from the log."""

import argparse
from collections.abc import Iterator
from typing import Any
from uuid import UUID

from psycopg import Connection

from domain.game.aggregate import AnyRecord
from domain.game.events import Opened
from service.event_store.connections import unavailability
from service.event_store.imported import read_imported
from service.event_store.reading import read_stream

_OPENED = """
SELECT position, stream FROM events WHERE version = 1 AND topic = 'game/opened' AND position > %s
ORDER BY position LIMIT 1000
"""


def game_id(text: str) -> UUID:
    """The id as an argument of the command line."""
    try:
        return UUID(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no game id") from None


def game_ids(connection: Connection[Any]) -> Iterator[UUID]:
    """Every game there is, in the order of opening."""
    position = 0
    while found := _page(connection, position):
        yield from (stream for _, stream in found)
        position = found[-1][0]


def _page(connection: Connection[Any], position: int) -> list[tuple[int, UUID]]:
    with unavailability():
        return connection.execute(_OPENED, [position]).fetchall()


def game_records(connection: Connection[Any], game: UUID) -> list[AnyRecord]:
    """The records of one game, imported ones too; none where the id is no game's."""
    records = read_stream(connection, game) or read_imported(connection, game)
    return records if records and isinstance(records[0].event, Opened) else []
