"""Screaming Yoda: what happens, as sentences that say no more than their hearer may know."""

from collections.abc import Callable
from typing import Any

from domain.games.screaming_yoda import events as ev
from domain.games.screaming_yoda.state import Cards, State, fits
from domain.kit.cards import name, names
from domain.view import ALL_SEEING, Viewer


def tell(state: State, event: ev.Event, viewer: Viewer) -> str:
    """The event, on the state before it, as one sentence for this viewer."""
    if isinstance(event, ev.Drawn):
        return f"Seat {event.seat} draws {_unseen(event.cards, event.seat, viewer)}."
    if isinstance(event, ev.Penalised):
        return _penalised(event, viewer)
    return _SENTENCES[type(event)](state, event)


def _unseen(cards: Cards, seat: int, viewer: Viewer) -> str:
    """The cards for whom they are, and a number for all others."""
    return names(cards) if viewer in (seat, ALL_SEEING) else _count(len(cards))


def _count(cards: int) -> str:
    return "1 card" if cards == 1 else f"{cards} cards"


def _penalised(event: ev.Penalised, viewer: Viewer) -> str:
    drawn = f"{_unseen(event.drawn, event.seat, viewer)} from the removed cards"
    taken = f"{names(event.from_pile)} from the pile"
    parts = [part for part, cards in ((drawn, event.drawn), (taken, event.from_pile)) if cards]
    return f"Seat {event.seat} has to take {' and '.join(parts) or 'nothing'}."


def _dealt(state: State, event: ev.Dealt) -> str:
    columns, hand = len(event.face_up[0]), len(event.hands[0])
    return f"Every seat is dealt {columns} columns and {_count(hand)}; seat {event.first} is the first."


def _swapped(state: State, event: ev.Swapped) -> str:
    return f"Seat {event.seat} lays down the {name(event.card)} and takes up the {name(event.taken)}."


def _turn_started(state: State, event: ev.TurnStarted) -> str:
    return f"Seat {event.seat} plays again." if event.again else f"Seat {event.seat} is on turn."


def _played(state: State, event: ev.Played) -> str:
    held = event.cards[: len(event.cards) - len(event.columns)]
    if held and event.columns:
        return f"Seat {event.seat} plays {names(event.cards)}, from the hand and face up."
    return f"Seat {event.seat} plays {names(event.cards)}{'' if held else ', face up'}."


def _flipped(state: State, event: ev.Flipped) -> str:
    sentence = f"Seat {event.seat} flips the {name(event.card)}"
    return f"{sentence}." if fits(state, event.card[0]) else f"{sentence}, which is too low."


def _cleared(state: State, event: ev.Cleared) -> str:
    by = "A ten" if event.reason == "ten" else "Four of a kind"
    return f"{by} clears the pile: {_count(len(event.cards))} removed from play."


_SENTENCES: dict[type, Callable[[State, Any], str]] = {
    ev.Dealt: _dealt,
    ev.TurnedUp: lambda state, event: f"The {name(event.card)} is turned up.",
    ev.Swapped: _swapped,
    ev.BecameReady: lambda state, event: f"Seat {event.seat} is ready.",
    ev.TurnStarted: _turn_started,
    ev.Played: _played,
    ev.Flipped: _flipped,
    ev.PickedUp: lambda state, event: f"Seat {event.seat} picks up the pile: {names(event.cards)}.",
    ev.Cleared: _cleared,
    ev.WentOut: lambda state, event: f"Seat {event.seat} has played its last card.",
    ev.OneLeft: lambda state, event: f"Seat {event.seat} has one card left and has not shouted.",
    ev.Shouted: lambda state, event: f"Seat {event.seat} shouts Yoda.",
    ev.Caught: lambda state, event: f"Seat {event.by} says Yoda first: seat {event.seat} is caught.",
    ev.FalselyCalled: lambda state, event: f"Seat {event.by} calls seat {event.seat} without cause.",
    ev.Skipped: lambda state, event: f"Seat {event.seat} loses a turn.",
    ev.Withdrawn: lambda state, event: f"Seat {event.seat} is out of the game and its cards are out of play.",
}
