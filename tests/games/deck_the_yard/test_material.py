"""The cards as data: the stock counts seventy, and a pattern's bulbs are cards of the stock."""

from domain.games.deck_the_yard.state import PATTERNS
from domain.games.deck_the_yard.view import MATERIAL

STOCK = {card.id: card for card in MATERIAL.stock}


def test_the_stock_has_its_cards_and_their_kinds() -> None:
    assert sum(card.count for card in MATERIAL.stock) == 70
    assert (STOCK["AH"].name, STOCK["AH"].kind, STOCK["AH"].colour, STOCK["AH"].count) == ("red bulb", "bulb", "red", 7)
    assert [card.kind for card in MATERIAL.stock if not card.kept] == ["broken_bulb", "event", *["character"] * 6]


def test_a_pattern_is_five_bulbs_of_the_stock_in_their_colours() -> None:
    assert [pattern.number for pattern in MATERIAL.patterns] == [f"P{number:02}" for number in range(1, 19)]
    for pattern in MATERIAL.patterns:
        assert pattern.bulbs == PATTERNS[pattern.id]
        assert pattern.colours == tuple(STOCK[bulb].colour for bulb in pattern.bulbs)
        assert len(set(pattern.colours)) == 5
