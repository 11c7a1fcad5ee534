"""Every command that would be accepted, quickly and always in the same order."""

from typing import NamedTuple

from domain.games.seahaven_towers.events import Move, Source
from domain.games.seahaven_towers.runs import run_limit
from domain.games.seahaven_towers.state import TABLEAU, TOWERS, State, Tableau, Tower
from domain.kit.cards import PACK
from domain.kit.patience import FOUNDATIONS, HOME, IN_SUIT, KINGS, ON_IN_SUIT, run_length
from domain.view import Card, Seat


class _Room(NamedTuple):
    """Where cards can go: columns by their top cards, empty columns, free towers; and how many cards at once."""

    on: dict[Card, Tableau]
    spaces: list[Tableau]
    towers: list[Tower]
    limit: int
    limit_into_space: int
    into_space: frozenset[Card]


_ANY = frozenset(PACK)


def legal_commands(state: State, seat: Seat) -> tuple[Move, ...]:
    """The moves; nothing for another seat. Once the game is won nothing is left to move."""
    return tuple(moves(state)) if seat == 0 else ()


def moves(state: State) -> list[Move]:
    """The legal moves: from towers and columns; home first, then to columns, then to towers."""
    room, listed = _room(state), []
    for tower, card in zip(TOWERS, state.towers, strict=True):
        if card is not None:
            listed += _home(state, tower, card) + _to_columns(room, tower, (card,), 1)
    for source, column in zip(TABLEAU, state.columns, strict=True):
        if column:
            listed += _from_column(state, room, source, column)
    return listed


def _room(state: State) -> _Room:
    columns = list(zip(TABLEAU, state.columns, strict=True))
    on = {column[-1]: zone for zone, column in columns if column}
    spaces = [zone for zone, column in columns if not column]
    towers = [tower for tower, card in zip(TOWERS, state.towers, strict=True) if card is None]
    limits = run_limit(state, into_space=False), run_limit(state, into_space=True)
    return _Room(on, spaces, towers, *limits, _ANY if state.options.any_card else KINGS)


def _from_column(state: State, room: _Room, source: Tableau, column: tuple[Card, ...]) -> list[Move]:
    to_columns = _to_columns(room, source, column, run_length(column, IN_SUIT))
    return _home(state, source, column[-1]) + to_columns + [Move(source, tower) for tower in room.towers]


def _to_columns(room: _Room, source: Source, pile: tuple[Card, ...], length: int) -> list[Move]:
    """The top card and every longer part of the run of this length, wherever it fits and can be carried."""
    listed, on = [], room.on
    for count in range(1, (length if length < room.limit else room.limit) + 1):
        for top in ON_IN_SUIT[pile[-count]]:
            if top in on:
                listed.append(Move(source, on[top], count))
        if room.spaces and count <= room.limit_into_space and pile[-count] in room.into_space:
            listed += [Move(source, space, count) for space in room.spaces]
    return listed


def _home(state: State, source: Source, card: Card) -> list[Move]:
    suit, needed = HOME[card]
    return [Move(source, FOUNDATIONS[suit])] if state.foundations[suit] == needed else []
