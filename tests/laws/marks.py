"""Physical cards, followed: every card that a shuffle deals is a string object of its own, known by its identity.

Pure folds pass references on, so a mark is found again in states, views, events and commands. A mark is the place of a
card in the outcome of one shuffle; a card that is shuffled anew gets a new mark, for nobody can follow it through that.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace as changed
from functools import lru_cache
from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.structs import astuple, replace

from domain.chance import Chance, Shuffle, shuffle
from domain.games import AnyGameType
from domain.view import Card

CARD = re.compile(r"[A2-9TJQK][SHDC]|\*[1-4]")


class Mark(NamedTuple):
    """Place `place` of the outcome of shuffle `number`."""

    number: int
    place: int


class Lots:
    """The chance of one history. `twists` exchange places of a shuffle's outcome: other lots, else the same game."""

    def __init__(self, twists: Mapping[int, Mapping[int, int]] | None = None) -> None:
        self.twists = twists or {}
        self.marks: dict[int, Mark] = {}
        self.cards: dict[Mark, Card] = {}
        self.origins: dict[Mark, Mark | None] = {}
        self._kept: list[Card] = []

    def shuffle(self, cards: Sequence[Card], seed: bytes, number: int) -> tuple[Card, ...]:
        """The outcome of the shuffle, every card with a mark of its own."""
        order, twist = _shuffled_places(len(cards), seed, number), self.twists.get(number, {})
        sources = [order[twist.get(place, place)] for place in range(len(cards))]
        return tuple(self._marked(cards[source], Mark(number, place)) for place, source in enumerate(sources))

    def _marked(self, card: Card, mark: Mark) -> Card:
        fresh = card.encode().decode()
        self._kept.append(fresh)
        self.origins[mark] = self.marks.get(id(card))
        self.marks[id(fresh)] = mark
        self.cards[mark] = fresh
        return fresh

    def mark(self, card: Card) -> Mark | None:
        """The mark of this very string object, if a shuffle dealt it."""
        return self.marks.get(id(card))

    def found(self, value: Any) -> set[Mark]:
        """The marks anywhere in a value."""
        marks = self.marks
        return {marks[card] for card in map(id, texts(value)) if card in marks}

    def with_origins(self, marks: Iterable[Mark]) -> set[Mark]:
        """These marks and those that the same cards had before they were shuffled anew."""
        return {one for mark in marks for one in self._line(mark)}

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Within, shuffles of commands that are only tried leave no trace."""
        cards, origins = dict(self.cards), dict(self.origins)
        yield
        self.cards, self.origins = cards, origins

    def _line(self, mark: Mark | None) -> Iterator[Mark]:
        while mark is not None:
            yield mark
            mark = self.origins[mark]


@lru_cache(maxsize=8)
def _shuffled_places(count: int, seed: bytes, number: int) -> tuple[int, ...]:
    """Where each card of a shuffle comes from."""
    return tuple(map(int, shuffle([str(place) for place in range(count)], seed, number)))


class DealtChance(Chance, frozen=True, dict=True, gc=True):
    """A chance that deals marked cards; it is stored and sent exactly like the real one."""

    def shuffle(self, cards: Sequence[Card]) -> Shuffle:
        lots: Lots = self.__dict__["lots"]
        return Shuffle(lots.shuffle(cards, self.seed, self.number), dealt_chance(self.seed, self.number + 1, lots))


def dealt_chance(seed: bytes, number: int, lots: Lots) -> DealtChance:
    """The chance of shuffle `number` with these lots."""
    chance = DealtChance(seed, number)
    chance.__dict__["lots"] = lots
    return chance


def marking(game_type: AnyGameType, lots: Lots) -> AnyGameType:
    """The game type with its deal, and every later shuffle, made by these lots."""

    def deal(options: Any, chance: Chance, seats: int) -> Sequence[Struct]:
        return game_type.deal(options, dealt_chance(chance.seed, chance.number, lots), seats)

    return changed(game_type, deal=deal)


def texts(value: Any) -> list[str]:
    """Every string in a value of structs, tuples, lists and dicts."""
    strings, left = [], [value]
    while left:
        part = left.pop()
        if isinstance(part, str):
            strings.append(part)
        elif isinstance(part, tuple | list):
            left.extend(part)
        elif isinstance(part, Struct):
            left.extend(astuple(part))
        elif isinstance(part, dict):
            left.extend(part.values())
    return strings


def exchanged(value: Any, other: Callable[[str], str]) -> Any:
    """The value with every string in its structs and tuples replaced."""
    if isinstance(value, str):
        return other(value)
    if isinstance(value, Struct):
        return replace(value, **{name: exchanged(getattr(value, name), other) for name in value.__struct_fields__})
    return tuple(exchanged(part, other) for part in value) if isinstance(value, tuple) else value
