"""What is special to the rules of Canfield.

Positions are drawn with one line per pile, cards bottom to top: `base 3` (the rank that begins a foundation; an ace
without that line), `home 5H` for the top cards of the foundations, `reserve # (9C) 5H` (only 5H is seen), `0 9H 8S` (a
column), `stock 2S 3S` (3S is next), `waste QD`. `#` is any card that is not drawn; `(9C)` cannot be seen.
"""

from itertools import pairwise
from typing import Any

import pytest

from domain.chance import Chance
from domain.game_type import Result
from domain.games.canfield import (
    ACCEPTS,
    CANFIELD,
    COLUMNS,
    Draw,
    Drawn,
    Filled,
    Move,
    Moved,
    Recycle,
    Recycled,
    Uncovered,
)
from domain.games.canfield import Options2 as Options
from domain.games.canfield import State2 as State
from domain.kit.cards import PACK, RANK, RANKS, SUITS
from domain.kit.patience import home_cards
from tests.games.rules import Rules, mover, piles

RULES = Rules(CANFIELD)
MATERIAL: Any = CANFIELD.material
after, events, legal, sentences, stuck = RULES.after, RULES.events, RULES.legal, RULES.sentences, RULES.stuck
move = mover(Move, draw=Draw(), recycle=Recycle())
PLAIN = Options()
RETURN, WHOLE, THREE, TWICE = (
    Options(foundation_return=True), Options(whole_column_only=True), Options(draw=3), Options(passes=2),
)  # fmt: skip
GIVEN = (*PACK[13:26], "3S", *(card for card in PACK if card not in PACK[13:26] and card != "3S"))
"""The hearts from ace to king as the reserve, then the three of spades."""


def position(text, options=PLAIN, recycles=0):
    """The position that the text draws; piles without a line are empty."""
    drawn = piles(text)
    base = RANKS.index(drawn.pop("base", ["A"])[0]) + 1
    below = {card: (RANK[card] - base) % 13 for card in PACK}
    home = {card[1]: below[card] + 1 for card in drawn.pop("home", [])}
    homes = tuple(home.get(suit, 0) for suit in SUITS)
    spare = iter([card for card in PACK if card not in text and below[card] >= homes[SUITS.index(card[1])]])
    faces = {
        name: tuple(next(spare) if card == "#" else card.strip("()") for card in cards) for name, cards in drawn.items()
    }
    columns = tuple(faces.get(str(place), ()) for place in range(COLUMNS))
    covered = sum(card[0] in "#(" for card in drawn.get("reserve", ()))
    reserve, stock, waste = (faces.get(name, ()) for name in ("reserve", "stock", "waste"))
    return State(options, columns, homes, base, reserve, covered, stock, waste, recycles)


def dealt(options=PLAIN):
    return RULES.deal(options, GIVEN)


def test_the_deal_is_a_reserve_of_13_a_base_card_four_columns_of_one_and_a_stock_of_34():
    state = dealt()
    assert (state.reserve, state.covered) == (GIVEN[12::-1], 12)
    assert (state.base, state.foundations) == (3, (1, 0, 0, 0))
    assert state.columns == tuple((card,) for card in GIVEN[14:18])
    assert (len(state.stock), state.waste) == (34, ())
    assert events(state, Draw()) == (Drawn(GIVEN[18:19]),)


