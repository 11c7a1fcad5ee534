"""What kind of analysis a game type has, and the report of each."""

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple, assert_never

from domain.games import GAME_TYPES, AnyGameType
from domain.games.bridge_solitaire import BRIDGE_SOLITAIRE
from domain.play.aggregate import AnyRecord, fold
from domain.play.form import records_by_step
from service.analysis.foresight import foresee
from service.analysis.hands import BridgeReport, hand_reports, report_hands
from service.analysis.history import history_of
from service.analysis.questions import Findings, ask, expected_questions, has_solver, next_question
from service.analysis.report import PatienceReport, find_lost_step, report
from service.analysis.swings import SeveralReport, Swing, expected_swings, judge_moves, moves_of, report_swings
from service.house.outlooks import OUTLOOKS
from service.solving import Finding

Report = PatienceReport | BridgeReport | SeveralReport
Kind = Literal["patience", "bridge", "several"]
"""`patience`: verdicts at its steps; `bridge`: the open stock; `several`: the share of a win before and after each
move."""


def kind_of(game_type: AnyGameType) -> Kind | None:
    """How games of this type, in this revision, are analysed; None: they are not."""
    if has_solver(game_type):
        return "patience"
    if game_type.key == BRIDGE_SOLITAIRE.key:
        return "bridge"
    return "several" if game_type.key in OUTLOOKS and GAME_TYPES[game_type.key] is game_type else None


class Progress(NamedTuple):
    """How far it has come: so many verdicts, or moves judged, of about so many; at the end the report, and of a
    patience its findings."""

    verdicts: int
    expected: int
    report: Report | None = None
    findings: Findings = {}


def analyse(records: Sequence[AnyRecord], kind: Kind, bound: int | None = None) -> Iterator[Progress]:
    """Analyse the finished game of these records here and now; `bound`, of a verdict, is in positions."""
    match kind:
        case "patience":
            history, findings = history_of(records), dict[int, Finding]()
            while (step := next_question(history, findings)) is not None:
                findings[step] = ask(history, step, bound)
                yield Progress(len(findings), expected_questions(history))
            told = report(history, findings, foresee(history, find_lost_step(history, findings)))
            yield Progress(len(findings), len(findings), told, findings)
        case "bridge":
            yield Progress(0, 0, report_hands(hand_reports(records_by_step(records))))
        case "several":
            moves, swings = moves_of(records), list[Swing]()
            for swing in judge_moves(fold(records), moves):
                swings.append(swing)
                yield Progress(len(swings), expected_swings(moves))
            yield Progress(len(swings), len(swings), report_swings(swings))
        case _:
            assert_never(kind)
