"""The ranks as data: from every base a foundation goes round, and a column does the same downwards."""

from typing import Any

import pytest

from domain.games.canfield import ACCEPTS, CANFIELD
from domain.kit.cards import PACK, RANKS
from domain.kit.patience import count_needed, home_cards

from .positions import position

MATERIAL: Any = CANFIELD.material


@pytest.mark.parametrize("base", RANKS)
def test_the_order_of_a_base_is_that_of_a_full_foundation(base: str) -> None:
    last = next(card for card in PACK if count_needed(card, RANKS.index(base) + 1) == 12)
    state = position(f"base {base}\nhome {last}")
    full = home_cards(0, state.foundations[0], state.base)
    told = {rank.id: rank for rank in MATERIAL.ranks}[base]
    assert tuple(card[0] for card in full) == told.order


def test_the_order_goes_on_from_the_king_to_the_ace() -> None:
    queen = {rank.id: rank for rank in MATERIAL.ranks}["Q"]
    assert (queen.name, "".join(queen.order), queen.lower) == ("queen", "QKA23456789TJ", "J")


def test_a_column_takes_the_lower_rank() -> None:
    lower = {rank.id: rank.lower for rank in MATERIAL.ranks}
    for top in PACK:
        assert {card[0] for card in ACCEPTS[top]} == {lower[top[0]]}
