"""Decs Building: what may be said, what a command leads to, and what follows a resignation."""

from collections.abc import Sequence
from typing import assert_never

from domain.game_type import Illegal, Result
from domain.games.decs_building import events as ev
from domain.games.decs_building.rules.actions import (
    decline_extra,
    draw_feature,
    find_in_hand,
    list_actions,
    spell_action,
    take_action,
)
from domain.games.decs_building.rules.course import Course, evolve
from domain.games.decs_building.rules.grid import check_cells, free_places
from domain.games.decs_building.rules.rounds import announce_end, deal, first_turn, initial, next_turn
from domain.games.decs_building.state import STACK, State, start_choices, to_act
from domain.view import Seat

__all__ = ["canonical", "deal", "decide", "evolve", "initial", "legal_commands", "resign", "result"]


def decide(state: State, seat: Seat, command: ev.Command) -> Sequence[ev.Event]:
    """What follows from the command, in order; raises Illegal."""
    if state.over is not None:
        raise Illegal("game_over", "The game is over.")
    if seat != to_act(state):
        raise Illegal("not_your_turn", "It is another seat's turn.")
    _check_due(state, command)
    start = Course(evolve, state)
    match command:
        case ev.TakeStartCard():
            course = _take_start_card(state, seat, command)
        case ev.TakeAction():
            course = take_action(state, seat, command)
        case ev.Place():
            if state.placing is None:
                raise Illegal("nothing_to_draw", "There is nothing to draw.")
            course = draw_feature(start, seat, state.placing, check_cells(state, seat, state.placing, command.cells))
        case ev.Discard():
            cards = find_in_hand(state, seat, (command.card, *(command.more or ())))
            course = next_turn(start.then(ev.Discarded(seat, cards)), seat)
        case ev.DeclineExtra():
            if not state.extra:
                raise Illegal("no_extra_action", "There is no extra action to decline.")
            course = decline_extra(start, seat)
        case ev.Pass():
            course = next_turn(start.then(ev.Passed(seat)), seat)
        case _:
            assert_never(command)
    return course.events


def resign(state: State, seat: Seat) -> Sequence[ev.Event]:
    """The seat is out, and play goes on where it had been waited for."""
    if state.over is not None or state.players[seat].out:
        return ()
    course = Course(evolve, state).then(ev.SeatWithdrawn(seat))
    if course.state.over is not None:
        return course.events
    if state.turn == seat and not state.takers:
        course = next_turn(course, seat)
    elif state.takers and not course.state.takers:
        course = first_turn(course)
    return course.events


def result(state: State) -> Result | None:
    """Won by most points, or by the last seat left; None while it goes on. Equal points win together."""
    if state.over is None:
        return None
    return Result("won", state.over, state.winners, state.scores)


def legal_commands(state: State, seat: Seat) -> Sequence[ev.Command]:
    """What the seat may say, one command per meaning: start cards, places, or actions and other ways to end a turn.

    What can be meant is more than can be listed: a listed discard names its first card and leaves the others open.
    """
    if seat != to_act(state):
        return ()
    if state.takers:
        return tuple(ev.TakeStartCard(stack) for stack in start_choices(state))
    if state.placing is not None:
        return tuple(ev.Place(place.cells) for place in free_places(state, seat, state.placing))
    if state.extra:
        return (*list_actions(state, seat), ev.DeclineExtra())
    discards = (ev.Discard(card) for card in dict.fromkeys(sorted(state.players[seat].hand)))
    return (*list_actions(state, seat), *discards, ev.Pass())


def canonical(state: State, seat: Seat, command: ev.Command) -> ev.Command:
    """The spelling of the command that is listed."""
    if isinstance(command, ev.Place):
        return ev.Place(tuple(sorted(command.cells)))
    return spell_action(command) if isinstance(command, ev.TakeAction) else command


def _check_due(state: State, command: ev.Command) -> None:
    """Some commands are due before all others."""
    if bool(state.takers) != isinstance(command, ev.TakeStartCard):
        raise Illegal("start_card", "Before the turns, and only then, a card is taken from a stack.")
    if state.placing is not None and not isinstance(command, ev.Place):
        raise Illegal("draw_first", "The feature that was paid for has to be drawn first.")
    if state.extra and not isinstance(command, ev.TakeAction | ev.DeclineExtra | ev.Place):
        raise Illegal("extra_action", "Take the extra action or decline it.")


def _take_start_card(state: State, seat: Seat, command: ev.TakeStartCard) -> Course:
    if command.source not in start_choices(state):
        if state.final:
            raise Illegal("empty_stack", "There is no card left to take from that stack.")
        raise Illegal("lowest_rank", "Take a card of the lowest rank that shows on the suit stacks.")
    card = state.stacks[STACK[command.source]][-1]
    course = announce_end(Course(evolve, state).then(ev.StartCardTaken(seat, command.source, card)))
    return course if course.state.takers else first_turn(course)
