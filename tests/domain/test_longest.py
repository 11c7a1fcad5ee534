"""Games have a greatest length: with its step they end, each by a rule of its own that verifies."""

from collections.abc import Callable, Iterator
from random import Random

import pytest
from msgspec import Struct
from msgspec.structs import replace

from domain.capabilities import StepLimit
from domain.games import GAME_TYPES, AnyGameType
from domain.play import events as ev
from domain.play.aggregate import AnyRecord, Game, Past, fold
from domain.play.deciding import Act, Step, check_length, legal_commands, play
from domain.play.endings import abandon
from domain.play.fork import Fork, fork
from domain.play.table import MOST_STEPS, invite, join, leave
from domain.play.verify import verify
from tests.laws.registry import registered

from .played import act, opened, player, refusal, seated

MOST = 12


@pytest.fixture(params=["klondike", "freecell", "spite_and_malice", "screaming_yoda"])
def short(request: pytest.FixtureRequest) -> Iterator[AnyGameType]:
    """A game type whose games have 12 steps at the most."""
    found = GAME_TYPES[request.param].with_capabilities(StepLimit(MOST))
    with registered(found):
        yield found


def test_what_undo_restores_is_freed_without_recursion() -> None:
    past = None
    for number in range(400_000):
        past = Past(ev.Undo(), number, number, past)
    del past  # recursion would end the process


def step_by_step(step: Step, choose: Callable[[Game, Random], tuple[int, Struct]]) -> list[AnyRecord]:
    """The records of the game played on so to its end."""
    records, game, random = list(step.records), step.game, Random(5)
    for number in range(1, 2 * MOST):
        if game.status != "playing":
            break
        seat, command = choose(game, random)
        said = play(game, command, act(seat, number))
        records, game = records + list(said.records), said.game
    return records


def anything(game: Game, random: Random) -> tuple[int, Struct]:
    """A listed command but a resignation, an undo where there is one."""
    listed = [(seat, command) for seat in range(len(game.players)) for command in legal_commands(game, seat)]
    undos = [one for one in listed if isinstance(one[1], ev.Undo)]
    return random.choice(undos or [one for one in listed if not isinstance(one[1], ev.Resign)])


def test_a_game_ends_with_its_greatest_step_and_verifies(short: AnyGameType) -> None:
    records = step_by_step(seated(short), anything)
    game = fold(records)
    assert (game.step, game.status, game.revealed) == (MOST, "finished", True)
    assert game.result is not None
    alone = len(game.players) == 1
    assert (game.result.ending, game.result.reason) == ("lost" if alone else "abandoned", "too_long")
    assert game.result.winners == ()
    assert verify(records) == []


def test_agreeing_to_leave_and_going_on_is_no_way_round_it() -> None:
    found = GAME_TYPES["spite_and_malice"].with_capabilities(StepLimit(MOST))
    with registered(found):
        step = seated(found)
        records, game, random = list(step.records), step.game, Random(5)
        while game.status == "playing":
            seat, command = anything(game, random)
            agreed = abandon(game, ev.Abandon(), act(seat, 1))
            records, game = records + list(agreed.records), agreed.game
            if game.status == "playing":
                said = play(game, command, act(seat, 1))
                records, game = records + list(said.records), said.game
        assert (game.step, game.result and game.result.reason) == (MOST, "too_long")
        assert verify(records) == []


def test_what_is_recorded_behind_the_last_step_is_a_fault(short: AnyGameType) -> None:
    longer = short.with_capabilities(StepLimit(MOST + 5))
    with registered(longer):
        records = step_by_step(seated(longer), anything)
    with registered(short):
        assert verify(records)[0].step == MOST


def test_a_game_opened_before_goes_no_further_but_can_be_given_up_and_verifies(short: AnyGameType) -> None:
    long = short.with_capabilities(StepLimit(10_000))
    with registered(long):
        step = seated(long)
    old = replace(step.records[0].event, conventions=2)
    with registered(short):
        game = replace(step.game, type=short, opening=old)
        for number in range(1, MOST + 3):
            seat, command = anything(replace(game, step=0), Random(number))
            game = play(game, command, act(seat, number)).game
        assert (game.status, game.step) == ("playing", MOST + 2), "whoever verifies it decides as it was decided then"
        assert refusal(check_length, game, anything(replace(game, step=0), Random(1))[1]) == "too_long"
        check_length(game, ev.Resign())
        assert {type(command) for command in legal_commands(game, 0)} == {ev.Resign}


def test_a_fork_is_no_longer_than_any_game() -> None:
    long = GAME_TYPES["klondike"]
    step = seated(long)
    records = step_by_step(step, anything)
    records += play(fold(records), ev.Resign(), act(0, 99)).records
    with registered(long.with_capabilities(StepLimit(MOST))):
        wanted = Fork(step=MOST - 1, digest_key=bytes(32))
        assert fork(records, wanted, player(8), Act(player(9), None, 0)).game.status == "playing"
        later = replace(wanted, step=MOST)
        assert refusal(fork, records, later, player(8), Act(player(9), None, 0)) == "too_long"


def test_seats_cannot_be_taken_and_offered_for_ever_but_what_was_taken_can_be_left() -> None:
    game = replace(opened("spite_and_malice", 2).game, step=MOST_STEPS)
    assert refusal(join, game, ev.Join(), act(1, 0)._replace(seat=None)) == "too_long"
    assert refusal(invite, game, ev.Invite(player(1)), act(0, 0)) == "too_long"
    assert leave(game, ev.Leave(), act(0, 0)).game.players == (None, None)


@pytest.mark.parametrize("key", GAME_TYPES)
def test_the_greatest_length_is_far_beyond_any_honest_game(key: str) -> None:
    assert GAME_TYPES[key].get(StepLimit).most >= 5_000
