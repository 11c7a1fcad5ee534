"""Whether two deals are so alike that what is told of one is told of the other."""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import permutations
from typing import Any

import msgspec

from domain.kit.cards import RANK, SUITS
from domain.view import Card

_STRIDES = range(1, 14)
"""How far apart in the order of a deal two cards may be that lie on each other: as many as there are columns."""


def are_alike(dealt: Iterable[Any], other: Iterable[Any]) -> bool:
    """Whether the events of two deals of one game type have half of their cards in common.

    By their ranks in their places, whatever their suits are; or by what lies on what, wherever the columns stand and
    whatever the suits are called. So neither other names for suits nor a few cards that changed places make a new deal.
    """
    first, second = _cards(dealt), _cards(other)
    if len(first) != len(second):
        return False
    half = len(first) / 2
    if sum(one[0] == two[0] for one, two in zip(first, second, strict=True)) >= half:
        return True
    pairs = [_pairs(first, stride) for stride in _STRIDES]
    return any(
        (pairs[stride - 1] & _pairs(named, stride)).total() >= half
        for named in _with_other_suits(second)
        for stride in _STRIDES
    )


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
