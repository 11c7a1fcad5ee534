"""`kibitz picture`: a game as one HTML page that replays it offline, or one step of it as SVG."""

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from uuid import UUID

from psycopg import Connection

from domain.capabilities import CardFaces
from domain.play.aggregate import AnyRecord, Game, fold
from domain.play.frames import frames
from domain.play.open_record import read_record
from domain.view import ALL_SEEING, Viewer
from service.accounts.name_sealing import NAMES, names_of
from service.cli import key_sets
from service.cli.commands.replay import game_or_file
from service.cli.database import database
from service.cli.errors import Refusal
from service.cli.games import game_records
from service.cli.options import database_options
from service.cli.replaying.files import recorded_game
from service.cli.replaying.sources import RecordSource
from service.cli.sealing import codec
from service.event_store.connections import open_connection
from service.pictures.svg.frame import drawing
from service.records.one_file.data import ViewerFrames, key, label
from service.records.one_file.note import note
from service.records.one_file.page import one_file
from service.settings import Settings

Names = list[str | None]


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("game", type=game_or_file, metavar="GAME_ID|FILE", help="the game, or a file with its record")
    eyes = parser.add_mutually_exclusive_group()
    eyes.add_argument("--seat", type=int, metavar="K", help="as that seat saw it")
    eyes.add_argument("--known", choices=["now"], help="with every card face up, once the game is over")
    parser.add_argument("--step", type=int, metavar="N", help="this step alone, as SVG")
    parser.add_argument("--output", type=Path, metavar="FILE", help="write it there instead of to stdout")
    database_options(parser)


def run(chosen: Namespace, settings: Settings) -> int:
    """The picture; a page of a game that is over can be looked at from every seat, whatever eyes are named."""
    records, names = _read(chosen.game, settings)
    eyes: Viewer = ALL_SEEING if chosen.known else chosen.seat
    text = _page(records, names, eyes) if chosen.step is None else _step(records, eyes, chosen.step)
    _put(text, chosen.output)
    return 0


def _read(game: UUID | Path, settings: Settings) -> tuple[Sequence[AnyRecord], Names]:
    if isinstance(game, Path):
        recorded_game(game)
        records = read_record(game.read_bytes()).records
        return records, [None] * len(fold(records).players)
    with database(settings) as conninfo, open_connection(conninfo, "picture") as connection:
        kept = game_records(connection, game, codec(settings), key_sets.vouch(settings))
        if not kept:
            raise Refusal(f"There is no game {game}.")
        return kept, _names(connection, fold(kept))


def _names(connection: Connection[Any], game: Game) -> Names:
    rows = connection.execute(NAMES.encode(), [list(filter(None, game.players))]).fetchall()
    names: dict[UUID, str] = names_of(rows)
    return [None if player is None else names.get(player) for player in game.players]


def _page(records: Sequence[AnyRecord], names: Names, eyes: Viewer) -> str:
    game, source = fold(records), RecordSource(records)
    source.frames(eyes)
    over = ALL_SEEING in source.viewers
    viewers = sorted(source.viewers, key=lambda viewer: viewer != eyes) if over else [eyes]
    looking = [ViewerFrames(key(viewer), label(viewer, names), tuple(frames(records, viewer))) for viewer in viewers]
    return one_file(game, names, looking, note(game, looking))


def _step(records: Sequence[AnyRecord], eyes: Viewer, step: int) -> str:
    found = fold(records).type
    shown = next((frame for frame in RecordSource(records).frames(eyes) if frame.step == step), None)
    if shown is None:
        raise Refusal(f"The game has no step {step}.")
    return drawing(shown, found.name, found.get(CardFaces).by_card)


def _put(text: str, output: Path | None) -> None:
    if output is None:
        sys.stdout.write(text)
        return
    try:
        output.write_text(text, encoding="utf-8")
    except OSError as error:
        raise Refusal(f"{output} cannot be written: {error.strerror}.") from error
