"""Deck the Yard: the cards of the stock and the patterns, as data, partly reconstructed."""

from collections import Counter
from typing import Annotated, Literal

from msgspec import Meta, Struct

from domain.games.deck_the_yard.deal import initial
from domain.games.deck_the_yard.pack import (
    BROKEN,
    BUBBLE,
    CHARACTER,
    COLOUR,
    EVENT,
    KEPT,
    NUMBER,
    PATTERNS,
    PLUG,
    STOCK,
    called,
)
from domain.games.deck_the_yard.picture import look
from domain.games.deck_the_yard.state import HAND_SIZE, TO_WIN, Options
from domain.kit.material import Places, card_places
from domain.view import Card

Kind = Literal["bulb", "bubble_bulb", "plug", "broken_bulb", "event", "character"]


class StockCard(Struct, frozen=True):
    """A card of the stock."""

    id: Annotated[Card, Meta(description="How zones, commands and events write it.")]
    name: Annotated[str, Meta(description="What people call it.")]
    kind: Annotated[Kind, Meta(description="What it is: a bubble bulb ends any pattern, a plug answers what is drawn.")]
    colour: Annotated[str | None, Meta(description="The colour of a bulb.")]
    count: Annotated[int, Meta(description="How many there are of it in the stock.")]
    kept: Annotated[bool, Meta(description="May be in a hand; other cards are resolved as they are drawn.")]


class PatternCard(Struct, frozen=True):
    """A pattern that can be claimed."""

    id: Annotated[Card, Meta(description="How zones and events write it.")]
    name: Annotated[str, Meta(description="What people call it.")]
    number: Annotated[str, Meta(description="Its number: P01 to P18.")]
    bulbs: Annotated[tuple[Card, ...], Meta(description="The bulbs that complete it, from the left.")]
    colours: Annotated[tuple[str, ...], Meta(description="Their colours.")]


class Material(Struct, frozen=True, tag="deck_the_yard/material"):
    """The stock, the patterns, and how many claimed cards win."""

    places: Places
    stock: Annotated[tuple[StockCard, ...], Meta(description="The cards of the stock, each kind once.")]
    patterns: Annotated[tuple[PatternCard, ...], Meta(description="The patterns by their numbers.")]
    hand: Annotated[int, Meta(description="Cards in a full hand.")]
    to_win: Annotated[int, Meta(description="So many claimed cards win: patterns and characters.")]


_SPECIAL: dict[Card, Kind] = {BUBBLE: "bubble_bulb", PLUG: "plug", BROKEN: "broken_bulb", EVENT: "event"}


def _kind(card: Card) -> Kind:
    return "bulb" if card in COLOUR else "character" if card in CHARACTER else _SPECIAL[card]


def _stock() -> tuple[StockCard, ...]:
    counts = Counter(STOCK)
    return tuple(
        StockCard(card, called(card), _kind(card), COLOUR.get(card), count, card in KEPT)
        for card, count in counts.items()
    )


def _pattern(card: Card, bulbs: tuple[Card, ...]) -> PatternCard:
    return PatternCard(card, called(card), NUMBER[card], bulbs, tuple(COLOUR[bulb] for bulb in bulbs))


MATERIAL = Material(
    places=card_places(look(initial(Options(), 1), None)),
    stock=_stock(),
    patterns=tuple(_pattern(card, bulbs) for card, bulbs in PATTERNS.items()),
    hand=HAND_SIZE,
    to_win=TO_WIN,
)
