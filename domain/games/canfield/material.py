"""Canfield: the table, the cards and the order of the ranks from every base, as data."""

from typing import Annotated

from msgspec import Meta, Struct

from domain.games.canfield.deal import initial
from domain.games.canfield.picture import look
from domain.games.canfield.state import Options, lower, needed
from domain.kit.cards import PACK, RANKS, rank_name
from domain.kit.material import Cards, Places, card_places, pack_cards


class BaseRank(Struct, frozen=True):
    """A rank, as the base of the foundations and in a column."""

    id: Annotated[str, Meta(description="The rank in one character, as the fact `base` tells it.")]
    name: Annotated[str, Meta(description="What people call it.")]
    order: Annotated[
        tuple[str, ...], Meta(description="If it is the base: the ranks of a foundation from the bottom up.")
    ]
    lower: Annotated[str, Meta(description="The rank that is laid on it in a column, in the other colour.")]


class Material(Struct, frozen=True, tag="canfield/material"):
    """The stock, the waste, the foundations, the reserve and the four columns, the ranks, and the pack."""

    places: Places
    ranks: Annotated[tuple[BaseRank, ...], Meta(description="The ranks, ace first; any may be the base.")]
    cards: Cards


def _rank(rank: str, value: int) -> BaseRank:
    suit = PACK[: len(RANKS)]
    order = tuple(card[0] for card in sorted(suit, key=lambda card: needed(card, value)))
    return BaseRank(rank, rank_name(rank), order, RANKS[lower(value) - 1])


MATERIAL = Material(
    places=card_places(look(initial(Options(), 1), None)),
    ranks=tuple(_rank(rank, value) for value, rank in enumerate(RANKS, 1)),
    cards=pack_cards(),
)
