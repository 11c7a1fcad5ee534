"""Games as the command line reads them from the log."""

import argparse
from typing import Any
from uuid import UUID

from psycopg import Connection

from domain.play.aggregate import AnyRecord
from domain.play.events import Opened
from service.event_store.codec import Codec
from service.event_store.reading.blocking import read_stream
from service.event_store.reading.imported import Vouch, read_imported, vouch_for_none


def game_id(text: str) -> UUID:
    """The id as an argument of the command line."""
    try:
        return UUID(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no game id") from None


def game_records(
    connection: Connection[Any], game: UUID, codec: Codec | None = None, vouch: Vouch = vouch_for_none
) -> list[AnyRecord]:
    """The records of one game, imported ones too; none where the id is no game's. Raises UnreadableRecord."""
    records = read_stream(connection, game, codec=codec) or read_imported(connection, game, vouch)
    return records if records and isinstance(records[0].event, Opened) else []
