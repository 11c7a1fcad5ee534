"""Screaming Yoda: the deal, the card turned up and the first turn."""

from collections.abc import Iterator, Sequence
from itertools import islice

from domain.chance import Chance, Shuffle
from domain.games.screaming_yoda import events as ev
from domain.games.screaming_yoda.course import Course
from domain.games.screaming_yoda.options import Options
from domain.games.screaming_yoda.state import FULL_HAND, Cards, clearing, columns, initial
from domain.kit.cards import PACK
from domain.view import Card, Seat


def deal(options: Options, chance: Chance, seats: int) -> Sequence[ev.Event]:
    """The cards, the one turned up and, unless cards may be exchanged first, the first turn."""
    course = Course((), initial(options, seats)).then(_dealt(options, chance, seats))
    course = course.then(ev.TurnedUp(course.state.draw[0]))
    if clearing(course.state.pile):
        course = course.then(ev.Cleared("ten", course.state.pile))
    if not options.swap_phase:
        course = course.then(ev.TurnStarted(course.state.first))
    return course.events


def _dealt(options: Options, chance: Chance, seats: int) -> ev.Dealt:
    order = chance.shuffled(PACK)
    first, after = _first(options, chance, order, seats)
    cards, rounds = iter(order.cards), columns(seats)
    face_down, face_up, hands = (_round(cards, count, first, seats) for count in (rounds, rounds, FULL_HAND))
    return ev.Dealt(first, face_down, face_up, hands, tuple(cards), after)


def _first(options: Options, chance: Chance, order: Shuffle, seats: int) -> tuple[Seat, Chance]:
    """Who is dealt to first: as chosen; seat 0 where the deal is given; else by lot (house rule, ours)."""
    if options.first_seat is not None or chance.given is not None:
        return options.first_seat or 0, order.chance
    lots = order.chance.shuffled([f"seat {seat}" for seat in range(seats)])
    return int(lots.cards[0][-1]), lots.chance


def _round(cards: Iterator[Card], count: int, first: Seat, seats: int) -> tuple[Cards, ...]:
    """By seat so many cards, dealt one to each in turn from the first seat on."""
    taken = tuple(islice(cards, count * seats))
    return tuple(taken[(seat - first) % seats :: seats] for seat in range(seats))
