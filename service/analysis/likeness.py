"""Whether two deals are so alike that what is told of one is told of the other."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import permutations
from typing import Any

import msgspec
import numpy

from domain.kit.cards import PACK, RANK, RANKS, SUITS
from domain.view import Card

_STRIDES = range(1, 14)
"""How far apart in the order of a deal two cards may be that lie on each other: as many as there are columns."""
_FEWEST = 5
"""So many cards must agree at least: of deals that show fewer many agree by chance."""
_NUMBER = {card: number for number, card in enumerate(PACK)}
_Numbers = numpy.ndarray[Any, numpy.dtype[Any]]


def are_alike(dealt: Iterable[Any], other: Iterable[Any]) -> bool:
    """Whether two deals of one game type, their events or their cards, have half of their cards in common.

    By their ranks in their places, whatever their suits are; or by what lies on what, wherever the columns stand and
    whatever the suits are called. So neither other names for suits nor a few cards that changed places make a new deal.
    """
    first, second = _cards(dealt), _cards(other)
    if len(first) != len(second):
        return False
    half = max(len(first) / 2, _FEWEST)
    if sum(one[0] == two[0] for one, two in zip(first, second, strict=True)) >= half:
        return True
    pairs = [_pairs(first, stride) for stride in _STRIDES]
    return any(
        (pairs[stride - 1] & _pairs(named, stride)).total() >= half
        for named in _with_other_suits(second)
        for stride in _STRIDES
    )


def packed_cards(dealt: Iterable[Any]) -> bytes:
    """The playing cards of these events, in their order: each as its number in the pack."""
    return bytes(_NUMBER[card] for card in _cards(dealt))


def unpacked_cards(packed: bytes) -> list[Card]:
    """The cards of these numbers."""
    return [PACK[number] for number in packed]


def may_be_alike(packed: bytes, others: Sequence[bytes]) -> list[bool]:
    """For each of the others, of as many cards, whether it may be alike: a count over all of them at once.

    It forgets of two suits all but whether they are the same, so it counts no less than `are_alike` does.
    """
    first = numpy.frombuffer(packed, numpy.uint8)[None, :]
    many = numpy.frombuffer(b"".join(others), numpy.uint8).reshape(-1, len(packed))
    found = (first % len(RANKS) == many % len(RANKS)).sum(axis=1) >= len(packed) / 2
    for stride in _STRIDES:
        shared = numpy.minimum(_count_pairs(first, stride), _count_pairs(many, stride)).sum(axis=1)
        found |= shared >= len(packed) / 2
    return [bool(one) for one in found]


def _count_pairs(deals: _Numbers, stride: int) -> _Numbers:
    """For each deal how often two ranks lie so far apart, counted apart for one suit and for two."""
    kinds, (suits, ranks) = len(RANKS) ** 2, numpy.divmod(deals, len(RANKS))
    low = numpy.minimum(ranks[:, :-stride], ranks[:, stride:])
    high = numpy.maximum(ranks[:, :-stride], ranks[:, stride:])
    one_suit = suits[:, :-stride] == suits[:, stride:]
    pairs = numpy.where(one_suit, high * len(RANKS) + low, low * len(RANKS) + high)
    rows = numpy.arange(len(deals))[:, None] * kinds
    return numpy.bincount((rows + pairs).ravel(), minlength=kinds * len(deals)).reshape(-1, kinds)


def _cards(dealt: Iterable[Any]) -> list[Card]:
    """The playing cards of these events, in their order."""
    return [card for card in _texts(msgspec.to_builtins(list(dealt))) if card in RANK]


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list | tuple):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _texts(one)


def _pairs(cards: list[Card], stride: int) -> Counter[frozenset[Card]]:
    return Counter(map(frozenset, zip(cards, cards[stride:], strict=False)))


def _with_other_suits(cards: list[Card]) -> Iterator[list[Card]]:
    for suits in permutations(SUITS):
        named = dict(zip(SUITS, suits, strict=True))
        yield [card[0] + named[card[1]] for card in cards]
