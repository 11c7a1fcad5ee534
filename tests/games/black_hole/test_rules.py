"""What is special to the rules of Black Hole.

Positions are drawn with one line per pile, cards bottom to top: `0 9H 4C 5D`, `foundation 8S`. Cards that are not drawn
lie at the bottom of the foundation, so that the pack is whole.
"""

import pytest

from domain.chance import Chance
from domain.game_type import Result
from domain.games.black_hole import BESIDE, BLACK_HOLE, TABLEAU, Dealt, Move, Moved, Options, State
from domain.kit.cards import PACK, RANK
from service.solving import verdict
from tests.domain.played import refusal
from tests.games.rules import Rules, piles

RULES = Rules(BLACK_HOLE)
after, events, stuck = RULES.after, RULES.events, RULES.stuck
PLAIN = Options()

PUBLISHED = """
    KD JH JS  8H 4C 7D  7H TD 4H  JD 9S 5S  AH 3S 6H  9C 9D 8S  7S 2H 6S  AC JC QH  QD 4S TS
    6C QS QC  8D 3D KH  5H 5C 8C  4D KC TC  6D 3C 3H  2C KS TH  AD 5D 7C  9H 2S 2D
"""
"""Deal 26464608654870335080 from the test data of Shlomi Fish's black-hole-solitaire; it can be won."""

PUBLISHED_SOLUTION = (
    "16 13 16 13 2 3 13 15 11 16 14 3 5 5 12 0 9 14 7 7 8 0 9 10 7 14 "
    "10 8 15 6 1 4 11 1 4 6 15 12 4 0 8 3 2 5 10 6 1 2 9 11 12"
)
"""Printed beside the deal in the same test data."""

DEAL_6 = """
    2H TS 5D  JS QD 4D  5S KS 8C  5C 8D 3D  6H 8H TD  2C TC 2D  TH QS 4C  2S 4S 7H  JC 9D 6S
    QH KH 7D  3H 7S 9S  9H KD KC  7C JD 6D  QC 4H 9C  3C 8S 6C  AC 3S JH  AD 5H AH
"""
"""Deal 6 of PySolFC, from the test data of Games-Solitaire-Verify."""


def position(text, options=PLAIN):
    """The position that the text draws; piles without a line are empty."""
    drawn = {name: tuple(cards) for name, cards in piles(text).items()}
    rest = tuple(card for card in PACK if not any(card in pile for pile in drawn.values()))
    return State(options, tuple(drawn.get(str(place), ()) for place in range(17)), rest + drawn["foundation"])


def dealt(cards=PUBLISHED):
    """The position after these 51 cards are dealt around the ace of spades."""
    return RULES.deal(PLAIN, ("AS", *cards.split()))


def move(place):
    return Move(TABLEAU[place], "foundation")


def test_seventeen_piles_of_three_lie_around_the_start_card():
    state = dealt()
    assert state.foundation == ("AS",)
    assert [len(pile) for pile in state.piles] == [3] * 17
    assert (state.piles[0], state.piles[16]) == (("KD", "JH", "JS"), ("9H", "2S", "2D"))
    shuffled = Chance(bytes(32)).shuffle(tuple(card for card in PACK if card != "AS")).cards
    assert BLACK_HOLE.deal(PLAIN, Chance(bytes(32)), 1)[0].cards == shuffled


@pytest.mark.parametrize("start", ["KD", "7H", "AC"])
def test_another_card_may_lie_in_the_middle(start):
    state = RULES.deal(Options(start_card=start))
    assert state.foundation == (start,)
    assert sorted(card for pile in state.piles for card in pile) == sorted(set(PACK) - {start})


def test_a_given_deal_holds_the_start_card_anywhere():
    cards = tuple(PUBLISHED.split())
    for place in (0, 20, 51):
        given = (*cards[:place], "AS", *cards[place:])
        assert BLACK_HOLE.deal(PLAIN, Chance(bytes(32), given=given), 1)[0].cards == cards
    assert refusal(BLACK_HOLE.deal, PLAIN, Chance(bytes(32), given=cards), 1) == "given_deal"


def test_every_card_goes_on_four_kinds_of_two_ranks():
    assert all(len(BESIDE[card]) == 8 for card in PACK)
    assert {RANK[card] for card in BESIDE["AS"]} == {2, 13}
    assert {RANK[card] for card in BESIDE["7H"]} == {6, 8}


