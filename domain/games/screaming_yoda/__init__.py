"""Screaming Yoda, a game of the Shithead family for three to five, from a summer camp (originaltrilogy.com).

What is good play: low cards and many at once, twos and tens kept, every shout and every call that is due.

The weights of `worth` are a conditional logit model's, fitted to who won 1,500 games of three greedy bots, at positions
in which a turn begins. Ranks count by their mean: by their sum a search would gather high cards instead of playing
them. Other seats' hands count by their number, not by a drawn world's cards.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import exp
from typing import Any

from domain.capabilities import Counting, Layout, OptionRules, Resample, Resignation, Spelling
from domain.game_type import GameType
from domain.games.screaming_yoda import plays, rules, view
from domain.games.screaming_yoda import state as yoda
from domain.games.screaming_yoda.events import COMMANDS, EVENTS, Call, Command, Event
from domain.games.screaming_yoda.plays import fits, next_seat, result
from domain.games.screaming_yoda.state import Facts, Options, Options2, State, State2
from domain.kit.evaluation import Evaluator, GreedyChoice, Move, Position
from domain.kit.solo import read_rules
from domain.view import Card, Seat

_KEPT = {"2": 20.0, "T": 10.0}


def judge(position: Position) -> Callable[[Move], float]:
    """The worth of a command; a call without cause is worth less than nothing."""

    def judge_move(move: Move) -> float:
        shout = 200 if move.get("shout") else 0
        match move["type"].partition("/")[2]:
            case "play":
                cards, rank = move["cards"], move["cards"][0][0]
                if [card[0] for card in (*position.cards("pile"), *cards)].count(rank) == yoda.ALIKE_CLEAR:
                    return 150 + shout
                worth = _KEPT[rank] - 4 * len(cards) if rank in _KEPT else 100 - 3 * yoda.VALUE[rank] + 5 * len(cards)
                return worth + shout
            case "flip":
                return 50 + shout
            case "shout":
                return 600
            case "call":
                return 500 if move["seat"] in position.facts["exposed"] else -1
            case "swap":  # strong cards lie face up for the end, weak ones are played from the hand
                cards = position.cards(move["target"])
                return _strength(move["card"]) - _strength(cards[-1]) - 0.5 if cards else -1
            case _:
                return 0

    return judge_move


def _strength(card: Card) -> int:
    return {"2": 14, "T": 15}.get(card[0], yoda.VALUE[card[0]])


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
    if seat not in (left := yoda.playing(state)):
        return 0.0
    chances = {other: exp(_standing(state, other, other == seat)) for other in left}
    return chances[seat] / sum(chances.values())


def _standing(state: State, seat: Seat, own: bool) -> float:
    hand, face_up = state.hands[seat], [card for card in state.face_up[seat] if card is not None]
    covered = sum(card is not None for card in state.face_down[seat])
    held = min(len(hand), yoda.FULL_HAND)
    standing = _COVERED * covered + _OPEN * len(face_up) + _HELD * held + _MORE * (len(hand) - held)
    standing += _OPEN_RANK * _mean(face_up) + _specials(face_up)
    if not own:
        return standing + _HELD_RANK * _USUAL
    stuck = state.turn == seat and bool(hand or face_up) and not any(fits(state, card[0]) for card in hand or face_up)
    return standing + _HELD_RANK * _mean(hand) + _specials(hand) + _STUCK * len(state.pile) * stuck


def _specials(cards: Sequence[Card]) -> float:
    return sum(_TEN if card[0] in yoda.CLEARING else _TWO if card[0] in yoda.RESETTING else 0.0 for card in cards)


def _mean(cards: Sequence[Card]) -> float:
    ranks = [yoda.VALUE[card[0]] for card in cards if card[0] not in yoda.CLEARING + yoda.RESETTING]
    return sum(ranks) / len(ranks) if ranks else _USUAL


def call_exposed(state: State) -> tuple[Seat, Call] | None:
    """The next seat calls a player who has one card left and has not shouted."""
    if not state.exposed or result(state) is not None:
        return None
    exposed = state.exposed[0]
    return next_seat(state, exposed), Call(exposed)


SCREAMING_YODA_1: GameType[Options, State, Command, Event, Facts] = GameType(
    key="screaming_yoda", name="Screaming Yoda", revision=1, seats=range(3, 6), rules=read_rules(__file__),
    options=Options, state=State, commands=COMMANDS, events=EVENTS, facts=Facts, deal=rules.deal,
    initial=rules.initial, decide=rules.decide, evolve=rules.evolve, legal_commands=rules.legal_commands,
    look=view.look, tell=view.tell, result=plays.result, redact=view.redact, material=view.MATERIAL,
    capabilities=(
        OptionRules(rules.settle, extra_seats=(2,)), Spelling(rules.canonical), Resignation(rules.resign),
        Counting(moves=6), Resample(view.resample), Layout(view.boards), view.CHIPS, GreedyChoice(judge),
        Evaluator(worth, turns=3, width=6, trust=0.3, reply=call_exposed),
    ),
)  # fmt: skip

_REVISION_1: GameType[Any, Any, Command, Event, Facts] = SCREAMING_YODA_1

SCREAMING_YODA: GameType[Options2, State2, Command, Event, Facts] = replace(
    _REVISION_1, revision=2, options=Options2, state=State2, initial=rules.initial_2
)
"""Revision 2: the last card of the hand is joined by one face-up card, as the source says; more by option."""
