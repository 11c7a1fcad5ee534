"""Published deals of Black Hole."""

from domain.chance import Chance
from domain.games.black_hole import BLACK_HOLE, Options, State

PUBLISHED = """
    KD JH JS  8H 4C 7D  7H TD 4H  JD 9S 5S  AH 3S 6H  9C 9D 8S  7S 2H 6S  AC JC QH  QD 4S TS
    6C QS QC  8D 3D KH  5H 5C 8C  4D KC TC  6D 3C 3H  2C KS TH  AD 5D 7C  9H 2S 2D
"""
"""Deal 26464608654870335080 from the test data of Shlomi Fish's black-hole-solitaire; it can be won."""

DEAL_6 = """
    2H TS 5D  JS QD 4D  5S KS 8C  5C 8D 3D  6H 8H TD  2C TC 2D  TH QS 4C  2S 4S 7H  JC 9D 6S
    QH KH 7D  3H 7S 9S  9H KD KC  7C JD 6D  QC 4H 9C  3C 8S 6C  AC 3S JH  AD 5H AH
"""
"""Deal 6 of PySolFC, from the test data of Games-Solitaire-Verify."""


def dealt(cards: str = PUBLISHED, start: str = "AS") -> State:
    """The position after these 51 cards are dealt around the start card."""
    options = Options(start_card=start)
    chance = Chance(bytes(32), given=(start, *cards.split()))
    state = BLACK_HOLE.initial(options, 1)
    for event in BLACK_HOLE.deal(options, chance, 1):
        state = BLACK_HOLE.evolve(state, event)
    return state


def random_deal(number: int) -> State:
    """The deal of this seed."""
    state = BLACK_HOLE.initial(Options(), 1)
    for event in BLACK_HOLE.deal(Options(), Chance(number.to_bytes(32, "big")), 1):
        state = BLACK_HOLE.evolve(state, event)
    return state