ROUND = "KH QS JH TS 9H 8S 7H 6S 5H 4S 3H 2S AH KS QH JS TH 9S 8H 7S 6H 5S 4H 3S 2H AS"
"""A column that goes on from ace to king: every rank twice."""
TABLE = "base 3\nstock 2D\nwaste 7H 9H\nhome 5S\nreserve # 8H\n0 8C 7D\n1 8S\n2 AH\n3 TD"
RUN = "0 9H 8S 7D\n1 TC\n2 9D\n3 8C"
ANSWERS = {
    "every rule by its slug": (TABLE, PLAIN, {
        "0 0": "same_zone", "S S": "same_zone", "S 0": "foundation_return", "waste 1 x2": "top_card_only",
        "reserve 1 x2": "top_card_only", "0 3 x3": "column_too_short", "0 C x2": "one_card_home",
        "waste S": "own_foundation", "0 S": "own_foundation", "1 S": "next_in_suit", "waste H": "next_in_suit",
        "reserve 3": "alternating_colours", "reserve 0": "alternating_colours", "0 3 x2": "one_rank_lower",
        "1 3": "one_rank_lower", "1 2": "one_rank_lower", "recycle": "stock_not_empty",
    }),
    "from an empty pile": ("0 KH", RETURN, {
        "reserve 0": "source_empty", "waste 0": "source_empty", "1 0": "source_empty", "S 0": "source_empty",
        "draw": "stock_empty", "recycle": "waste_empty",
    }),
    "an ace on a two, a king on an ace, red on black": ("base 5\n0 2S\n1 AD\n2 KC\n3 QH", PLAIN, {
        "1 0": None, "2 1": None, "2 0": "alternating_colours", "3 0": "one_rank_lower", "3 1": "alternating_colours",
        "3 2": None,
    }),
    "one pass": ("waste 2D", Options(passes=1), {"recycle": "passes_used_up"}),
    "a column that goes round gives the part that fits by colour": (f"base 2\n0 {ROUND}\n1 AD\n2 AC", PLAIN, {
        "0 1 x13": None, "0 1 x26": "alternating_colours", "0 2 x26": None, "0 2 x13": "alternating_colours",
    }),
    "a complete foundation takes no second round": ("base 3\nhome 2H\nwaste 3S", PLAIN, {"waste H": "own_foundation"}),
    "a black king on a red ace and no queen": ("base 3\n0 AH\n1 KC\n2 KS\n3 QS", PLAIN, {
        "1 0": None, "2 0": None, "3 0": "one_rank_lower",
    }),
    "a black six on a red seven and no red": ("0 7D\n1 6C\n2 6H", PLAIN, {"1 0": None, "2 0": "alternating_colours"}),
    "any part of a column": (RUN, PLAIN, {"0 2 x2": None, "0 3": None, "0 1 x3": None}),
    "whole columns only": (RUN, WHOLE, {"0 1 x3": None, "0 2 x2": "whole_column_only"}),
    "whole columns only, into a space": ("0 9H 8C\n1 KS", WHOLE, {"0 2 x2": None, "0 2": "whole_column_only"}),
    "with whole columns only the top card goes home, reserve and waste play": (
        "home 7C\nreserve # 9S\nwaste 9C\n0 9H 8C\n1 TD", WHOLE, {"0 C": None, "waste 1": None, "reserve 1": None},
    ),
    "nothing moves into a space that the reserve fills": ("reserve # 5H\nwaste 4D\n0 8S\n1 9D\n2 KS", PLAIN, {
        "waste 3": "reserve_fills", "reserve 3": "reserve_fills", "0 3": "reserve_fills",
    }),
    "a card of the base rank takes the card below it": ("base 3\n0 3H\n1 2C", PLAIN, {"1 0": None}),
    "nothing back from a foundation": ("home 5H\n0 6S\n1 4C", PLAIN, {"H 0": "foundation_return"}),
    "back to a space once the reserve is used up": ("home 5H\n0 KS", RETURN, {"H 3": None}),
    "back to a space that the reserve fills": ("home 5H\nreserve 9C\n0 KS", RETURN, {"H 3": "reserve_fills"}),
}  # fmt: skip


@pytest.mark.parametrize(("text", "options", "answers"), ANSWERS.values(), ids=ANSWERS)
def test_a_command_is_legal_or_refused_by_its_rule(text, options, answers):
    state = position(text, options)
    assert {said: RULES.answer(state, move(said)) for said in answers} == answers


def test_a_column_is_never_put_on_itself_though_its_own_top_would_take_its_bottom():
    state = position(f"base 2\n0 {ROUND}\n1 AC\n2 9C")
    assert RULES.answer(state, move("0 0 x26")) == "same_zone"
    assert all(command.source != command.target for command in CANFIELD.legal_commands(state, 0)[:-1])


def test_a_foundation_goes_from_its_base_round_to_below_it():
    state = position("base 3\nhome KH\nwaste 2H AH")
    assert legal(state, move("waste H"))
    assert RULES.answer(after(state, move("waste H"), move("waste H")), move("waste H")) == "source_empty"
    full = position("base 3\nhome 2S 2H 2D 2C")
    assert RULES.zones(full)["foundation_hearts"].cards == tuple(f"{rank}H" for rank in "3456789TJQKA2")


def test_a_run_moves_as_one():
    assert after(position(RUN), move("0 1 x3")).columns[:2] == ((), ("TC", "9H", "8S", "7D"))


