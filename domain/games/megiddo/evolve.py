"""Megiddo: folding what happened into the state. Refuses nothing, draws no lots."""

from collections.abc import Callable, Iterable
from typing import Any

from msgspec.structs import replace

from domain.games.megiddo import events as ev
from domain.games.megiddo.state import State
from domain.games.megiddo.stones import EMPTY, other
from domain.view import Seat


def evolve(state: State, event: ev.Event) -> State:
    """The state after one more event."""
    return _HANDLERS[type(event)](state, event)


def _game_started(state: State, event: ev.GameStarted) -> State:
    """An empty board; the scores of the match stay."""
    return State(
        options=state.options,
        stones=EMPTY * len(state.stones),
        turn=event.seat,
        first=event.seat,
        number=event.number,
        scores=state.scores,
    )


def _stone_placed(state: State, event: ev.StonePlaced) -> State:
    stones = _with(state, (event.target,), str(event.seat))
    return replace(state, stones=stones, turn=other(event.seat), idle=0)


def _stone_moved(state: State, event: ev.StoneMoved) -> State:
    lifted = replace(state, stones=_with(state, (event.source,), EMPTY))
    stones = _with(lifted, (event.target,), str(event.seat))
    return replace(state, stones=stones, turn=other(event.seat), idle=state.idle + 1)


def _with(state: State, zones: Iterable[str], stone: str) -> str:
    """The board with this on these points."""
    stones, place = list(state.stones), state.board.place
    for zone in zones:
        stones[place[zone]] = stone
    return "".join(stones)


def _stones_captured(state: State, event: ev.StonesCaptured) -> State:
    """A stone that is captured back later counts for the other side; nothing is taken off (our ruling)."""
    captured = _plus(state.captured, event.seat, len(event.points))
    return replace(state, stones=_with(state, event.points, str(event.seat)), captured=captured, idle=0)


def _plus(counts: tuple[int, int], seat: Seat, more: int) -> tuple[int, int]:
    return (counts[0] + more, counts[1]) if seat == 0 else (counts[0], counts[1] + more)


def _game_scored(state: State, event: ev.GameScored) -> State:
    scores = (state.scores[0] + event.points[0], state.scores[1] + event.points[1])
    return replace(state, over=event.reason, winner=event.winner, scores=scores)


_HANDLERS: dict[type, Callable[[State, Any], State]] = {
    ev.GameStarted: _game_started,
    ev.StonePlaced: _stone_placed,
    ev.StoneMoved: _stone_moved,
    ev.StonesCaptured: _stones_captured,
    ev.LineCompleted: lambda state, event: replace(state, lines=state.lines + 1),
    ev.GameScored: _game_scored,
}
