"""What is special to the rules of Pyramid.

The pyramid is drawn row by row, `--` for an empty place and `##` for any card that is not drawn; rows that are left out
at the end are empty. Then come `waste 9C 4S` and `stock 2S 3S` (3S is next), bottom to top. All other cards are in the
discard.
"""

from typing import Any

import pytest

from domain.game_type import Result
from domain.games.pyramid import (
    PARTNERS,
    PYRAMID,
    Draw,
    Drawn,
    Recycle,
    Recycled,
    Remove,
    Removed,
    Turned,
)
from domain.games.pyramid import Options2 as Options
from domain.games.pyramid import State2 as State
from domain.kit.cards import PACK
from domain.kit.pyramids import PLACES, available
from tests.games.rules import Rules

RULES = Rules(PYRAMID)
MATERIAL: Any = PYRAMID.material
after, events, legal, sentences, stuck = RULES.after, RULES.events, RULES.legal, RULES.sentences, RULES.stuck
PLAIN, MICROSOFT, LAST = Options(), Options(passes=3, stock_top=True), Options(passes=1)
PAIRS, TOMBS, ALL = Options(waste_pairs=True), Options(tuts_tomb_pairing=True), Options(clear_all=True)
STRICT = Options(draw_only_when_stuck=True)

PUBLISHED = """
    AC  3S JD  TS 7C TD  8C AD KS JH  TC 3H 9D 6C KC  KD QC 8H 5C QH 2S  2D AH 9C 5S 4D 7S 9H
    KH AS TH 4S 9S 6H 8S 6S 2H 3C 4C 6D QS JS 4H JC 5D 3D QD 7D 8D 7H 5H 2C
"""
"""The ninth deal in the results of mchung94/pyramid-solver."""

SOLVED = """
    6D  5H AH  JD 4S KS  6S 8C 2H 4D  9S KD 6C AD 8S  AC 5C 9D 7H 3H 8D  5S 4C QC JH KC KH 3C
    3S 9C AS 5D QH TS 4H 7S TD 9H TH 7C 8H 2C 7D TC 2D 6H 2S JS QD 3D QS JC
"""
"""The first deal there, with a shortest solution by Microsoft's rules."""


def position(text, options=PLAIN, recycles=0, just_drawn=False):
    """The position that the text draws."""
    lines = [line.split() for line in text.splitlines() if line.strip()]
    drawn_piles = {first: tuple(cards) for first, *cards in lines if first in ("waste", "stock")}
    drawn = [card for first, *cards in lines if first not in drawn_piles for card in (first, *cards)]
    named = {*drawn, *(card for pile in drawn_piles.values() for card in pile)}
    spare = iter([card for card in PACK if card not in named])
    places = [next(spare) if card == "##" else card.replace("--", "") for card in drawn]
    stock, waste = drawn_piles.get("stock", ()), drawn_piles.get("waste", ())
    pyramid = (*places, *[""] * (28 - len(places)))
    return State(options, pyramid, stock, waste, tuple(spare), recycles, options.stock_top and bool(stock), just_drawn)


def dealt(cards=PUBLISHED, options=PLAIN):
    return RULES.deal(options, cards.split())


def command(text):
    """`60 waste`: the two zones, places of the pyramid by row and number; `61` a king; `draw`, `recycle`."""
    if text in ("draw", "recycle"):
        return Draw() if text == "draw" else Recycle()
    source, target = (*text.split(), "discard")[:2]
    return Remove(*(f"pyramid_{short[0]}_{short[1]}" if short.isdigit() else short for short in (source, target)))


def test_at_the_start_the_seven_cards_of_the_last_row_are_available():
    assert [PLACES[place] for place in available(dealt().pyramid)] == [f"pyramid_6_{card}" for card in range(7)]


