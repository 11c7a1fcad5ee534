"""Resigning at a table of three or more."""

from collections.abc import Sequence
from uuid import UUID

from domain.capabilities import OptionRules, Resignation
from domain.game_type import Result
from domain.games.screaming_yoda import SCREAMING_YODA as GAME
from domain.games.screaming_yoda import events as ev
from domain.games.screaming_yoda.events import Call, PickUp, Play, Shout
from domain.games.screaming_yoda.state import State
from domain.play.aggregate import Game
from domain.play.deciding import Act, legal_commands, play
from domain.play.events import Resign, Sealed
from domain.play.table import Opening, open_game

from .positions import After, folded, held, position, rule, say

TABLE = """
    pile: 6S 8S
    removed: TS
    hand_0: 9S JS
    up_0: KS
    down_0: 3S 4S
    hand_1: JH
    hand_2: QH QD
    hand_3: KH KD
"""


def resign(state: State, seat: int) -> After:
    """What follows when a seat resigns."""
    assert GAME.has(Resignation)
    events: Sequence[ev.Event] = GAME.get(Resignation).events(state, seat)
    return After(tuple(events), folded(state, events))


def test_who_resigns_on_turn_leaves_the_pile_as_it_lies_to_the_next_seat() -> None:
    after = resign(position(TABLE), 0)
    assert after.events == (ev.Withdrawn(0), ev.TurnStarted(1))
    assert after.state.pile == ("6S", "8S")
    assert GAME.result(after.state) is None


def test_what_a_resigned_seat_held_stays_hidden_and_out_of_play() -> None:
    before = position(TABLE)
    after = resign(before, 0).state
    assert held(after) == held(before)
    assert (after.removed, after.pile) == (before.removed, before.pile)
    for viewer in (1, None):
        shown = {zone.id: zone for zone in GAME.look(after, viewer).zones}
        assert shown["hand_0"].cards == ("#", "#")
        assert (shown["column_0_0"].face_down, shown["column_0_0"].cards) == (1, ("KS",))
        assert (shown["column_0_1"].face_down, shown["column_0_1"].cards) == (1, ())


def test_who_resigns_out_of_turn_changes_nobodys_turn() -> None:
    after = resign(position(TABLE, turn=2), 1)
    assert after.events == (ev.Withdrawn(1),)
    assert after.state.turn == 2


def test_turns_pass_a_resigned_seat_by() -> None:
    state = resign(position(TABLE), 1).state
    assert say(state, PickUp()).events[-1] == ev.TurnStarted(2)


def test_a_resigned_seat_can_say_nothing_and_cannot_be_called() -> None:
    state = resign(position(TABLE, exposed=(1,)), 1).state
    assert (state.exposed, GAME.legal_commands(state, 1)) == ((), ())
    assert [rule(state, said, 1) for said in (Shout(), Play(("JH",)), Call(0))] == ["out_of_game"] * 3
    assert rule(state, Call(1), 2) == "not_in_play"


def test_the_lost_turn_of_a_resigned_seat_is_forgotten() -> None:
    state = resign(position(TABLE, skips=(1,)), 1).state
    assert state.skips == ()
    assert say(state, PickUp()).kinds() == ["PickedUp", "TurnStarted"]


def test_the_last_seat_left_wins() -> None:
    state = position(TABLE)
    for seat in (0, 2):
        state = resign(state, seat).state
        assert GAME.result(state) is None
    last = resign(state, 3)
    assert last.events == (ev.Withdrawn(3),)
    assert GAME.result(last.state) == Result("won", "resigned", (1,))


def test_a_seat_resigns_once() -> None:
    state = resign(position(TABLE), 0).state
    assert resign(state, 0).events == ()
    ended = position(TABLE, resigned=(0, 1, 2))
    assert resign(ended, 3).events == ()


def test_who_resigns_while_cards_are_exchanged_counts_as_ready() -> None:
    state = position(TABLE, swap_phase=True, swapping=(0, 3))
    assert resign(state, 0).events == (ev.Withdrawn(0),)
    last = resign(resign(state, 3).state, 0)
    assert last.events == (ev.Withdrawn(0), ev.TurnStarted(1))


def test_for_places_who_resigned_first_comes_last() -> None:
    state = position(TABLE, play_for_places=True, out=(2,))
    state = resign(state, 3).state
    assert GAME.result(state) is None
    assert GAME.result(resign(state, 0).state) == Result("won", "last_card", (2,), (1, 2, 3, 0))
    assert resign(state, 2).events == ()


def opened(seats: int) -> Game:
    """A game at a table where every seat is taken."""
    players = tuple(UUID(int=seat + 1) for seat in range(seats))
    opening = Opening(type=GAME, options=GAME.get(OptionRules).settle(GAME.options(), seats), players=players)
    return open_game(UUID(int=99), opening, Sealed(bytes(32), bytes(32)), Act(players[0], 0, 1)).game


def gives_up(game: Game, seat: int) -> Game:
    return play(game, Resign(), Act(game.players[seat], seat, 2)).game


def test_the_game_goes_on_after_a_resignation_and_is_finished_when_one_seat_is_left() -> None:
    game = gives_up(opened(3), 1)
    assert (game.status, game.result) == ("playing", None)
    assert [command for command in legal_commands(game, 1) if not isinstance(command, Resign)] == []
    game = gives_up(game, 2)
    assert (game.status, game.result) == ("finished", Result("won", "resigned", (0,)))
