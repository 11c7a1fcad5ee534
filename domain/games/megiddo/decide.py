"""Megiddo: what a command leads to, or the rule it breaks."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from domain.game_type import Illegal
from domain.games.megiddo.captures import waves
from domain.games.megiddo.commands import Command, Move, Place
from domain.games.megiddo.events import Event, GameStarted, LineCompleted, StoneMoved, StonePlaced, StonesCaptured
from domain.games.megiddo.evolve import evolve
from domain.games.megiddo.scoring import next_first, scored
from domain.games.megiddo.state import State, result
from domain.games.megiddo.stones import EMPTY
from domain.view import Seat


def decide(state: State, seat: Seat, command: Command) -> Sequence[Event]:
    """The stone, its captures, the lines it completes and the end of the game, in order; raises Illegal."""
    if state.over is not None:
        raise Illegal("game_over", "The game is over.")
    if seat != state.turn:
        raise Illegal("not_your_turn", "It is the other seat's turn.")
    put = _placed(state, seat, command) if isinstance(command, Place) else _moved(state, seat, command)
    return _ended(_captured(_Course((), state).then(put), seat, state.board.place[put.target]), seat).events


class _Course(NamedTuple):
    """What has happened so far, and the state it led to."""

    events: tuple[Event, ...]
    state: State

    def then(self, *events: Event) -> "_Course":
        state = self.state
        for event in events:
            state = evolve(state, event)
        return _Course((*self.events, *events), state)


def _placed(state: State, seat: Seat, command: Place) -> StonePlaced:
    _check_vacant(state, command.target)
    return StonePlaced(seat, command.target)


def _moved(state: State, seat: Seat, command: Move) -> StoneMoved:
    if not state.options.move_instead_of_place:
        raise Illegal("stones_stay", "Stones are not moved in this game.")
    if _stone(state, command.source) != str(seat):
        raise Illegal("own_stone", "Only a stone of one's own can be moved.")
    _check_vacant(state, command.target)
    return StoneMoved(seat, command.source, command.target)


def _check_vacant(state: State, zone: str) -> None:
    if _stone(state, zone) != EMPTY:
        raise Illegal("vacant_point", "There is a stone on this point already.")


def _stone(state: State, zone: str) -> str:
    """What lies on a point; raises Illegal where the board has no such point."""
    place = state.board.place.get(zone)
    if place is None:
        raise Illegal("no_such_point", f"The board has {state.board.size} rings and {state.board.size} spokes.")
    return state.stones[place]


def _captured(course: _Course, seat: Seat, place: int) -> _Course:
    zones = course.state.board.zones
    fallen = waves(course.state, seat, place)
    return course.then(*(StonesCaptured(seat, tuple(zones[place] for place in wave)) for wave in fallen))


def _ended(course: _Course, seat: Seat) -> _Course:
    """The lines completed, the score if the game is over, and the next game of a match that goes on."""
    course = course.then(*_completed(course.state, seat))
    score = scored(course.state, seat)
    if score is None:
        return course
    course = course.then(score)
    over = result(course.state) is not None
    return course if over else course.then(GameStarted(next_first(course.state), course.state.number + 1))


def _completed(state: State, seat: Seat) -> Iterator[LineCompleted]:
    """The lines that are wholly this seat's: all of them new, for the first one ends a game."""
    stones, ours, zones = state.stones, str(seat), state.board.zones
    for shape, places in state.board.lines:
        if all(stones[place] == ours for place in places):
            yield LineCompleted(seat, shape, tuple(zones[place] for place in places))
