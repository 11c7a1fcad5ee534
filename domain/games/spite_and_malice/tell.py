"""Spite & Malice: what happens, as sentences that say no more than their hearer may know."""

from collections.abc import Callable
from typing import Any

from domain.games.spite_and_malice import events as ev
from domain.games.spite_and_malice.options import VALUE
from domain.games.spite_and_malice.state import State
from domain.games.spite_and_malice.zones import HAND, LABEL, PLAY_INDEX
from domain.kit.cards import PACK, name, names
from domain.view import ALL_SEEING, Viewer


def tell(state: State, event: ev.Event, viewer: Viewer) -> str:
    """The event, on the state before it, as one sentence for this viewer."""
    if isinstance(event, ev.Drawn):
        return _drawn(event, viewer)
    return _SENTENCES[type(event)](state, event)


def _drawn(event: ev.Drawn, viewer: Viewer) -> str:
    if viewer in (event.seat, ALL_SEEING):
        return f"Seat {event.seat} draws {names(event.cards)}."
    return f"Seat {event.seat} draws {_count(len(event.cards))}."


def _count(cards: int) -> str:
    return "1 card" if cards == 1 else f"{cards} cards"


def _dealt(state: State, event: ev.Dealt) -> str:
    tops = " and ".join(f"seat {seat} turns up the {name(stock[-1])}" for seat, stock in enumerate(event.stocks))
    return f"{_count(len(event.stocks[0]))} each are dealt to the stocks: {tops}."


def _turn_started(state: State, event: ev.TurnStarted) -> str:
    if state.turn is None:
        return f"Seat {event.seat} has the higher card and begins."
    return f"Seat {event.seat} is on turn."


def _reshuffled(state: State, event: ev.Reshuffled) -> str:
    if state.draw:
        return "The draw deck is shuffled."
    return f"The {_count(len(event.draw))} removed from the table are shuffled into a new draw deck."


def _played(state: State, event: ev.Played) -> str:
    origin = "hand" if event.source in HAND else LABEL[event.source]
    return f"Seat {event.seat} plays {_standing_for(state, event)} from its {origin} to {LABEL[event.target]}."


def _standing_for(state: State, event: ev.Played) -> str:
    """The card, and for a wild what it counts as."""
    height = len(state.play_decks[PLAY_INDEX[event.target]]) + 1
    if VALUE[event.card] == height:
        return f"the {name(event.card)}"
    rank = name(PACK[height - 1]).split()[0]
    return f"the {name(event.card)} as {'an' if rank in ('ace', 'eight') else 'a'} {rank}"


def _deck_removed(state: State, event: ev.DeckRemoved) -> str:
    sentence = f"{LABEL[event.deck].capitalize()} is complete and leaves the table"
    return sentence + (", shuffled into the draw deck." if event.draw is not None else ".")


def _redealt(state: State, event: ev.Redealt) -> str:
    return f"The draw deck is exhausted: the {_count(len(event.draw))} outside the stocks are shuffled into a new one."


def _deadlocked(state: State, event: ev.Deadlocked) -> str:
    if event.reason == "three_idle_redeals":
        return "No stock card has been played since the cards were dealt again three times: the game is over."
    return "Two turns in a row have passed without a play or a discard: the game is over."


_SENTENCES: dict[type, Callable[[State, Any], str]] = {
    ev.Dealt: _dealt,
    ev.TurnStarted: _turn_started,
    ev.Reshuffled: _reshuffled,
    ev.Played: _played,
    ev.DeckRemoved: _deck_removed,
    ev.StockTurned: lambda state, event: f"Seat {event.seat} turns up the {name(event.card)}.",
    ev.Discarded: lambda state, event: f"Seat {event.seat} discards the {name(event.card)} on {LABEL[event.target]}.",
    ev.TurnEnded: lambda state, event: f"Seat {event.seat} has no card left and ends the turn.",
    ev.Redealt: _redealt,
    ev.Exhausted: lambda state, event: f"Seat {event.seat} cannot complete its draw: the game is over.",
    ev.Deadlocked: _deadlocked,
}
