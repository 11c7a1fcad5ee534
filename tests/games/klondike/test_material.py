"""The table and the pack as data."""

from typing import Any

from domain.games.klondike import KLONDIKE, TABLEAU
from domain.kit.cards import PACK, RANK
from domain.kit.patience import FOUNDATIONS

MATERIAL: Any = KLONDIKE.material


def test_every_place_that_a_move_may_name_is_told() -> None:
    assert tuple(place.id for place in MATERIAL.places) == ("stock", "waste", *FOUNDATIONS, *TABLEAU)
    assert all(place.name for place in MATERIAL.places)


def test_the_pack_is_one_of_52_from_ace_to_king() -> None:
    assert {card.id: (card.value, card.count) for card in MATERIAL.cards} == {card: (RANK[card], 1) for card in PACK}
