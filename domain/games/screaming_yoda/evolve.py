"""Screaming Yoda: folding what happened into the state. Refuses nothing, draws no lots."""

from collections.abc import Callable
from typing import Any, TypeVar

from msgspec.structs import replace

from domain.games.screaming_yoda import events as ev
from domain.games.screaming_yoda.state import Cards, Columns, State
from domain.view import Seat

T = TypeVar("T")


def evolve(state: State, event: ev.Event) -> State:
    """The state after one more event."""
    return _HANDLERS[type(event)](state, event)


def put(places: tuple[T, ...], at: int, value: T) -> tuple[T, ...]:
    """The same places with another value at one of them."""
    return (*places[:at], value, *places[at + 1 :])


def _without(seats: tuple[Seat, ...], seat: Seat) -> tuple[Seat, ...]:
    return tuple(other for other in seats if other != seat)


def _hand(state: State, seat: Seat, cards: Cards) -> tuple[Cards, ...]:
    """All hands, with these cards more in one of them."""
    return put(state.hands, seat, state.hands[seat] + cards)


def _unexposed(state: State, seat: Seat) -> tuple[Seat, ...]:
    """Who is exposed, but for a seat whose number of cards changes."""
    return _without(state.exposed, seat)


def _dealt(state: State, event: ev.Dealt) -> State:
    return replace(
        state,
        first=event.first,
        hands=event.hands,
        face_up=event.face_up,
        face_down=event.face_down,
        draw=event.draw,
        swapping=tuple(range(len(event.hands))) if state.options.swap_phase else (),
        chance=event.chance,
    )


def _turned_up(state: State, event: ev.TurnedUp) -> State:
    return replace(state, draw=state.draw[1:], pile=(event.card,))


def _swapped(state: State, event: ev.Swapped) -> State:
    hand = tuple(event.taken if card == event.card else card for card in state.hands[event.seat])
    face_up = put(state.face_up[event.seat], event.column, event.card)
    return replace(state, hands=put(state.hands, event.seat, hand), face_up=put(state.face_up, event.seat, face_up))


def _played(state: State, event: ev.Played) -> State:
    hand = tuple(card for card in state.hands[event.seat] if card not in event.cards)
    return replace(
        state,
        hands=put(state.hands, event.seat, hand),
        face_up=put(state.face_up, event.seat, _emptied(state.face_up[event.seat], event.columns)),
        pile=state.pile + event.cards,
        exposed=_unexposed(state, event.seat),
    )


def _emptied(cards: Columns, columns: tuple[int, ...]) -> Columns:
    return tuple(None if column in columns else card for column, card in enumerate(cards))


def _flipped(state: State, event: ev.Flipped) -> State:
    face_down = put(state.face_down, event.seat, _emptied(state.face_down[event.seat], (event.column,)))
    exposed = _unexposed(state, event.seat)
    return replace(state, face_down=face_down, pile=(*state.pile, event.card), exposed=exposed)


def _picked_up(state: State, event: ev.PickedUp) -> State:
    hands = _hand(state, event.seat, event.cards)
    return replace(state, hands=hands, pile=(), exposed=_unexposed(state, event.seat))


def _cleared(state: State, event: ev.Cleared) -> State:
    return replace(state, pile=(), removed=state.removed + event.cards)


def _drawn(state: State, event: ev.Drawn) -> State:
    return replace(state, draw=state.draw[len(event.cards) :], hands=_hand(state, event.seat, event.cards))


def _caught(state: State, event: ev.Caught) -> State:
    return replace(state, exposed=_unexposed(state, event.seat), skips=(*state.skips, event.seat))


def _penalised(state: State, event: ev.Penalised) -> State:
    return replace(
        state,
        hands=_hand(state, event.seat, event.drawn + event.from_pile),
        pile=tuple(card for card in state.pile if card not in event.from_pile),
        removed=state.removed if event.removed is None else event.removed,
        exposed=_unexposed(state, event.seat),
        chance=event.chance or state.chance,
    )


def _withdrawn(state: State, event: ev.Withdrawn) -> State:
    return replace(
        state,
        resigned=(*state.resigned, event.seat),
        swapping=_without(state.swapping, event.seat),
        exposed=_without(state.exposed, event.seat),
        skips=_without(state.skips, event.seat),
    )


_HANDLERS: dict[type, Callable[[State, Any], State]] = {
    ev.Dealt: _dealt,
    ev.TurnedUp: _turned_up,
    ev.Swapped: _swapped,
    ev.BecameReady: lambda state, event: replace(state, swapping=_without(state.swapping, event.seat)),
    ev.TurnStarted: lambda state, event: replace(state, turn=event.seat),
    ev.Played: _played,
    ev.Flipped: _flipped,
    ev.PickedUp: _picked_up,
    ev.Cleared: _cleared,
    ev.Drawn: _drawn,
    ev.WentOut: lambda state, event: replace(state, out=(*state.out, event.seat)),
    ev.OneLeft: lambda state, event: replace(state, exposed=(*state.exposed, event.seat)),
    ev.Shouted: lambda state, event: replace(state, exposed=_without(state.exposed, event.seat)),
    ev.Caught: _caught,
    ev.FalselyCalled: lambda state, event: state,
    ev.Penalised: _penalised,
    ev.Skipped: lambda state, event: replace(state, skips=_without(state.skips, event.seat)),
    ev.Withdrawn: _withdrawn,
}
