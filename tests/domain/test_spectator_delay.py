"""What a spectator may know of a game with a delay, step by step."""

from itertools import groupby

import msgspec
import pytest

from domain.games import GAME_TYPES
from domain.play import events as ev
from domain.play.aggregate import AnyRecord, Game, fold
from domain.play.deciding import Step
from domain.play.endings import void
from domain.play.frames import holds_deal, shown_step
from domain.play.table import Opening, give_seed, join, leave, open_game
from domain.view import ALL_SEEING

from .played import SECRET, act, player, wander

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
    found = GAME_TYPES["spite_and_malice"]
    players = (player(0), None)
    opening = Opening(type=found, options=found.options(), players=players, await_seeds=True, spectator_delay=delay)
    first = open_game(player(7), opening, SECRET, act(0, 0))
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


def test_the_end_tells_the_rest() -> None:
    told = steps(3)
    over = games(told)[-1]
    assert (over.status, shown_step(over, dealt_in(told), None)) == ("finished", len(told) - 1)


def test_a_void_game_is_told_whole_whether_it_was_dealt_or_not() -> None:
    for game in games(steps(200))[:-1]:
        after = void(game, "Nothing counts.", act(0, 90)).game
        assert (after.status, shown_step(after, 3, None)) == ("voided", game.step + 1)


@pytest.mark.parametrize("viewer", [0, 1, ALL_SEEING])
def test_nothing_is_held_back_from_a_seat(viewer: int) -> None:
    told = steps(3)
    assert [shown_step(game, dealt_in(told), viewer) for game in games(told)] == list(range(len(told)))


def test_without_a_delay_nothing_is_held_back() -> None:
    told = steps(0)
    assert [shown_step(game, dealt_in(told), None) for game in games(told)] == list(range(len(told)))


def test_what_a_spectator_knows_never_goes_back() -> None:
    for delay in (1, 2, 5, 200):
        told = steps(delay, comings_and_goings=1)
        shown = [shown_step(game, dealt_in(told), None) for game in games(told)]
        assert shown == sorted(shown)


def test_a_game_that_is_dealt_as_it_is_opened_counts_from_its_opening() -> None:
    found = GAME_TYPES["spite_and_malice"]
    opening = Opening(type=found, options=found.options(), players=(player(0),) * 2, spectator_delay=2)
    game = open_game(player(7), opening, SECRET, act(0, 0))
    assert holds_deal(game.records)
    assert shown_step(game.game, 0, None) == 0


def test_a_game_opened_before_there_were_delays_has_none() -> None:
    first = steps(0)[0][0]
    stored = msgspec.json.encode(first.event)
    assert b"spectator_delay" not in stored
    assert msgspec.json.decode(stored, type=ev.Opened) == first.event
