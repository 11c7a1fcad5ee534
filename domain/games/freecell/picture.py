"""What everybody sees: the whole table, for every card lies face up."""

from domain.games.freecell.ending import result, stuck
from domain.games.freecell.runs import run_limit
from domain.games.freecell.state import CELLS, Facts, State
from domain.kit.patience import STEP, column_zone, foundation_zones
from domain.view import View, Viewer, Zone

_FOUNDATIONS_ABOVE = (4, 5, 6, 7)
"""The columns above which the foundations stand; the free cells stand above the first four."""


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
    """Free cells, foundations and columns, as Denexa Games lays them out."""
    cells = tuple(_cell(state, place) for place in range(len(CELLS)))
    columns = tuple(column_zone(place, cards) for place, cards in enumerate(state.columns))
    return (*cells, *foundation_zones(state.foundations, _FOUNDATIONS_ABOVE), *columns)


def _cell(state: State, place: int) -> Zone:
    card = state.cells[place]
    return Zone(CELLS[place], f"Cell {'abcd'[place]}", "pile", STEP * place, 0, cards=() if card is None else (card,))
