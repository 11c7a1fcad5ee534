"""Spite & Malice: the places, the named tables, and what the cards count, as data."""

from typing import Annotated, get_args

from msgspec import Meta, Struct

from domain.games.spite_and_malice.look import look
from domain.games.spite_and_malice.options import VALUE, MinimumWild, Options, Preset, settle, wild_from
from domain.games.spite_and_malice.presets import NAMES
from domain.games.spite_and_malice.state import initial
from domain.games.spite_and_malice.zones import MOST_PILES
from domain.kit.material import Cards, Places, card_places, pack_cards


class NamedTable(Struct, frozen=True):
    """Settings under a name that players know: what the option `preset` fills in."""

    id: Annotated[Preset, Meta(description="The value of the option `preset`.")]
    name: Annotated[str, Meta(description="What players call it.")]
    options: Annotated[Options, Meta(description="All that it sets, as options.")]


class LowestWild(Struct, frozen=True):
    """A value of the option `minimum_wild`."""

    id: Annotated[MinimumWild, Meta(description="The value of the option.")]
    wild_from: Annotated[int, Meta(description="Cards that count so much or more are wild.")]
    finish: Annotated[int, Meta(description="The number of cards that completes a play deck.")]


class Material(Struct, frozen=True, tag="spite_and_malice/material"):
    """The places of the largest table, the named tables, and the cards; options say how many there are of each."""

    places: Places
    tables: Annotated[tuple[NamedTable, ...], Meta(description="The tables that have names.")]
    wilds: Annotated[tuple[LowestWild, ...], Meta(description="What is wild by the option `minimum_wild`.")]
    cards: Cards


_LARGEST = Options(play_decks=MOST_PILES, discards=MOST_PILES)

MATERIAL = Material(
    places=card_places(look(initial(_LARGEST, 2), None)),
    tables=tuple(NamedTable(key, name, settle(Options(preset=key), 2)) for key, name in NAMES.items()),
    wilds=tuple(LowestWild(one, wild_from(one), wild_from(one) - 1) for one in get_args(MinimumWild)),
    cards=pack_cards(VALUE, VALUE),
)
