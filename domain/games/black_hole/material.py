"""Black Hole: the table and the cards as data, made from what the views show."""

from msgspec import Struct

from domain.games.black_hole.deal import initial
from domain.games.black_hole.picture import look
from domain.games.black_hole.state import Options
from domain.kit.material import Cards, Places, card_places, pack_cards


class Material(Struct, frozen=True, tag="black_hole/material"):
    """The seventeen piles around the foundation, and the pack."""

    places: Places
    cards: Cards


MATERIAL = Material(places=card_places(look(initial(Options(), 1), None)), cards=pack_cards())
