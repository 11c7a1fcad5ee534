"""The pyramid as data: a card lies open where nothing covers it, and thirteen is what the values say."""

from typing import Any

from domain.games.pyramid import PARTNERS, PYRAMID

MATERIAL: Any = PYRAMID.material


def test_every_card_but_the_lowest_row_is_covered_by_the_two_below_it() -> None:
    places = {(place.row, place.card): place for place in MATERIAL.pyramid}
    assert len(places) == 28
    for (row, card), place in places.items():
        below = () if row == 6 else (places[row + 1, card].id, places[row + 1, card + 1].id)
        assert (place.id, place.covered_by) == (f"pyramid_{row}_{card}", below)


def test_values_tell_the_partners() -> None:
    value = {card.id: card.value for card in MATERIAL.cards}
    for card, partners in PARTNERS.items():
        assert partners == {other for other in value if value[card] + value[other] == MATERIAL.total}