LAST_ROW = "##\n## ##\n## ## ##\n## ## ## ##\n## ## ## ## ##\n## ## ## ## ## ##\n"
TOMB = "##\n## ##\n## ## ##\n## ## ## ##\n## ## ## ## ##\n## 9H ## ## ## ##\n-- 4D {} -- -- -- --"
HIDDEN = "##\n## ##\n## ## ##\n## ## ## ##\n## 4C ## ## ##\n-- 9H -- ## ## ##\n-- 8C -- -- -- -- --"
TABLE = "QH\nAC 5H\nwaste 2D 8C\nstock 3S 8D"
ANSWERS = {
    "every rule by its slug": (TABLE, PLAIN, {
        "00": "covered", "00 10": "covered", "10": "kings_alone", "10 10": "two_cards", "20": "source_empty",
        "20 10": "source_empty", "10 11": "thirteen", "10 waste": "thirteen", "waste": "kings_alone",
        "stock": "stock_face_down", "11 stock": "stock_face_down", "stock waste": "stock_face_down",
        "waste waste": "waste_pairs", "stock stock": "two_cards", "recycle": "stock_not_empty", "11 waste": None,
    }),
    "no stock": ("5H\nwaste 2S", PLAIN, {"draw": "stock_empty"}),
    "no waste": ("5H", PLAIN, {"recycle": "waste_empty", "waste 00": "source_empty"}),
    "no open stock": ("5H", MICROSOFT, {"stock 00": "source_empty"}),
    "other sums stay and a king goes alone": (f"{LAST_ROW}8S 6D KD AC JS TS 9S", PLAIN, {
        "60 61": "thirteen", "62": None, "62 63": "thirteen", "60": "kings_alone",
    }),
    "a tomb pair": (TOMB.format("--"), PLAIN, {"51 61": "covered"}),
    "a tomb pair where agreed": (TOMB.format("--"), TOMBS, {"51 61": None}),
    "covered by another card, too": (TOMB.format("8C"), TOMBS, {"51 61": "covered"}),
    "a partner that is covered itself": (HIDDEN, TOMBS, {"41 51": "covered"}),
    "drawing only when stuck, with a pair": ("5H\n8S 5C\nstock 2S", STRICT, {"draw": "draw_only_when_stuck"}),
    "drawing only when stuck, with a king": ("5H\n-- KC\nwaste 2S", STRICT, {"recycle": "draw_only_when_stuck"}),
    "drawing only when stuck looks at the pyramid alone": ("5H\n8S 6C\nwaste 7C\nstock 2S", STRICT, {"draw": None}),
    "drawing at any time": ("5H\n8S 5C\nstock 2S", PLAIN, {"draw": None}),
    "a tomb pair is an offer of the pyramid": (
        "5H\n8S --\nstock 2S", Options(draw_only_when_stuck=True, tuts_tomb_pairing=True),
        {"draw": "draw_only_when_stuck"},
    ),
    "the open stock pairs with pyramid and waste": ("TH\n8S 5C\nwaste 9D 5S\nstock 2S 8H", MICROSOFT, {
        "11 stock": None, "stock waste": None, "waste stock": None,
    }),
}  # fmt: skip


@pytest.mark.parametrize(("text", "options", "answers"), ANSWERS.values(), ids=ANSWERS)
def test_a_command_is_legal_or_refused_by_its_rule(text, options, answers):
    state = position(text, options)
    assert {said: RULES.answer(state, command(said)) for said in answers} == answers


@pytest.mark.parametrize("pair", ["QH AC", "JD 2S", "TD 3C", "9H 4D", "8S 5H", "7C 6D"])
def test_two_cards_that_make_thirteen_are_removed_together(pair):
    state = position(f"{LAST_ROW}{pair} KD KS KC KH QD")
    assert events(state, command("60 61")) == (Removed(tuple(pair.split()), ("pyramid_6_0", "pyramid_6_1")),)
    assert legal(state, command("61 60"))


def test_a_card_is_free_when_both_cards_on_it_are_gone():
    state = after(position(f"{LAST_ROW}2S 4S 6D 7D 5C 9C TC"), command("62 63"))
    free = [PLACES[place] for place in available(state.pyramid)]
    assert ("pyramid_5_2" in free, "pyramid_5_1" in free) == (True, False)
    assert RULES.answer(state, command("51 60")) == "covered"
    assert after(position(TOMB.format("--"), TOMBS), command("51 61")).discard[-2:] == ("9H", "4D")


