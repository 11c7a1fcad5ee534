"""Screaming Yoda: what each seat has left to play, and how good it is: tens most of all, then high cards.

The weights are those of a conditional logit model, fitted to who won 1,500 games that three greedy bots played, at
positions in which a turn begins. Ranks count by their mean: by their sum a search would gather high cards instead of
playing them. Of other seats' hands their number counts, not a drawn world's cards.
"""

from collections.abc import Sequence
from math import exp

from domain.games.screaming_yoda.events import Call
from domain.games.screaming_yoda.rules import result
from domain.games.screaming_yoda.rules.plays import fits
from domain.games.screaming_yoda.rules.turns import next_seat
from domain.games.screaming_yoda.state import CLEARING, FULL_HAND, RESETTING, VALUE, State, playing
from domain.view import Card, Seat
from service.house.search import Outlook

_COVERED, _OPEN, _HELD, _MORE = -0.5, -0.24, -0.24, -0.12
"""A card face down, face up, of a full hand, and beyond (more than was fitted, for a search would take up piles)."""
_TEN, _TWO = 0.65, 0.1
"""A card that clears or resets, where it is known."""
_OPEN_RANK, _HELD_RANK = 0.15, 0.1
"""A step of rank in the mean of the other cards, face up and in the own hand."""
_USUAL = 6.0
"""The mean where there is none."""
_STUCK = -0.11
"""A card of the pile, for whom it is to be taken now because nothing fits."""


def worth(state: State, seat: Seat) -> float:
    """The share of this seat among those that still play."""
    if seat not in (left := playing(state)):
        return 0.0
    chances = {other: exp(_standing(state, other, other == seat)) for other in left}
    return chances[seat] / sum(chances.values())


def _standing(state: State, seat: Seat, own: bool) -> float:
    hand, face_up = state.hands[seat], [card for card in state.face_up[seat] if card is not None]
    covered = sum(card is not None for card in state.face_down[seat])
    held = min(len(hand), FULL_HAND)
    found = _COVERED * covered + _OPEN * len(face_up) + _HELD * held + _MORE * (len(hand) - held)
    found += _OPEN_RANK * _mean(face_up) + _specials(face_up)
    if not own:
        return found + _HELD_RANK * _USUAL
    stuck = state.turn == seat and bool(hand or face_up) and not any(fits(state, card[0]) for card in hand or face_up)
    return found + _HELD_RANK * _mean(hand) + _specials(hand) + _STUCK * len(state.pile) * stuck


def _specials(cards: Sequence[Card]) -> float:
    return sum(_TEN if card[0] in CLEARING else _TWO if card[0] in RESETTING else 0.0 for card in cards)


def _mean(cards: Sequence[Card]) -> float:
    ranks = [VALUE[card[0]] for card in cards if card[0] not in CLEARING + RESETTING]
    return sum(ranks) / len(ranks) if ranks else _USUAL


def _call(state: State) -> tuple[Seat, Call] | None:
    """Whoever has one card left and has not shouted is called by the next seat."""
    if not state.exposed or result(state) is not None:
        return None
    called = state.exposed[0]
    return next_seat(state, called), Call(called)


OUTLOOK = Outlook(worth, turns=3, width=6, trust=0.3, reply=_call)