FILLS = {
    "the next card is seen": (
        "reserve # # # (QC) 5H\n0 8S\n1 9D\n2 KS\n3 KC", PLAIN, "0 1", [Filled("5H", "tableau_0"), Uncovered("QC")],
    ),
    "the last card of the reserve": ("reserve 5H\n0 8S\n1 9D\n2 KS\n3 KC", PLAIN, "0 1", [Filled("5H", "tableau_0")]),
    "a one-card column that goes home": (
        "reserve (QC) 5H\nhome 7S\n0 8S\n1 9C\n2 KS\n3 KC", PLAIN, "0 S", [Filled("5H", "tableau_0"), Uncovered("QC")],
    ),
    "where cards come back, too": ("home 7S\nreserve 5H\n0 8S", RETURN, "0 S", [Filled("5H", "tableau_0")]),
}  # fmt: skip


@pytest.mark.parametrize(("text", "options", "said", "more"), FILLS.values(), ids=FILLS)
def test_a_column_that_becomes_empty_is_filled_from_the_reserve(text, options, said, more):
    state = position(text, options)
    assert list(events(state, move(said))[1:]) == more
    filled = after(state, move(said))
    assert filled.columns[0] == ("5H",)
    assert filled.reserve == state.reserve[:-1]
    assert filled.covered == max(len(filled.reserve) - 1, 0)


def weight(command):
    if not isinstance(command, Move):
        return 2
    return 20 if command.source == "reserve" else 15 if command.target.startswith("foundation") else 4


def test_columns_are_runs_filled_from_the_reserve():
    spaces = 0
    for state in [state for seed in range(5) for state in RULES.walk(PLAIN, seed, 400, weight)]:
        assert all(below in ACCEPTS[above] for run in state.columns for above, below in pairwise(run))
        assert all(state.columns) or not state.reserve
        assert state.covered == max(len(state.reserve) - 1, 0)
        spaces += not all(state.columns)
    assert spaces


def test_with_an_empty_reserve_a_space_stays_empty_and_takes_any_card_later():
    space = after(position("stock 4D\n0 8S\n1 9D\n2 KS\n3 KC"), move("0 1"))
    assert space.columns[0] == ()
    assert after(space, Draw(), move("waste 0")).columns[0] == ("4D",)
    assert [RULES.answer(space, move(said)) for said in ("1 0", "1 0 x2")] == [None, None]


def test_a_card_of_the_base_rank_begins_a_foundation_or_goes_on_a_column():
    state = position("base 3\nhome 3S\nreserve (9C) 3H\n0 4S")
    assert events(state, move("reserve H")) == (Moved(("3H",), "reserve", "foundation_hearts"), Uncovered("9C"))
    assert after(state, move("reserve 0")).columns[0] == ("4S", "3H")


def test_a_card_that_came_back_takes_another():
    state = position("home 5H\n0 6S\n1 4C", RETURN)
    assert events(state, move("H 0")) == (Moved(("5H",), "foundation_hearts", "tableau_0"),)
    assert after(state, move("H 0"), move("1 0")).columns[0] == ("6S", "5H", "4C")
    back = after(position("base 3\nhome 3H\n0 4S", RETURN), move("H 0"))
    assert back.foundations == (0, 0, 0, 0)
    assert legal(back, move("0 H"))


def test_of_three_drawn_only_the_last_can_be_played():
    assert events(position("stock 2S 3S 4S 5S"), Draw()) == (Drawn(("5S",)),)
    assert events(position("stock 2S 3S 4S 5S", THREE), Draw()) == (Drawn(("5S", "4S", "3S")),)
    state = after(position("stock 4D 9C\n0 5S\n1 TH", THREE), Draw())
    assert (state.waste, state.stock) == (("9C", "4D"), ())
    assert [legal(state, move("waste 0")), legal(state, move("waste 1"))] == [True, False]
    assert legal(after(state, move("waste 0")), move("waste 1"))


def test_twelve_draws_of_three_go_through_the_stock():
    state, packets = dealt(THREE), []
    for _ in range(2):
        for _ in range(12):
            packets.append(events(state, Draw())[0].cards)
            state = after(state, Draw())
        assert events(state, Recycle()) == (Recycled(),)
        state = after(state, Recycle())
    assert [len(packet) for packet in packets] == ([3] * 11 + [1]) * 2
    assert packets[:12] == packets[12:]
    assert packets[0] == GIVEN[18:21]


