"""Taking back, through whole games of Spider at the table."""

from random import Random
from uuid import UUID

import pytest

from domain.game_type import Illegal
from domain.games.spider import SPIDER, Deal, Options
from domain.play.aggregate import fold
from domain.play.deciding import Act, legal_commands, play
from domain.play.events import Resign, Sealed, Undo
from domain.play.table import Opening, open_game

PLAYER = UUID(int=7)
ACT = Act(PLAYER, 0, 0)


def opened(options):
    opening = Opening(type=SPIDER, options=options, players=(PLAYER,))
    return open_game(UUID(int=1), opening, Sealed(bytes(32), bytes(32)), ACT)


def walk(game, choose, moves):
    """The games before each of so many random moves and the last one, and the records."""
    games, records = [game], []
    for _ in range(moves):
        step = play(games[-1], choose.choice(SPIDER.legal_commands(games[-1].state, 0)), ACT)
        games.append(step.game)
        records += step.records
    return games, records


def test_undo_restores_every_position_back_to_the_deal():
    start = opened(Options(suits=1))
    games, records = walk(start.game, Random(4), 40)
    game = games[-1]
    for earlier in reversed(games[:-1]):
        step = play(game, Undo(), ACT)
        game, records = step.game, records + list(step.records)
        assert game.state == earlier.state
    assert (game.undos, game.moves) == (40, 40)
    assert fold([*start.records, *records]).state == start.game.state


def test_a_dealt_row_can_be_taken_back():
    start = opened(Options()).game
    assert play(play(start, Deal(), ACT).game, Undo(), ACT).game.state == start.state


def test_a_game_opened_without_undo_refuses_it_and_does_not_list_it():
    games, _ = walk(opened(Options(undo=False)).game, Random(4), 1)
    assert Undo() not in legal_commands(games[-1], 0)
    with pytest.raises(Illegal) as refusal:
        play(games[-1], Undo(), ACT)
    assert refusal.value.rule == "undo_not_offered"


def test_resigning_loses():
    game = play(opened(Options()).game, Resign(), ACT).game
    assert (game.result.ending, game.result.reason) == ("lost", "resigned")
