"""Megiddo: the waves of captures that a stone sets off."""

from collections.abc import Iterable, Iterator

from domain.games.megiddo.board import Board, Bracket, Places
from domain.games.megiddo.state import State
from domain.games.megiddo.stones import other
from domain.view import Seat

Brackets = tuple[tuple[Bracket, ...], ...]


def waves(state: State, seat: Seat, place: int) -> Iterator[Places]:
    """The places that fall to the stone just put at `place`, wave by wave, each in the order of the board.

    All captures of a wave are found before any stone is replaced; then the new stones capture as if just placed.
    """
    closing: Places = (place,)
    stones, ours, theirs = list(state.stones), str(seat), str(other(seat))
    while closing := _fallen(stones, ours, theirs, _closed(state, closing)):
        for fallen in closing:
            stones[fallen] = ours
        yield closing


def _closed(state: State, closing: Places) -> Iterator[Bracket]:
    for brackets in _kinds(state.board, state.options.cleopatra):
        for place in closing:
            yield from brackets[place]


def _kinds(board: Board, cleopatra: bool) -> tuple[Brackets, ...]:
    return (board.brackets, board.sandwiches) if cleopatra else (board.brackets,)


def _fallen(stones: list[str], ours: str, theirs: str, brackets: Iterable[Bracket]) -> Places:
    pairs = [
        (near, far) for near, far, end in brackets if stones[near] == theirs == stones[far] and stones[end] == ours
    ]
    return tuple(sorted({place for pair in pairs for place in pair}))
