"""FreeCell: the table and the cards as data, made from what the views show."""

from msgspec import Struct

from domain.games.freecell.deal import initial
from domain.games.freecell.picture import look
from domain.games.freecell.state import Options
from domain.kit.material import Cards, Places, card_places, pack_cards


class Material(Struct, frozen=True, tag="freecell/material"):
    """The free cells, the foundations and the eight columns, and the pack."""

    places: Places
    cards: Cards


MATERIAL = Material(places=card_places(look(initial(Options(), 1), None)), cards=pack_cards())
