"""A deal with some cards changed is the same deal to who wants to know whether it can be won."""

from random import Random
from typing import Any

import pytest

from domain.chance import Chance, deal_seed
from domain.games import GAME_TYPES
from service.analysis.kinds import kind_of
from service.analysis.likeness import are_alike, may_be_alike, packed_cards, unpacked_cards

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


@pytest.mark.parametrize("key", KEYS)
def test_a_count_over_many_deals_leaves_out_none_that_is_alike_and_most_others(key: str) -> None:
    cards, *others = (packed_cards(dealt(key, number)) for number in range(200))
    assert sum(may_be_alike(cards, others)) < 10
    lots = Random(3)
    changed = [other_names(cards, lots) if number % 2 else moved(cards, lots, range(20)) for number in range(40)]
    alike = [one for one in changed if are_alike(unpacked_cards(cards), unpacked_cards(one))]
    assert len(alike) > 10
    assert all(may_be_alike(cards, alike))


def other_names(cards: bytes, lots: Random) -> bytes:
    """These cards with other names for the suits, so many at other places that it is close, all some places later."""
    suits, later = lots.sample(range(4), 4), lots.choice([1, 7])
    named = [suits[card // 13] * 13 + card % 13 for card in moved(cards, lots, range(5, 9))]
    return bytes(named[later:] + named[:later])


def moved(cards: bytes, lots: Random, times: range) -> bytes:
    """These cards, two of them exchanged so many times."""
    changed = list(cards)
    for _ in range(lots.choice(times)):
        one, two = lots.sample(range(len(cards)), 2)
        changed[one], changed[two] = changed[two], changed[one]
    return bytes(changed)
