"""Screaming Yoda: what a command leads to, or the rule it breaks."""

from collections.abc import Callable, Sequence
from typing import Any

from domain.game_type import Illegal
from domain.games.screaming_yoda import commands as said
from domain.games.screaming_yoda import events as ev
from domain.games.screaming_yoda.course import Course
from domain.games.screaming_yoda.plays import flipped_column, laid
from domain.games.screaming_yoda.shouts import call, shout
from domain.games.screaming_yoda.state import State, playing, result
from domain.games.screaming_yoda.swaps import begun, ready, swap
from domain.games.screaming_yoda.turns import flip, lay_down, next_turn, pick_up
from domain.view import Seat


def decide(state: State, seat: Seat, command: said.Command) -> Sequence[ev.Event]:
    """What follows from the command, in order; raises Illegal."""
    if result(state) is not None:
        raise Illegal("game_over", "The game is over.")
    if seat not in playing(state):
        raise Illegal("out_of_game", "This seat is out of the game.")
    return _DECISIONS[type(command)](state, seat, command).events


def _play(state: State, seat: Seat, command: said.Play) -> Course:
    _check_turn(state, seat)
    return lay_down(state, seat, laid(state, seat, command), command.shout)


def _flip(state: State, seat: Seat, command: said.Flip) -> Course:
    _check_turn(state, seat)
    return flip(state, seat, flipped_column(state, seat, command), command.shout)


def _pick_up(state: State, seat: Seat, command: said.PickUp) -> Course:
    """Allowed at any turn, also before a flip (house rule, ours)."""
    _check_turn(state, seat)
    if not state.pile:
        raise Illegal("empty_pile", "There is no pile to pick up.")
    return pick_up(state, seat)


def _check_turn(state: State, seat: Seat) -> None:
    _check_begun(state)
    if seat != state.turn:
        raise Illegal("not_your_turn", "Another seat is on turn.")


def _check_begun(state: State) -> None:
    if state.swapping:
        raise Illegal("swapping_first", "Play begins when every seat is ready.")


def _call(state: State, seat: Seat, command: said.Call) -> Course:
    _check_begun(state)
    return call(state, seat, command)


_DECISIONS: dict[type, Callable[[State, Seat, Any], Course]] = {
    said.Play: _play,
    said.Flip: _flip,
    said.PickUp: _pick_up,
    said.Shout: lambda state, seat, command: shout(state, seat),
    said.Call: _call,
    said.Swap: swap,
    said.Ready: lambda state, seat, command: ready(state, seat),
}


def resign(state: State, seat: Seat) -> Sequence[ev.Event]:
    """The seat is out with all it holds; if it was on turn the next seat plays on the pile as it lies.

    Nothing follows where the seat was out already.
    """
    if seat not in playing(state) or result(state) is not None:
        return ()
    course = Course((), state).then(ev.Withdrawn(seat))
    if result(course.state) is not None:
        return course.events
    return _played_on(course, state, seat).events


def _played_on(course: Course, before: State, seat: Seat) -> Course:
    if before.swapping:
        return begun(course)
    return next_turn(course, seat) if before.turn == seat else course
