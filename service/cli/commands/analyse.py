"""`kibitz analyse`: where a finished game was lost, of its record, in three sentences."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from domain.play.aggregate import fold
from domain.play.form import records_by_step
from domain.play.open_record import Annotation, OpenRecord, read_record, record_lines
from service.analysis.foresight import foresee
from service.analysis.hands import hand_reports, report_hands
from service.analysis.history import history_of
from service.analysis.kinds import Report, kind_of
from service.analysis.questions import annotations, ask, next_question
from service.analysis.report import PatienceReport, find_lost_step, report
from service.analysis.swings import judge_moves, moves_of, report_swings
from service.cli.ending import Refusal, Usage
from service.cli.options import write_output
from service.cli.replaying.sources import recorded_game
from service.settings import Settings
from service.solving import Finding

_ANNOTATE = "write the record there with the verdicts and their lines, so that `kibitz verify` can check them"
_BOUND = "look at so many positions for one verdict at most; by default as many as the solver does by itself"


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("record", type=Path, metavar="RECORD", help="a file with the complete record of a game")
    parser.add_argument("--bound", type=int, metavar="N", help=_BOUND)
    parser.add_argument("--line", action="store_true", help="show the winning line, too, move by move")
    parser.add_argument("--annotate", type=Path, metavar="FILE", help=_ANNOTATE)


def run(chosen: Namespace, settings: Settings) -> int:
    """The sentences on stdout; the solver looks for as long as its bound lets it."""
    if chosen.bound is not None and chosen.bound < 1:
        raise Usage("--bound is a number from 1 on.")
    record = _finished_records(chosen.record)
    told, said = _analyse(record, chosen.bound)
    print(*told.sentences, sep="\n")
    if isinstance(told, PatienceReport):
        print(*told.remarks, sep="\n", end="\n" if told.remarks else "")
        if chosen.line:
            print(*(f"{number}. {move.sentence}" for number, move in enumerate(told.line, 1)), sep="\n")
    if chosen.annotate is not None:
        if not said:
            raise Refusal("Nothing was decided that a record could be annotated with.")
        write_output(b"".join(record_lines(record._replace(annotations=said))), chosen.annotate)
    return 0


def _finished_records(path: Path) -> OpenRecord:
    """The record in this file; raises Refusal for a game that goes on."""
    recorded_game(path)
    record = read_record(path.read_bytes())
    if fold(record.records).status not in ("finished", "voided"):
        raise Refusal("A game is analysed once it is over.")
    return record


def _analyse(record: OpenRecord, bound: int | None) -> tuple[Report, tuple[Annotation, ...]]:
    """The report, and what can be annotated: the verdicts of a patience."""
    records = record.records
    game = fold(records)
    match kind_of(game.type):
        case "patience":
            history, findings = history_of(records), dict[int, Finding]()
            while (step := next_question(history, findings)) is not None:
                findings[step] = ask(history, step, bound)
            told = report(history, findings, foresee(history, find_lost_step(history, findings)))
            return told, annotations(findings)
        case "bridge":
            return report_hands(hand_reports(records_by_step(records))), ()
        case "several":
            return report_swings(list(judge_moves(game, moves_of(records)))), ()
        case None:
            raise Refusal(f"There is no solver of {game.type.name}.")
