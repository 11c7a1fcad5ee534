"""`kibitz analyse`: where a finished game was lost, of its record or asked of a service, in three sentences."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from domain.play.open_record import read_record, record_lines
from service.cli.credentials import token_for
from service.cli.ending import Refusal, Usage
from service.cli.games import game_or_file
from service.cli.options import write_output
from service.cli.replaying.sources import Analysed, ServiceSource, recorded_game
from service.settings import Settings

_ANNOTATE = "write the record there with the verdicts and their lines, so that `kibitz verify` can check them"
_BOUND = "look at so many positions for one verdict at most; by default as many as the solver does by itself"


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "game", type=game_or_file, metavar="RECORD|GAME_ID", help="a file with a game's complete record, or a game"
    )
    parser.add_argument("--server", metavar="URL", help="the service that has the game, and analyses it for everybody")
    parser.add_argument("--token", help="who asks it (KIBITZ_TOKEN, or `kibitz login`)")
    parser.add_argument("--bound", type=int, metavar="N", help=_BOUND)
    parser.add_argument("--line", action="store_true", help="show the winning line, too, move by move")
    parser.add_argument("--annotate", type=Path, metavar="FILE", help=_ANNOTATE)


def run(chosen: Namespace, settings: Settings) -> int:
    """The sentences on stdout; the solver looks for as long as its bound lets it."""
    if chosen.bound is not None and chosen.bound < 1:
        raise Usage("--bound is a number from 1 on.")
    if isinstance(chosen.game, Path) == bool(chosen.server) or (chosen.server and chosen.annotate):
        raise Usage("A file is analysed here; a game by its service, named with --server, which annotates its record.")
    if chosen.server:
        source = ServiceSource(chosen.game, chosen.server, token_for(chosen.server, chosen.token))
        *_, last = source.analyse(chosen.bound)
    else:
        *_, last = recorded_game(chosen.game).analyse(chosen.bound)
    _print(last, line=chosen.line)
    if chosen.annotate is not None:
        if not last.annotations:
            raise Refusal("Nothing was decided that a record could be annotated with.")
        record = read_record(chosen.game.read_bytes())._replace(annotations=last.annotations)
        write_output(b"".join(record_lines(record)), chosen.annotate)
    return 0


def _print(told: Analysed, *, line: bool) -> None:
    if (report := told.report) is not None:
        moves = [f"{number}. {move.sentence}" for number, move in enumerate(report.line, 1)] if line else []
        print(*report.sentences, *report.remarks, *moves, sep="\n")
