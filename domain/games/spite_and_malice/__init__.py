"""Spite & Malice, the card game for two of Naglma's Spite & Malice, with its tables SNM A, PZ, PZ_NWIS and A-SHORT.

What is good play: the stock first and the way to it, wilds kept, discards in falling runs.

The weights of `worth` are a logit model's, fitted to who won 500 games of two greedy bots, at positions in which a turn
has ended. It uses nothing of the other seat's hand, not even a drawn world's cards: chance would only blur the
comparison.
"""

from collections.abc import Callable
from math import exp
from typing import NamedTuple

from domain.capabilities import Counting, Layout, OptionRules, Presets, Resample, Spelling
from domain.game_type import GameType
from domain.games.spite_and_malice import rules, view
from domain.games.spite_and_malice.events import COMMANDS, EVENTS, Command, Event
from domain.games.spite_and_malice.state import NAMED, VALUE, Facts, Options, State
from domain.kit.evaluation import Evaluator, GreedyChoice, Move, Position
from domain.kit.solo import read_rules
from domain.view import Seat


class _Table(NamedTuple):
    """The table in values: the next card of each play deck, the tops of both stocks, own hand and discard piles."""

    wild: int
    following: dict[str, int]
    ours: int
    theirs: int
    hand: list[int]
    piles: dict[str, list[int]]

    def lacking(self, deck: str) -> int:
        """The values between this deck and the own stock's top that are neither in hand nor on top of a pile."""
        at_hand = {*self.hand, *(pile[-1] for pile in self.piles.values() if pile)}
        return sum(value not in at_hand for value in range(self.following[deck], self.ours))

    def leads(self, deck: str) -> bool:
        """Whether the own stock's top can be reached on this deck now, with wilds for values that are lacking."""
        wilds = sum(card >= self.wild for card in self.hand)
        return self.following[deck] <= self.ours < self.wild and self.lacking(deck) <= wilds


def judge(position: Position) -> Callable[[Move], float]:
    """The worth of a command: the stock 1000, the way to it some 500, other plays up to 150, discards below 60."""
    seat = position.seat
    ours, theirs = (position.cards(f"stock_{owner}") for owner in (seat, 1 - seat))
    table = _Table(
        wild=position.facts["finish"] + 1,
        following={zone["id"]: len(zone.get("cards", ())) + 1 for zone in position.zones("play_")},
        ours=VALUE[ours[-1]] if ours else 0,
        theirs=VALUE[theirs[-1]] if theirs else 0,
        hand=[VALUE[card] for card in position.cards(f"hand_{seat}")],
        piles={
            zone["id"]: [VALUE[card] for card in zone.get("cards", ())] for zone in position.zones(f"discard_{seat}_")
        },
    )

    def judge_move(move: Move) -> float:
        if move["type"] == "spite_and_malice/play":
            return _judge_play(table, move)
        return _judge_discard(table, move) if move["type"] == "spite_and_malice/discard" else 0

    return judge_move


def _judge_play(table: _Table, move: Move) -> float:
    """The way to the stock first, blocking the other's stock, then hand cards, whose places are filled again.

    A wild is kept except for a value that is lacking on that way, or as the last card of the hand. To let the other
    seat play its stock costs little, since a card in hand is dearer.
    """
    deck, source = move["target"], move["source"]
    following, from_hand = table.following[deck], source.startswith("hand")
    on_the_way = table.leads(deck) and following < table.ours
    after = following % (table.wild - 1) + 1  # a finished deck starts again with an ace
    gift = 20 if after == table.theirs and not on_the_way else 0
    if source.startswith("stock"):
        return 1000 - gift
    card = VALUE[move["card"]] if from_hand else table.piles[source][-1]
    if card >= table.wild:
        if on_the_way and following not in table.hand:
            return 400 - 20 * table.lacking(deck) - gift
        return (70 if len(table.hand) == 1 else -20) - gift
    if on_the_way:
        return 500 - 20 * table.lacking(deck) - (0 if from_hand else 1) - gift
    return (80 if from_hand else 65) + (60 if following == table.theirs else 0) - gift


def _judge_discard(table: _Table, move: Move) -> float:
    """High plain cards, on a pile whose top is one higher or the same; a card that the stock needs is kept."""
    card, pile = VALUE[move["card"]], table.piles[move["target"]]
    if card >= table.wild:
        return -30
    if not pile:
        bonus = 12
    elif pile[-1] in (card, card + 1):
        bonus = 20 - (pile[-1] == card)
    else:
        bonus = -5 if pile[-1] < card else 2
    double = 6 if table.hand.count(card) > 1 else 0
    near = 8 if 0 < table.ours - card <= 3 else 0
    return 10 + card / 2 + double - near + bonus


_STOCK = 0.24
"""A card more or less in the stock."""
_NEXT = 0.37
"""The other seat's top, if it can be played for certain."""
_DRAWN = 0.45
"""The chance that an unseen hand holds a value, or a wild for it."""
_WILD, _ROOM = 0.24, 0.05
"""A wild in hand, and a place there that is filled again."""


def worth(state: State, seat: Seat) -> float:
    """The share of a seat whose turn has ended."""
    hand, settings = state.hands[seat], state.settings
    logit = _STOCK * (len(state.stocks[1 - seat]) - len(state.stocks[seat])) - _NEXT * _chance(state, 1 - seat)
    logit += _WILD * sum(map(settings.is_wild, hand)) + _ROOM * (settings.hand - len(hand))
    return 1 / (1 + exp(-logit))


def _chance(state: State, seat: Seat) -> float:
    """The chance that the top of this seat's stock is played in its next turn."""
    top = VALUE[state.stocks[seat][-1]]
    if top > state.settings.finish:
        return 1.0
    chance: float = _DRAWN ** min(_lacking(state, seat, len(deck) + 1, top) for deck in state.play_decks)
    return chance


def _lacking(state: State, seat: Seat, following: int, top: int) -> int:
    """The number of values from a deck's next card to the top that cannot be reached in the discard piles."""
    finish = state.settings.finish
    values = range(following, top) if following <= top else (*range(following, finish + 1), *range(1, top))
    piles, lacking = [[VALUE[card] for card in pile] for pile in state.discards[seat]], 0
    for value in values:
        if (pile := next((pile for pile in piles if pile and pile[-1] == value), None)) is None:
            lacking += 1
        else:
            pile.pop()
    return lacking


SPITE_AND_MALICE: GameType[Options, State, Command, Event, Facts] = GameType(
    key="spite_and_malice", name="Spite & Malice", revision=1, seats=range(2, 3), rules=read_rules(__file__),
    options=Options, state=State, commands=COMMANDS, events=EVENTS, facts=Facts, deal=rules.deal,
    initial=rules.initial, decide=rules.decide, evolve=rules.evolve, legal_commands=rules.legal_commands,
    look=view.look, tell=view.tell, result=rules.result, redact=view.redact, material=view.MATERIAL,
    capabilities=(
        OptionRules(rules.settle), Spelling(rules.canonical), Presets(NAMED), Counting(moves=6),
        Resample(view.resample), Layout(view.boards), view.CHIPS, GreedyChoice(judge),
        Evaluator(worth, turns=1, width=6, trust=0.3, stronger=True),
    ),
)  # fmt: skip