def test_a_waste_pair_is_open_right_after_the_draw():
    table = f"{LAST_ROW}9D KS 3S 5S 6S 7S 8S\nstock 4S\nwaste 9C"
    drawn = after(position(table), Draw())
    assert [RULES.answer(drawn, command(said)) for said in ("60 waste", "waste waste")] == [None, "waste_pairs"]
    agreed = after(position(table, PAIRS), Draw())
    assert legal(agreed, command("waste waste"))
    assert after(agreed, command("waste waste")).waste == ()
    assert RULES.answer(after(agreed, command("61")), command("waste waste")) == "waste_pairs"


def test_draw_says_how_many_cards_come_at_once():
    assert events(position("5H\nstock 2S 3S 4S 5S"), Draw()) == (Drawn(("5S",)),)
    three = Options(draw=3)
    assert events(position("5H\nstock 2S 3S 4S 5S", three), Draw()) == (Drawn(("5S", "4S", "3S")),)
    assert events(position("5H\nstock 2S 3S", three), Draw()) == (Drawn(("3S", "2S")),)


def test_an_empty_stock_is_turned_over_in_unchanged_order():
    state = after(dealt(), *[Draw()] * 24)
    assert state.waste[0] == "KH"
    assert events(state, Recycle()) == (Recycled(),)
    assert events(after(state, Recycle()), Draw()) == (Drawn(("KH",)),)


def test_by_microsofts_rules_the_stock_lies_open():
    state = position("TH\n8S 5C\nwaste 9D 5S\nstock 2S 8H", MICROSOFT)
    assert events(state, command("waste stock")) == (Removed(("8H", "5S"), ("stock", "waste")), Turned("2S"))
    assert after(state, command("stock waste")).waste == ("9D",)
    assert events(position("TH\nstock 2S KH", MICROSOFT), command("stock")) == (
        Removed(("KH",), ("stock",)), Turned("2S"),
    )  # fmt: skip
    drawing = position("TH\nstock 2S 8H", MICROSOFT)
    assert events(drawing, Draw()) == (Drawn(("8H",)), Turned("2S"))
    last = after(drawing, Draw())
    assert events(last, Draw()) == (Drawn(("2S",)),)
    assert events(after(last, Draw()), Recycle())[1:] == (Turned("8H"),)


def test_between_the_draw_and_the_turning_nothing_of_the_stock_is_available():
    between = PYRAMID.evolve(position("5H\nstock 8S 2S", MICROSOFT), Drawn(("2S",)))
    assert PYRAMID.legal_commands(between, 0) == (Draw(),)
    assert RULES.zones(between)["stock"].face_down == 1


ENDINGS = {
    "the last card of the pyramid": (
        "KD\nstock 2S 3S 4S 5S 6S", PLAIN, "00", Result("won", "pyramid_cleared", (0,), (0,)),
    ),
    "the last pair may be a tomb pair": ("5H\n8S --", TOMBS, "00 10", Result("won", "pyramid_cleared", (0,), (0,))),
    "all must go": ("KD\nstock 2S 3S 4S 5S 6S", ALL, "00", None),
    "all must go and the last card goes": ("waste KD", ALL, "waste", Result("won", "all_cleared", (0,), (0,))),
}  # fmt: skip


@pytest.mark.parametrize(("text", "options", "said", "result"), ENDINGS.values(), ids=ENDINGS)
def test_the_last_card_that_must_go_wins(text, options, said, result):
    state = position(text, options)
    assert PYRAMID.result(state) is None
    done = after(state, command(said))
    assert PYRAMID.result(done) == result
    assert RULES.facts(done).score == (0 if result else 5)


def test_the_passes_used_up_and_nothing_to_remove_are_a_loss():
    table = "2S\n4S 8S\nwaste 3C"
    assert PYRAMID.result(position(table, Options(passes=1, undo=False))) == Result("lost", "no_moves", (), (3,))
    assert PYRAMID.result(position(table, LAST)) is None
    assert stuck(position(table, LAST))


