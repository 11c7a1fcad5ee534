"""What everybody sees, for every card lies face up; and the table and the cards as data."""

from msgspec import Struct

from domain.board import Boards, Place
from domain.games.seahaven_towers.rules import initial, result, stuck
from domain.games.seahaven_towers.state import GAME, TABLEAU, TOWERS, Facts, Options, State, run_limit
from domain.kit.boards import homes, pile, topped_boards
from domain.kit.cells import table_zones
from domain.kit.material import Cards, Places, card_places, pack_cards
from domain.kit.patience import FOUNDATIONS, solo_view
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


def boards(options: Options, seats: int) -> Boards:
    """Towers in the middle and two foundations at each end, above the columns."""

    def above(step: float) -> list[Place]:
        towers = [pile(zone, step * at, 0) for at, zone in enumerate(TOWERS, _TOWERS_ABOVE)]
        return towers + homes(
            pile(zone, step * at, 0) for zone, at in zip(FOUNDATIONS, _FOUNDATIONS_ABOVE, strict=True)
        )

    return topped_boards(len(TABLEAU), above)


class Material(Struct, frozen=True, tag="seahaven_towers/material"):
    """The towers, columns and foundations, and the pack."""

    places: Places
    cards: Cards


MATERIAL = Material(places=card_places(look(initial(Options(), 1), None)), cards=pack_cards())
