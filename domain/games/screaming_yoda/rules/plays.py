"""Screaming Yoda: which cards a play lays, where they come from, and whether it may be made."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from domain.game_type import Illegal
from domain.games.screaming_yoda.events import Flip, Play
from domain.games.screaming_yoda.state import (
    COLUMN,
    COLUMN_PLACE,
    FULL_HAND,
    HAND,
    MOST_COLUMNS,
    ON_ANYTHING,
    PILE,
    VALUE,
    Cards,
    Options2,
    State,
    total,
)
from domain.kit.cards import PACK
from domain.view import Seat


class Lay(NamedTuple):
    """What goes to the pile: cards of the hand, then the face-up cards of these columns."""

    held: Cards
    face_up: Cards = ()
    columns: tuple[int, ...] = ()

    @property
    def cards(self) -> Cards:
        return self.held + self.face_up

    def sources(self, seat: Seat) -> tuple[str, ...]:
        """The zones that the cards leave."""
        own = tuple(COLUMN[seat][column] for column in self.columns)
        return (HAND[seat], *own) if self.held else own


def fits(state: State, rank: str) -> bool:
    """Whether a rank may be played: on nothing, a two or a ten on anything, else equal or higher."""
    return not state.pile or rank in ON_ANYTHING or VALUE[rank] >= VALUE[state.pile[-1][0]]


def find_lay(state: State, seat: Seat, play: Play) -> Lay:
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


def lays(state: State, seat: Seat) -> Iterator[Lay]:
    """Every lay that may be made, each set of cards once, in the order in which the cards lie."""
    hand = state.hands[seat]
    yield from (Lay(held) for held in _sets(hand) if fits(state, held[0][0]))
    if not hand or not (state.draw or (len(hand) > 1 and state.options.combo_only_single)):
        most = 1 if hand and _joins_one_face_up(state) else MOST_COLUMNS
        for columns in _column_sets(state, seat, most):
            lay = _make_lay(state, seat, hand, columns)
            if len({card[0] for card in lay.cards}) == 1 and fits(state, lay.cards[0][0]):
                yield lay


def left_after(state: State, seat: Seat, lay: Lay) -> int:
    """How many cards the seat will have when it has played this and drawn."""
    wanting = FULL_HAND - (len(state.hands[seat]) - len(lay.held))
    return total(state, seat) - len(lay.cards) + min(len(state.draw), max(0, wanting))


def find_column(state: State, seat: Seat, flip: Flip) -> int:
    """The column whose face-down card is turned; raises Illegal."""
    _check_target(flip)
    owner, column = COLUMN_PLACE.get(flip.source, (-1, 0))
    if owner != seat or column >= len(state.face_down[seat]):
        raise Illegal("own_column", "Only a face-down card of one's own is flipped.")
    if state.hands[seat]:
        raise Illegal("hand_first", "Face-down cards wait until the hand is empty.")
    if any(card is not None for card in state.face_up[seat]):
        raise Illegal("face_up_first", "Face-down cards wait until the face-up cards are played.")
    if state.face_down[seat][column] is None:
        raise Illegal("empty_column", "There is no card in this column.")
    return column


def flippable(state: State, seat: Seat) -> tuple[int, ...]:
    """The columns whose face-down card may be turned."""
    if state.hands[seat] or any(card is not None for card in state.face_up[seat]):
        return ()
    return tuple(column for column, card in enumerate(state.face_down[seat]) if card is not None)


def _make_lay(state: State, seat: Seat, held: Cards, columns: Sequence[int]) -> Lay:
    """These cards of the hand with the face-up cards of these columns."""
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
    return isinstance(state.options, Options2) and state.options.combo_one_face_up


def _check_target(command: Play | Flip) -> None:
    if command.target not in (None, PILE):
        raise Illegal("pile_only", "Cards are played to the pile.")


def _sets(cards: Cards, most: int = len(PACK)) -> Iterator[Cards]:
    """All sets of one or more cards of one rank, of at most so many."""
    for rank in dict.fromkeys(card[0] for card in cards):
        alike = [card for card in cards if card[0] == rank]
        for count in range(1, min(most, len(alike)) + 1):
            yield from combinations(alike, count)


def _column_sets(state: State, seat: Seat, most: int) -> Iterator[tuple[int, ...]]:
    """The columns of all sets of at most so many face-up cards of one rank."""
    cards = state.face_up[seat]
    for chosen in _sets(tuple(card for card in cards if card is not None), most):
        yield tuple(cards.index(card) for card in chosen)
