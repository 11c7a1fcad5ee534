"""Every command that would be accepted, quickly and always in the same order."""

from typing import NamedTuple

from domain.games.freecell.events import Move, Source
from domain.games.freecell.runs import run_limit
from domain.games.freecell.state import ACCEPTS, CELLS, TABLEAU, Cell, State, Tableau
from domain.kit.patience import FOUNDATIONS, HOME, ON_ALTERNATING, all_home, home_cards, run_length
from domain.view import Card, Seat


class _Room(NamedTuple):
    """Where cards can go: columns by their top cards, empty columns, free cells; and how many cards at once."""

    on: dict[Card, Tableau]
    spaces: list[Tableau]
    cells: list[Cell]
    limit: int
    limit_into_space: int


def legal_commands(state: State, seat: Seat) -> tuple[Move, ...]:
    """The moves; nothing for another seat or once the game is won."""
    return () if seat != 0 or all_home(state.foundations) else tuple(moves(state))


def moves(state: State) -> list[Move]:
    """The legal moves: from cells, columns and foundations; home first, then to columns, then to cells."""
    room, listed = _room(state), []
    for cell, card in zip(CELLS, state.cells, strict=True):
        if card is not None:
            listed += _home(state, cell, card) + _to_columns(room, cell, (card,), 1)
    for source, column in zip(TABLEAU, state.columns, strict=True):
        if column:
            listed += _from_column(state, room, source, column)
    return listed + _from_foundations(state, room) if state.options.foundation_return else listed


def _room(state: State) -> _Room:
    columns = list(zip(TABLEAU, state.columns, strict=True))
    on = {column[-1]: zone for zone, column in columns if column}
    spaces = [zone for zone, column in columns if not column]
    cells = [cell for cell, card in zip(CELLS, state.cells, strict=True) if card is None]
    return _Room(on, spaces, cells, run_limit(state, into_space=False), run_limit(state, into_space=True))


def _from_column(state: State, room: _Room, source: Tableau, column: tuple[Card, ...]) -> list[Move]:
    to_columns = _to_columns(room, source, column, run_length(column, ACCEPTS))
    return _home(state, source, column[-1]) + to_columns + [Move(source, cell) for cell in room.cells]


def _to_columns(room: _Room, source: Source, pile: tuple[Card, ...], length: int) -> list[Move]:
    """The top card and every longer part of the run of this length, wherever it fits and can be carried."""
    listed, on = [], room.on
    for count in range(1, (length if length < room.limit else room.limit) + 1):
        for top in ON_ALTERNATING[pile[-count]]:
            if top in on:
                listed.append(Move(source, on[top], count))
        if room.spaces and count <= room.limit_into_space:
            listed += [Move(source, space, count) for space in room.spaces]
    return listed


def _from_foundations(state: State, room: _Room) -> list[Move]:
    listed: list[Move] = []
    for suit, count in enumerate(state.foundations):
        if count:
            listed += _to_columns(room, FOUNDATIONS[suit], home_cards(suit, count), 1)
    return listed


def _home(state: State, source: Source, card: Card) -> list[Move]:
    suit, needed = HOME[card]
    return [Move(source, FOUNDATIONS[suit])] if state.foundations[suit] == needed else []
