"""Megiddo: what happens, as sentences; everybody hears the same."""

from collections.abc import Callable
from typing import Any

from domain.games.megiddo import events as ev
from domain.games.megiddo.state import State
from domain.view import Seat, Viewer

_REASONS: dict[ev.Over, str] = {
    "megiddo": "A megiddo",
    "arbatta": "An arbatta",
    "patara": "Patara, the board is full",
    "no_progress": "Too many moves in a row brought nothing",
}


def tell(state: State, event: ev.Event, viewer: Viewer) -> str:
    """The event, on the state before it, as one sentence."""
    return _SENTENCES[type(event)](state, event)


def _point(zone: str) -> str:
    _, ring, spoke = zone.split("_")
    return f"ring {ring} spoke {spoke}"


def _game_started(state: State, event: ev.GameStarted) -> str:
    return f"Seat {event.seat} begins{f' game {event.number}' if state.options.match_points else ''}."


def _stone_moved(state: State, event: ev.StoneMoved) -> str:
    return f"Seat {event.seat} moves a stone from {_point(event.source)} to {_point(event.target)}."


def _stones_captured(state: State, event: ev.StonesCaptured) -> str:
    points = ", ".join(map(_point, event.points))
    return f"Seat {event.seat} captures {len(event.points)} stones: {points}."


def _line_completed(state: State, event: ev.LineCompleted) -> str:
    _, ring, spoke = event.points[0].split("_")
    if event.shape == "spiral":
        ends = f"from {_point(event.points[0])} to {_point(event.points[-1])}"
        return f"Seat {event.seat} completes the spiral {ends}."
    return f"Seat {event.seat} completes {f'ring {ring}' if event.shape == 'ring' else f'spoke {spoke}'}."


def _game_scored(state: State, event: ev.GameScored) -> str:
    outcome = "the game is drawn" if event.winner is None else f"seat {event.winner} wins the game"
    return f"{_REASONS[event.reason]}: {outcome}; {_points(event, 0)}, {_points(event, 1)}."


def _points(event: ev.GameScored, seat: Seat) -> str:
    points = event.points[seat]
    return f"seat {seat} scores {points} point{'' if points == 1 else 's'}"


_SENTENCES: dict[type, Callable[[State, Any], str]] = {
    ev.GameStarted: _game_started,
    ev.StonePlaced: lambda state, event: f"Seat {event.seat} places a stone on {_point(event.target)}.",
    ev.StoneMoved: _stone_moved,
    ev.StonesCaptured: _stones_captured,
    ev.LineCompleted: _line_completed,
    ev.GameScored: _game_scored,
}
