"""Options, refusals, endings and stuck positions of Golf."""

from uuid import UUID

import msgspec
import pytest

from domain.capabilities import LowestScore, OptionRules, Undoing
from domain.game_type import Illegal, Result
from domain.games.golf import GOLF, Draw, Options
from domain.play.deciding import Act, legal_commands, play
from domain.play.events import Resign, Sealed, Undo
from domain.play.table import Opening, open_game

from .positions import PLAIN, after, dealt, legal, position, rule_against, stuck
from .positions import play as played


def test_the_defaults_are_the_strict_rules_with_undo():
    assert Options() == Options(False, False, False, False, True)


def test_wrapping_brings_queens_on_kings_with_it():
    assert GOLF.get(OptionRules).settle(Options(wrap=True), 1) == Options(wrap=True, queens_on_kings=True)
    assert GOLF.get(OptionRules).settle(PLAIN, 1) == PLAIN


def test_with_wrapping_a_king_goes_on_an_ace():
    assert not legal(position("discard AS\n0 KD"), played(0))
    assert legal(position("discard AS\n0 KD", Options(wrap=True)), played(0))


@pytest.mark.parametrize(("negative", "score"), [(False, 0), (True, -2)])
def test_a_won_game_may_count_the_stock_below_zero(negative, score):
    won = after(position("discard 8S\n3 9H\nstock 2S 3S", Options(negative_score=negative)), played(3))
    assert GOLF.result(won).scores == (score,)
    assert GOLF.look(won, 0).facts.score == score


def test_cards_left_in_the_columns_count_above_zero_even_then():
    state = position("discard 8S\n0 2H 5H\nstock 3S", Options(negative_score=True))
    assert GOLF.look(state, 0).facts.score == 2


@pytest.mark.parametrize("undo", [True, False])
def test_undo_is_offered_as_the_option_says(undo):
    assert GOLF.get(Undoing).allowed(Options(undo=undo)) is undo


def test_the_fewer_points_the_better():
    assert GOLF.has(LowestScore)


@pytest.mark.parametrize("wrong", [{"wrap": 1}, {"passes": 2}])
def test_other_options_cannot_be_read(wrong):
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(wrong, Options)


def test_refusals_name_their_rule():
    state = position("discard KS\n0 9H\n1 QD")
    assert rule_against(state, Draw()) == "stock_empty"
    assert rule_against(state, played(2)) == "source_empty"
    assert rule_against(state, played(1)) == "nothing_on_a_king"
    assert rule_against(position("discard KS\n0 9H", Options(queens_on_kings=True)), played(0)) == "adjacent_rank"


def test_no_other_seat_may_play():
    assert GOLF.legal_commands(dealt(), 1) == ()
    with pytest.raises(Illegal, match="its one player"):
        GOLF.decide(dealt(), 1, Draw())


def test_with_undo_a_lost_game_stays_open_and_is_told_as_stuck():
    state = position("discard 8S\n0 2H 5H\n1 KD 8H")
    assert GOLF.result(state) is None
    assert stuck(state)
    assert GOLF.legal_commands(state, 0) == ()


def test_one_play_is_enough_not_to_be_stuck():
    assert not stuck(position("discard 8S\n0 2H 5H\n1 KD 7H"))


def test_a_stock_on_which_nothing_could_be_played_is_told_as_stuck_although_it_can_be_drawn():
    state = position("discard 8S\nstock 5S KC 2D\n0 9H 5H\n1 QD")
    assert legal(state, Draw())
    assert stuck(state)
    assert GOLF.result(position("discard 8S\nstock 5S KC 2D\n0 9H 5H\n1 QD", Options(undo=False))) is None


@pytest.mark.parametrize("useful", ["4C", "6C", "JC", "KC"])
def test_one_useful_card_anywhere_in_the_stock_keeps_it_from_being_told(useful):
    options = Options(queens_on_kings=True)
    assert not stuck(position(f"discard 8S\nstock {useful} 5S 2D\n0 9H 5H\n1 QD", options))
    assert not stuck(position(f"discard 8S\nstock 5S 2D {useful}\n0 9H 5H\n1 QD", options))


def test_a_king_in_the_stock_is_no_use_to_a_queen():
    assert stuck(position("discard 8S\nstock KC\n1 QD"))


def test_neither_a_won_game_nor_a_table_before_the_deal_is_stuck_or_lost():
    assert not stuck(after(position("discard 8S\n4 9D"), played(4)))
    start = GOLF.initial(Options(undo=False), 1)
    assert not stuck(start)
    assert GOLF.result(start) is None
    assert GOLF.legal_commands(start, 0) == ()


ACT = Act(UUID(int=7), 0, 0)


def opened(options):
    opening = Opening(type=GOLF, options=GOLF.get(OptionRules).settle(options, 1), players=(UUID(int=7),))
    return open_game(UUID(int=1), opening, Sealed(bytes(32), bytes(32), None), ACT).game


def test_whoever_gives_up_scores_the_cards_left():
    game = opened(Options())
    drawn = play(game, Draw(), ACT).game
    ended = play(drawn, Resign(), ACT).game
    assert ended.result == Result("lost", "resigned", (), (35,))
    assert GOLF.legal_commands(ended.state, 0) == ()
    assert not GOLF.look(ended.state, 0).stuck


def test_a_draw_can_be_taken_back():
    game = opened(Options())
    assert play(play(game, Draw(), ACT).game, Undo(), ACT).game.state == game.state


def test_without_undo_a_game_ends_by_itself():
    game = opened(Options(undo=False))
    while game.status == "playing":
        game = play(game, legal_commands(game, 0)[0], ACT).game
    assert game.result.reason == "no_moves"
    assert game.result.scores == (sum(map(len, game.state.columns)),)