ANSWERS = {
    "on an ace a two and a king": ("foundation AS\n0 2H\n1 KD\n2 7C", {0: None, 1: None, 2: "adjacent_rank"}),
    "on a king a queen and an ace and no two": (
        "foundation KD\n0 QS\n1 AH\n2 2C", {0: None, 1: None, 2: "adjacent_rank"},
    ),
    "not on its own rank": ("foundation 8S\n0 8H\n1 9H", {0: "adjacent_rank", 1: None}),
    "the top card of a pile only": ("foundation 6S\n0 7H 9H\n1 5D", {0: "adjacent_rank", 2: "source_empty"}),
}  # fmt: skip


@pytest.mark.parametrize(("text", "answers"), ANSWERS.values(), ids=ANSWERS)
def test_a_command_is_legal_or_refused_by_its_rule(text, answers):
    assert {place: RULES.answer(position(text), move(place)) for place in answers} == answers


def test_the_direction_may_change_at_will():
    state = position("foundation 7S\n0 6S\n1 5S\n2 4S\n3 3S\n4 4H\n5 5H")
    assert after(state, *map(move, range(6))).foundation[-6:] == ("6S", "5S", "4S", "3S", "4H", "5H")


def test_a_card_that_is_uncovered_can_be_played_and_an_empty_pile_is_never_filled():
    state = after(position("foundation 6S\n0 9H 4C 5D\n1 3S\n2 TC"), move(0))
    assert RULES.answer(after(state, move(0)), move(1)) is None
    emptied = after(position("foundation 6S\n0 5D\n1 4S"), move(0))
    assert emptied.piles[0] == ()
    assert RULES.answer(emptied, move(0)) == "source_empty"


def test_nothing_that_fits_is_a_loss_or_with_undo_stuck():
    table = "foundation 8S\n0 8H\n1 AD\n2 JC"
    assert BLACK_HOLE.result(position(table, Options(undo=False))) == Result("lost", "no_moves", (), (49,))
    assert BLACK_HOLE.legal_commands(position(table), 0) == ()
    assert BLACK_HOLE.result(position(table)) is None
    assert stuck(position(table))
    assert BLACK_HOLE.look(position(table), 0).to_act == (0,)
    assert not any(stuck(position(f"{table}\n3 {last}")) for last in ("7H", "9C"))


def test_the_last_card_wins():
    state = position("foundation 8S\n4 9D")
    assert BLACK_HOLE.result(state) is None
    assert events(state, move(4)) == (Moved("9D", "tableau_4", "foundation"),)
    won = after(state, move(4))
    assert BLACK_HOLE.result(won) == Result("won", "all_home", (0,), (52,))
    assert not stuck(won)


def test_the_piles_lie_around_the_foundation_with_room_for_a_fan_of_three():
    places = [(zone.x, zone.y) for zone in RULES.zones(dealt()).values()]
    for number, (x, y) in enumerate(places):
        assert min(x, y) >= 0
        assert all(abs(x - other) >= 1.75 or abs(y - lower) >= 1 for other, lower in places[number + 1 :])


def test_what_happens_is_told():
    deal = Dealt("AS", tuple(PUBLISHED.split()))
    assert BLACK_HOLE.tell(BLACK_HOLE.initial(PLAIN, 1), deal, 0) == (
        "The ace of spades lies in the middle, and around it 17 piles of three cards are dealt face up."
    )
    assert RULES.sentences(dealt(), move(16)) == [
        "The player moves the two of diamonds from pile 17 to the foundation."
    ]
    assert RULES.facts(dealt()).score == 1


@pytest.mark.parametrize(
    ("deal", "counts"), [(PUBLISHED, [2, 3, 5, 15, 16, 34, 33, 46, 102]), (DEAL_6, [2, 3, 5, 3, 9, 16, 54, 115, 372])]
)
def test_the_positions_within_nine_moves_of_two_published_deals_are_counted(deal, counts):
    def key(state):
        return state.piles, state.foundation[-1][0]

    assert RULES.reached(dealt(deal), 9, key) == counts


def test_the_published_solution_wins():
    won = after(dealt(PUBLISHED), *[move(int(pile)) for pile in PUBLISHED_SOLUTION.split()])
    assert BLACK_HOLE.result(won).ending == "won"


@pytest.mark.parametrize(("number", "ending"), [(7, "won"), (17, "won"), *((n, "impossible") for n in (3, 9, 15, 23))])
def test_a_solver_wins_deals_or_finds_them_impossible(number, ending):
    deal = RULES.deal(seed=number.to_bytes(32, "big"))
    finding = verdict("black_hole", deal.options, deal, 2_000_000)
    assert finding.verdict == ending
    if ending == "won":
        assert BLACK_HOLE.result(after(deal, *finding.commands)).ending == "won"
