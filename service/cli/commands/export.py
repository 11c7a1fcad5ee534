"""`kibitz export`: a game of the store as an open record, or in a notation of its game type."""

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from typing import Any

from psycopg import Connection

from domain.game_type import Illegal
from domain.play.aggregate import AnyRecord, Game, fold
from domain.play.frames import frames
from domain.play.open_record import OpenRecord, record_lines, sealed_record, seen_lines
from domain.view import ALL_SEEING
from service.cli.database import connect_database
from service.cli.ending import Refusal
from service.cli.games import existing_game, game_id
from service.cli.keys import codec, own_ring
from service.cli.options import database_options, output_option, write_output
from service.event_store.imported import read_imported_text
from service.keys.signing import Ring
from service.live import seats
from service.live.signatures import signature_in
from service.problems import Refused
from service.records import exports
from service.settings import Settings


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("game", type=game_id, metavar="GAME_ID", help="the game")
    parser.add_argument("--notation", metavar="KEY", help="in this notation of its game type")
    output_option(parser)
    database_options(parser)


def run(chosen: Namespace, settings: Settings) -> int:
    """The text; a game that goes on as a spectator sees it, and then a sentence on stderr says so."""
    with connect_database(settings, "export") as connection:
        text = _text(
            connection, existing_game(connection, chosen.game, codec(settings)), chosen.notation, own_ring(settings)
        )
    write_output(text, chosen.output)
    return 0


def _text(connection: Connection[Any], records: Sequence[AnyRecord], notation: str | None, ring: Ring | None) -> bytes:
    game = fold(records)
    if notation is not None:
        return _notation_text(game, records, notation)
    if seats.is_fully_known(game):
        imported = None if game.opening.source is None else read_imported_text(connection, game.id)
        return imported or _complete_text(OpenRecord(tuple(records), signature_in(connection, game.id)), ring)
    print("The game is not over: the record holds what a spectator sees of it without delay.", file=sys.stderr)
    return b"".join(seen_lines(game, frames(records, None), None))


def _complete_text(record: OpenRecord, ring: Ring | None) -> bytes:
    if ring is None:
        print("No signing key can be read here: the record is not sealed.", file=sys.stderr)
    return b"".join(record_lines(sealed_record(record) if ring is None else ring.seal(record)))


def _notation_text(game: Game, records: Sequence[AnyRecord], notation: str) -> bytes:
    viewer = ALL_SEEING if seats.is_fully_known(game) else None
    try:
        return exports.write_notation(
            game, tuple(frames(records, viewer)), exports.notation_of(game, notation)
        ).encode()
    except (Illegal, Refused) as error:
        raise Refusal(str(error)) from error
