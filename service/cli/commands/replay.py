"""`kibitz replay`: one game, step by step, from the store, from a service, or from a record file."""

import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from pathlib import Path

from domain.play.frames import Frame
from domain.view import ALL_SEEING, Viewer
from service.cli.credentials import token_for
from service.cli.database import connect_database
from service.cli.ending import Refusal, Usage
from service.cli.games import existing_game, game_or_file
from service.cli.keys import codec, vouch
from service.cli.options import database_options
from service.cli.replaying.playback import FASTEST, SLOWEST
from service.cli.replaying.sources import RecordSource, ServiceSource, Source, recorded_game
from service.pictures.text import colour_text, picture
from service.pictures.words import speak_frame
from service.settings import Settings


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("game", type=game_or_file, metavar="GAME_ID|FILE", help="the game, or a file with its record")
    eyes = parser.add_mutually_exclusive_group()
    eyes.add_argument("--seat", type=int, metavar="K", help="as that seat saw it; 0 is Player 1")
    eyes.add_argument("--spectator", action="store_true", help="as a spectator saw it (the default)")
    eyes.add_argument("--known", choices=["now"], help="with every card face up, once the game is over")
    parser.add_argument("--step", type=int, metavar="N", help="begin there; with --plain that step alone")
    parser.add_argument("--speed", type=_speed, default=1.0, metavar="S", help="steps a second while it plays")
    parser.add_argument("--hint", action="store_true", help="say what to do next where it was opened with hints")
    parser.add_argument("--plain", action="store_true", help="every frame in turn, without a terminal")
    parser.add_argument("--spoken", action="store_true", help="every frame in words, to be read aloud")
    parser.add_argument("--symbols", action="store_true", help="suits as symbols instead of letters")
    parser.add_argument("--no-colour", dest="colours", action="store_false", help="red cards not in red")
    parser.add_argument("--server", metavar="URL", help="ask that service instead of the store")
    parser.add_argument(
        "--token", help="who asks it (KIBITZ_TOKEN, which no list of processes shows, or `kibitz login`)"
    )
    database_options(parser)


def _speed(text: str) -> float:
    try:
        speed = float(text)
    except ValueError:
        raise ArgumentTypeError(f"{text!r} is no number") from None
    if not SLOWEST <= speed <= FASTEST:
        raise ArgumentTypeError(f"from {SLOWEST:g} to {FASTEST:g}")
    return speed


def run(chosen: Namespace, settings: Settings) -> int:
    """Show it; where standard input or output is no terminal, as with --plain."""
    if chosen.token and not chosen.server:
        raise Usage("A token is for a service: name it with --server.")
    if chosen.server and isinstance(chosen.game, Path):
        raise Usage("A file is read here: no service is asked for it.")
    source, viewer = _source(chosen, settings), _viewer(chosen)
    if chosen.hint:
        print(source.hint(viewer))
    elif chosen.plain or chosen.spoken or not (sys.stdin.isatty() and sys.stdout.isatty()):
        _print(chosen, source, viewer)
    else:
        _play(chosen, source, viewer)
    return 0


def _viewer(chosen: Namespace) -> Viewer:
    seat: Viewer = chosen.seat
    return ALL_SEEING if chosen.known else seat


def _source(chosen: Namespace, settings: Settings) -> Source:
    if isinstance(chosen.game, Path):
        return recorded_game(chosen.game)
    if chosen.server:
        return ServiceSource(chosen.game, chosen.server, token_for(chosen.server, chosen.token))
    with connect_database(settings, "replay") as connection:
        return RecordSource(existing_game(connection, chosen.game, codec(settings), vouch(settings)))


def _print(chosen: Namespace, source: Source, viewer: Viewer) -> None:
    frames = source.frames(viewer)
    if chosen.step is not None:
        frames = [frame for frame in frames if frame.step == chosen.step]
        if not frames:
            raise Refusal(f"The game has no step {chosen.step}.")
    colours = chosen.colours and sys.stdout.isatty()
    for number, frame in enumerate(frames):
        text = _draw_frame(chosen, source, frame)
        print(("\n" if number else "") + (colour_text(text) if colours else text), end="")


def _draw_frame(chosen: Namespace, source: Source, frame: Frame) -> str:
    if chosen.spoken:
        return speak_frame(frame, source.faces)
    return picture(frame, source.faces, suit_symbols=chosen.symbols)


def _play(chosen: Namespace, source: Source, viewer: Viewer) -> None:
    """Run the interactive player. Its modules need a POSIX terminal, so they are imported here only."""
    from service.cli.replaying.player import Player
    from service.cli.replaying.terminal import Terminal

    if viewer not in source.viewers:
        source.frames(viewer)
        raise Refusal("The game cannot be seen like that.")
    drawing = {"suit_symbols": chosen.symbols, "colours": chosen.colours}
    player = Player(source, source.viewers.index(viewer), chosen.step or 0, chosen.speed, **drawing)
    with Terminal.opened() as terminal:
        player.run(terminal)
