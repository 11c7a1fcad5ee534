"""Decs Building: how rounds and turns follow each other, and the end."""

from domain.games.decs_building import events as ev
from domain.games.decs_building.course import Course
from domain.games.decs_building.power import hand_size
from domain.games.decs_building.scoring import score, winners
from domain.games.decs_building.state import State, clockwise
from domain.view import Seat


def begin_round(course: Course, event: ev.RoundStarted) -> Course:
    """Everybody draws up to the hand size, clockwise from the token holder; then the start card is waited for."""
    course = course.then(event)
    for seat in clockwise(course.state, event.token):
        course = _drawn(course, seat)
    return course if course.state.takers else first_turn(course)


def _drawn(course: Course, seat: Seat) -> Course:
    """A deck that is too short gives what there is."""
    player = course.state.players[seat]
    wanted = max(0, hand_size(player.features) - len(player.hand))
    cards = player.deck[:wanted]
    return course.then(ev.Drawn(seat, cards)) if cards else course


def first_turn(course: Course) -> Course:
    """The turns begin with the token holder."""
    return _turn_from(course, course.state.token)


def next_turn(course: Course, seat: Seat) -> Course:
    """The turn goes clockwise from this seat to the next that has not passed."""
    return _turn_from(course, (seat + 1) % len(course.state.players))


def _turn_from(course: Course, first: Seat) -> Course:
    """House rule, ours: an empty hand passes by itself."""
    for seat in clockwise(course.state, first):
        player = course.state.players[seat]
        if not player.passed and player.hand:
            return course.then(ev.TurnStarted(seat))
        if not player.passed:
            course = course.then(ev.Passed(seat))
    return _end_round(course)


def _end_round(course: Course) -> Course:
    course = course.then(ev.RoundEnded())
    if course.state.final:
        return _counted(course)
    state = course.state
    return begin_round(course, ev.RoundStarted(state.round + 1, _token_passed_on(state), state.latched))


def _token_passed_on(state: State) -> Seat:
    """Anti-clockwise, passing absent seats by: of the seats clockwise from the holder, the last."""
    return clockwise(state, state.token)[-1]


def _counted(course: Course) -> Course:
    scores = tuple(score(course.state, seat) for seat in range(len(course.state.players)))
    return course.then(ev.Scored(scores, winners(course.state, scores)))


def end_announced(course: Course) -> Course:
    """Three empty stacks announce the end; a stack that fills again does not take that back."""
    empty = sum(not cards for cards in course.state.stacks)
    if course.state.latched or empty < 3:
        return course
    return course.then(ev.EndAnnounced())
