"""A planted mistake is found exactly, what is open is never guessed, and branches that were taken back are told."""

import pytest

from domain.games import GAME_TYPES
from domain.games.the_clock.events import Step
from domain.play import events as ev
from service.analysis.history import history_of
from service.analysis.questions import next_question
from service.analysis.report import PatienceReport, report
from service.solving import Finding, verdict

from .planted import Planted, planted, records

PLANTED = [
    ("black_hole", "planted 0", 44),
    ("black_hole", "planted 3", 46),
    ("golf", "never 9", 47),
    ("pyramid", "never 3", 116),
    ("seahaven_towers", "planted 0", 22),
    ("freecell", "planted 0", 84),
]
UNDO, RESIGN = ev.Undo(), ev.Resign()


def analysed(made, bound=None) -> PatienceReport:
    """The report on these records."""
    history, findings = history_of(made), dict[int, Finding]()
    while (step := next_question(history, findings)) is not None:
        assert step not in findings, "nothing is asked twice"
        state = history.positions[step].state
        findings[step] = verdict(history.game.type.key, history.game.options, state, bound)
    return report(history, findings)


def ends_won(key, made, told) -> bool:
    """Whether the line wins by the rules, said at the position from which it leads on."""
    kind, state = GAME_TYPES[key], history_of(made).positions[told.line_step].state
    for move in told.line:
        for event in kind.decide(state, 0, move.command):
            state = kind.evolve(state, event)
    return kind.result(state).ending == "won"


@pytest.mark.parametrize("known", PLANTED)
def test_a_planted_mistake_is_found_exactly(known) -> None:
    game = planted(*known)
    made = records(game.key, game.seed, game.commands)
    told = analysed(made)
    assert (told.outcome, told.lost_step) == ("lost", game.lost_step)
    assert (told.last_winnable_step, told.first_lost_step) == (game.lost_step - 1, game.lost_step)
    assert [span.verdict for span in told.spans] == ["won", "impossible"]
    assert (told.spans[0].first, told.spans[0].last, told.spans[1].first) == (0, game.lost_step - 1, game.lost_step)
    assert told.spans[1].last == made[-1].step
    assert len(told.asked) < 10
    assert ends_won(game.key, made, told)
    assert told.sentences[1].startswith(f"The game was lost at step {game.lost_step}: The player ")


def test_what_the_bound_leaves_open_is_an_interval_that_holds_the_truth() -> None:
    game = planted("black_hole", "planted 0", 44)
    made = records(game.key, game.seed, game.commands)
    seen = set()
    for bound in (1, 20, 100, 400, 2_000):
        told = analysed(made, bound)
        seen.add(told.outcome)
        assert told.outcome in ("open", "lost")
        assert told.last_winnable_step is None or told.last_winnable_step < game.lost_step
        assert told.first_lost_step is None or told.first_lost_step >= game.lost_step
        assert told.lost_step in (None, game.lost_step)
        opened = [span for span in told.spans if span.verdict == "open"]
        assert bool(opened) == (told.outcome == "open")
    assert seen == {"open", "lost"}


def test_a_game_is_won_given_up_while_it_could_be_won_or_could_never_be() -> None:
    game = planted("black_hole", "planted 0", 44)
    line = verdict(game.key, *_dealt(game)).commands
    won = analysed(records(game.key, game.seed, line))
    assert (won.outcome, won.moves, len(won.line), won.line_step) == ("won", 51, 51, 0)
    assert "just as many" in won.sentences[1]
    early = analysed(records(game.key, game.seed, [*line[:10], RESIGN]))
    assert (early.outcome, early.last_winnable_step, early.lost_step) == ("given_up", 10, None)
    never = analysed(records("the_clock", "never 0", [Step(), Step(), RESIGN]))
    assert (never.outcome, never.lost_step, never.first_lost_step, never.line) == ("unwinnable", None, 0, ())


def _dealt(game: Planted):
    start = history_of(records(game.key, game.seed, [RESIGN]))
    return start.game.options, start.positions[0].state


def test_of_a_game_with_undo_the_branch_that_lost_and_the_one_that_won_are_told() -> None:
    game = planted("black_hole", "planted 3", 46)
    line, wrong = verdict(game.key, *_dealt(game)).commands, game.commands[game.lost_step - 1]
    good = game.lost_step - 1
    told = analysed(records(game.key, game.seed, [*line[:good], wrong, UNDO, *line[good:]]))
    assert told.outcome == "won"
    assert [(one.left_step, one.last_step, one.verdict, one.lost_step) for one in told.undone] == [
        (good, game.lost_step, "impossible", game.lost_step)
    ]
    assert [span.verdict for span in told.spans] == ["won", "impossible", "won"]
    assert f"lost once, at step {game.lost_step}" in told.sentences[2]
    given_up = analysed(records(game.key, game.seed, [*line[:good], wrong, UNDO, RESIGN]))
    assert (given_up.outcome, given_up.last_winnable_step) == ("given_up", good)
