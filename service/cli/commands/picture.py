"""`kibitz picture`: a game as one HTML page that replays it offline, or one step of it as SVG."""

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from uuid import UUID

from psycopg import Connection

from domain.play.aggregate import AnyRecord, Game, fold
from domain.play.frames import frames
from domain.play.open_record import read_record
from domain.view import ALL_SEEING, Viewer
from service.accounts.name_sealing import NAMES, names_of
from service.cli.database import connect_database
from service.cli.ending import Refusal
from service.cli.games import existing_game, game_or_file
from service.cli.keys import codec, vouch
from service.cli.options import database_options, output_option, write_output
from service.cli.replaying.sources import RecordSource, recorded_game
from service.pictures.svg import drawing, setting_of
from service.records.one_file import one_file, viewer_frames
from service.settings import Settings

Names = list[str | None]


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("game", type=game_or_file, metavar="GAME_ID|FILE", help="the game, or a file with its record")
    eyes = parser.add_mutually_exclusive_group()
    eyes.add_argument("--seat", type=int, metavar="K", help="as that seat saw it")
    eyes.add_argument("--known", choices=["now"], help="with every card face up, once the game is over")
    parser.add_argument("--step", type=int, metavar="N", help="this step alone, as SVG")
    output_option(parser)
    database_options(parser)


def run(chosen: Namespace, settings: Settings) -> int:
    """The picture; a page of a game that is over can be looked at from every seat, whatever eyes are named."""
    records, names = _read(chosen.game, settings)
    eyes: Viewer = ALL_SEEING if chosen.known else chosen.seat
    text = _page(records, names, eyes) if chosen.step is None else _step(records, names, eyes, chosen.step)
    write_output(text.encode(), chosen.output)
    return 0


def _read(game: UUID | Path, settings: Settings) -> tuple[Sequence[AnyRecord], Names]:
    if isinstance(game, Path):
        recorded_game(game)
        records = read_record(game.read_bytes()).records
        return records, [None] * len(fold(records).players)
    with connect_database(settings, "picture") as connection:
        kept = existing_game(connection, game, codec(settings), vouch(settings))
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
    looking = [viewer_frames(viewer, names, frames(records, viewer)) for viewer in viewers]
    return one_file(game, names, looking)


def _step(records: Sequence[AnyRecord], names: Names, eyes: Viewer, step: int) -> str:
    shown = next((frame for frame in RecordSource(records).frames(eyes) if frame.step == step), None)
    if shown is None:
        raise Refusal(f"The game has no step {step}.")
    return drawing(shown, setting_of(fold(records), eyes, names))
