"""Games as commands name them, and read them from the log."""

import os
from argparse import ArgumentTypeError
from pathlib import Path
from typing import Any
from uuid import UUID

from psycopg import Connection

from domain.play.aggregate import AnyRecord
from domain.play.events import Opened
from service.cli.ending import Refusal
from service.event_store.codec import Codec
from service.event_store.imported import Vouch, no_verifier, read_imported
from service.event_store.reading import read_stream


def game_id(text: str) -> UUID:
    """The id as an argument of the command line."""
    try:
        return UUID(text)
    except ValueError:
        raise ArgumentTypeError(f"{text!r} is no game id") from None


def game_or_file(text: str) -> UUID | Path:
    """A game's id, or a file that is there."""
    try:
        return Path(text) if os.path.exists(text) else game_id(text)
    except ArgumentTypeError:
        raise ArgumentTypeError(f"{text!r} is neither a game id nor a file") from None


def game_records(
    connection: Connection[Any], game: UUID, codec: Codec | None = None, vouch: Vouch = no_verifier
) -> list[AnyRecord]:
    """The records of one game, imported ones too; none where the id is no game's. Raises UnreadableRecord."""
    records = read_stream(connection, game, codec=codec) or read_imported(connection, game, vouch)
    return records if records and isinstance(records[0].event, Opened) else []


def existing_game(connection: Connection[Any], game: UUID, codec: Codec, vouch: Vouch = no_verifier) -> list[AnyRecord]:
    """The records of this game; raises Refusal where there is none, UnreadableRecord."""
    if not (records := game_records(connection, game, codec, vouch)):
        raise Refusal(f"There is no game {game}.")
    return records
