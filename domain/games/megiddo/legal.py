"""Megiddo: everything that a seat may do now."""

from collections.abc import Iterator, Sequence
from itertools import compress

from domain.games.megiddo.board import BOARDS
from domain.games.megiddo.commands import Command, Move, Place
from domain.games.megiddo.state import State
from domain.games.megiddo.stones import EMPTY
from domain.view import Seat

_PLACES = {name: [Place(zone) for zone in board.zones] for name, board in BOARDS.items()}
_MOVES = {
    name: [[Move(source, target) for target in board.zones] for source in board.zones] for name, board in BOARDS.items()
}
"""Every command there can be, by board; moves by source and target."""


def legal_commands(state: State, seat: Seat) -> Sequence[Command]:
    """A placement on every vacant point, point by point; then, if they are played, the moves of every own stone."""
    if seat != state.turn or state.over is not None:
        return ()
    vacant = [stone == EMPTY for stone in state.stones]
    placements = compress(_PLACES[state.options.variant], vacant)
    return (*placements, *_moves(state, seat, vacant)) if state.options.move_instead_of_place else tuple(placements)


def _moves(state: State, seat: Seat, vacant: list[bool]) -> Iterator[Move]:
    own = [stone == str(seat) for stone in state.stones]
    for targets in compress(_MOVES[state.options.variant], own):
        yield from compress(targets, vacant)