@pytest.mark.parametrize("options", [PLAIN, Options(undo=False)])
def test_the_last_card_home_wins(options):
    state = position("base 3\nhome 2S 2H 2D AC\n0 2C", options)
    assert CANFIELD.result(state) is None
    assert CANFIELD.result(after(state, move("0 C"))) == Result("won", "all_home", (0,), (52,))


BLOCKED = "base 3\nhome 3S\nreserve # JC\n0 KS\n1 KC\n2 9S\n3 9C\n"
"""No card has a place; red queens, red eights, the four of spades and the other threes would have one."""
SPACE = "base 3\nhome 3S\n0 KS\n1 KC\n2 9S\n"
PART = SPACE.replace("2 9S", "2 TH 9S")
STUCK = {
    "no move and no stock": (True, BLOCKED, PLAIN, 0),
    **{
        f"a move from the reserve: {card}": (False, BLOCKED.replace("JC", card), PLAIN, 0)
        for card in ("4S", "3H", "8H", "QD")
    },
    "a seen stock without a useful card": (True, f"{BLOCKED}stock 2D 5D 5S", Options(undo=False), 1),
    "a useful card in the stock": (False, f"{BLOCKED}stock 2D 8H 5S", PLAIN, 1),
    "a useful card under the waste": (False, f"{BLOCKED}waste 2D 8H 5S", PLAIN, 1),
    "a useful card under the waste in the last pass": (True, f"{BLOCKED}waste 2D 8H 5S", TWICE, 1),
    "a useful card under the waste before the last pass": (False, f"{BLOCKED}waste 2D 8H 5S", TWICE, 0),
    "the rest of the last pass": (False, f"{BLOCKED}stock 2D 8H\nwaste 5S", TWICE, 1),
    "drawing three, a card that never comes to the top": (True, f"{BLOCKED}stock 5S 8H 2D", THREE, 1),
    "drawing three, a card that comes to the top": (False, f"{BLOCKED}stock 8H 5S 2D", THREE, 1),
    "drawing three, the waste joins the next pass": (False, f"{BLOCKED}stock 5S 8H 2D\nwaste 5D", THREE, 1),
    "drawing three, the last packet is short": (False, f"{BLOCKED}stock 8H 5S 2D 5D", THREE, 1),
    "an unseen card that could help": (False, BLOCKED.replace("#", "(8D)") + "stock 2D 5D 5S", PLAIN, 0),
    "an unseen card that could not": (True, BLOCKED.replace("#", "(6D)") + "stock 2D 5D 5S", PLAIN, 0),
    "deep in the reserve once the stock is known": (True, BLOCKED.replace("#", "(8D)") + "stock 2D 5D 5S", PLAIN, 1),
    "deep in the reserve once the waste is known": (True, BLOCKED.replace("#", "(8D)") + "waste 2D 5D 5S", PLAIN, 0),
    "a single column that changes places with a space": (True, SPACE, PLAIN, 0),
    "a part of a column into a space": (False, PART, PLAIN, 0),
    "no part where columns move whole": (True, PART, WHOLE, 0),
    "a card of the stock for a space": (False, f"{SPACE}stock 2D", PLAIN, 1),
    "a card of the waste for a space": (False, f"{SPACE}waste 2D", Options(passes=1), 0),
    "a card that can come back": (False, BLOCKED.replace("home 3S", "home 8H"), RETURN, 0),
    "a card that cannot come back": (True, BLOCKED.replace("home 3S", "home 8H"), PLAIN, 0),
}


@pytest.mark.parametrize(("told", "text", "options", "recycles"), STUCK.values(), ids=STUCK)
def test_stuck_is_told_where_no_line_of_play_helps(told, text, options, recycles):
    assert stuck(position(text, options, recycles)) is told


def test_a_stuck_game_goes_on_and_a_dead_one_ends():
    drawing = position(f"{BLOCKED}stock 2D 5D 5S", Options(undo=False), recycles=1)
    assert legal(drawing, Draw())
    assert CANFIELD.result(drawing) is None
    assert legal(position(SPACE), move("0 3"))
    joined = position(f"{BLOCKED}stock 5S 8H 2D\nwaste 5D", THREE, recycles=1)
    assert after(joined, Draw(), Recycle(), Draw()).waste == ("5D", "2D", "8H")
    assert CANFIELD.result(position(BLOCKED)) is None
    assert CANFIELD.result(position(BLOCKED, Options(undo=False))) == Result("lost", "no_moves", (), (1,))


