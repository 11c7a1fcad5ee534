"""Decs Building: what happens, as sentences that say no more than their hearer may know."""

from collections.abc import Callable
from typing import Any

from domain.games.decs_building import events as ev
from domain.games.decs_building.board import KINDS, SPACES
from domain.games.decs_building.grid import Cells
from domain.games.decs_building.secrecy import sees
from domain.games.decs_building.state import PICTURE_STACK, State
from domain.kit.cards import name, names
from domain.view import Viewer


def tell(state: State, event: ev.Event, viewer: Viewer) -> str:
    """The event, on the state before it, as one sentence for this viewer."""
    if isinstance(event, ev.Drawn):
        return _drawn(event, viewer)
    return _SENTENCES[type(event)](event)


def _drawn(event: ev.Drawn, viewer: Viewer) -> str:
    if sees(viewer, event.seat):
        return f"Seat {event.seat} draws {names(event.cards)}."
    return f"Seat {event.seat} draws {_count(len(event.cards))}."


def _count(cards: int) -> str:
    return "1 card" if cards == 1 else f"{cards} cards"


def _round_started(event: ev.RoundStarted) -> str:
    last = " (the last)" if event.final else ""
    return f"Round {event.number}{last} begins with seat {event.token}."


def _paid(event: ev.Paid) -> str:
    spent = f"Seat {event.seat} takes {SPACES[event.space].name} and pays {names(event.cards)}"
    back = [card for card in event.cards if card[0] in PICTURE_STACK]
    gone = "" if event.removed is None else f" and {name(event.removed)}, which leaves the game"
    return f"{spent}{gone}{', pictures back to their stacks' if back else ''}."


def _feature_drawn(event: ev.FeatureDrawn) -> str:
    return f"Seat {event.seat} draws {KINDS[event.feature].name} at {_places(event.cells)}."


def _places(cells: Cells) -> str:
    return ", ".join(f"row {row} column {column}" for row, column in cells)


def _scored(event: ev.Scored) -> str:
    return f"The grids are counted: {', '.join(f'seat {seat} {points}' for seat, points in enumerate(event.scores))}."


_SENTENCES: dict[type, Callable[[Any], str]] = {
    ev.Dealt: lambda event: f"The stacks are laid out, and each seat shuffles a deck of {len(event.decks[0])} cards.",
    ev.RoundStarted: _round_started,
    ev.StartCardTaken: lambda event: f"Seat {event.seat} takes the {name(event.card)} to its hand.",
    ev.TurnStarted: lambda event: f"Seat {event.seat} is on turn.",
    ev.PawnReturned: lambda event: f"The pawn of seat {event.seat} goes home from {SPACES[event.space].name}.",
    ev.PawnPlaced: lambda event: f"Seat {event.seat} places a pawn on {SPACES[event.space].name}.",
    ev.Paid: _paid,
    ev.CardGained: lambda event: f"Seat {event.seat} gains the {name(event.card)}.",
    ev.FeatureDrawn: _feature_drawn,
    ev.ExtraActionGranted: lambda event: f"Seat {event.seat} may take another action at once, at an easier price.",
    ev.ExtraActionDeclined: lambda event: f"Seat {event.seat} does without the extra action.",
    ev.Discarded: lambda event: f"Seat {event.seat} discards {names(event.cards)}.",
    ev.Passed: lambda event: f"Seat {event.seat} passes.",
    ev.EndAnnounced: lambda event: "Three stacks are empty: one more round follows this one.",
    ev.RoundEnded: lambda event: "The round is over, and the played piles go under the decks.",
    ev.SeatWithdrawn: lambda event: f"Seat {event.seat} is out of the game, and its pawns go home.",
    ev.Scored: _scored,
}
