"""Spite & Malice: events as a viewer may have them, and the states that look the same to a viewer."""

from collections.abc import Callable, Iterator
from typing import Any

from msgspec.structs import replace

from domain.chance import Chance
from domain.games.spite_and_malice import events as ev
from domain.games.spite_and_malice.state import Cards, State
from domain.games.spite_and_malice.zones import SEATS
from domain.view import ALL_SEEING, FACE_DOWN, Seat, Viewer


def redact(state: State, event: ev.Event, viewer: Viewer) -> ev.Event:
    """The event without chance, and without the cards that this viewer is not shown."""
    redaction = _REDACTIONS.get(type(event))
    return event if redaction is None else redaction(event, viewer)


def _backs(cards: Cards) -> Cards:
    return (FACE_DOWN,) * len(cards)


def _dealt(event: ev.Dealt, viewer: Viewer) -> ev.Dealt:
    if viewer == ALL_SEEING:
        return replace(event, chance=None)
    ours, theirs = (_backs(stock[:-1]) + stock[-1:] for stock in event.stocks)
    return ev.Dealt((ours, theirs), _backs(event.draw))


def _new_draw_deck(event: Any, viewer: Viewer) -> Any:
    if viewer == ALL_SEEING or event.draw is None:
        return replace(event, chance=None)
    return replace(event, chance=None, draw=_backs(event.draw))


def _drawn(event: ev.Drawn, viewer: Viewer) -> ev.Drawn:
    return event if viewer in (event.seat, ALL_SEEING) else ev.Drawn(event.seat, _backs(event.cards))


_REDACTIONS: dict[type, Callable[[Any, Viewer], ev.Event]] = {
    ev.Dealt: _dealt,
    ev.Drawn: _drawn,
    ev.Reshuffled: _new_draw_deck,
    ev.DeckRemoved: _new_draw_deck,
    ev.Redealt: _new_draw_deck,
}


def resample(state: State, viewer: Viewer, chance: Chance) -> State:
    """The state with the cards this viewer does not see in other places: stocks below the top, hands, draw deck.

    Respects what the table's settings tell (no wilds among the stocks); counting cards tells a player more.
    """
    pool = chance.shuffled(tuple(_unseen(state, viewer))).cards
    plain = [card for card in pool if state.settings.wilds_in_stock or not state.settings.is_wild(card)]
    buried = sum(_buried(state, seat, viewer) for seat in SEATS)
    rest = _after(pool, plain[:buried])
    return _placed(state, viewer, iter(plain[:buried]), iter(rest))


def _unseen(state: State, viewer: Viewer) -> Iterator[str]:
    for seat in SEATS:
        yield from state.stocks[seat][: _buried(state, seat, viewer)]
        yield from () if viewer in (seat, ALL_SEEING) else state.hands[seat]
    yield from () if viewer == ALL_SEEING else state.draw


def _buried(state: State, seat: Seat, viewer: Viewer) -> int:
    """How many cards of a stock this viewer does not see."""
    return 0 if viewer == ALL_SEEING else max(0, len(state.stocks[seat]) - state.turned[seat])


def _after(pool: Cards, taken: list[str]) -> list[str]:
    """The pool without the cards taken, each copy counted, in its order."""
    left, gone = [], list(taken)
    for card in pool:
        if card in gone:
            gone.remove(card)
        else:
            left.append(card)
    return left


def _placed(state: State, viewer: Viewer, stocked: Iterator[str], rest: Iterator[str]) -> State:
    if viewer == ALL_SEEING:
        return state
    return replace(
        state,
        stocks=tuple(_restocked(state, seat, viewer, stocked) for seat in SEATS),
        hands=tuple(hand if seat == viewer else _drawn_from(rest, hand) for seat, hand in enumerate(state.hands)),
        draw=_drawn_from(rest, state.draw),
    )


def _restocked(state: State, seat: Seat, viewer: Viewer, stocked: Iterator[str]) -> Cards:
    stock, buried = state.stocks[seat], _buried(state, seat, viewer)
    return _drawn_from(stocked, stock[:buried]) + stock[buried:]


def _drawn_from(cards: Iterator[str], places: Cards) -> Cards:
    return tuple(next(cards) for _ in places)
