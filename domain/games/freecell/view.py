"""What everybody sees, for every card lies face up; and the table and the cards as data."""

from msgspec import Struct

from domain.games.freecell.rules import initial, result, stuck
from domain.games.freecell.state import GAME, Facts, Options, State, run_limit
from domain.kit.cells import table_zones
from domain.kit.material import Cards, Places, card_places, pack_cards
from domain.kit.patience import solo_view
from domain.view import View, Viewer

_FOUNDATIONS_ABOVE = (4, 5, 6, 7)
"""The columns above which the foundations stand; the free cells stand above the first four (Denexa Games)."""


def look(state: State, viewer: Viewer) -> View[Facts]:
    """The table, the same for everybody."""
    over = result(state) is not None
    return solo_view(
        over,
        stuck(state),
        table_zones(GAME, state, 0, _FOUNDATIONS_ABOVE),
        Facts(run_limit(state, into_space=False), run_limit(state, into_space=True)),
    )


class Material(Struct, frozen=True, tag="freecell/material"):
    """The free cells, the foundations and the eight columns, and the pack."""

    places: Places
    cards: Cards


MATERIAL = Material(places=card_places(look(initial(Options(), 1), None)), cards=pack_cards())
