"""Screaming Yoda: what a lay, a flip or a pick-up leads to, and whose turn comes next."""

from domain.games.screaming_yoda import events as ev
from domain.games.screaming_yoda.course import Course
from domain.games.screaming_yoda.plays import Lay
from domain.games.screaming_yoda.state import FULL_HAND, State, clearing, fits, playing, result, total
from domain.view import Seat


def lay_down(state: State, seat: Seat, lay: Lay, shout: bool) -> Course:
    """The cards to the pile and what follows."""
    return _after(Course((), state).then(ev.Played(seat, lay.cards, lay.columns)), seat, shout)


def flip(state: State, seat: Seat, column: int, shout: bool) -> Course:
    """The face-down card to the pile; where it does not fit, it goes to the hand with the whole pile."""
    card = state.face_down[seat][column]
    if card is None:
        raise ValueError("an empty column")
    course = Course((), state).then(ev.Flipped(seat, column, card))
    return _after(course, seat, shout) if fits(state, card[0]) else _taken(course, seat)


def pick_up(state: State, seat: Seat) -> Course:
    """The pile to the hand, and the next seat leads."""
    return _taken(Course((), state), seat)


def _taken(course: Course, seat: Seat) -> Course:
    return next_turn(course.then(ev.PickedUp(seat, course.state.pile)), seat)


def _after(course: Course, seat: Seat, shout: bool) -> Course:
    """In this order: the pile clears, the hand is filled, the last card wins, one card left is exposed, the turn."""
    cleared = clearing(course.state.pile)
    if cleared:
        course = course.then(ev.Cleared(cleared, course.state.pile))
    course = _counted(_refilled(course, seat), seat, shout)
    if result(course.state) is not None:
        return course
    if cleared and total(course.state, seat):
        return course.then(ev.TurnStarted(seat, True))
    return next_turn(course, seat)


def _refilled(course: Course, seat: Seat) -> Course:
    """Up to three cards in hand, also before a bonus play, while the draw pile lasts."""
    wanting = max(0, FULL_HAND - len(course.state.hands[seat]))
    cards = course.state.draw[:wanting]
    return course.then(ev.Drawn(seat, cards)) if cards else course


def _counted(course: Course, seat: Seat, shout: bool) -> Course:
    left = total(course.state, seat)
    if left == 0:
        return course.then(ev.WentOut(seat))
    if left > 1:
        return course
    return course.then(ev.Shouted(seat) if shout else ev.OneLeft(seat))


def next_turn(course: Course, seat: Seat) -> Course:
    """The next seat clockwise that is still playing; who has to lose a turn loses it."""
    following = next_seat(course.state, seat)
    if following in course.state.skips:
        return next_turn(course.then(ev.Skipped(following)), following)
    return course.then(ev.TurnStarted(following))


def next_seat(state: State, seat: Seat) -> Seat:
    """The next seat clockwise that is still playing."""
    seats, left = len(state.hands), playing(state)
    return next((other % seats for other in range(seat + 1, seat + seats + 1) if other % seats in left), seat)
