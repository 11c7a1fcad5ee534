"""Every command that would be accepted, quickly and always in the same order; and one spelling for each pair."""

from domain.games.pyramid.available import pile_removals, pyramid_removals
from domain.games.pyramid.events import Command, Draw, Recycle, Remove
from domain.games.pyramid.passes import recycles_left, won
from domain.games.pyramid.state import DISCARD, PLACES, STOCK, WASTE, State
from domain.view import Seat

_DRAW, _RECYCLE = Draw(), Recycle()
_ORDER: dict[str, int] = {zone: place for place, zone in enumerate((*PLACES, STOCK, WASTE, DISCARD))}


def legal_commands(state: State, seat: Seat) -> tuple[Command, ...]:
    """The removals, the pyramid's first, then drawing or recycling; nothing for another seat or in a won game."""
    if seat != 0 or won(state):
        return ()
    within = pyramid_removals(state)
    listed: list[Command] = [*within, *pile_removals(state)]
    if not (within and state.options.draw_only_when_stuck):
        listed += _stock_commands(state)
    return tuple(listed)


def _stock_commands(state: State) -> tuple[Command, ...]:
    if state.stock:
        return (_DRAW,)
    return (_RECYCLE,) if state.waste and recycles_left(state) != 0 else ()


def canonical(state: State, seat: Seat, command: Command) -> Command:
    """A pair with the upper left card first and the piles last."""
    if isinstance(command, Remove) and command.target != DISCARD and _ORDER[command.target] < _ORDER[command.source]:
        return Remove(command.target, command.source)
    return command
