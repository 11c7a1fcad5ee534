"""Taking back, through whole games of Canfield at the table."""

from random import Random
from uuid import UUID

import pytest

from domain.game_type import Illegal
from domain.games.canfield import CANFIELD
from domain.games.canfield import Options2 as Options
from domain.play.aggregate import fold
from domain.play.deciding import Act, legal_commands, play
from domain.play.events import Resign, Sealed, Undo
from domain.play.table import Opening, open_game

PLAYER = UUID(int=7)
ACT = Act(PLAYER, 0, 0)


def opened(options):
    opening = Opening(type=CANFIELD, options=options, players=(PLAYER,))
    return open_game(UUID(int=1), opening, Sealed(bytes(32), bytes(32)), ACT)


def walk(game, choose, moves):
    """The games before each of so many random moves and the last one, and the records."""
    games, records = [game], []
    for _ in range(moves):
        step = play(games[-1], choose.choice(CANFIELD.legal_commands(games[-1].state, 0)), ACT)
        games.append(step.game)
        records += step.records
    return games, records


def test_undo_restores_every_position_back_to_the_deal_fills_and_all():
    start = opened(Options())
    games, records = walk(start.game, Random(4), 40)
    assert len(games[-1].state.reserve) < 13
    game = games[-1]
    for earlier in reversed(games[:-1]):
        step = play(game, Undo(), ACT)
        game, records = step.game, records + list(step.records)
        assert game.state == earlier.state
    assert (game.undos, game.moves) == (40, 40)
    assert fold([*start.records, *records]).state == start.game.state


def test_a_game_opened_without_undo_refuses_it_and_does_not_list_it():
    games, _ = walk(opened(Options(undo=False)).game, Random(4), 1)
    assert Undo() not in legal_commands(games[-1], 0)
    with pytest.raises(Illegal) as refusal:
        play(games[-1], Undo(), ACT)
    assert refusal.value.rule == "undo_not_offered"


def played_out(options):
    """One pass, the stock drawn to its end and then whatever is legal, until nothing is."""
    game = opened(options).game
    for _ in range(200):
        listed = CANFIELD.legal_commands(game.state, 0) if game.status == "playing" else ()
        if not listed:
            break
        game = play(game, listed[-1], ACT).game
    return game


def test_without_undo_a_dead_game_is_lost_at_once():
    game = played_out(Options(passes=1, undo=False, whole_column_only=True))
    assert game.status == "finished"
    assert (game.result.ending, game.result.reason) == ("lost", "no_moves")


def test_with_undo_it_stays_open_for_taking_back_or_resigning_only():
    game = played_out(Options(passes=1, whole_column_only=True))
    assert game.status == "playing"
    assert CANFIELD.look(game.state, 0).stuck
    assert legal_commands(game, 0) == (Undo(), Resign())
    assert play(game, Resign(), ACT).game.result.reason == "resigned"
