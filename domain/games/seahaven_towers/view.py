"""What everybody sees, for every card lies face up; and the table and the cards as data."""

from msgspec import Struct

from domain.games.seahaven_towers.rules import initial, result, stuck
from domain.games.seahaven_towers.state import GAME, Facts, Options, State, run_limit
from domain.kit.cells import table_zones
from domain.kit.material import Cards, Places, card_places, pack_cards
from domain.kit.turns import solo_view
from domain.view import View, Viewer

_FOUNDATIONS_ABOVE = (0, 1, 8, 9)
"""Spades stand above the first column, hearts the second, diamonds the ninth, clubs the tenth (Denexa Games)."""
_TOWERS_ABOVE = 3
"""The first tower stands above the fourth column, the cards dealt to towers above the fifth and sixth."""


def look(state: State, viewer: Viewer) -> View[Facts]:
    """The table, the same for everybody."""
    over = result(state) is not None
    return solo_view(
        over,
        stuck(state),
        table_zones(GAME, state, _TOWERS_ABOVE, _FOUNDATIONS_ABOVE),
        Facts(run_limit(state, into_space=False), run_limit(state, into_space=True)),
    )


class Material(Struct, frozen=True, tag="seahaven_towers/material"):
    """The towers, columns and foundations, and the pack."""

    places: Places
    cards: Cards


MATERIAL = Material(places=card_places(look(initial(Options(), 1), None)), cards=pack_cards())
