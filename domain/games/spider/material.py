"""Spider: the table and the packs as data."""

from typing import Annotated

from msgspec import Meta, Struct

from domain.games.spider.deal import initial
from domain.games.spider.picture import look
from domain.games.spider.state import PACKS, RUN, Options
from domain.kit.material import Cards, Places, card_places, pack_cards
from domain.view import Card


class PackOfSuits(Struct, frozen=True):
    """The 104 cards for one value of the option `suits`."""

    suits: Annotated[int, Meta(description="The option `suits` that it is for.")]
    cards: Cards


class Run(Struct, frozen=True):
    """A finished run, which leaves the columns."""

    suit: Annotated[str, Meta(description="Its suit: S, H, D or C.")]
    cards: Annotated[tuple[Card, ...], Meta(description="Its cards from the lowest one in the column, the king.")]


class Material(Struct, frozen=True, tag="spider/material"):
    """The ten columns, the stock, the places of the eight runs, and the packs."""

    places: Places
    packs: Annotated[tuple[PackOfSuits, ...], Meta(description="The cards by the number of suits.")]
    runs: Annotated[tuple[Run, ...], Meta(description="What is to be put together.")]


MATERIAL = Material(
    places=card_places(look(initial(Options(), 1), None)),
    packs=tuple(PackOfSuits(suits, pack_cards(cards)) for suits, cards in PACKS.items()),
    runs=tuple(Run(suit, cards) for suit, cards in RUN.items()),
)
