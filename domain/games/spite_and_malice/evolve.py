"""Spite & Malice: folding what happened into the state. Refuses nothing, draws no lots."""

from collections.abc import Callable
from typing import Any, TypeVar

from msgspec.structs import replace

from domain.games.spite_and_malice import events as ev
from domain.games.spite_and_malice.state import Cards, State, cleared
from domain.games.spite_and_malice.zones import DISCARD_PLACE, PLAY_INDEX, STOCK

T = TypeVar("T")


def evolve(state: State, event: ev.Event) -> State:
    """The state after one more event."""
    return _HANDLERS[type(event)](state, event)


def put(places: tuple[T, ...], at: int, value: T) -> tuple[T, ...]:
    """The same places with another value at one of them."""
    return (*places[:at], value, *places[at + 1 :])


def _without(cards: Cards, card: str) -> Cards:
    at = cards.index(card) if card in cards else 0
    return cards[:at] + cards[at + 1 :]


def _dealt(state: State, event: ev.Dealt) -> State:
    return replace(cleared(state), stocks=event.stocks, draw=event.draw, chance=event.chance)


def _turn_started(state: State, event: ev.TurnStarted) -> State:
    return replace(state, turn=event.seat, played=False)


def _reshuffled(state: State, event: ev.Reshuffled) -> State:
    return replace(state, draw=event.draw, removed=(), chance=event.chance)


def _drawn(state: State, event: ev.Drawn) -> State:
    hand = state.hands[event.seat] + event.cards
    return replace(state, draw=state.draw[len(event.cards) :], hands=put(state.hands, event.seat, hand))


def _played(state: State, event: ev.Played) -> State:
    deck = PLAY_INDEX[event.target]
    decks = put(state.play_decks, deck, (*state.play_decks[deck], event.card))
    return replace(_lifted(state, event), play_decks=decks, played=True)


def _lifted(state: State, event: ev.Played) -> State:
    if event.source in DISCARD_PLACE:
        return _off_discard(state, *DISCARD_PLACE[event.source])
    if event.source in STOCK:
        stocks = put(state.stocks, event.seat, state.stocks[event.seat][:-1])
        return replace(state, stocks=stocks, turned=put(state.turned, event.seat, False), redeals=0)
    return replace(state, hands=_hand_without(state, event))


def _off_discard(state: State, seat: int, pile: int) -> State:
    piles = put(state.discards[seat], pile, state.discards[seat][pile][:-1])
    return replace(state, discards=put(state.discards, seat, piles))


def _hand_without(state: State, event: ev.Played | ev.Discarded) -> tuple[Cards, ...]:
    return put(state.hands, event.seat, _without(state.hands[event.seat], event.card))


def _deck_removed(state: State, event: ev.DeckRemoved) -> State:
    cleared = replace(state, play_decks=put(state.play_decks, PLAY_INDEX[event.deck], ()))
    if event.draw is not None:
        return replace(cleared, draw=event.draw, chance=event.chance)
    if state.settings.shuffle_type == "any_draw":
        return replace(cleared, draw=state.draw + event.cards)
    return replace(cleared, removed=state.removed + event.cards)


def _stock_turned(state: State, event: ev.StockTurned) -> State:
    return replace(state, turned=put(state.turned, event.seat, True))


def _discarded(state: State, event: ev.Discarded) -> State:
    seat, pile = DISCARD_PLACE[event.target]
    piles = put(state.discards[seat], pile, (*state.discards[seat][pile], event.card))
    return replace(state, hands=_hand_without(state, event), discards=put(state.discards, seat, piles), idle=0)


def _turn_ended(state: State, event: ev.TurnEnded) -> State:
    return replace(state, idle=0 if state.played else state.idle + 1)


def _redealt(state: State, event: ev.Redealt) -> State:
    again = state.redeals + 1
    return replace(cleared(state), draw=event.draw, removed=(), chance=event.chance, redeals=again)


_HANDLERS: dict[type, Callable[[State, Any], State]] = {
    ev.Dealt: _dealt,
    ev.TurnStarted: _turn_started,
    ev.Reshuffled: _reshuffled,
    ev.Drawn: _drawn,
    ev.Played: _played,
    ev.DeckRemoved: _deck_removed,
    ev.StockTurned: _stock_turned,
    ev.Discarded: _discarded,
    ev.TurnEnded: _turn_ended,
    ev.Redealt: _redealt,
    ev.Exhausted: lambda state, event: replace(state, over="cannot_draw"),
    ev.Deadlocked: lambda state, event: replace(state, over=event.reason),
}
