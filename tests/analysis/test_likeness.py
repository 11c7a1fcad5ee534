"""A deal that the rules cannot tell from another, or with some cards changed, is the same deal to who asks about it."""

from functools import reduce
from random import Random
from typing import Any

import pytest

from domain.chance import Chance, deal_seed
from domain.games import GAME_TYPES
from domain.games.black_hole import BESIDE
from domain.games.canfield import ACCEPTS
from domain.games.pyramid import PARTNERS
from domain.kit.cards import PACK, RANK, RANKS, SUITS
from domain.view import ALL_SEEING, View
from service.analysis.foresight import place_card
from service.analysis.kinds import kind_of
from service.analysis.likeness import OpenCards, find_alike, names_of_ranks, open_cards

KEYS = sorted(key for key, kind in GAME_TYPES.items() if kind_of(kind) in ("patience", "bridge"))
SUITS_MATTER = ["canfield", "freecell", "klondike", "seahaven_towers", "spider"]
FEW_OPEN = ["canfield", "klondike", "spider"]
EQUIVALENT = [*SUITS_MATTER, "black_hole", "golf", "pyramid"]


def in_dealing_order(key: str, number: int) -> list[str]:
    kind = GAME_TYPES[key]
    (dealt, *_) = kind.deal(kind.options(), Chance(deal_seed(number.to_bytes(32), (None,))), 1)
    return [*([dealt.start] if key == "black_hole" else []), *dealt.cards]


def table(key: str, cards: list[str], viewer: int | None, **options: Any) -> View[Any]:
    kind = GAME_TYPES[key]
    said, chance = kind.options(**options), Chance(bytes(32), given=tuple(cards))
    return kind.look(reduce(kind.evolve, kind.deal(said, chance, 1), kind.initial(said, 1)), viewer)


def shown(key: str, cards: list[str], **options: Any) -> OpenCards:
    return open_cards(table(key, cards, None, **options))


def are_alike(key: str, one: OpenCards, other: OpenCards) -> bool:
    return find_alike(key, one, [other.cards], other.places)[0]


def laid_elsewhere(key: str, cards: list[str], lots: Random) -> list[str]:
    """The same deal with columns of one length in another order, and a pyramid in the mirror."""
    placed, moved = [*map(place_card, range(len(cards)), cards)], list(cards)
    piles: dict[str, Any] = {zone.id: zone.cards for zone in table(key, placed, ALL_SEEING).zones}
    columns = [zone for zone in piles if zone.startswith("tableau")]
    ordered = sorted(columns, key=lambda zone: len(piles[zone]))
    shuffled = sorted(columns, key=lambda zone: (len(piles[zone]), lots.random()))
    rows = [zone.split("_") for zone in piles if zone.startswith("pyramid")]
    mirrored = [("_".join(zone), f"pyramid_{zone[1]}_{int(zone[1]) - int(zone[2])}") for zone in rows]
    for zone, other in (*zip(ordered, shuffled, strict=True), *mirrored):
        for here, there in zip(piles[zone], piles[other], strict=True):
            moved[here.place] = str(there)
    return moved


def named_anew(key: str, cards: list[str], lots: Random) -> list[str]:
    """The same deal with other names for the suits, rank by rank where they mean nothing, and for the ranks."""
    ranks, uniform = lots.choice(names_of_ranks(key)), lots.sample(SUITS, 4)
    suits = {rank: uniform if key in SUITS_MATTER else lots.sample(SUITS, 4) for rank in RANKS}
    return [RANKS[ranks[RANK[card] - 1]] + suits[card[0]][SUITS.index(card[1])] for card in cards]


@pytest.mark.parametrize("key", [key for key in KEYS if key != "the_clock"])
def test_deals_of_different_seeds_are_not_alike_and_one_is_to_itself(key: str) -> None:
    first, *others = (shown(key, in_dealing_order(key, number)) for number in range(300))
    assert are_alike(key, first, first)
    assert not any(any(find_alike(key, first, [other.cards], other.places)) for other in others)


@pytest.mark.parametrize("key", EQUIVALENT)
@pytest.mark.parametrize("times", [0, 4])
def test_a_deal_that_the_rules_cannot_tell_from_another_is_like_it_and_with_some_moved(key: str, times: int) -> None:
    lots = Random(1)
    for number in range(20):
        cards = in_dealing_order(key, number)
        same = named_anew(key, laid_elsewhere(key, cards, lots), lots)
        options = {"start_card": same[cards.index("AS")]} if key == "black_hole" else {}
        assert sorted(same) == sorted(cards)
        for one, two in (lots.sample(range(1, 28), 2) for _ in range(0 if key in FEW_OPEN else times)):
            same[one], same[two] = same[two], same[one]
        assert are_alike(key, shown(key, cards), shown(key, same, **options))


@pytest.mark.parametrize("key", sorted({*EQUIVALENT} - {*FEW_OPEN}))
def test_one_in_which_cards_have_changed_places_is_alike_until_half_of_them_have(key: str) -> None:
    lots, cards = Random(3), in_dealing_order(key, 1)
    dealt = shown(key, cards)
    for pairs in range(len(dealt.cards) // 4):
        places, changed = lots.sample(range(1, len(dealt.cards)), 2 * pairs), list(cards)
        for one, two in zip(places, reversed(places), strict=True):
            changed[one] = cards[two]
        assert are_alike(key, dealt, shown(key, changed))
    changed[1:] = lots.sample(changed[1:], len(changed) - 1)
    assert not are_alike(key, dealt, shown(key, changed))


def test_an_option_that_shows_other_cards_makes_no_other_deal() -> None:
    for number in range(20):
        cards = in_dealing_order("pyramid", number)
        assert are_alike("pyramid", shown("pyramid", cards), shown("pyramid", cards, stock_top=True))
        cards = in_dealing_order("spider", number)
        other = [*cards[:44], *(cards[44 + column] for column in (0, 4, 5, 1, 6, 7, 2, 8, 9, 3)), *cards[54:]]
        assert are_alike("spider", shown("spider", cards), shown("spider", other, extra_columns="1_4_7_10"))


def test_other_names_of_ranks_are_those_with_which_the_same_goes_with_the_same() -> None:
    for key, goes_with, count in (("black_hole", BESIDE, 26), ("canfield", ACCEPTS, 13), ("pyramid", PARTNERS, 46080)):
        together = {(RANK[card] - 1, RANK[other] - 1) for card in PACK for other in goes_with[card]}
        names = {tuple(map(int, row)) for row in names_of_ranks(key)}
        assert len(names) == count
        assert all({(row[one], row[two]) for one, two in together} == together for row in names)