TOPS = "2S\n4S 8S\n"
"""Available: a four and an eight; nines and fives would help."""
DEAD = "2S\n4S 8S\n2C 4C 8C\n5H 5C JD 9S\nwaste KS JC\nstock 9H KD"
STUCK = {
    **{f"a partner in the {pile}: {card}": (False, f"{TOPS}{pile} {card} 3C", PLAIN)
       for pile in ("stock", "waste") for card in ("9H", "5H")},
    "no partner": (True, f"{TOPS}waste TH 3C", PLAIN),
    "no partner in reach, and kings": (True, DEAD, PLAIN),
    "a pair in the pyramid": (False, "2S\n4S 9S\nstock TH", PLAIN),
    "a king in the pyramid": (False, "2S\n4S KS\nstock TH", PLAIN),
    "in the last pass, under the waste": (True, f"{TOPS}waste 9H 3C\nstock TH", LAST),
    "in the last pass, on the waste": (False, f"{TOPS}waste 3C 9H\nstock TH", LAST),
    "in the last pass, in the stock": (False, f"{TOPS}waste 3C\nstock 9H TH", LAST),
    "in the last pass but one, under the waste": (False, f"{TOPS}waste 9H 3C\nstock TH", Options(passes=2)),
    "in the last pass, under kings": (False, f"{TOPS}waste 9H KD KC\nstock TH", LAST),
    "in the last pass, under a king and a card": (True, f"{TOPS}waste 9H 3C KC\nstock TH", LAST),
    "with an open stock, uncovered by a pair": (
        False, f"{TOPS}waste 9H 3C\nstock TH", Options(passes=1, stock_top=True),
    ),
    "with an open stock, no pair": (True, f"{TOPS}waste 9H 3C\nstock JH", Options(passes=1, stock_top=True)),
    "a king in the waste": (True, f"{TOPS}waste KD 3C", PLAIN),
    "all must go, a king in reach": (False, f"{TOPS}waste KD 3C", ALL),
    "all must go, no king": (True, f"{TOPS}waste 3C", ALL),
    "all must go, a pair with the stock": (
        False, f"{TOPS}waste 3C\nstock TC", Options(clear_all=True, stock_top=True),
    ),
    "with waste pairs while anything is legal": (False, f"{TOPS}stock TH 3C", PAIRS),
    "with waste pairs and nothing legal": (True, TOPS, PAIRS),
    "drawing three while anything is legal": (False, f"{TOPS}stock TH 3C", Options(draw=3)),
    "drawing three and nothing legal": (True, TOPS, Options(draw=3)),
    "a won game": (False, "stock 2S", PLAIN),
}  # fmt: skip


@pytest.mark.parametrize(("told", "text", "options"), STUCK.values(), ids=STUCK)
def test_stuck_is_told_where_no_partner_is_in_reach(told, text, options):
    assert stuck(position(text, options)) is told


def test_a_stuck_game_with_cards_to_draw_goes_on():
    assert legal(position(DEAD), Draw())
    assert PYRAMID.result(position(DEAD, Options(undo=False))) is None


def frees_something(state):
    """Whether any line of play, however long, removes a card of the pyramid."""
    seen, waiting = set(), [state]
    while waiting:
        one = waiting.pop()
        for said in PYRAMID.legal_commands(one, 0):
            then = after(one, said)
            if then.pyramid != state.pyramid:
                return True
            key = (then.stock, then.waste, then.just_drawn, then.options.passes and then.recycles)
            if key not in seen:
                seen.add(key)
                waiting.append(then)
    return False


@pytest.mark.parametrize(
    ("options", "exactly"),
    [(PLAIN, True), (Options(passes=2), True), (TOMBS, True), (LAST, True), (MICROSOFT, False),
     (Options(passes=1, stock_top=True), False), (Options(passes=2, waste_pairs=True), False)],
)  # fmt: skip
def test_stuck_means_that_no_play_removes_a_card(options, exactly):
    answers = set()
    for state in [state for seed in range(12) for state in [*RULES.walk(options, seed, 60)][30:]]:
        if PYRAMID.result(state) is None:
            answers.add(stuck(state))
            if exactly or stuck(state):
                assert stuck(state) is not frees_something(state)
    assert answers == {True, False}


