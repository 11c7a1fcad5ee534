"""`kibitz analyse`: where a patience was lost, of the record of a finished game, in three sentences."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from domain.play.open_record import read_record
from service.analysis.history import History, history_of
from service.analysis.questions import ask, next_question, solver_of
from service.analysis.report import report
from service.cli.ending import Refusal, Usage
from service.cli.replaying.sources import recorded_game
from service.settings import Settings
from service.solving import Finding

_BOUND = "look at so many positions for one verdict at most; by default as many as the solver does by itself"


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("record", type=Path, metavar="RECORD", help="a file with the complete record of a game")
    parser.add_argument("--bound", type=int, metavar="N", help=_BOUND)
    parser.add_argument("--line", action="store_true", help="show the winning line, too, move by move")


def run(chosen: Namespace, settings: Settings) -> int:
    """The sentences on stdout; the solver looks for as long as its bound lets it."""
    if chosen.bound is not None and chosen.bound < 1:
        raise Usage("--bound is a number from 1 on.")
    history, findings = _history(chosen.record), dict[int, Finding]()
    while (step := next_question(history, findings)) is not None:
        findings[step] = ask(history, step, chosen.bound)
    told = report(history, findings)
    print(*told.sentences, sep="\n")
    if chosen.line:
        print(*(f"{number}. {move.sentence}" for number, move in enumerate(told.line, 1)), sep="\n")
    return 0


def _history(path: Path) -> History:
    """The history that this record tells; raises Refusal."""
    recorded_game(path)
    record = read_record(path.read_bytes())
    history = history_of(record.records)
    if solver_of(history.game.type) is None:
        raise Refusal(f"There is no solver of {history.game.type.name}.")
    if history.game.status not in ("finished", "voided"):
        raise Refusal("A game is analysed once it is over.")
    return history
