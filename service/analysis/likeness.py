"""Whether two deals are so alike that what is told of one is told of the other.

Their open cards are compared, as the game's own view shows them, up to what its rules cannot tell apart: the order of
the columns, a pyramid and its mirror image, names of ranks and of suits. Where many cards lie open suits are forgotten.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, permutations
from math import isqrt
from typing import Any, NamedTuple

import numpy

from domain.capabilities import RankNames
from domain.games import GAME_TYPES
from domain.kit.cards import PACK, RANKS, SUITS
from domain.view import View

_FEWEST = 5
"""So many cards must agree at least: of deals that show fewer many agree by chance."""
_MANY = 20
"""The ranks of so many cards tell one deal from another."""
_NUMBER = {card: number for number, card in enumerate(PACK)}
_Numbers = numpy.ndarray[Any, numpy.dtype[Any]]


class Place(NamedTuple):
    """Where a card lies: in which pile of a family, over how many face-down cards, under how many that are face up."""

    family: str
    pile: int
    face_down: int
    covered: int


class OpenCards(NamedTuple):
    """The playing cards of a deal that everybody sees, as numbers in the pack, and the place of each."""

    cards: bytes
    places: tuple[Place, ...]


def open_cards(view: View[Any]) -> OpenCards:
    """What this view shows; the piles of a family (columns, foundations) are counted where they show a card."""
    numbers, places, piles = list[int](), list[Place](), Counter[str]()
    for zone in view.zones:
        family = zone.id.split("_")[0]
        seen = [(covered, card) for covered, card in enumerate(reversed(zone.cards)) if card in _NUMBER]
        numbers += [_NUMBER[card] for _, card in seen]
        places += [Place(family, piles[family], zone.face_down, covered) for covered, _ in seen]
        piles[family] += bool(seen)
    return OpenCards(bytes(numbers), tuple(places))


def find_alike(game_type: str, first: OpenCards, others: Sequence[bytes], places: tuple[Place, ...]) -> list[bool]:
    """For each of these others of its game type, whose cards lie in these places, whether it is like the first.

    More than half of the cards agree in their places; or wherever the columns stand some two thirds, by the pairs of
    cards in one column, of which they make four in nine; where few cards lie open, all but one.
    """
    open_in_both = min(len(first.places), len(places))
    if open_in_both < _FEWEST or not others:
        return [False] * len(others)
    many = open_in_both >= _MANY
    names = names_of_ranks(game_type) if many else _names_of_cards(game_type)
    ours = names[:, numpy.frombuffer(first.cards, numpy.uint8) % names.shape[1]]
    theirs = numpy.frombuffer(b"".join(others), numpy.uint8).reshape(-1, len(places)) % names.shape[1]
    found = numpy.zeros(len(others), bool)
    for lying in {first.places, _in_mirror(first.places)}:
        at = {place: card for card, place in enumerate(lying)}
        shared = [(at[place], card) for card, place in enumerate(places) if place in at]
        one, two = numpy.array(shared, int).reshape(-1, 2).T
        agreeing = [(ours[:, one] == cards).sum(axis=1).max() for cards in theirs[:, two]]
        found |= numpy.array(agreeing) >= max(open_in_both // 2 + 1, _FEWEST)
    bonds, bound = (list(_bonds(lying, many)) for lying in (first.places, places))
    enough = min(len(bonds), len(bound)) * 4 // 9 + 1 if many else max(open_in_both - 1, _FEWEST)
    if bonds and bound:
        kinds = {kind: number for number, kind in enumerate({kind for kind, *_ in (*bonds, *bound)})}
        counted = _count(theirs, bound, kinds, names.shape[1])
        for cards in _count(ours, bonds, kinds, names.shape[1]):
            found |= numpy.minimum(cards, counted).sum(axis=1) >= enough
    return [bool(alike) for alike in found]


def _in_mirror(places: tuple[Place, ...]) -> tuple[Place, ...]:
    """The other side of a pyramid, whose row k has k + 1 piles; elsewhere the same places."""
    return tuple(at._replace(pile=_mirrored(at.pile)) if at.family == "pyramid" else at for at in places)


def _mirrored(pile: int) -> int:
    row = (isqrt(8 * pile + 1) - 1) // 2
    return row * (row + 2) - pile


def _bonds(places: Sequence[Place], many: bool) -> Iterator[tuple[Any, int, int]]:
    """Each two cards of one column, by how many lie on each; of few each card, by the kind of its column."""
    if not many:
        yield from (((at.family, at.face_down), card, card) for card, at in enumerate(places))
    for (one, upper), (two, lower) in combinations(enumerate(places), 2):
        if many and upper[:2] == lower[:2]:
            yield (upper.covered, lower.covered), one, two


def _count(deals: _Numbers, bonds: Sequence[tuple[Any, int, int]], kinds: dict[Any, int], names: int) -> _Numbers:
    """For each deal how often each card with each rank is in each kind of bond."""
    kind, one, two = numpy.array([(kinds[kind], one, two) for kind, one, two in bonds]).T
    most, codes = len(kinds) * names * len(RANKS), (kind * names + deals[:, one]) * len(RANKS)
    codes += deals[:, two] % len(RANKS) + most * numpy.arange(len(deals))[:, None]
    return numpy.bincount(codes.ravel(), minlength=most * len(deals)).astype(numpy.uint8).reshape(-1, most)


@cache
def names_of_ranks(game_type: str) -> _Numbers:
    """In each row other names for the ranks with which the game is the same."""
    return numpy.array(GAME_TYPES[game_type].get(RankNames).rows(), numpy.uint8)


@cache
def _names_of_cards(game_type: str) -> _Numbers:
    """The same with other names for the suits: for each card of the pack, as its number there."""
    suits = numpy.array([*permutations(range(len(SUITS)))], numpy.uint8)[:, None, :, None]
    return (suits * len(RANKS) + names_of_ranks(game_type)[:, None]).reshape(-1, len(PACK))
