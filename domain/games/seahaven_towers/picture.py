"""What everybody sees: the whole table, for every card lies face up."""

from domain.games.seahaven_towers.ending import result, stuck
from domain.games.seahaven_towers.runs import run_limit
from domain.games.seahaven_towers.state import TOWERS, Facts, State
from domain.kit.patience import STEP, column_zone, foundation_zones
from domain.view import View, Viewer, Zone

_FOUNDATIONS_ABOVE = (0, 1, 8, 9)
"""Spades stand above the first column, hearts the second, diamonds the ninth, clubs the tenth (Denexa Games)."""
_TOWERS_ABOVE = 3
"""The first tower stands above the fourth column, the cards dealt to towers above the fifth and sixth."""


def look(state: State, viewer: Viewer) -> View[Facts]:
    """The table, the same for everybody."""
    over = result(state) is not None
    return View(
        phase="finished" if over else "playing",
        to_act=() if over else (0,),
        stuck=stuck(state),
        zones=_zones(state),
        facts=Facts(run_limit(state, into_space=False), run_limit(state, into_space=True)),
    )


def _zones(state: State) -> tuple[Zone, ...]:
    towers = tuple(_tower(state, place) for place in range(len(TOWERS)))
    columns = tuple(column_zone(place, cards) for place, cards in enumerate(state.columns))
    return (*towers, *foundation_zones(state.foundations, _FOUNDATIONS_ABOVE), *columns)


def _tower(state: State, place: int) -> Zone:
    card = state.towers[place]
    x = STEP * (_TOWERS_ABOVE + place)
    return Zone(TOWERS[place], f"Tower {'abcd'[place]}", "pile", x, 0, cards=() if card is None else (card,))
