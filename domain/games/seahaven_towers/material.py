"""Seahaven Towers: the table and the cards as data, made from what the views show."""

from msgspec import Struct

from domain.games.seahaven_towers.deal import initial
from domain.games.seahaven_towers.picture import look
from domain.games.seahaven_towers.state import Options
from domain.kit.material import Cards, Places, card_places, pack_cards


class Material(Struct, frozen=True, tag="seahaven_towers/material"):
    """The towers, columns and foundations, and the pack."""

    places: Places
    cards: Cards


MATERIAL = Material(places=card_places(look(initial(Options(), 1), None)), cards=pack_cards())
