"""The numbered deals of Microsoft's FreeCell."""

import pytest

from domain.capabilities import NumberedDeals
from domain.games.freecell import FREECELL, Options
from domain.kit.cards import PACK

from .positions import dealt

PUBLISHED = {
    1: """
        JD 2D 9H JC 5D 7H 7C 5H
        KD KC 9S 5S AD QC KH 3H
        2S KS 9D QD JS AS AH 3C
        4C 5C TS QH 4H AC 4D 7S
        3S TD 4S TH 8H 2C JH 7D
        6D 8S 8D QS 6C 3D 8C TC
        6S 9C 2H 6H""",
    617: """
        7D AD 5C 3S 5S 8C 2D AH
        TD 7S QD AC 6D 8H AS KH
        TH QC 3H 9D 6S 8D 3D TC
        KD 5H 9S 3C 8S 7H 4D JS
        4C QS 9C 9H 7C 6H 2C 2S
        4S TS 2H 5D JC 6C JH QH
        JD KS KC 4H""",
    11982: """
        AH AS 4H AC 2D 6S TS JS
        3D 3H QS QC 8S 7H AD KS
        KD 6H 5S 4D 9H JH 9S 3C
        JC 5D 5C 8C 9D TD KH 7C
        6C 2C TH QH 6D TC 4S 7S
        JD 7D 8H 9C 2H QD 4C 5H
        KC 8D 2S 3S""",
}
"""Rosetta Code, "Deal cards for FreeCell"; 11982, which nobody wins, of Shlomi Fish's dealing tests."""


@pytest.mark.parametrize("number", PUBLISHED)
def test_a_numbered_deal_lies_as_published(number):
    assert list(FREECELL.get(NumberedDeals).cards(number, Options())) == PUBLISHED[number].split()


def test_deal_24_lies_as_published():
    """The dealing tests of Freecell Solver, by Shlomi Fish; here column by column."""
    assert dealt(24).columns == (
        ("4C", "2C", "9C", "8C", "QS", "4S", "2H"), ("5H", "QH", "3C", "AC", "3H", "4H", "QD"),
        ("QC", "9S", "6H", "9H", "3S", "KS", "3D"), ("5D", "2S", "JC", "5C", "JH", "6D", "AS"),
        ("2D", "KD", "TH", "TC", "TD", "8D"), ("7H", "JS", "KH", "TS", "KC", "7C"),
        ("AH", "5S", "6S", "AD", "8H", "JD"), ("7S", "6C", "7D", "4D", "8S", "9D"),
    )  # fmt: skip


@pytest.mark.parametrize("number", [94_717_719, 2_000_000_011, 2**31 - 1])
def test_higher_numbers_are_dealt_by_the_c_runtime_of_microsoft(number):
    """`srand(number)` and 52 times `rand()`, in 32 bits without a sign, the numbers from 0 to 51 for the cards."""
    seed, left, cards = number, list(range(52)), []
    for remaining in range(52, 0, -1):
        seed = (214013 * seed + 2531011) & 0xFFFFFFFF
        place = ((seed >> 16) & 0x7FFF) % remaining
        card = left[place]
        left[place] = left[remaining - 1]
        cards.append("A23456789TJQK"[card // 4] + "CDHS"[card % 4])
    assert list(FREECELL.get(NumberedDeals).cards(number, Options())) == cards


@pytest.mark.parametrize("number", [1, 32_000, 32_001, 1_000_000, 94_717_719, 2**31 - 1])
def test_every_number_is_the_whole_pack(number):
    assert sorted(FREECELL.get(NumberedDeals).cards(number, Options())) == sorted(PACK)


def test_different_numbers_are_different_deals():
    assert len({FREECELL.get(NumberedDeals).cards(number, Options()) for number in range(1, 1001)}) == 1000
