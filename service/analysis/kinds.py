"""What kind of analysis a game type has, its search, what that notes on the way, and its report."""

from collections.abc import Iterator, Sequence
from typing import Any, Literal, Union

import msgspec
from msgspec import Struct

from domain.games import GAME_TYPES, AnyGameType
from domain.games.bridge_solitaire import BRIDGE_SOLITAIRE
from domain.kit.evaluation import Evaluator
from domain.play.aggregate import AnyRecord, fold
from domain.play.form import records_by_step
from service.analysis.foresight import Foresight, foresee
from service.analysis.hands import BridgeReport, HandReport, expected_hands, hand_reports, report_hands
from service.analysis.history import History, history_of
from service.analysis.questions import ask, expected_questions, has_solver, next_question
from service.analysis.report import PatienceReport, VerdictSpan, find_lost_step, find_spans, report
from service.analysis.swings import SeveralReport, Swing, expected_swings, judge_moves, moves_of, report_swings
from service.solving import Finding, Verdict

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
    return "several" if game_type.has(Evaluator) and GAME_TYPES[game_type.key] is game_type else None


class Found(Struct, frozen=True, tag_field="kind", tag="verdict"):
    """A verdict as it is kept: commands as in a record; `spans`: what it and those before it tell of every step."""

    step: int
    verdict: Verdict
    positions: int
    commands: tuple[dict[str, Any], ...]
    spans: tuple[VerdictSpan, ...] = ()


class Judged(Struct, frozen=True, tag_field="kind", tag="swing"):
    """A move that was judged."""

    swing: Swing


class Opened(Struct, frozen=True, tag_field="kind", tag="hand"):
    """A hand that was looked at with its stock open."""

    hand: HandReport


class Foreseen(Struct, frozen=True, tag_field="kind", tag="foresight"):
    """What could be known of the step at which it was lost."""

    step: int
    foresight: Foresight


Note = Found | Judged | Opened | Foreseen
"""What a search has found until now, so that whoever goes on with it need not begin anew."""


class TimeIsUp(Exception):
    """The bound of processor time is reached."""


def search(records: Sequence[AnyRecord], known: Sequence[Note], bound: int | None) -> Iterator[tuple[Note, int]]:
    """What is to be found of this finished game beside what is known, each with about how many there will be.

    `bound`, of a verdict, is in positions; None: the solver's own. It may be ended anywhere, by `TimeIsUp`, too.
    """
    game = fold(records)
    match kind_of(game.type):
        case "patience":
            yield from _look_for_loss(history_of(records), known, bound)
        case "bridge":
            steps = tuple(records_by_step(records))
            for hand in hand_reports(steps, [one.hand for one in known if isinstance(one, Opened)]):
                yield Opened(hand), expected_hands(steps)
        case "several":
            moves = moves_of(records)
            for swing in judge_moves(game, moves, [one.swing for one in known if isinstance(one, Judged)]):
                yield Judged(swing), expected_swings(moves)
        case None:
            raise ValueError(f"{game.type.key} is not analysed")


def _look_for_loss(history: History, known: Sequence[Note], bound: int | None) -> Iterator[tuple[Note, int]]:
    """A verdict that takes too much memory, or all the time, is open."""
    findings = findings_of(known, history.game.type)
    expected, before = expected_questions(history), len(findings)
    while (step := next_question(history, findings)) is not None:
        try:
            told = ask(history, step, bound)
        except (MemoryError, TimeIsUp) as ended:  # that the time is up is said every second
            if isinstance(ended, TimeIsUp) and len(findings) > before:
                raise
            told = Finding("open", (), 0)
        findings[step] = told
        commands = tuple(map(msgspec.to_builtins, told.commands))
        yield Found(step, told.verdict, told.positions, commands, find_spans(history, findings)), expected
    lost = find_lost_step(history, findings)
    if lost is not None and _foresight_of(known, lost) is None and (foresight := foresee(history, lost)) is not None:
        yield Foreseen(lost, foresight), expected


def _foresight_of(found: Sequence[Note], step: int | None) -> Foresight | None:
    return next((one.foresight for one in found if isinstance(one, Foreseen) and one.step == step), None)


def conclude(records: Sequence[AnyRecord], found: Sequence[Note], *, complete: bool) -> Report:
    """The report of what was found; `complete`: there is no more."""
    game = fold(records)
    match kind_of(game.type):
        case "patience":
            history, findings = history_of(records), findings_of(found, game.type)
            foresight = _foresight_of(found, find_lost_step(history, findings))
            return report(history, findings, foresight, complete=complete)
        case "bridge":
            return report_hands([one.hand for one in found if isinstance(one, Opened)], complete=complete)
        case "several":
            return report_swings([one.swing for one in found if isinstance(one, Judged)], complete=complete)
        case None:
            raise ValueError(f"{game.type.key} is not analysed")


def command_type(kind: AnyGameType) -> Any:
    """The type of every command of this game type, to read what is kept as JSON."""
    return Union[kind.commands]  # noqa: UP007  a union made of a tuple


def findings_of(found: Sequence[Note], kind: AnyGameType) -> dict[int, Finding]:
    """The findings that were kept of a game of this type."""
    commands: Any = command_type(kind)
    return {
        one.step: Finding(one.verdict, msgspec.convert(one.commands, tuple[commands, ...]), one.positions)
        for one in found
        if isinstance(one, Found)
    }
