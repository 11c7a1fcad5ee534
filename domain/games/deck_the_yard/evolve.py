"""The fold: what each event makes of a position."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from domain.games.deck_the_yard import events as ev
from domain.games.deck_the_yard.deal import hand_from
from domain.games.deck_the_yard.pack import KEPT, Cards
from domain.games.deck_the_yard.state import PLACE, State
from domain.view import Card


def evolve(state: State, event: ev.Event) -> State:
    """The position after the event."""
    return _HANDLERS[type(event)](state, event)


def _dealt(state: State, event: ev.Dealt) -> State:
    hand = hand_from(event.cards[::-1])
    return replace(
        state,
        hand=hand.kept,
        stock=hand.aside + hand.left,
        unshuffled=bool(hand.aside),
        face_up=(event.patterns[0], event.patterns[1]),
        pattern_stock=event.patterns[:1:-1],
        chance=event.chance,
    )


def _stock_shuffled(state: State, event: ev.StockShuffled) -> State:
    return replace(state, stock=event.stock, unshuffled=False, chance=event.chance)


def _colour_played(state: State, event: ev.ColourPlayed) -> State:
    return replace(state, hand=_without(state.hand, event.card), bulbs=(*state.bulbs, event.card))


def _bubble_played(state: State, event: ev.BubblePlayed) -> State:
    return replace(state, hand=_without(state.hand, event.card), bubble=event.card)


def _discarded(state: State, event: ev.Discarded) -> State:
    return replace(state, hand=_without(state.hand, event.card), discard=(*state.discard, event.card))


def _pattern_claimed(state: State, event: ev.PatternClaimed) -> State:
    cleared = _lineup_gone(state, event.lineup)
    return replace(_face_up(cleared, event.source, None), claims=(*state.claims, event.pattern))


def _pattern_revealed(state: State, event: ev.PatternRevealed) -> State:
    return replace(_face_up(state, event.target, event.pattern), pattern_stock=state.pattern_stock[:-1])


def _drawn(state: State, event: ev.Drawn) -> State:
    stock = state.stock[:-1]
    if event.card in KEPT:
        return replace(state, stock=stock, hand=(*state.hand, event.card))
    return replace(state, stock=stock, drawn=event.card)


def _event_card_resolved(state: State, event: ev.EventCardResolved) -> State:
    if event.power_outage:
        return replace(state, drawn=None, hand=(), discard=(*state.discard, event.card, *event.hand))
    return _plugged(replace(state, drawn=None, discard=(*state.discard, event.card)), event.plug)


def _hand_redrawn(state: State, event: ev.HandRedrawn) -> State:
    kept = tuple(card for card in event.cards if card in KEPT)
    aside = tuple(card for card in event.cards if card not in KEPT)
    stock = aside + state.stock[: len(state.stock) - len(event.cards)]
    return replace(state, hand=kept, stock=stock, unshuffled=bool(aside) or state.unshuffled)


def _character_resolved(state: State, event: ev.CharacterResolved) -> State:
    if event.claimed:
        return _plugged(replace(state, drawn=None, claims=(*state.claims, event.card)), event.plug)
    return replace(state, drawn=None, discard=(*state.discard, event.card))


def _broken_bulb_resolved(state: State, event: ev.BrokenBulbResolved) -> State:
    gone = replace(state, drawn=None, discard=(*state.discard, event.card))
    return _lineup_gone(gone, event.lineup) if event.lineup else _plugged(gone, event.plug)


def _play_ended(state: State, event: ev.PlayEnded) -> State:
    return replace(state, over=event.reason)


def _without(cards: Cards, card: Card) -> Cards:
    """The cards less one of this kind."""
    place = cards.index(card)
    return cards[:place] + cards[place + 1 :]


def _plugged(state: State, plug: Card | None) -> State:
    """The state after a plug of the hand was discarded, if one was."""
    if plug is None:
        return state
    return replace(state, hand=_without(state.hand, plug), discard=(*state.discard, plug))


def _lineup_gone(state: State, cards: Cards) -> State:
    return replace(state, bulbs=(), bubble=None, discard=state.discard + cards)


def _face_up(state: State, zone: str, pattern: Card | None) -> State:
    left, right = state.face_up
    return replace(state, face_up=(left, pattern) if PLACE[zone] else (pattern, right))


_HANDLERS: dict[type, Callable[[State, Any], State]] = {
    ev.Dealt: _dealt,
    ev.StockShuffled: _stock_shuffled,
    ev.ColourPlayed: _colour_played,
    ev.BubblePlayed: _bubble_played,
    ev.Discarded: _discarded,
    ev.PatternClaimed: _pattern_claimed,
    ev.PatternRevealed: _pattern_revealed,
    ev.Drawn: _drawn,
    ev.EventCardResolved: _event_card_resolved,
    ev.HandRedrawn: _hand_redrawn,
    ev.CharacterResolved: _character_resolved,
    ev.BrokenBulbResolved: _broken_bulb_resolved,
    ev.PlayEnded: _play_ended,
}
