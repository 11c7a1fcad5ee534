"""`kibitz replay`, a game step by step, and `kibitz analyse`, where it was lost: of the store, a service or a file."""

import sys
from pathlib import Path
from typing import Literal

from domain.play.open_record import read_record, record_lines
from domain.view import ALL_SEEING, Viewer
from service.cli.ending import Refusal, Usage
from service.cli.login import token_for
from service.cli.options import NO_FLAGS, DatabaseFlags, GameOrFile, Whole, read_settings, write_output
from service.cli.player import Player, Terminal
from service.cli.screen import FASTEST, SLOWEST
from service.cli.sources import RecordSource, ServiceSource, Source, recorded_game
from service.cli.store import codec, connect_database, existing_game, vouch
from service.pictures.text import colour_text, picture
from service.pictures.words import speak_frame


def replay(
    game: GameOrFile,
    /,
    *,
    seat: Whole | None = None,
    spectator: bool = False,
    known: Literal["now"] | None = None,
    step: Whole | None = None,
    speed: float = 1.0,
    hint: bool = False,
    plain: bool = False,
    spoken: bool = False,
    symbols: bool = False,
    no_colour: bool = False,
    server: str | None = None,
    token: str | None = None,
    flags: DatabaseFlags = NO_FLAGS,
) -> None:
    """Look at a game step by step in the terminal; where there is none, as with --plain.

    Args:
        game: the game's id, or a file with its record
        seat: as that seat saw it; 0 is Player 1
        spectator: as a spectator saw it (the default)
        known: with every card face up, once the game is over
        step: begin there; with --plain that step alone
        speed: steps a second while it plays
        hint: say what to do next where it was opened with hints
        plain: every frame in turn, without a terminal
        spoken: every frame in words, to be read aloud
        symbols: suits as symbols instead of letters
        no_colour: red cards not in red
        server: ask that service instead of the store
        token: who asks it (KIBITZ_TOKEN, which no list of processes shows, or `kibitz login`)
    """
    settings = flags.settings()
    if (seat is not None) + spectator + bool(known) > 1:
        raise Usage("--seat, --spectator and --known exclude each other.")
    if not SLOWEST <= speed <= FASTEST:
        raise Usage(f"--speed is a number from {SLOWEST:g} to {FASTEST:g}.")
    if token and not server:
        raise Usage("A token is for a service: name it with --server.")
    if server and isinstance(game, Path):
        raise Usage("A file is read here: no service is asked for it.")
    source: Source
    if isinstance(game, Path):
        source = recorded_game(game)
    elif server:
        source = ServiceSource(game, server, token_for(server, token))
    else:
        with connect_database(settings, "replay") as connection:
            source = RecordSource(existing_game(connection, game, codec(settings), vouch(settings)))
    viewer: Viewer = ALL_SEEING if known else seat
    if hint:
        print(source.hint(viewer))
        return
    if not (plain or spoken) and sys.stdin.isatty() and sys.stdout.isatty():
        if viewer not in source.viewers:
            source.frames(viewer)
            raise Refusal("The game cannot be seen like that.")
        drawing = {"suit_symbols": symbols, "colours": not no_colour}
        player = Player(source, source.viewers.index(viewer), step or 0, speed, **drawing)
        with Terminal.opened() as terminal:
            player.run(terminal)
        return
    frames = source.frames(viewer)
    if step is not None and not (frames := [frame for frame in frames if frame.step == step]):
        raise Refusal(f"The game has no step {step}.")
    for number, frame in enumerate(frames):
        text = speak_frame(frame, source.faces) if spoken else picture(frame, source.faces, suit_symbols=symbols)
        colours = sys.stdout.isatty() and not no_colour
        print(("\n" if number else "") + (colour_text(text) if colours else text), end="")


def analyse(
    game: GameOrFile,
    /,
    *,
    server: str | None = None,
    token: str | None = None,
    bound: Whole | None = None,
    line: bool = False,
    annotate: Path | None = None,
) -> None:
    """Tell where a finished game was lost, of its record or asked of a service, in three sentences.

    Args:
        game: a file with a game's complete record, or a game's id
        server: the service that has the game, and analyses it for everybody
        token: who asks it (KIBITZ_TOKEN, or `kibitz login`)
        bound: look at so many positions for one verdict at most; by default as many as the solver does by itself
        line: show the winning line, too, move by move
        annotate: write the record there with the verdicts and their lines, so that `kibitz verify` can check them
    """
    read_settings()
    if bound is not None and bound < 1:
        raise Usage("--bound is a number from 1 on.")
    if isinstance(game, Path) == bool(server) or (server and annotate):
        raise Usage("A file is analysed here; a game by its service, named with --server, which annotates its record.")
    source: Source
    if isinstance(game, Path):
        source = recorded_game(game)
    else:
        source = ServiceSource(game, server or "", token_for(server or "", token))
    *_, analysis = source.analyse(bound)
    if (report := analysis.report) is not None:
        moves = [f"{number}. {move.sentence}" for number, move in enumerate(report.line, 1)] if line else []
        print(*report.sentences, *report.remarks, *moves, sep="\n")
    if annotate is not None and isinstance(game, Path):
        if not analysis.annotations:
            raise Refusal("Nothing was decided that a record could be annotated with.")
        record = read_record(game.read_bytes())._replace(annotations=analysis.annotations)
        write_output(b"".join(record_lines(record)), annotate)
