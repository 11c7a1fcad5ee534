"""Pyramid: the rows of the pyramid, what covers what, and what the cards count, as data."""

from typing import Annotated

from msgspec import Meta, Struct

from domain.games.pyramid.deal import initial
from domain.games.pyramid.picture import look
from domain.games.pyramid.state import COVERING, PLACES, ROW_AND_CARD, THIRTEEN, Options, Place
from domain.kit.material import Cards, Places, card_places, pack_cards


class PyramidPlace(Struct, frozen=True):
    """A place in the pyramid."""

    id: Annotated[Place, Meta(description="The id of its zone.")]
    row: Annotated[int, Meta(description="Its row, the top is 0.")]
    card: Annotated[int, Meta(description="Its place in the row, from the left, the first is 0.")]
    covered_by: Annotated[tuple[Place, ...], Meta(description="The places whose cards lie on it.")]


class Material(Struct, frozen=True, tag="pyramid/material"):
    """The 28 places of the pyramid, the piles, and what the cards count."""

    places: Places
    pyramid: Annotated[tuple[PyramidPlace, ...], Meta(description="The pyramid from the top, row by row.")]
    total: Annotated[
        int, Meta(description="Cards that are removed together count so much; a card that does goes alone.")
    ]
    cards: Cards


def _place(place: int) -> PyramidPlace:
    return PyramidPlace(PLACES[place], *ROW_AND_CARD[place], tuple(PLACES[cover] for cover in COVERING[place]))


MATERIAL = Material(
    places=card_places(look(initial(Options(), 1), None)),
    pyramid=tuple(_place(place) for place in range(len(PLACES))),
    total=THIRTEEN,
    cards=pack_cards(),
)
