"""Decs Building: what a command leads to, or the rule it breaks; and what follows a resignation."""

from collections.abc import Callable, Sequence
from typing import Any

from domain.game_type import Illegal
from domain.games.decs_building import events as ev
from domain.games.decs_building.action import declined, held, place, take_action
from domain.games.decs_building.commands import Command, DeclineExtra, Discard, Pass, Place, TakeAction, TakeStartCard
from domain.games.decs_building.course import Course
from domain.games.decs_building.rounds import end_announced, first_turn, next_turn
from domain.games.decs_building.state import STACK, State, result, start_choices
from domain.view import Seat


def decide(state: State, seat: Seat, command: Command) -> Sequence[ev.Event]:
    """What follows from the command, in order; raises Illegal."""
    if result(state) is not None:
        raise Illegal("game_over", "The game is over.")
    if seat != to_act(state):
        raise Illegal("not_your_turn", "It is another seat's turn.")
    _check_due(state, command)
    return _DECISIONS[type(command)](state, seat, command).events


def to_act(state: State) -> Seat | None:
    """The one seat that has to say something."""
    if state.over is not None:
        return None
    return state.takers[0] if state.takers else state.turn


def _check_due(state: State, command: Command) -> None:
    """Some commands are due before all others."""
    if bool(state.takers) != isinstance(command, TakeStartCard):
        raise Illegal("start_card", "Before the turns, and only then, a card is taken from a stack.")
    if state.placing is not None and not isinstance(command, Place):
        raise Illegal("draw_first", "The feature that was paid for has to be drawn first.")
    if state.extra and not isinstance(command, TakeAction | DeclineExtra | Place):
        raise Illegal("extra_action", "Take the extra action or decline it.")


def _start_card_taken(state: State, seat: Seat, command: TakeStartCard) -> Course:
    if command.source not in start_choices(state):
        raise _not_to_take(state)
    card = state.stacks[STACK[command.source]][-1]
    course = end_announced(Course((), state).then(ev.StartCardTaken(seat, command.source, card)))
    return course if course.state.takers else first_turn(course)


def _not_to_take(state: State) -> Illegal:
    if state.final:
        return Illegal("empty_stack", "There is no card left to take from that stack.")
    return Illegal("lowest_rank", "Take a card of the lowest rank that shows on the suit stacks.")


def _discarded(state: State, seat: Seat, command: Discard) -> Course:
    cards = held(state, seat, (command.card, *(command.more or ())))
    return next_turn(Course((), state).then(ev.Discarded(seat, cards)), seat)


def _passed(state: State, seat: Seat, command: Pass) -> Course:
    return next_turn(Course((), state).then(ev.Passed(seat)), seat)


def _declined(state: State, seat: Seat, command: DeclineExtra) -> Course:
    if not state.extra:
        raise Illegal("no_extra_action", "There is no extra action to decline.")
    return declined(Course((), state), seat)


_DECISIONS: dict[type, Callable[[State, Seat, Any], Course]] = {
    TakeStartCard: _start_card_taken,
    TakeAction: take_action,
    Place: place,
    Discard: _discarded,
    DeclineExtra: _declined,
    Pass: _passed,
}


def resign(state: State, seat: Seat) -> Sequence[ev.Event]:
    """The seat is out, and play goes on where it had been waited for."""
    if state.over is not None or state.players[seat].out:
        return ()
    course = Course((), state).then(ev.SeatWithdrawn(seat))
    if course.state.over is not None:
        return course.events
    return _without(course, state, seat).events


def _without(course: Course, before: State, seat: Seat) -> Course:
    if before.turn == seat and not before.takers:
        return next_turn(course, seat)
    return first_turn(course) if before.takers and not course.state.takers else course
