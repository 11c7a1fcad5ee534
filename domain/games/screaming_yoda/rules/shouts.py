"""Screaming Yoda: the shout, the call that comes first, and the cards it costs."""

from domain.game_type import Illegal
from domain.games.screaming_yoda import events as ev
from domain.games.screaming_yoda.rules.turns import Course, next_turn
from domain.games.screaming_yoda.state import State, playing
from domain.kit.turns import shuffle_cards
from domain.view import Seat

CAUGHT = 3
"""Cards that a caught player draws."""


def shout_yoda(course: Course, seat: Seat) -> Course:
    """The exposed seat is safe; raises Illegal."""
    if seat not in course.state.exposed:
        raise Illegal("nothing_to_shout", "Yoda is shouted with one card left, once.")
    return course.then(ev.Shouted(seat))


def call_seat(course: Course, seat: Seat, called: Seat) -> Course:
    """The called seat draws and loses a turn, or, for a false call, the caller draws; raises Illegal."""
    state = course.state
    if called == seat:
        raise Illegal("own_call", "One calls another player; for oneself one shouts.")
    if called not in playing(state):
        raise Illegal("not_in_play", "This seat is not in play.")
    if called in state.exposed:
        return _catch_seat(course.then(ev.Caught(called, seat)), called)
    if not state.options.false_call_penalty:
        raise Illegal("false_call", "Only a player with one card left who has not shouted can be called.")
    if not _hears_false_calls(state):
        raise Illegal("nothing_to_draw", "There is no card that a false call could cost.")
    return _draw_penalty(course.then(ev.FalselyCalled(called, seat)), seat, state.options.false_call_penalty)


def callable_seats(state: State, seat: Seat) -> tuple[Seat, ...]:
    """Whom a seat may call."""
    called = playing(state) if _hears_false_calls(state) else state.exposed
    return tuple(other for other in sorted(called) if other != seat)


def _hears_false_calls(state: State) -> bool:
    """Whether a call without cause is heard, for which its caller draws."""
    if state.swapping or not state.options.false_call_penalty:
        return False
    return len(state.pile) > 1 or bool(state.pile if state.options.yoda_penalty_source == "pile" else state.removed)


def _catch_seat(course: Course, seat: Seat) -> Course:
    """On turn the player loses this turn and it passes at once, else the next one (house rule, ours)."""
    course = _draw_penalty(course, seat, CAUGHT)
    return next_turn(course.then(ev.Skipped(seat)), seat) if course.state.turn == seat else course


def _draw_penalty(course: Course, seat: Seat, count: int) -> Course:
    if course.state.options.yoda_penalty_source == "pile":
        penalty = ev.Penalised(seat, from_pile=course.state.pile[-count:])
    else:
        penalty = _draw_removed(course.state, seat, count)
    return course.then(penalty) if penalty.drawn or penalty.from_pile else course


def _draw_removed(state: State, seat: Seat, count: int) -> ev.Penalised:
    """From the removed cards, shuffled; what is missing from the bottom of the pile, whose top stays."""
    missing = max(0, count - len(state.removed))
    from_pile = state.pile[:-1][:missing]
    if not state.removed:
        return ev.Penalised(seat, from_pile=from_pile)
    order = shuffle_cards(state.chance, state.removed)
    return ev.Penalised(seat, order.cards[:count], from_pile, order.cards[count:], order.chance)
