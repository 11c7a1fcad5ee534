"""The frames of a game: its moments, and what a spectator may know of it with a delay."""

from itertools import groupby

import msgspec
import pytest

from domain.games import GAME_TYPES
from domain.play import events as ev
from domain.play.aggregate import AnyRecord, Game, fold
from domain.play.deciding import Act, Step, play
from domain.play.endings import void
from domain.play.frames import Moment, frames, holds_deal, moments, shown_step
from domain.play.table import give_seed, join, leave
from domain.view import ALL_SEEING
from tests.laws.goldens import GAMES

from .golden_games import records
from .played import act, duel, player, seated, solitaire, wander


def of(played: list[AnyRecord], viewer: int | None = None) -> tuple[Moment, ...]:
    return moments(frames(played, viewer))


def test_a_rubber_has_the_deal_of_every_hand() -> None:
    played = records("bridge_solitaire", GAMES / "bridge_solitaire" / "golden" / "rubber_won.jsonl")
    told = [moment.sentence for moment in of(played)]
    hands = [sentence for sentence in told if sentence.startswith("Hand") and "is dealt" in sentence]
    assert [sentence.split()[1] for sentence in hands] == ["1", "2", "3", "4", "5", "6"]


def test_turning_the_waste_over_is_rare_and_a_moment_and_a_move_is_none() -> None:
    played = records("klondike", GAMES / "klondike" / "golden" / "draw_one_won.jsonl")
    found = of(played)
    assert [moment.kind for moment in found] == ["deal", "event", "ending"]
    turned = [record.step for record in played if type(record.event).__name__ == "Recycled"]
    assert [moment.step for moment in found[1:-1]] == turned


def test_an_undo_a_row_of_them_and_a_resignation_are_a_moment_each() -> None:
    found = of(solitaire())
    assert [moment.sentence for moment in found if moment.kind == "undo"] == ["Taken back: step 8 stands again."]
    assert (found[-1].kind, found[-1].sentence) == ("ending", "The game is lost: given up.")
    played = [record for record in solitaire() if not isinstance(record.event, ev.Resigned | ev.Finished | ev.Revealed)]
    for number in (40, 41, 42):
        played += play(fold(played), ev.Undo(), act(0, number)).records
    assert [moment.step for moment in of(played) if moment.kind == "undo"] == [10, played[-1].step - 2]


def test_a_seat_that_resigns_while_the_others_play_on_is_a_moment() -> None:
    path = GAMES / "screaming_yoda" / "golden" / "three_seats_won.jsonl"
    played = [record for record in records("screaming_yoda", path) if record.step < 40]
    played += play(fold(played), ev.Resign(), Act(player(2), 2, act(2, 40).time)).records
    assert [moment.sentence for moment in of(played) if moment.kind == "resignation"] == ["Player 3 resigns."]


def test_a_game_that_is_voided_after_its_end_has_both_as_moments() -> None:
    played = solitaire()
    played += void(fold(played), "no good", act(None, 60)).records
    assert [(moment.kind, moment.sentence) for moment in of(played)[-2:]] == [
        ("ending", "The game is lost: given up."), ("ending", "The game is void: no good."),
    ]  # fmt: skip


def test_a_game_that_waits_has_no_moment_and_the_deal_is_where_the_cards_are_dealt() -> None:
    waiting = [record for record in duel() if record.step == 0]
    assert of(waiting) == ()
    found = of(duel())
    assert (found[0].step, found[0].kind) == (1, "deal")


MOVES = 12


def steps(delay: int, comings_and_goings: int = 0) -> list[tuple[AnyRecord, ...]]:
    """Spite & Malice: seat 1 is taken and left so often, then taken and both seed; both play, and seat 0 resigns."""
    step, records = opened(delay), list[AnyRecord]()
    for _ in range(comings_and_goings):
        records += step.records
        step = joined(step.game)
        records += step.records
        step = leave(step.game, ev.Leave(), act(1, 0))
    records += step.records
    step = joined(step.game)
    records += step.records
    records += wander(give_seed(step.game, ev.Seed("mine"), act(1, 0)), MOVES, 4)
    return [tuple(same) for _, same in groupby(records, key=lambda record: record.step)]


def opened(delay: int) -> Step:
    """Seat 0 is taken and has given a seed."""
    alone = (player(0), None)
    first = seated(GAME_TYPES["spite_and_malice"], players=alone, await_seeds=True, spectator_delay=delay)
    then = give_seed(first.game, ev.Seed("yours"), act(0, 0))
    return then._replace(records=(*first.records, *then.records))


def joined(game: Game) -> Step:
    return join(game, ev.Join(), act(1, 0)._replace(seat=None))


def games(told: list[tuple[AnyRecord, ...]]) -> list[Game]:
    """The game after each step."""
    return [fold(record for step in told[: last + 1] for record in step) for last in range(len(told))]


def dealt_in(told: list[tuple[AnyRecord, ...]]) -> int:
    return next(number for number, step in enumerate(told) if holds_deal(step))


def test_before_the_deal_a_spectator_is_told_everything_then_the_deal_then_what_is_three_steps_old() -> None:
    told = steps(3, comings_and_goings=2)
    assert dealt_in(told) == 7
    shown = [shown_step(game, dealt_in(told), None) for game in games(told)]
    assert shown[:7] == [0, 1, 2, 3, 4, 5, 6]
    assert shown[7:-1] == [7, 7, 7, *range(7, 7 + MOVES - 2)]


def test_a_void_game_is_told_whole_whether_it_was_dealt_or_not() -> None:
    for game in games(steps(200))[:-1]:
        after = void(game, "Nothing counts.", act(0, 90)).game
        assert (after.status, shown_step(after, 3, None)) == ("voided", game.step + 1)


@pytest.mark.parametrize("viewer", [0, 1, ALL_SEEING])
def test_nothing_is_held_back_from_a_seat(viewer: int) -> None:
    told = steps(3)
    assert [shown_step(game, dealt_in(told), viewer) for game in games(told)] == list(range(len(told)))


def test_without_a_delay_nothing_is_held_back_and_the_end_tells_the_rest() -> None:
    told = steps(0)
    assert [shown_step(game, dealt_in(told), None) for game in games(told)] == list(range(len(told)))
    told = steps(3)
    over = games(told)[-1]
    assert (over.status, shown_step(over, dealt_in(told), None)) == ("finished", len(told) - 1)


def test_what_a_spectator_knows_never_goes_back() -> None:
    for delay in (1, 2, 5, 200):
        told = steps(delay, comings_and_goings=1)
        shown = [shown_step(game, dealt_in(told), None) for game in games(told)]
        assert shown == sorted(shown)


def test_a_game_that_is_dealt_as_it_is_opened_counts_from_its_opening() -> None:
    game = seated(GAME_TYPES["spite_and_malice"], players=(player(0),) * 2, spectator_delay=2)
    assert holds_deal(game.records)
    assert shown_step(game.game, 0, None) == 0


def test_a_game_opened_before_there_were_delays_has_none() -> None:
    first = steps(0)[0][0]
    stored = msgspec.json.encode(first.event)
    assert b"spectator_delay" not in stored
    assert msgspec.json.decode(stored, type=ev.Opened) == first.event
