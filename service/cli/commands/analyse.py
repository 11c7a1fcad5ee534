"""`kibitz analyse`: where a finished game was lost, of its record, in three sentences."""

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path

from domain.play.aggregate import AnyRecord, fold
from domain.play.form import records_by_step
from domain.play.open_record import read_record
from service.analysis.foresight import foresee
from service.analysis.hands import hand_reports, report_hands
from service.analysis.history import history_of
from service.analysis.kinds import Report, kind_of
from service.analysis.questions import ask, next_question
from service.analysis.report import PatienceReport, find_lost_step, report
from service.analysis.swings import judge_moves, moves_of, report_swings
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
    told = _analyse(_finished_records(chosen.record), chosen.bound)
    print(*told.sentences, sep="\n")
    if not isinstance(told, PatienceReport):
        return 0
    print(*told.remarks, sep="\n", end="\n" if told.remarks else "")
    if chosen.line:
        print(*(f"{number}. {move.sentence}" for number, move in enumerate(told.line, 1)), sep="\n")
    return 0


def _finished_records(path: Path) -> Sequence[AnyRecord]:
    """The records in this file; raises Refusal for a game that goes on."""
    recorded_game(path)
    records = read_record(path.read_bytes()).records
    if fold(records).status not in ("finished", "voided"):
        raise Refusal("A game is analysed once it is over.")
    return records


def _analyse(records: Sequence[AnyRecord], bound: int | None) -> Report:
    game = fold(records)
    match kind_of(game.type):
        case "patience":
            history, findings = history_of(records), dict[int, Finding]()
            while (step := next_question(history, findings)) is not None:
                findings[step] = ask(history, step, bound)
            return report(history, findings, foresee(history, find_lost_step(history, findings)))
        case "bridge":
            return report_hands(hand_reports(records_by_step(records)))
        case "several":
            return report_swings(list(judge_moves(game, moves_of(records))))
        case None:
            raise Refusal(f"There is no solver of {game.type.name}.")
