"""Every command that would be accepted, quickly and always in the same order."""

from collections.abc import Iterator

from domain.games.spider.events import Command, Deal, Move, RemoveSuit
from domain.games.spider.runs import ends_in_run, movable, row_ready
from domain.games.spider.state import FOUNDATIONS, TABLEAU, State, over
from domain.kit.cards import RANK
from domain.view import Seat

_SPACE = 0
"""Stands for the top rank of an empty column."""


def legal_commands(state: State, seat: Seat) -> tuple[Command, ...]:
    """The moves by column, then removing and dealing; nothing for another seat or once the game is over."""
    if seat != 0 or over(state):
        return ()
    return (*_moves(state), *_removals(state), *([Deal()] if row_ready(state) else ()))


def _moves(state: State) -> list[Move]:
    tops = [RANK[column[-1]] if column else _SPACE for column in state.columns]
    listed: list[Move] = []
    for place, rank in enumerate(tops):
        if length := movable(state.columns[place], state.face_down[place]):
            listed += _from_column(place, rank, length, tops)
    return listed


def _from_column(place: int, rank: int, length: int, tops: list[int]) -> list[Move]:
    """The moves of parts of one run: onto a card one number of cards fits at most, into a space every number.

    No part fits the run's own top card, so the run's own column needs no exception.
    """
    source, listed = TABLEAU[place], []
    for target, top in enumerate(tops):
        if top == _SPACE:
            listed += [Move(source, TABLEAU[target], count) for count in range(1, length + 1)]
        elif 0 < top - rank <= length:
            listed.append(Move(source, TABLEAU[target], top - rank))
    return listed


def _removals(state: State) -> Iterator[RemoveSuit]:
    if state.options.manual_removal:
        for place, column in enumerate(state.columns):
            if ends_in_run(column, state.face_down[place]):
                yield RemoveSuit(TABLEAU[place], FOUNDATIONS[len(state.finished)])
