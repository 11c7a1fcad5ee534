"""Deck the Yard in words: events as sentences. Cards are told by their names, with what stands for them beside."""

from collections.abc import Callable, Sequence
from typing import Any

from domain.games.deck_the_yard import events as ev
from domain.games.deck_the_yard.deal import hand_from
from domain.games.deck_the_yard.pack import CHARACTER, KEPT, PATTERNS, called, colours
from domain.games.deck_the_yard.state import State
from domain.view import Card, Viewer


def tell(state: State, event: ev.Event, viewer: Viewer) -> str:
    """The event as a sentence; it names only cards that lie face up."""
    return _SENTENCES[type(event)](event)


def _dealt(event: ev.Dealt) -> str:
    first, second = map(_pattern, event.patterns[:2])
    hand = hand_from(event.cards[::-1])
    aside = f"; {_all(hand.aside)} {_is(hand.aside)} set aside and put back" if hand.aside else ""
    return f"The first two patterns are {first} and {second}. The player draws {_all(hand.kept)}{aside}."


def _stock_shuffled(event: ev.StockShuffled) -> str:
    return "The stock is shuffled with the cards that had been set aside."


def _colour_played(event: ev.ColourPlayed) -> str:
    return f"The player adds {_a(event.card)} to the line-up."


def _bubble_played(event: ev.BubblePlayed) -> str:
    return f"The player puts {_a(event.card)} at the far right of the line-up."


def _discarded(event: ev.Discarded) -> str:
    return f"The player discards {_a(event.card)}."


def _pattern_claimed(event: ev.PatternClaimed) -> str:
    return f"The player has completed and claims {_pattern(event.pattern)}; the five bulbs are discarded."


def _pattern_revealed(event: ev.PatternRevealed) -> str:
    return f"The next pattern is {_pattern(event.pattern)}."


def _drawn(event: ev.Drawn) -> str:
    return f"The player draws {_a(event.card)}."


def _event_card_resolved(event: ev.EventCardResolved) -> str:
    if not event.power_outage:
        return "A plug is discarded with the event: nothing happens."
    gone = f"the player discards {_all(event.hand)}" if event.hand else "there is no hand to discard"
    return f"The power goes out: {gone}."


def _hand_redrawn(event: ev.HandRedrawn) -> str:
    kept = [card for card in event.cards if card in KEPT]
    aside = [card for card in event.cards if card not in KEPT]
    end = f"; {_all(aside)} {_is(aside)} set aside and put back" if aside else ""
    return f"The new hand is {_all(kept) if kept else 'empty'}{end}."


def _character_resolved(event: ev.CharacterResolved) -> str:
    if event.claimed:
        return f"The player discards a plug and claims {_a(event.card)}."
    return f"Without a plug for {_a(event.card)}, the card is discarded."


def _broken_bulb_resolved(event: ev.BrokenBulbResolved) -> str:
    if event.plug is not None:
        return "A plug is discarded with the broken bulb: nothing happens."
    if not event.lineup:
        return "The broken bulb meets no line-up and is discarded."
    return f"The broken bulb takes the whole line-up with it: {_all(event.lineup)}."


def _play_ended(event: ev.PlayEnded) -> str:
    return {
        "eight_claims": "The player has claimed eight cards.",
        "hand_empty": "The hand is empty, and the game is over.",
        "ended_by_player": "The player ends the game.",
    }[event.reason]


def _a(card: Card) -> str:
    """`a red bulb (AH)`, `Santa (KC)`."""
    article = "" if card in CHARACTER else "a "
    return f"{article}{called(card)} ({card})"


def _pattern(card: Card) -> str:
    return f"{called(card)} ({card}: {colours(PATTERNS[card])})"


def _all(cards: Sequence[Card]) -> str:
    """`a red bulb (AH), a plug (*2) and Santa (KC)`."""
    *first, last = map(_a, cards)
    return f"{', '.join(first)} and {last}" if first else last


def _is(cards: Sequence[Card]) -> str:
    return "is" if len(cards) == 1 else "are"


_SENTENCES: dict[type, Callable[[Any], str]] = {
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
