"""Spite & Malice: the cards a seat may play from, and the refusals of those it may not."""

from typing import NamedTuple

from domain.game_type import Illegal
from domain.games.spite_and_malice.commands import Play
from domain.games.spite_and_malice.options import VALUE
from domain.games.spite_and_malice.state import Cards, State, takers
from domain.games.spite_and_malice.zones import DISCARD, DISCARD_PLACE, HAND, PLAY_INDEX, STOCK
from domain.view import Card, Seat


class Source(NamedTuple):
    """A card that can be lifted; `named` is what a play has to say of it: the card of a hand, nothing of a top."""

    zone: str
    card: Card
    named: Card | None


def sources(state: State, seat: Seat) -> list[Source]:
    """The stock top, each different hand card, the discard tops."""
    tops = [Source(STOCK[seat], stock[-1], None) for stock in [_face_up_stock(state, seat)] if stock]
    tops += [Source(HAND[seat], card, card) for card in dict.fromkeys(state.hands[seat])]
    piles = zip(DISCARD[seat], state.discards[seat], strict=False)
    return tops + [Source(zone, pile[-1], None) for zone, pile in piles if pile]


def ace_waits(state: State, seat: Seat) -> bool:
    """Whether an ace of this seat can be played."""
    return any(VALUE[source.card] == 1 and takers(state, source.card) for source in sources(state, seat))


def lifted_card(state: State, seat: Seat, play: Play) -> Card:
    """The card that a play lifts; raises Illegal."""
    if play.source == HAND[seat]:
        return _from_hand(state.hands[seat], play.card)
    pile = _own_pile(state, seat, play.source)
    if not pile:
        raise Illegal("empty_pile", "There is no card to play from there.")
    if play.card not in (None, pile[-1]):
        raise Illegal("top_card_only", "Only the top card of a pile can be played.")
    return pile[-1]


def _from_hand(hand: Cards, card: Card | None) -> Card:
    if card is None:
        raise Illegal("name_the_card", "A play from the hand names its card.")
    if card not in hand:
        raise Illegal("not_in_hand", "This card is not in your hand.")
    return card


def _own_pile(state: State, seat: Seat, zone: str) -> Cards:
    if zone == STOCK[seat]:
        return _face_up_stock(state, seat)
    owner, pile = DISCARD_PLACE.get(zone, (-1, 0))
    if owner == seat and pile < len(state.discards[seat]):
        return state.discards[seat][pile]
    raise refuse_source(zone)


def _face_up_stock(state: State, seat: Seat) -> Cards:
    """The stock while its top lies face up: between a play and the turning nothing may be told of the next card."""
    return state.stocks[seat] if state.turned[seat] else ()


def refuse_source(zone: str) -> Illegal:
    """Why nothing can be played from this zone."""
    if zone in PLAY_INDEX:
        return Illegal("play_decks_stay", "A card on a play deck is never moved.")
    if zone in HAND or zone in STOCK or zone in DISCARD_PLACE:
        return Illegal("own_cards_only", "Cards are played from one's own hand, stock and discard piles.")
    return Illegal("no_such_source", "No card is ever played from there.")
