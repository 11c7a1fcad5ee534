"""Screaming Yoda: the cards that a play lays and what it leads to, penalties, whose turn is next, how the game ends."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from domain.game_type import Illegal, Result
from domain.games.screaming_yoda import events as ev
from domain.games.screaming_yoda import state as yoda
from domain.games.screaming_yoda.state import Cards, State
from domain.kit import turns
from domain.kit.cards import PACK
from domain.view import Seat

Course = turns.Course[State, ev.Event]

CAUGHT = 3
"""Cards that a caught player draws."""


class Lay(NamedTuple):
    """Cards that go to the pile: those of the hand, then the face-up cards of these columns."""

    held: Cards
    face_up: Cards = ()
    columns: tuple[int, ...] = ()

    @property
    def cards(self) -> Cards:
        return self.held + self.face_up

    def sources(self, seat: Seat) -> tuple[str, ...]:
        """The zones that the cards leave."""
        own = tuple(yoda.COLUMN[seat][column] for column in self.columns)
        return (yoda.HAND[seat], *own) if self.held else own


def fits(state: State, rank: str) -> bool:
    """Whether a rank may be played: on nothing, a two or a ten on anything, else equal or higher."""
    return not state.pile or rank in yoda.ON_ANYTHING or yoda.VALUE[rank] >= yoda.VALUE[state.pile[-1][0]]


def find_lay(state: State, seat: Seat, play: ev.Play) -> Lay:
    """The lay that is meant; raises Illegal."""
    if len({card[0] for card in play.cards}) > 1:
        raise Illegal("same_rank", "Cards that are played together are of one rank.")
    if len(set(play.cards)) < len(play.cards):
        raise Illegal("card_twice", "The same card is named twice.")
    held = tuple(card for card in state.hands[seat] if card in play.cards)
    lay = _make_lay(state, seat, held, [at for at, card in enumerate(state.face_up[seat]) if card in play.cards])
    if len(lay.cards) < len(play.cards):
        raise Illegal("not_yours_to_play", "Cards are played from one's own hand or one's own face-up cards.")
    _check_source(state, seat, lay)
    if not fits(state, play.cards[0][0]):
        raise Illegal("too_low", "Only an equal or a higher card goes on the pile, or a two or a ten.")
    if play.source is not None and play.source not in lay.sources(seat):
        raise Illegal("other_source", "The cards do not come from there.")
    _check_target(play)
    return lay


def list_lays(state: State, seat: Seat) -> Iterator[Lay]:
    """Every lay that may be made, each set of cards once, in the order in which the cards lie."""
    hand, face_up = state.hands[seat], state.face_up[seat]
    yield from (Lay(held) for held in _list_sets(hand) if fits(state, held[0][0]))
    if not hand or not (state.draw or (len(hand) > 1 and state.options.combo_only_single)):
        most = 1 if hand and _joins_one_face_up(state) else yoda.MOST_COLUMNS
        for cards in _list_sets(tuple(card for card in face_up if card is not None), most):
            lay = _make_lay(state, seat, hand, [face_up.index(card) for card in cards])
            if len({card[0] for card in lay.cards}) == 1 and fits(state, lay.cards[0][0]):
                yield lay


def count_left(state: State, seat: Seat, lay: Lay) -> int:
    """The number of cards that the seat has after it has played this and drawn."""
    missing = yoda.FULL_HAND - (len(state.hands[seat]) - len(lay.held))
    return yoda.total(state, seat) - len(lay.cards) + min(len(state.draw), max(0, missing))


def find_flip(state: State, seat: Seat, flip: ev.Flip) -> ev.Flipped:
    """The face-down card that is turned; raises Illegal."""
    _check_target(flip)
    owner, column = yoda.COLUMN_PLACE.get(flip.source, (-1, 0))
    if owner != seat or column >= len(state.face_down[seat]):
        raise Illegal("own_column", "Only a face-down card of one's own is flipped.")
    if state.hands[seat]:
        raise Illegal("hand_first", "Face-down cards wait until the hand is empty.")
    if any(card is not None for card in state.face_up[seat]):
        raise Illegal("face_up_first", "Face-down cards wait until the face-up cards are played.")
    card = state.face_down[seat][column]
    if card is None:
        raise Illegal("empty_column", "There is no card in this column.")
    return ev.Flipped(seat, column, card)


def finish_play(course: Course, seat: Seat, shout: bool) -> Course:
    """In this order: the pile clears, the hand is filled, the last card wins, one card left is exposed, the turn.

    The hand is filled to three cards, also before a bonus play, while the draw pile lasts.
    """
    cleared = clearing(course.state.pile)
    if cleared:
        course = course.then(ev.Cleared(cleared, course.state.pile))
    if cards := course.state.draw[: max(0, yoda.FULL_HAND - len(course.state.hands[seat]))]:
        course = course.then(ev.Drawn(seat, cards))
    left = yoda.total(course.state, seat)
    if left == 0:
        course = course.then(ev.WentOut(seat))
    elif left == 1:
        course = course.then(ev.Shouted(seat) if shout else ev.OneLeft(seat))
    if result(course.state) is not None:
        return course
    return course.then(ev.TurnStarted(seat, True)) if cleared and left else next_turn(course, seat)


def pick_up(course: Course, seat: Seat) -> Course:
    """The pile to the hand, and the next seat leads."""
    return next_turn(course.then(ev.PickedUp(seat, course.state.pile)), seat)


def clearing(pile: Cards) -> ev.Clearing | None:
    """Why this pile clears: a ten on top, or four of one rank anywhere in it."""
    if pile and pile[-1][0] in yoda.CLEARING:
        return "ten"
    counts = Counter(card[0] for card in pile)
    return "four_of_a_kind" if yoda.ALIKE_CLEAR in counts.values() else None


def call_seat(course: Course, seat: Seat, called: Seat) -> Course:
    """The called seat draws and loses a turn, or, for a false call, the caller draws; raises Illegal.

    On turn a caught player loses this turn and it passes at once, else the next one (house rule, ours).
    """
    state = course.state
    if called == seat:
        raise Illegal("own_call", "One calls another player; for oneself one shouts.")
    if called not in yoda.playing(state):
        raise Illegal("not_in_play", "This seat is not in play.")
    if called in state.exposed:
        course = _draw_penalty(course.then(ev.Caught(called, seat)), called, CAUGHT)
        return next_turn(course.then(ev.Skipped(called)), called) if state.turn == called else course
    if not state.options.false_call_penalty:
        raise Illegal("false_call", "Only a player with one card left who has not shouted can be called.")
    if not _hears_false_calls(state):
        raise Illegal("nothing_to_draw", "There is no card that a false call could cost.")
    return _draw_penalty(course.then(ev.FalselyCalled(called, seat)), seat, state.options.false_call_penalty)


def callable_seats(state: State, seat: Seat) -> tuple[Seat, ...]:
    """The seats that a seat may call."""
    called = yoda.playing(state) if _hears_false_calls(state) else state.exposed
    return tuple(other for other in sorted(called) if other != seat)


def next_turn(course: Course, seat: Seat) -> Course:
    """The next seat clockwise that is still playing; who has to lose a turn loses it."""
    following = next_seat(course.state, seat)
    if following in course.state.skips:
        return next_turn(course.then(ev.Skipped(following)), following)
    return course.then(ev.TurnStarted(following))


def next_seat(state: State, seat: Seat) -> Seat:
    """The next seat clockwise that is still playing."""
    seats, left = len(state.hands), yoda.playing(state)
    return next((other % seats for other in range(seat + 1, seat + seats + 1) if other % seats in left), seat)


def result(state: State) -> Result | None:
    """Won by the first to play the last card, or by the last seat left; for places when one is left.

    A place scores the seats left behind; who resigned earlier comes later (house rule, ours).
    """
    left = yoda.playing(state)
    if state.out and not state.options.play_for_places:
        return Result("won", "last_card", state.out)
    if len(left) > 1:
        return None
    order = (*state.out, *left, *reversed(state.resigned))
    places = tuple(len(order) - 1 - order.index(seat) for seat in range(len(order)))
    reason = "last_card" if state.out else "resigned"
    return Result("won", reason, order[:1], places if state.options.play_for_places else ())


def _make_lay(state: State, seat: Seat, held: Cards, columns: Sequence[int]) -> Lay:
    face_up = tuple(card for at, card in enumerate(state.face_up[seat]) if at in columns and card is not None)
    return Lay(held, face_up, tuple(columns))


def _check_source(state: State, seat: Seat, lay: Lay) -> None:
    """The hand first; face-up cards when it is empty, or with the whole rest of it (Screaming Yoda's finer points)."""
    hand = state.hands[seat]
    if not hand or not lay.columns:
        return
    if not lay.held:
        raise Illegal("hand_first", "Face-up cards wait until the hand is empty.")
    if state.draw:
        raise Illegal("draw_pile_first", "Face-up cards join the last of the hand only once the draw pile is gone.")
    if len(lay.held) < len(hand):
        raise Illegal("whole_hand", "Face-up cards are played together only with all that is left of the hand.")
    if len(hand) > 1 and state.options.combo_only_single:
        raise Illegal("single_hand_card", "Face-up cards join only a single last card of the hand.")
    if len(lay.columns) > 1 and _joins_one_face_up(state):
        raise Illegal("one_face_up_card", "One face-up card joins the last of the hand, not several.")


def _joins_one_face_up(state: State) -> bool:
    return isinstance(state.options, yoda.Options2) and state.options.combo_one_face_up


def _check_target(command: ev.Play | ev.Flip) -> None:
    if command.target not in (None, yoda.PILE):
        raise Illegal("pile_only", "Cards are played to the pile.")


def _list_sets(cards: Cards, most: int = len(PACK)) -> Iterator[Cards]:
    """All sets of one or more cards of one rank, of at most so many."""
    for rank in dict.fromkeys(card[0] for card in cards):
        alike = [card for card in cards if card[0] == rank]
        for count in range(1, min(most, len(alike)) + 1):
            yield from combinations(alike, count)


def _hears_false_calls(state: State) -> bool:
    """Whether a call without cause is heard, for which its caller draws."""
    if state.swapping or not state.options.false_call_penalty:
        return False
    return len(state.pile) > 1 or bool(state.pile if state.options.yoda_penalty_source == "pile" else state.removed)


def _draw_penalty(course: Course, seat: Seat, count: int) -> Course:
    """From the removed cards, shuffled; what is missing from the bottom of the pile, whose top stays.

    With the option, from the top of the pile.
    """
    state = course.state
    if state.options.yoda_penalty_source == "pile":
        penalty = ev.Penalised(seat, from_pile=state.pile[-count:])
    else:
        missing = max(0, count - len(state.removed))
        penalty = ev.Penalised(seat, from_pile=state.pile[:-1][:missing])
        if state.removed:
            order = turns.shuffle_cards(state.chance, state.removed)
            drawn, removed = order.cards[:count], order.cards[count:]
            penalty = ev.Penalised(seat, drawn, penalty.from_pile, removed, order.chance)
    return course.then(penalty) if penalty.drawn or penalty.from_pile else course
