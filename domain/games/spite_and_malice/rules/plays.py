"""Spite & Malice: the cards a seat may play from, the play decks that take them, and the refusals."""

from typing import NamedTuple

from domain.game_type import Illegal
from domain.games.spite_and_malice.events import Play
from domain.games.spite_and_malice.state import (
    DISCARD,
    DISCARD_PLACE,
    HAND,
    LABEL,
    PLAY_INDEX,
    STOCK,
    VALUE,
    Cards,
    State,
)
from domain.view import Card, Seat


class Source(NamedTuple):
    """A card that can be lifted; `named` is what a play has to say of it: the card of a hand, nothing of a top."""

    zone: str
    card: Card
    named: Card | None


class Move(NamedTuple):
    """A card, where it comes from and the play deck that it goes to."""

    source: str
    card: Card
    deck: int


def sources(state: State, seat: Seat) -> list[Source]:
    """The stock top, each different hand card, the discard tops."""
    tops = [Source(STOCK[seat], stock[-1], None) for stock in [_face_up_stock(state, seat)] if stock]
    tops += [Source(HAND[seat], card, card) for card in dict.fromkeys(state.hands[seat])]
    piles = zip(DISCARD[seat], state.discards[seat], strict=False)
    return tops + [Source(zone, pile[-1], None) for zone, pile in piles if pile]


def takers(state: State, card: Card) -> list[int]:
    """The play decks that take this card, lowest first: the next in sequence, or any for a wild."""
    value = VALUE[card]
    if value >= state.settings.wild_from:
        return list(range(len(state.play_decks)))
    return [deck for deck, cards in enumerate(state.play_decks) if len(cards) + 1 == value]


def ace_waits(state: State, seat: Seat) -> bool:
    """Whether an ace of this seat can be played."""
    return any(VALUE[source.card] == 1 and takers(state, source.card) for source in sources(state, seat))


def find_move(state: State, seat: Seat, play: Play) -> Move:
    """The play with its card and its play deck found out; raises Illegal."""
    card = _find_card(state, seat, play)
    deck = _choose_deck(state, card) if play.target is None else _find_deck(state, card, play.target)
    return Move(play.source, card, deck)


def _face_up_stock(state: State, seat: Seat) -> Cards:
    """The stock while its top lies face up: between a play and the turning nothing may be told of the next card."""
    return state.stocks[seat] if state.turned[seat] else ()


def _find_card(state: State, seat: Seat, play: Play) -> Card:
    """The card that a play lifts; raises Illegal."""
    if play.source == HAND[seat]:
        if play.card is None:
            raise Illegal("name_the_card", "A play from the hand names its card.")
        if play.card not in state.hands[seat]:
            raise Illegal("not_in_hand", "This card is not in your hand.")
        return play.card
    pile = _find_pile(state, seat, play.source)
    if not pile:
        raise Illegal("empty_pile", "There is no card to play from there.")
    if play.card not in (None, pile[-1]):
        raise Illegal("top_card_only", "Only the top card of a pile can be played.")
    return pile[-1]


def _find_pile(state: State, seat: Seat, zone: str) -> Cards:
    """One's own stock or discard pile; raises Illegal."""
    if zone == STOCK[seat]:
        return _face_up_stock(state, seat)
    owner, pile = DISCARD_PLACE.get(zone, (-1, 0))
    if owner == seat and pile < len(state.discards[seat]):
        return state.discards[seat][pile]
    if zone in PLAY_INDEX:
        raise Illegal("play_decks_stay", "A card on a play deck is never moved.")
    if zone in HAND or zone in STOCK or zone in DISCARD_PLACE:
        raise Illegal("own_cards_only", "Cards are played from one's own hand, stock and discard piles.")
    raise Illegal("no_such_source", "No card is ever played from there.")


def _choose_deck(state: State, card: Card) -> int:
    """The lowest-numbered play deck that takes the card; never for a wild (controls of Naglma's Spite & Malice)."""
    if state.settings.is_wild(card):
        raise Illegal("wild_needs_target", "A wild card goes only to a play deck that is named.")
    decks = takers(state, card)
    if not decks:
        raise Illegal("no_deck_takes_it", "No play deck takes this card now.")
    return decks[0]


def _find_deck(state: State, card: Card, target: str) -> int:
    """The play deck that is named; raises Illegal."""
    deck = PLAY_INDEX.get(target, len(state.play_decks))
    if deck >= len(state.play_decks):
        if target in LABEL and target not in PLAY_INDEX:
            raise Illegal("play_decks_only", f"A card is played to a play deck, not to a {LABEL[target]}.")
        raise Illegal("no_such_play_deck", "There is no such play deck.")
    if deck not in takers(state, card):
        height = len(state.play_decks[deck]) + 1
        rank = next(card[0] for card, value in VALUE.items() if value == height).replace("T", "10")
        raise Illegal("not_next_in_sequence", f"This play deck takes {rank} next, or a wild card.")
    return deck
