"""The course of a game: what an event makes of a position, and what follows from an action until the next one.

Drawing back to five: what cannot be kept is resolved at once, or waits for the player's word on a plug.
"""

from typing import assert_never

from msgspec.structs import replace

from domain.games.deck_the_yard import events as ev
from domain.games.deck_the_yard.state import (
    BROKEN,
    EVENT,
    FACE_UP,
    HAND_SIZE,
    KEPT,
    PLACE,
    PLUG,
    TO_WIN,
    Cards,
    State,
    completed_places,
    hand_from,
    lineup,
)
from domain.kit import turns
from domain.view import Card

Course = turns.Course[State, ev.Event]


def evolve(state: State, event: ev.Event) -> State:
    """The position after the event."""
    # The commonest first: a class that does not match takes a tenth of a microsecond.
    match event:
        case ev.Drawn():
            stock = state.stock[:-1]
            if event.card in KEPT:
                return replace(state, stock=stock, hand=(*state.hand, event.card))
            return replace(state, stock=stock, drawn=event.card)
        case ev.Discarded():
            return replace(state, hand=_without(state.hand, event.card), discard=(*state.discard, event.card))
        case ev.ColourPlayed():
            return replace(state, hand=_without(state.hand, event.card), bulbs=(*state.bulbs, event.card))
        case ev.CharacterResolved():
            if event.claimed:
                return _discard_plug(replace(state, drawn=None, claims=(*state.claims, event.card)), event.plug)
            return replace(state, drawn=None, discard=(*state.discard, event.card))
        case ev.BrokenBulbResolved():
            spent = replace(state, drawn=None, discard=(*state.discard, event.card))
            return _clear_lineup(spent, event.lineup) if event.lineup else _discard_plug(spent, event.plug)
        case ev.EventCardResolved():
            discard = (*state.discard, event.card, *event.hand)
            if event.power_outage:
                return replace(state, drawn=None, hand=(), discard=discard)
            return _discard_plug(replace(state, drawn=None, discard=discard), event.plug)
        case ev.StockShuffled():
            return replace(state, stock=event.stock, unshuffled=False, chance=event.chance)
        case ev.HandRedrawn():
            hand = hand_from(event.cards[::-1])
            stock = hand.aside + state.stock[: len(state.stock) - len(event.cards)]
            return replace(state, hand=hand.kept, stock=stock, unshuffled=bool(hand.aside) or state.unshuffled)
        case ev.BubblePlayed():
            return replace(state, hand=_without(state.hand, event.card), bubble=event.card)
        case ev.PatternClaimed():
            cleared = _clear_lineup(state, event.lineup)
            return replace(_lay_pattern(cleared, event.source, None), claims=(*state.claims, event.pattern))
        case ev.PatternRevealed():
            return replace(_lay_pattern(state, event.target, event.pattern), pattern_stock=state.pattern_stock[:-1])
        case ev.PlayEnded():
            return replace(state, over=event.reason)
        case ev.Dealt():
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
        case _:
            assert_never(event)


def complete_strand(course: Course) -> Course:
    """A completed pattern is claimed at once and without asking, if there is only one (our ruling); then all draw."""
    places = completed_places(course.state)
    if len(places) > 1:
        return course
    return claim_pattern(course, places[0]) if places else refill_hand(course)


def claim_pattern(course: Course, place: int) -> Course:
    """The pattern goes to the claims and the five bulbs to the discards, for good; the next pattern is turned up."""
    pattern = course.state.face_up[place]
    if pattern is not None:
        course = course.then(ev.PatternClaimed(FACE_UP[place], pattern, lineup(course.state)))
        if course.state.pattern_stock:
            course = course.then(ev.PatternRevealed(FACE_UP[place], course.state.pattern_stock[-1]))
    return refill_hand(course)


def refill_hand(course: Course) -> Course:
    """Draws until the hand is full, the stock is empty, a plug is asked for, or the game is over.

    It is over where the claims suffice; our ruling: at once, unless `play_on` was chosen.
    """
    if len(course.state.claims) >= TO_WIN and not course.state.options.play_on:
        return course.then(ev.PlayEnded("eight_claims"))
    while len(course.state.hand) < HAND_SIZE and course.state.stock:
        course = _shuffle_stock(course)
        course = course.then(ev.Drawn(course.state.stock[-1]))
        if course.state.drawn is not None:
            return course if asks_for_plug(course.state) else resolve_card(course, course.state.drawn, None)
    return _end_turn(course)


def resolve_card(course: Course, card: Card, plug: Card | None) -> Course:
    """The card drawn, resolved with this plug or with none, and all that follows.

    An event is spent either way. Our ruling: without a plug the whole hand goes, plugs not used included.
    """
    if card == EVENT and plug is None:
        return _redraw_hand(course.then(ev.EventCardResolved(card, True, None, course.state.hand)))
    if card == EVENT:
        return refill_hand(course.then(ev.EventCardResolved(card, False, plug)))
    if card == BROKEN:
        return refill_hand(course.then(ev.BrokenBulbResolved(card, plug, () if plug else lineup(course.state))))
    return refill_hand(course.then(ev.CharacterResolved(card, plug is not None, plug)))


def asks_for_plug(state: State) -> bool:
    """Whether the player may discard a plug for the card drawn.

    A broken bulb that meets an empty line-up does no harm, and no plug is asked for (our ruling). A bubble bulb alone
    is a line-up too.
    """
    if state.drawn is None or PLUG not in state.hand:
        return False
    return state.drawn != BROKEN or bool(lineup(state))


def _shuffle_stock(course: Course) -> Course:
    """The stock shuffled if cards that were set aside have been put back.

    Our ruling: those of the opening hand lie under the stock until the first card is drawn, and are shuffled in then.
    """
    state = course.state
    if not state.unshuffled or state.chance is None:
        return course
    order = state.chance.shuffle(state.stock)
    return course.then(ev.StockShuffled(order.cards, order.chance))


def _redraw_hand(course: Course) -> Course:
    """A new hand, without the cards that no hand may hold; they are shuffled back, and this turn's drawing ends.

    Our ruling: where the stock has too few, what came is kept; where nothing came at all, the game is over.
    """
    drawn = course.state.stock[len(hand_from(course.state.stock).left) :]
    if drawn:
        course = course.then(ev.HandRedrawn(drawn[::-1]))
    return _end_turn(_shuffle_stock(course))


def _end_turn(course: Course) -> Course:
    """The next turn, unless nothing is left in the hand: then the game is over."""
    return course if course.state.hand else course.then(ev.PlayEnded("hand_empty"))


def _without(cards: Cards, card: Card) -> Cards:
    """The cards less one of this kind."""
    left = list(cards)
    left.remove(card)
    return tuple(left)


def _discard_plug(state: State, plug: Card | None) -> State:
    """The state after a plug of the hand was discarded, if one was."""
    if plug is None:
        return state
    return replace(state, hand=_without(state.hand, plug), discard=(*state.discard, plug))


def _clear_lineup(state: State, cards: Cards) -> State:
    return replace(state, bulbs=(), bubble=None, discard=state.discard + cards)


def _lay_pattern(state: State, zone: str, pattern: Card | None) -> State:
    left, right = state.face_up
    return replace(state, face_up=(left, pattern) if PLACE[zone] else (pattern, right))
