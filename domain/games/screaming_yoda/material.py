"""Screaming Yoda: the places, the special cards and what the cards count, as data."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from domain.games.screaming_yoda.look import look
from domain.games.screaming_yoda.options import Options
from domain.games.screaming_yoda.state import (
    ALIKE_CLEAR,
    CLEARING,
    FULL_HAND,
    ON_ANYTHING,
    RESETTING,
    VALUE,
    columns,
    initial,
)
from domain.games.screaming_yoda.zones import MOST_SEATS
from domain.kit.cards import PACK, rank_name
from domain.kit.material import Cards, Places, card_places, pack_cards
from domain.view import Card

Effect = Literal["goes_on_anything", "takes_anything", "clears"]


class SpecialRank(Struct, frozen=True):
    """Cards that do more than their rank says."""

    rank: Annotated[str, Meta(description="The rank as cards write it.")]
    name: Annotated[str, Meta(description="What people call it.")]
    cards: Annotated[tuple[Card, ...], Meta(description="The cards of the rank.")]
    effects: Annotated[
        tuple[Effect, ...],
        Meta(
            description="Goes on any card; takes any card on it; removes the pile from play, whose player plays again."
        ),
    ]


class Table(Struct, frozen=True):
    """What a number of players is dealt."""

    seats: Annotated[int, Meta(description="The number of players.")]
    columns: Annotated[int, Meta(description="Columns of each: a face-down card with a face-up card on it.")]
    hand: Annotated[int, Meta(description="Cards in the hand of each, which is filled while the draw pile lasts.")]


class Material(Struct, frozen=True, tag="screaming_yoda/material"):
    """The places of every table, what each is dealt, the cards and those that do more than their rank says."""

    places: Places
    tables: Annotated[tuple[Table, ...], Meta(description="What is dealt, by the number of players.")]
    cards: Cards
    special: Annotated[tuple[SpecialRank, ...], Meta(description="The ranks that do more.")]
    alike: Annotated[int, Meta(description="So many cards of one rank in the pile clear it as well.")]


def _special(rank: str) -> SpecialRank:
    does: dict[Effect, str] = {"goes_on_anything": ON_ANYTHING, "takes_anything": RESETTING, "clears": CLEARING}
    effects = tuple(effect for effect, ranks in does.items() if rank in ranks)
    return SpecialRank(rank, rank_name(rank), tuple(card for card in PACK if card[0] == rank), effects)


_SEATS = range(2, MOST_SEATS + 1)
MATERIAL = Material(
    places=card_places(*(look(initial(Options(), seats), None) for seats in _SEATS)),
    tables=tuple(Table(seats, columns(seats), FULL_HAND) for seats in _SEATS),
    cards=pack_cards(values={card: VALUE[card[0]] for card in PACK}),
    special=tuple(_special(rank) for rank in VALUE if rank in ON_ANYTHING + RESETTING + CLEARING),
    alike=ALIKE_CLEAR,
)