def test_the_next_card_of_the_reserve_is_not_seen_before_it_is_uncovered():
    state = position("base 3\nreserve # (9C) 3H\n0 4S")
    moved, uncovered = events(state, move("reserve 0"))
    between = CANFIELD.evolve(state, moved)
    assert (RULES.zones(between)["reserve"].face_down, RULES.zones(between)["reserve"].cards) == (2, ())
    assert RULES.zones(CANFIELD.evolve(between, uncovered))["reserve"].cards == ("9C",)


def test_a_recycled_stock_is_backs_again():
    state = position("base T\nstock 2S 3S 4S", Options(draw=3, passes=3))
    assert RULES.zones(after(state, Draw()))["waste"].cards == ("4S", "3S", "2S")
    again = after(state, Draw(), Recycle())
    assert (RULES.zones(again)["stock"].face_down, RULES.zones(again)["stock"].cards) == (3, ())
    foundation = RULES.zones(position("base Q\nhome 2D"))["foundation_diamonds"]
    assert foundation.cards == ("QD", "KD", "AD", "2D")
    facts = RULES.facts(again)
    assert (facts.base, facts.draw, facts.pass_number, facts.recycles_left) == ("T", 3, 2, 1)
    assert RULES.facts(dealt()).recycles_left is None
    assert RULES.facts(CANFIELD.initial(PLAIN, 1)).base is None


def test_what_happens_is_told():
    deal = CANFIELD.deal(PLAIN, Chance(b"", given=PACK), 1)[0]
    assert CANFIELD.tell(CANFIELD.initial(PLAIN, 1), deal, 0) == (
        "The ace of hearts is dealt to the foundations, the two of hearts, the three of hearts, the four of hearts and "
        "the five of hearts to the columns; the ace of spades lies on top of the reserve, and 34 cards are the stock."
    )
    assert sentences(position("reserve (QC) 5H\n0 QS JD\n1 KH"), move("0 1 x2")) == [
        "The player moves the queen of spades and the jack of diamonds from column 1 to column 2.",
        "The five of hearts of the reserve fills column 1.",
        "The queen of clubs comes to the top of the reserve.",
    ]
    state = position("waste AH\n0 2S", RETURN)
    assert sentences(state, move("waste H")) == [
        "The player moves the ace of hearts from the waste to the foundation of hearts."
    ]
    assert sentences(after(state, move("waste H")), move("H 0")) == [
        "The player moves the ace of hearts from the foundation of hearts to column 1."
    ]
    state = position("stock 2S 3S 4S", THREE)
    assert sentences(state, Draw()) == [
        "The player draws the four of spades, the three of spades and the two of spades."
    ]
    assert sentences(after(state, Draw()), Recycle()) == ["The player turns the waste over: it is the stock again."]


@pytest.mark.parametrize("base", RANKS)
def test_the_material_tells_what_follows_what(base):
    told = {rank.id: rank for rank in MATERIAL.ranks}
    last = RANKS[RANKS.index(base) - 1] + "S"
    state = position(f"base {base}\nhome {last}")
    assert tuple(card[0] for card in home_cards(0, state.foundations[0], state.base)) == told[base].order
    assert {card[0] for suit in SUITS for card in ACCEPTS[base + suit]} == {told[base].lower}
    assert (told["Q"].name, "".join(told["Q"].order), told["Q"].lower) == ("queen", "QKA23456789TJ", "J")


@pytest.mark.parametrize(
    ("options", "byte", "counts"),
    [
        (PLAIN, 0, {10: 2, 20: 50, 34: 689}), (PLAIN, 1, {10: 4, 20: 82, 34: 1176}),
        (THREE, 0, {5: 2, 15: 20, 24: 122}), (THREE, 1, {5: 3, 15: 125, 24: 1874}),
        (WHOLE, 0, {10: 2, 20: 43, 34: 545}), (WHOLE, 1, {10: 4, 20: 82, 34: 1176}),
        (RETURN, 0, {10: 2, 20: 51, 34: 1442}), (RETURN, 1, {10: 4, 20: 84, 34: 1854}),
    ],
)  # fmt: skip
def test_as_many_positions_are_reached_as_a_second_program_counts(options, byte, counts):
    """The second program was written from the rules alone and shares no code with this one."""
    reached = RULES.reached(RULES.deal(options, seed=bytes([byte]) * 32), max(counts))
    assert {depth: reached[depth - 1] for depth in counts} == counts
