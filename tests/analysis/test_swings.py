"""What a move of a game of several was worth: a win that is not taken shows, and nothing hidden counts."""

from collections.abc import Iterator
from itertools import islice
from random import Random

import msgspec
import pytest

from domain.capabilities import Resample
from domain.games import GAME_TYPES
from domain.kit.evaluation import Evaluator
from domain.play.aggregate import Game, fold
from service.analysis.swings import Judge, Move, judge_moves, largest_swings, moves_of, report_swings
from service.house.engine import GreedyPlay
from tests.corpus.files import Records, stored
from tests.service.house.test_honesty import other_world

WORLDS = range(12)


def finished(key: str) -> tuple[Game, Records]:
    """The stored game of this type with a result that has the most moves, with its records."""
    ended = [(fold(records), records) for records in stored(GAME_TYPES[key])]
    return max([one for one in ended if one[0].result is not None], key=lambda one: len(moves_of(one[1])))


def missed_wins(key: str) -> Iterator[tuple[Game, Move]]:
    """Positions of stored games where the seat on turn could win at once, and another command said there instead."""
    for records in stored(GAME_TYPES[key]):
        game = fold(records)
        play = GreedyPlay(game.type, msgspec.to_builtins(game.options), Random(7))
        for move in moves_of(records):
            seat, liked = move.seat, play.rank(move.state, move.seat, width=50)
            after = [play.state_after(move.state, seat, command) for command in liked]
            passing = [said for said, state in zip(liked, after, strict=True) if play.mover(state) == 1 - seat]
            if passing and play.share(after[0], seat) == 1.0:
                yield game, move._replace(command=passing[-1])
                break


def test_a_win_that_is_not_taken_is_a_loss_beyond_luck() -> None:
    swings = [Judge(game).swing(move, WORLDS) for game, move in islice(missed_wins("spite_and_malice"), 6)]
    assert {swing.before for swing in swings} == {1.0}
    lost = [swing for swing in swings if swing.is_told_from_luck]  # of the others some would win a turn later, too
    assert len(lost) > len(swings) / 2, swings
    assert all(swing.after < 0.9 for swing in lost), lost


@pytest.mark.parametrize("key", [key for key, kind in GAME_TYPES.items() if kind.has(Evaluator) and kind.has(Resample)])
def test_nothing_that_the_mover_cannot_see_counts(key: str) -> None:
    game, records = finished(key)
    moves = moves_of(records)
    for number, move in enumerate(moves[:: len(moves) // 12]):
        other = move._replace(state=other_world(game.type, move.state, move.seat, number))
        assert Judge(game).swing(move, range(2)) == Judge(game).swing(other, range(2)), move.step


def test_the_largest_swings_of_a_game_are_no_luck_and_the_same_again() -> None:
    game, records = finished("screaming_yoda")
    moves = moves_of(records)[-12:]
    found = list(judge_moves(game, moves))
    assert [swing.step for swing in found[: len(moves)]] == [move.step for move in moves]
    assert found == list(judge_moves(game, moves))
    moments = largest_swings(found)
    assert moments
    assert all(swing.is_told_from_luck for swing in moments)
    assert [swing.size for swing in moments] == sorted((swing.size for swing in moments), reverse=True)
    assert report_swings(found).complete
    assert "The search was ended" in report_swings(found[:3], complete=False).sentences[2]
