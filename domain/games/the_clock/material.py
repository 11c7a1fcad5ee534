"""The Clock: the hours, and which card belongs to which, as data."""

from typing import Annotated

from msgspec import Meta, Struct

from domain.games.the_clock.deal import initial
from domain.games.the_clock.picture import look
from domain.games.the_clock.state import BELONGS, CENTRE, PILES, SHOWN, Options, Pile
from domain.kit.material import Cards, Places, card_places, pack_cards
from domain.view import Card


class Hour(Struct, frozen=True):
    """A pile of the clock."""

    id: Annotated[Pile, Meta(description="The id of the zone of its face-down cards.")]
    hour: Annotated[int | None, Meta(description="1 to 12 o'clock; null: the middle.")]
    shown: Annotated[str, Meta(description="The id of the zone of the face-up cards that lie under it.")]
    cards: Annotated[tuple[Card, ...], Meta(description="The cards that belong there.")]


class Material(Struct, frozen=True, tag="the_clock/material"):
    """The thirteen piles with the cards that belong to them."""

    places: Places
    hours: Annotated[tuple[Hour, ...], Meta(description="The piles, from 1 o'clock on, the middle last.")]
    cards: Cards


def _hour(place: int) -> Hour:
    cards = tuple(card for card, pile in BELONGS.items() if pile == place)
    return Hour(PILES[place], None if place == CENTRE else place + 1, SHOWN[place], cards)


MATERIAL = Material(
    places=card_places(look(initial(Options(), 1), None)),
    hours=tuple(_hour(place) for place in range(len(PILES))),
    cards=pack_cards(),
)
