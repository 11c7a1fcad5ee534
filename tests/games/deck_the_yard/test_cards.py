"""The cards of Deck the Yard: their numbers, the reconstructed patterns, and how they are written."""

from collections import Counter
from itertools import combinations

from domain.capabilities import Reconstructed
from domain.games.deck_the_yard import DECK_THE_YARD
from domain.games.deck_the_yard.state import (
    BROKEN,
    BUBBLE,
    CHARACTER,
    COLOUR,
    EVENT,
    KEPT,
    NUMBER,
    PATTERNS,
    PLUG,
    STOCK,
    call_card,
)


def test_the_stock_has_the_numbers_of_the_game():
    counted = Counter(STOCK)
    assert [counted[bulb] for bulb in COLOUR] == [7] * 6
    assert [counted[card] for card in (BUBBLE, PLUG, BROKEN, EVENT)] == [6, 8, 5, 3]
    assert [counted[character] for character in CHARACTER] == [1] * 6
    assert counted.total() == 70


def test_every_kind_of_card_is_written_in_its_own_way():
    kinds = [*COLOUR, BUBBLE, PLUG, BROKEN, EVENT, *CHARACTER, *PATTERNS]
    assert len(set(kinds)) == len(kinds) == 16 + 18
    assert len({call_card(card) for card in kinds}) == len(kinds)
    assert {*COLOUR, BUBBLE, PLUG} == KEPT


def test_eighteen_patterns_have_five_different_colours_each_and_no_two_begin_alike():
    assert len(PATTERNS) == 18
    assert all(len(set(pattern)) == 5 for pattern in PATTERNS.values())
    assert all(one[:2] != other[:2] for one, other in combinations(PATTERNS.values(), 2))


def test_every_colour_is_missing_from_three_patterns_and_stands_three_times_in_each_place():
    for bulb in COLOUR:
        assert sum(bulb not in pattern for pattern in PATTERNS.values()) == 3
        assert [sum(pattern[place] == bulb for pattern in PATTERNS.values()) for place in range(5)] == [3] * 5


def test_the_game_says_that_it_is_reconstructed_and_lists_its_patterns():
    assert DECK_THE_YARD.has(Reconstructed)
    assert "Reconstructed" in DECK_THE_YARD.rules
    assert all(f"* {NUMBER[card]} `{card}`: " in DECK_THE_YARD.rules for card in PATTERNS)


def test_the_rules_in_prose_name_every_card():
    rules = DECK_THE_YARD.rules
    assert ", ".join(f"`{card}` {colour}" for card, colour in COLOUR.items()) in rules
    assert ", ".join(f"`{card}` {name}" for card, name in CHARACTER.items()) in rules
    assert all(f"(`{card}`)" in " ".join(rules.split()) for card in (BUBBLE, PLUG, BROKEN, EVENT))
    patterns = (f"* {NUMBER[card]} `{card}`: {', '.join(map(COLOUR.get, bulbs))}" for card, bulbs in PATTERNS.items())
    assert "\n".join(patterns) in rules
