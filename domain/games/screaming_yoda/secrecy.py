"""Screaming Yoda: events as a viewer may have them."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from domain.games.screaming_yoda import events as ev
from domain.games.screaming_yoda.state import Cards, State
from domain.view import ALL_SEEING, FACE_DOWN, Viewer


def redact(state: State, event: ev.Event, viewer: Viewer) -> ev.Event:
    """The event without chance, and without the cards that this viewer is not shown."""
    redaction = _REDACTIONS.get(type(event))
    return event if redaction is None else redaction(event, viewer)


def _backs(cards: Cards) -> Cards:
    return (FACE_DOWN,) * len(cards)


def _dealt(event: ev.Dealt, viewer: Viewer) -> ev.Dealt:
    if viewer == ALL_SEEING:
        return replace(event, chance=None)
    hands = tuple(hand if seat == viewer else _backs(hand) for seat, hand in enumerate(event.hands))
    face_down = tuple(map(_backs, event.face_down))
    return ev.Dealt(event.first, face_down, event.face_up, hands, _backs(event.draw))


def _drawn(event: ev.Drawn, viewer: Viewer) -> ev.Drawn:
    return event if viewer in (event.seat, ALL_SEEING) else ev.Drawn(event.seat, _backs(event.cards))


def _penalised(event: ev.Penalised, viewer: Viewer) -> ev.Penalised:
    if viewer == ALL_SEEING:
        return replace(event, chance=None)
    drawn = event.drawn if viewer == event.seat else _backs(event.drawn)
    removed = None if event.removed is None else _backs(event.removed)
    return ev.Penalised(event.seat, drawn, event.from_pile, removed)


_REDACTIONS: dict[type, Callable[[Any, Viewer], ev.Event]] = {
    ev.Dealt: _dealt,
    ev.Drawn: _drawn,
    ev.Penalised: _penalised,
}
