"""Screaming Yoda: the exchange of hand cards for face-up cards before play (option `swap_phase`)."""

from collections.abc import Iterator

from domain.game_type import Illegal
from domain.games.screaming_yoda import events as ev
from domain.games.screaming_yoda.commands import Command, Ready, Swap
from domain.games.screaming_yoda.course import Course
from domain.games.screaming_yoda.state import State, playing
from domain.games.screaming_yoda.turns import next_seat
from domain.games.screaming_yoda.zones import COLUMN, COLUMN_PLACE, HAND
from domain.view import Seat


def swap(state: State, seat: Seat, command: Swap) -> Course:
    """A hand card and a face-up card change places; raises Illegal."""
    check_swapping(state, seat)
    owner, column = COLUMN_PLACE.get(command.target, (-1, 0))
    if owner != seat or column >= len(state.face_up[seat]):
        raise Illegal("own_column", "Cards are exchanged with one's own columns.")
    if command.card not in state.hands[seat] or command.source not in (None, HAND[seat]):
        raise Illegal("not_in_hand", "This card is not in your hand.")
    hand, taken = state.hands[seat], state.face_up[seat][column]
    card = hand[hand.index(command.card)]
    return Course((), state).then(ev.Swapped(seat, card, column, taken or card))


def ready(state: State, seat: Seat) -> Course:
    """The seat exchanges no more; when all are ready the first seat is on turn; raises Illegal."""
    check_swapping(state, seat)
    return begun(Course((), state).then(ev.BecameReady(seat)))


def begun(course: Course) -> Course:
    """The first turn, once nobody exchanges cards any more."""
    state = course.state
    if state.swapping:
        return course
    first = state.first if state.first in playing(state) else next_seat(state, state.first)
    return course.then(ev.TurnStarted(first))


def check_swapping(state: State, seat: Seat) -> None:
    """Raises Illegal unless this seat may still exchange cards."""
    if seat not in state.swapping:
        raise Illegal("no_swapping_now", "Cards are exchanged only before play, until one is ready.")


def swaps(state: State, seat: Seat) -> Iterator[Command]:
    """Every exchange, then the end of them."""
    for card in state.hands[seat]:
        for zone in COLUMN[seat][: len(state.face_up[seat])]:
            yield Swap(card, zone, HAND[seat])
    yield Ready()
