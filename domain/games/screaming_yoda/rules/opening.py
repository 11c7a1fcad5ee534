"""Screaming Yoda: the deal, the exchange of hand cards for face-up cards (option `swap_phase`), the first turn."""

from collections.abc import Iterator, Sequence
from itertools import islice

from domain.chance import Chance, Shuffle
from domain.game_type import Illegal
from domain.games.screaming_yoda import events as ev
from domain.games.screaming_yoda.rules.turns import Course, next_seat
from domain.games.screaming_yoda.state import (
    COLUMN,
    COLUMN_PLACE,
    FULL_HAND,
    HAND,
    Cards,
    Options,
    State,
    columns,
    playing,
)
from domain.kit.cards import PACK
from domain.view import Card, Seat


def deal_cards(options: Options, chance: Chance, seats: int) -> ev.Dealt:
    """Face-down cards, face-up cards and hands, and the rest as draw pile."""
    order = chance.shuffle(PACK)
    first, after = _choose_first(options, chance, order, seats)
    cards, rounds = iter(order.cards), columns(seats)
    face_down, face_up, hands = (_deal_round(cards, count, first, seats) for count in (rounds, rounds, FULL_HAND))
    return ev.Dealt(first, face_down, face_up, hands, tuple(cards), after)


def swap_cards(course: Course, seat: Seat, command: ev.Swap) -> Course:
    """A hand card and a face-up card change places; raises Illegal."""
    state = course.state
    _check_swapping(state, seat)
    owner, column = COLUMN_PLACE.get(command.target, (-1, 0))
    if owner != seat or column >= len(state.face_up[seat]):
        raise Illegal("own_column", "Cards are exchanged with one's own columns.")
    if command.card not in state.hands[seat] or command.source not in (None, HAND[seat]):
        raise Illegal("not_in_hand", "This card is not in your hand.")
    return course.then(ev.Swapped(seat, command.card, column, state.face_up[seat][column] or command.card))


def get_ready(course: Course, seat: Seat) -> Course:
    """The seat exchanges no more; when all are ready the first seat is on turn; raises Illegal."""
    _check_swapping(course.state, seat)
    return begin_play(course.then(ev.BecameReady(seat)))


def begin_play(course: Course) -> Course:
    """The first turn, once nobody exchanges cards any more."""
    state = course.state
    if state.swapping:
        return course
    first = state.first if state.first in playing(state) else next_seat(state, state.first)
    return course.then(ev.TurnStarted(first))


def list_swaps(state: State, seat: Seat) -> Sequence[ev.Command]:
    """Every exchange, then the end of them."""
    zones = COLUMN[seat][: len(state.face_up[seat])]
    return (*(ev.Swap(card, zone, HAND[seat]) for card in state.hands[seat] for zone in zones), ev.Ready())


def _choose_first(options: Options, chance: Chance, order: Shuffle, seats: int) -> tuple[Seat, Chance]:
    """Who is dealt to first: as chosen; seat 0 where the deal is given; else by lot (house rule, ours)."""
    if options.first_seat is not None or chance.given is not None:
        return options.first_seat or 0, order.chance
    lots = order.chance.shuffle([f"seat {seat}" for seat in range(seats)])
    return int(lots.cards[0][-1]), lots.chance


def _deal_round(cards: Iterator[Card], count: int, first: Seat, seats: int) -> tuple[Cards, ...]:
    """By seat so many cards, dealt one to each in turn from the first seat on."""
    taken = tuple(islice(cards, count * seats))
    return tuple(taken[(seat - first) % seats :: seats] for seat in range(seats))


def _check_swapping(state: State, seat: Seat) -> None:
    if seat not in state.swapping:
        raise Illegal("no_swapping_now", "Cards are exchanged only before play, until one is ready.")
