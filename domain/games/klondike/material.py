"""Klondike: the table and the cards as data, made from what the views show."""

from msgspec import Struct

from domain.games.klondike.deal import initial
from domain.games.klondike.picture import look
from domain.games.klondike.state import Options
from domain.kit.material import Cards, Places, card_places, pack_cards


class Material(Struct, frozen=True, tag="klondike/material"):
    """The stock, the waste, the foundations and the seven columns, and the pack."""

    places: Places
    cards: Cards


MATERIAL = Material(places=card_places(look(initial(Options(), 1), None)), cards=pack_cards())
