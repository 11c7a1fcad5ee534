"""A seat that has resigned at a table of three or more is out, and the others play on."""

from uuid import UUID

import pytest

from domain.game_type import Illegal
from domain.games import GAME_TYPES
from domain.play import events as ev
from domain.play.deciding import Act, legal_commands, play
from domain.play.table import Opening, open_game

COMPANY = [key for key, found in GAME_TYPES.items() if found.seats[-1] > 2]


@pytest.mark.parametrize("key", COMPANY)
def test_it_is_offered_nothing_and_says_nothing_and_the_last_one_left_wins(key: str) -> None:
    players = tuple(UUID(int=number) for number in (1, 2, 3))
    found = GAME_TYPES[key]
    opening = Opening(type=found, options=found.options(), players=players)
    game = open_game(UUID(int=9), opening, ev.Sealed(bytes(32), bytes(32)), Act(players[0], None, 1)).game
    game = play(game, ev.Resign(), Act(players[1], 1, 2)).game
    assert game.status == "playing"
    assert legal_commands(game, 1) == ()
    with pytest.raises(Illegal) as refused:
        play(game, ev.Resign(), Act(players[1], 1, 3))
    assert refused.value.rule == "seat_is_out"
    game = play(game, ev.Resign(), Act(players[0], 0, 4)).game
    assert game.status == "finished"
    assert game.result is not None
    assert game.result.winners == (2,)
