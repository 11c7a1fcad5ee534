"""Golf: the table and the cards as data, made from what the views show."""

from msgspec import Struct

from domain.games.golf.deal import initial
from domain.games.golf.picture import look
from domain.games.golf.state import Options
from domain.kit.material import Cards, Places, card_places, pack_cards


class Material(Struct, frozen=True, tag="golf/material"):
    """The columns, stock and discard pile, and the pack."""

    places: Places
    cards: Cards


MATERIAL = Material(places=card_places(look(initial(Options(), 1), None)), cards=pack_cards())
