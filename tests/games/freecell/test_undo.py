"""Taking back, through a whole game at the table."""

from random import Random
from uuid import UUID

import pytest

from domain.game_type import Illegal
from domain.games.freecell import FREECELL, Options, Standard
from domain.play.aggregate import Game, fold
from domain.play.deciding import Act, legal_commands, play
from domain.play.events import Resign, Sealed, Undo
from domain.play.table import Opening, open_game

PLAYER = UUID(int=7)
ACT = Act(PLAYER, 0, 0)


def opened(options, given=None):
    opening = Opening(type=FREECELL, options=options, players=(PLAYER,))
    return open_game(UUID(int=1), opening, Sealed(bytes(32), bytes(32), given), ACT)


def walk(game: Game, choose: Random, moves: int):
    """The games before each of so many random moves, the last one, and the records."""
    games, records = [game], []
    for _ in range(moves):
        step = play(games[-1], choose.choice(FREECELL.legal_commands(games[-1].state, 0)), ACT)
        games.append(step.game)
        records += step.records
    return games, records


def test_undo_restores_every_position_back_to_the_deal():
    start = opened(Options())
    games, records = walk(start.game, Random(5), 40)
    game = games[-1]
    for earlier in reversed(games[:-1]):
        step = play(game, Undo(), ACT)
        game, records = step.game, records + list(step.records)
        assert game.state == earlier.state
        assert FREECELL.look(game.state, 0) == FREECELL.look(earlier.state, 0)
    assert (game.undos, game.moves) == (40, 40)
    assert fold([*start.records, *records]).state == start.game.state


def test_nothing_before_the_first_move_can_be_taken_back():
    with pytest.raises(Illegal) as refusal:
        play(opened(Options()).game, Undo(), ACT)
    assert refusal.value.rule == "nothing_to_undo"


def test_a_game_opened_without_undo_refuses_it_and_does_not_list_it():
    games, _ = walk(opened(Options(undo=False)).game, Random(5), 1)
    assert Undo() not in legal_commands(games[-1], 0)
    with pytest.raises(Illegal) as refusal:
        play(games[-1], Undo(), ACT)
    assert refusal.value.rule == "undo_not_offered"


def played_out(options):
    """Random moves until no card can move."""
    game, choose = opened(options).game, Random(1)
    while game.status == "playing" and FREECELL.legal_commands(game.state, 0):
        game = play(game, choose.choice(FREECELL.legal_commands(game.state, 0)), ACT).game
    return game


def test_without_undo_a_game_without_a_move_is_finished():
    game = played_out(Options(undo=False))
    assert game.status == "finished"
    assert (game.result.ending, game.result.reason) == ("lost", "no_moves")


def test_with_undo_it_stays_open_for_taking_back_or_resigning_only():
    game = played_out(Options())
    assert game.status == "playing"
    assert FREECELL.look(game.state, 0).stuck
    assert legal_commands(game, 0) == (Undo(), Resign())
    assert FREECELL.legal_commands(play(game, Undo(), ACT).game.state, 0)
    assert play(game, Resign(), ACT).game.result.reason == "resigned"


def test_a_step_in_standard_notation_is_taken_back_like_any_other():
    game = opened(Options()).game
    moved = play(game, Standard("1a"), ACT).game
    assert moved.state.cells[0] is not None
    assert play(moved, Undo(), ACT).game.state == game.state