def test_a_card_of_the_pyramid_is_covered_by_two():
    seen = RULES.zones(dealt())
    assert seen["pyramid_2_1"].x == (seen["pyramid_3_1"].x + seen["pyramid_3_2"].x) / 2
    assert seen["pyramid_2_1"].y < seen["pyramid_3_1"].y
    places = {(place.row, place.card): place for place in MATERIAL.pyramid}
    assert len(places) == 28
    for (row, card), place in places.items():
        below = () if row == 6 else (places[row + 1, card].id, places[row + 1, card + 1].id)
        assert (place.id, place.covered_by) == (f"pyramid_{row}_{card}", below)


def test_values_tell_the_partners():
    value = {card.id: card.value for card in MATERIAL.cards}
    for card, partners in PARTNERS.items():
        assert partners == {other for other in value if value[card] + value[other] == MATERIAL.total}


def test_piles_and_facts_show_what_has_gone():
    stock = RULES.zones(position("TH\nstock 2S 3S 8H", MICROSOFT), None)["stock"]
    assert (stock.face_down, stock.cards) == (2, ("8H",))
    seen = RULES.zones(after(position("TH\n8S 5C\nwaste 2S 9D\nstock 3S"), command("10 11")))
    assert (seen["pyramid_1_0"].cards, seen["waste"].cards) == ((), ("2S", "9D"))
    assert seen["discard"].cards[-2:] == ("8S", "5C")
    facts = RULES.facts(after(position("TH\n8S 5C\nstock 2S", Options(passes=3)), Draw(), Recycle()))
    assert (facts.draw, facts.pass_number, facts.recycles_left, facts.score) == (1, 2, 1, 3)
    assert RULES.facts(dealt()).recycles_left is None


def test_what_happens_is_told():
    state = position("TH\n8S 5C\nwaste 2S KD\nstock 3S 8H", MICROSOFT)
    assert [sentences(state, command(said)) for said in ("10 11", "waste", "11 stock")] == [
        ["The player removes the eight of spades from row 2 and the five of clubs from row 2."],
        ["The player removes the king of diamonds from the waste."],
        [
            "The player removes the five of clubs from row 2 and the eight of hearts from the stock.",
            "The three of spades is turned up on the stock.",
        ],
    ]
    assert sentences(state, Draw())[0] == "The player draws the eight of hearts."
    assert sentences(after(state, Draw(), Draw()), Recycle())[0] == (
        "The player turns the waste over: it is the stock again."
    )
    assert sentences(after(position("TH\nwaste 9C\nstock 4S", PAIRS), Draw()), command("waste waste")) == [
        "The player removes the nine of clubs and the four of spades from the waste."
    ]


SHORTEST = """
    D 22+S 23+S D D 27+S 26 25 D D 19+S 20+21 D D D D D D D 24+S 18+S D W+S 15+S 14+16 W+S 13+S 9+17 11 12+W W+S R
    D 7+S D 10+S 6+S 3+8 5 4+S 2+W W+S D 1+S 0+W
"""
"""Printed beside that deal: places by number, S the stock, W the waste, D draws, R turns the waste over."""


def test_a_published_shortest_solution_wins_by_microsofts_rules():
    names = {"S": "stock", "W": "waste"}
    said = [
        {"D": Draw(), "R": Recycle()}.get(word)
        or Remove(*[names.get(part) or PLACES[int(part)] for part in word.split("+")], *["discard"] * ("+" not in word))
        for word in SHORTEST.split()
    ]
    assert len(said) == 45
    assert PYRAMID.result(after(dealt(SOLVED, MICROSOFT), *said)).ending == "won"


@pytest.mark.parametrize(("options", "counts"), [
    (PLAIN, [3, 6, 8, 10, 12, 16, 22, 32, 53, 92]), (PAIRS, [3, 6, 8, 10, 12, 17, 24, 37, 62, 106]),
    (TOMBS, [3, 8, 13, 18, 23, 30, 44, 67, 104, 168]), (MICROSOFT, [4, 9, 13, 19, 33, 60, 126, 255, 448, 687]),
])  # fmt: skip
def test_the_positions_within_ten_commands_of_a_published_deal_are_counted(options, counts):
    def key(state):
        return state.pyramid, state.stock, state.waste, state.just_drawn

    assert RULES.reached(dealt(options=options), 10, key) == counts
