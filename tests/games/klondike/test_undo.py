"""Taking back, through a whole game at the table."""

from random import Random
from uuid import UUID

import pytest

from domain.game_type import Illegal
from domain.games.klondike import KLONDIKE
from domain.games.klondike import Options2 as Options
from domain.kit.cards import PACK
from domain.play.aggregate import Game, fold
from domain.play.deciding import Act, legal_commands, play
from domain.play.events import Resign, Sealed, Undo
from domain.play.table import Opening, open_game

PLAYER = UUID(int=7)
ACT = Act(PLAYER, 0, 0)


def opened(options, given=None):
    opening = Opening(type=KLONDIKE, options=options, players=(PLAYER,))
    return open_game(UUID(int=1), opening, Sealed(bytes(32), bytes(32), given), ACT)


def walk(game: Game, choose: Random, moves: int):
    """The games before each of so many random moves, the last one, and the records."""
    games, records = [game], []
    for _ in range(moves):
        step = play(games[-1], choose.choice(KLONDIKE.legal_commands(games[-1].state, 0)), ACT)
        games.append(step.game)
        records += step.records
    return games, records


def test_undo_restores_every_position_back_to_the_deal():
    start = opened(Options())
    games, records = walk(start.game, Random(4), 40)
    game = games[-1]
    for earlier in reversed(games[:-1]):
        step = play(game, Undo(), ACT)
        game, records = step.game, records + list(step.records)
        assert game.state == earlier.state
        assert KLONDIKE.look(game.state, 0) == KLONDIKE.look(earlier.state, 0)
    assert (game.undos, game.moves) == (40, 40)
    assert fold([*start.records, *records]).state == start.game.state


def test_nothing_before_the_first_move_can_be_taken_back():
    with pytest.raises(Illegal) as refusal:
        play(opened(Options()).game, Undo(), ACT)
    assert refusal.value.rule == "nothing_to_undo"


def test_a_game_opened_without_undo_refuses_it_and_does_not_list_it():
    games, _ = walk(opened(Options(undo=False)).game, Random(4), 1)
    assert Undo() not in legal_commands(games[-1], 0)
    with pytest.raises(Illegal) as refusal:
        play(games[-1], Undo(), ACT)
    assert refusal.value.rule == "undo_not_offered"


ONE_PASS = {"passes": 1, "end_on_last_pass": True}


def played_out(options):
    """One pass, every card drawn and none played: the last, a king, has no place."""
    given = tuple(card for card in PACK if card != "KD")
    game = opened(Options(**options), (*given, "KD")).game
    while game.status == "playing" and game.state.stock:
        game = play(game, KLONDIKE.legal_commands(game.state, 0)[-1], ACT).game
    return game


def test_without_undo_the_end_of_the_last_pass_finishes_the_game():
    game = played_out({**ONE_PASS, "undo": False})
    assert game.status == "finished"
    assert (game.result.ending, game.result.reason) == ("lost", "last_pass")
    assert legal_commands(game, 0) == ()


def test_with_undo_it_stays_open_for_taking_back_or_resigning_only():
    game = played_out(ONE_PASS)
    assert game.status == "playing"
    assert KLONDIKE.look(game.state, 0).stuck
    assert legal_commands(game, 0) == (Undo(), Resign())
    assert play(game, Undo(), ACT).game.state.stock
    assert play(game, Resign(), ACT).game.result.reason == "resigned"
