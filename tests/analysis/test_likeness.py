"""A deal with some cards changed is the same deal to who wants to know whether it can be won."""

from random import Random
from typing import Any

import pytest

from domain.chance import Chance, deal_seed
from domain.games import GAME_TYPES
from service.analysis.kinds import kind_of
from service.analysis.likeness import are_alike

KEYS = sorted(key for key, kind in GAME_TYPES.items() if kind_of(kind) in ("patience", "bridge"))


def dealt(key: str, number: int) -> list[Any]:
    kind = GAME_TYPES[key]
    return list(kind.deal(kind.options(), Chance(deal_seed(number.to_bytes(32), (None,))), 1))


def of_freecell(cards: list[str]) -> list[Any]:
    return [{"type": "freecell/dealt", "cards": cards}]


@pytest.fixture
def cards() -> list[str]:
    return list(dealt("freecell", 1)[0].cards)


@pytest.mark.parametrize("key", KEYS)
def test_deals_of_different_seeds_are_not_alike_and_one_is_to_itself(key: str) -> None:
    assert are_alike(dealt(key, 1), dealt(key, 1))
    assert not any(are_alike(dealt(key, 1), dealt(key, number)) for number in range(2, 12))


def test_one_with_cards_that_changed_places_is_alike_until_half_of_them_have(cards: list[str]) -> None:
    lots, changed = Random(1), list(cards)
    for few in (2, 8, 16):
        places = lots.sample(range(52), few)
        for one, two in zip(places[::2], places[1::2], strict=True):
            changed[one], changed[two] = changed[two], changed[one]
        assert are_alike(of_freecell(cards), of_freecell(changed))
        changed = list(cards)
    lots.shuffle(changed)
    assert not are_alike(of_freecell(cards), of_freecell(changed))


@pytest.mark.parametrize("names", ["HSDC", "CDHS", "DCSH"])
def test_one_with_other_names_for_the_suits_and_other_columns_first_is_alike(names: str, cards: list[str]) -> None:
    named = [card[0] + names["SHDC".index(card[1])] for card in cards]
    columns = [3, 1, 0, 2, 7, 5, 6, 4]  # the first four have seven cards
    moved = [named[row + column] for row in range(0, 48, 8) for column in columns]
    moved += [named[48 + column] for column in columns[:4]]
    assert sorted(moved) == sorted(cards)
    assert are_alike(of_freecell(cards), of_freecell(moved))


def test_one_whose_suits_changed_places_rank_by_rank_is_alike(cards: list[str]) -> None:
    lots = Random(2)
    names = {rank: lots.sample("SHDC", 4) for rank in "A23456789TJQK"}
    changed = [card[0] + names[card[0]]["SHDC".index(card[1])] for card in cards]
    assert are_alike(of_freecell(cards), of_freecell(changed))
