"""Which cards can be removed, and with which: the rules about what lies on what."""

from collections.abc import Sequence

from domain.games.pyramid.events import Remove
from domain.games.pyramid.state import COVERING, DISCARD, PARTNERS, PLACES, STOCK, WASTE, Source, State
from domain.kit.patience import KINGS
from domain.view import Card

_COVERED = tuple((place, *covering) for place, covering in enumerate(COVERING) if covering)
_BOTTOM = tuple(place for place, covering in enumerate(COVERING) if not covering)


def available(pyramid: Sequence[Card]) -> list[int]:
    """The places whose card is there and has nothing on it, from the top, left to right."""
    free = [place for place, left, right in _COVERED if not (pyramid[left] or pyramid[right]) and pyramid[place]]
    return free + [place for place in _BOTTOM if pyramid[place]]


def covered_by(pyramid: Sequence[Card], place: int) -> list[int]:
    """The places whose cards lie on this one's."""
    return [other for other in COVERING[place] if pyramid[other]]


def covered_by_partner(pyramid: Sequence[Card], place: int, other: int) -> bool:
    """Whether only `other` lies on `place` and nothing on it: the pair that Microsoft's Tut's Tomb allows."""
    return covered_by(pyramid, place) == [other] and not covered_by(pyramid, other)


def pyramid_removals(state: State) -> list[Remove]:
    """What the pyramid alone offers: its kings and its pairs."""
    free, pyramid = available(state.pyramid), state.pyramid
    listed = [Remove(PLACES[place], DISCARD) for place in free if pyramid[place] in KINGS]
    for number, place in enumerate(free, start=1):
        partners = PARTNERS[pyramid[place]]
        listed += [Remove(PLACES[place], PLACES[other]) for other in free[number:] if pyramid[other] in partners]
    return listed + _tomb_pairs(pyramid, free) if state.options.tuts_tomb_pairing else listed


def _tomb_pairs(pyramid: Sequence[Card], free: Sequence[int]) -> list[Remove]:
    return [
        Remove(PLACES[place], PLACES[others[0]])
        for place, *_ in _COVERED
        if pyramid[place]
        and len(others := covered_by(pyramid, place)) == 1
        and others[0] in free
        and pyramid[others[0]] in PARTNERS[pyramid[place]]
    ]


def pile_removals(state: State) -> list[Remove]:
    """What can be removed from stock and waste, alone, with the pyramid or together."""
    listed: list[Remove] = []
    if state.stock_up and state.stock:
        listed += _from_pile(state, STOCK, state.stock[-1])
    if state.waste:
        listed += _from_pile(state, WASTE, state.waste[-1]) + _waste_pairs(state)
    return listed


def _from_pile(state: State, source: Source, card: Card) -> list[Remove]:
    if card in KINGS:
        return [Remove(source, DISCARD)]
    partners, pyramid = PARTNERS[card], state.pyramid
    return [Remove(PLACES[place], source) for place in available(pyramid) if pyramid[place] in partners]


def _waste_pairs(state: State) -> list[Remove]:
    """The top of the waste with the stock's, where that lies face up, and with the card beneath, if just drawn."""
    partners, listed = PARTNERS[state.waste[-1]], []
    if state.stock_up and state.stock and state.stock[-1] in partners:
        listed.append(Remove(STOCK, WASTE))
    if waste_pair_open(state) and state.waste[-2] in partners:
        listed.append(Remove(WASTE, WASTE))
    return listed


def waste_pair_open(state: State) -> bool:
    """Whether the two upper cards of the waste may pair. Our ruling: right after the draw, and not later."""
    return state.options.waste_pairs and state.just_drawn and len(state.waste) > 1
