"""Spite & Malice: what a command leads to, or the rule it breaks."""

from collections.abc import Sequence
from typing import NamedTuple

from domain.game_type import Illegal
from domain.games.spite_and_malice import events as ev
from domain.games.spite_and_malice.commands import Command, Discard, Play
from domain.games.spite_and_malice.course import Course, shuffled
from domain.games.spite_and_malice.draw import fill_hand
from domain.games.spite_and_malice.lift import ace_waits, lifted_card
from domain.games.spite_and_malice.options import VALUE
from domain.games.spite_and_malice.state import State, result, takers
from domain.games.spite_and_malice.zones import DISCARD_PLACE, HAND, LABEL, PLAY, PLAY_INDEX, STOCK
from domain.view import Card, Seat


def decide(state: State, seat: Seat, command: Command) -> Sequence[ev.Event]:
    """What follows from the command, in order; raises Illegal."""
    if result(state) is not None:
        raise Illegal("game_over", "The game is over.")
    if seat != state.turn:
        raise Illegal("not_your_turn", "It is the other seat's turn.")
    if isinstance(command, Play):
        return _played(state, seat, resolved(state, seat, command)).events
    return _ended(state, seat, command).events


class Move(NamedTuple):
    """A card, where it comes from and the play deck that it goes to."""

    source: str
    card: Card
    deck: int


def resolved(state: State, seat: Seat, play: Play) -> Move:
    """The play with its card and its play deck found out; raises Illegal."""
    card = lifted_card(state, seat, play)
    deck = _autoplay(state, card) if play.target is None else _target(state, card, play.target)
    return Move(play.source, card, deck)


def _autoplay(state: State, card: Card) -> int:
    """The lowest-numbered play deck that takes the card; never for a wild (controls of Naglma's Spite & Malice)."""
    if state.settings.is_wild(card):
        raise Illegal("wild_needs_target", "A wild card goes only to a play deck that is named.")
    decks = takers(state, card)
    if not decks:
        raise Illegal("no_deck_takes_it", "No play deck takes this card now.")
    return decks[0]


def _target(state: State, card: Card, target: str) -> int:
    deck = PLAY_INDEX.get(target, len(state.play_decks))
    if deck >= len(state.play_decks):
        raise _no_play_deck(target)
    if deck not in takers(state, card):
        raise Illegal("not_next_in_sequence", f"{_wanted(state, deck)}, or a wild card.")
    return deck


def _no_play_deck(target: str) -> Illegal:
    if target in LABEL and target not in PLAY_INDEX:
        return Illegal("play_decks_only", f"A card is played to a play deck, not to a {LABEL[target]}.")
    return Illegal("no_such_play_deck", "There is no such play deck.")


def _wanted(state: State, deck: int) -> str:
    height = len(state.play_decks[deck]) + 1
    rank = next(card[0] for card, value in VALUE.items() if value == height)
    return f"This play deck takes {rank.replace('T', '10')} next"


def _played(state: State, seat: Seat, move: Move) -> Course:
    """The play, then in this order: the deck removed, the stock turned, an empty hand filled."""
    course = Course((), state).then(ev.Played(seat, move.source, move.card, PLAY[move.deck]))
    course = _deck_removed(course, move.deck)
    if move.source == STOCK[seat]:
        course = _stock_turned(course, seat)
    return _refilled(course, seat)


def _deck_removed(course: Course, deck: int) -> Course:
    """A deck is finished by its length, so that a wild in the last place finishes it too."""
    cards = course.state.play_decks[deck]
    if len(cards) < course.state.settings.finish:
        return course
    if course.state.settings.shuffle_type != "deck_removed":
        return course.then(ev.DeckRemoved(PLAY[deck], cards))
    order = shuffled(course.state, course.state.draw + cards)
    return course.then(ev.DeckRemoved(PLAY[deck], cards, order.cards, order.chance))


def _stock_turned(course: Course, seat: Seat) -> Course:
    stock = course.state.stocks[seat]
    return course.then(ev.StockTurned(seat, stock[-1])) if stock else course


def _refilled(course: Course, seat: Seat) -> Course:
    """House rule, ours: with `partial_draw` a hand left empty is filled as soon as a removed deck brings cards."""
    state = course.state
    if state.hands[seat] or result(state) is not None:
        return course
    return fill_hand(course, seat)


def _ended(state: State, seat: Seat, command: Command) -> Course:
    if state.settings.must_play_ace and ace_waits(state, seat):
        raise Illegal("ace_first", "An ace that can be played has to be played before the turn ends.")
    event = discarded(state, seat, command) if isinstance(command, Discard) else _turn_ended(state, seat)
    return _next_turn(Course((), state).then(event), 1 - seat)


def discarded(state: State, seat: Seat, command: Discard) -> ev.Discarded:
    """The discard that is meant; raises Illegal."""
    if command.source is not None and command.source != HAND[seat]:
        raise Illegal("discard_from_hand", "Only a card of one's own hand can be discarded.")
    if command.card not in state.hands[seat]:
        raise Illegal("not_in_hand", "This card is not in your hand.")
    owner, pile = DISCARD_PLACE.get(command.target, (seat, len(state.discards[seat])))
    if owner != seat or pile >= len(state.discards[seat]):
        raise Illegal("own_discard_pile", "A card is discarded on a discard pile of one's own.")
    return ev.Discarded(seat, command.card, command.target)


def _turn_ended(state: State, seat: Seat) -> ev.TurnEnded:
    if state.hands[seat]:
        raise Illegal("discard_to_end", "A turn ends with a discard while there are cards in hand.")
    return ev.TurnEnded(seat)


def _next_turn(course: Course, seat: Seat) -> Course:
    if course.state.idle == 2:
        return course.then(ev.Deadlocked("two_idle_turns"))
    return fill_hand(course.then(ev.TurnStarted(seat)), seat)
