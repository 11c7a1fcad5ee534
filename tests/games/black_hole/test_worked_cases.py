"""Black Hole as it is commonly told, case by case."""

from domain.chance import Chance
from domain.game_type import Result
from domain.games.black_hole import BLACK_HOLE, Moved, Options
from domain.kit.cards import PACK

from .deals import PUBLISHED, dealt
from .positions import after, events, from_pile, legal, position, rule_against


def test_51_cards_lie_in_17_piles_of_three_around_the_ace_of_spades():
    state = dealt()
    assert state.foundation == ("AS",)
    assert [len(pile) for pile in state.piles] == [3] * 17
    assert state.piles[0] == ("KD", "JH", "JS")
    assert state.piles[16] == ("9H", "2S", "2D")


def test_the_start_card_is_laid_down_before_the_others_are_shuffled():
    dealt_cards = BLACK_HOLE.deal(Options(), Chance(bytes(32)), 1)[0].cards
    assert dealt_cards == Chance(bytes(32)).shuffle(tuple(card for card in PACK if card != "AS")).cards


def test_in_a_given_deal_the_start_card_may_stand_anywhere_and_is_left_out_of_the_piles():
    cards = tuple(PUBLISHED.split())
    for place in (0, 20, 51):
        given = (*cards[:place], "AS", *cards[place:])
        assert BLACK_HOLE.deal(Options(), Chance(bytes(32), given=given), 1)[0].cards == cards


def test_on_an_ace_go_a_two_and_a_king():
    state = position("""
        foundation AS
        0 2H
        1 KD
        2 7C""")
    assert legal(state, from_pile(0))
    assert legal(state, from_pile(1))
    assert rule_against(state, from_pile(2)) == "adjacent_rank"


def test_on_a_king_go_a_queen_and_an_ace_and_no_two():
    state = position("""
        foundation KD
        0 QS
        1 AH
        2 2C""")
    assert legal(state, from_pile(0))
    assert legal(state, from_pile(1))
    assert not legal(state, from_pile(2))


def test_the_direction_may_change_at_will():
    state = position("""
        foundation 7S
        0 6S
        1 5S
        2 4S
        3 3S
        4 4H
        5 5H""")
    assert after(state, *map(from_pile, range(6))).foundation[-6:] == ("6S", "5S", "4S", "3S", "4H", "5H")


def test_a_card_that_is_uncovered_can_be_played_and_an_empty_pile_is_never_filled():
    state = after(position("foundation 6S\n0 9H 4C 5D\n1 3S\n2 TC"), from_pile(0))
    assert legal(state, from_pile(0))
    assert legal(after(state, from_pile(0)), from_pile(1))
    emptied = after(position("foundation 6S\n0 5D\n1 4S"), from_pile(0))
    assert emptied.piles[0] == ()
    assert rule_against(emptied, from_pile(0)) == "source_empty"


def test_nothing_that_fits_is_a_loss():
    table = "foundation 8S\n0 8H\n1 AD\n2 JC"
    assert BLACK_HOLE.legal_commands(position(table), 0) == ()
    assert BLACK_HOLE.result(position(table, Options(undo=False))) == Result("lost", "no_moves", (), (49,))


def test_the_last_card_wins():
    state = position("foundation 8S\n4 9D")
    assert BLACK_HOLE.result(state) is None
    assert events(state, from_pile(4)) == (Moved("9D", "tableau_4", "foundation"),)
    won = after(state, from_pile(4))
    assert BLACK_HOLE.result(won) == Result("won", "all_home", (0,), (52,))
    assert BLACK_HOLE.legal_commands(won, 0) == ()


def test_a_card_does_not_go_on_its_own_rank():
    assert rule_against(position("foundation 8S\n0 8H\n1 9H"), from_pile(0)) == "adjacent_rank"
