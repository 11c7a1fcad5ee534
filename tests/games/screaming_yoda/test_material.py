"""The special cards as data: they agree with what may be played."""

from domain.games.screaming_yoda.plays import clearing, fits
from domain.games.screaming_yoda.state import State
from domain.games.screaming_yoda.view import MATERIAL
from domain.kit.cards import RANKS

SPECIAL = {special.rank: special for special in MATERIAL.special}


def test_the_data_tells_what_goes_on_what() -> None:
    value = {card.id[0]: card.value for card in MATERIAL.cards}
    for top in RANKS:
        for rank in RANKS:
            on_anything = rank in SPECIAL and "goes_on_anything" in SPECIAL[rank].effects
            takes_anything = top in SPECIAL and "takes_anything" in SPECIAL[top].effects
            told = on_anything or takes_anything or value[rank] >= value[top]
            assert told == fits(State(pile=(top + "S",)), rank), (top, rank)


def test_the_data_tells_what_clears() -> None:
    assert {rank for rank in RANKS if clearing((rank + "S",))} == {
        rank for rank, special in SPECIAL.items() if "clears" in special.effects
    }
    four = tuple("5" + suit for suit in "SHDC")
    assert clearing(four[: MATERIAL.alike]) == "four_of_a_kind"
    assert clearing(four[: MATERIAL.alike - 1]) is None
    assert [(table.seats, table.columns) for table in MATERIAL.tables] == [(2, 4), (3, 4), (4, 4), (5, 3)]
