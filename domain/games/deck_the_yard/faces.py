"""What the cards of Deck the Yard stand for: bulbs are discs, plugs and broken bulbs tiles, all others cards."""

from domain.capabilities import Face
from domain.games.deck_the_yard.pack import (
    BROKEN,
    BUBBLE,
    CHARACTER,
    COLOUR,
    EVENT,
    NUMBER,
    PATTERNS,
    PLUG,
    called,
    colours,
)
from domain.view import Card

_PAINT = {
    "red": "#c62f2d",
    "green": "#2f8f4e",
    "yellow": "#f2c53d",
    "blue": "#2f6fb5",
    "purple": "#7c4aa5",
    "pink": "#ee8fb4",
}


def _bulb(card: Card) -> Face:
    colour = COLOUR[card]
    return Face(name=f"a {colour} bulb", mark=colour[:2].capitalize(), colour=_PAINT[colour])


def _character(card: Card) -> Face:
    words = called(card).removeprefix("the ").split()
    mark = words[0][:3] if len(words) == 1 else words[0][:2] + words[1][:1]
    return Face(name=called(card), mark=mark.capitalize(), colour="#f7f1e3", shape="card")


def _pattern(card: Card) -> Face:
    name = f"{called(card)}: {colours(PATTERNS[card])}"
    strand = tuple(_PAINT[COLOUR[bulb]] for bulb in PATTERNS[card])
    return Face(name=name, mark=NUMBER[card], colour="#e4ecf3", shape="card", strand=strand)


FACES: dict[Card, Face] = {
    **{card: _bulb(card) for card in COLOUR},
    BUBBLE: Face(name="a bubble bulb", mark="Bub", colour="#bfe3ea"),
    PLUG: Face(name="a plug", mark="Plg", colour="#4d5b66", shape="tile"),
    BROKEN: Face(name="a broken bulb", mark="Brk", colour="#8d8d8d", shape="tile"),
    EVENT: Face(name="a draw-event card", mark="Evt", colour="#d9c7ee", shape="card"),
    **{card: _character(card) for card in CHARACTER},
    **{card: _pattern(card) for card in PATTERNS},
}
