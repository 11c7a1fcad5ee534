"""Bridge Solitaire with the stock open: how many tricks the player could have taken, and what each choice has cost.

With the stock known nobody chooses but the player, so the most tricks from a position are found by looking at every
card, each position once: the cards in the hand, the next card of the stock, who leads.
"""

from collections.abc import Iterable, Iterator
from typing import cast

from msgspec import Struct
from msgspec.structs import replace

from domain.games.bridge_solitaire import events as ev
from domain.games.bridge_solitaire.rules.bidding import calls, make_bid, pass_bid
from domain.games.bridge_solitaire.rules.play import play_card, playable, score_hand, turn_cards, win_trick
from domain.games.bridge_solitaire.rules.table import fold
from domain.games.bridge_solitaire.state import Contract, Entry, Side, State, Strain, other
from domain.play.aggregate import Game
from domain.play.aggregate import fold as fold_records
from domain.play.form import StepRecords
from domain.view import Card

Trick = tuple[bool, int]
"""Whether the player wins it, and the place of the next card of the stock."""


class OpenStock:
    """A hand and its stock under one strain; the cards of the hand are the bits of a number."""

    def __init__(self, hand: tuple[Card, ...], stock: tuple[Card, ...], strain: Strain) -> None:
        self._hand, self._stock, self._strain = hand, stock, strain
        self._most: dict[tuple[int, int, bool], int] = {}
        self._answers = [[self._lead(card, at) for at in range(len(stock))] for card in hand]
        self._follows = [[self._follow(led, card) for card in hand] for led in stock]

    def most_tricks(self, hand: tuple[Card, ...], stock: tuple[Card, ...], trick: tuple[Card, ...], leads: Side) -> int:
        """The most tricks from here: `trick` holds the house's lead, or nothing where `leads` leads."""
        left, at = self._bits(hand), len(self._stock) - len(stock)
        return self._best(left, at - 1, False) if trick else self._best(left, at, leads == "me")

    def _bits(self, cards: tuple[Card, ...]) -> int:
        return sum(1 << place for place, card in enumerate(self._hand) if card in cards)

    def _best(self, left: int, at: int, leads: bool) -> int:
        if at >= len(self._stock) or not left:
            return left.bit_count()
        key = (left, at, leads)
        if (known := self._most.get(key)) is None:
            known = self._most[key] = self._look(left, at, leads)
        return known

    def _look(self, left: int, at: int, leads: bool) -> int:
        best, all_of_them = -1, left.bit_count()
        for place in range(len(self._hand)) if leads else self._playable(left, at):
            if left >> place & 1:
                won, after = self._answers[place][at] if leads else (self._follows[at][place], at + 1)
                best = max(best, won + self._best(left & ~(1 << place), after, won))
                if best == all_of_them:
                    break
        return best

    def _playable(self, left: int, at: int) -> range | list[int]:
        cards = tuple([card for place, card in enumerate(self._hand) if left >> place & 1])
        may = playable(cards, (self._stock[at],))
        return [place for place, card in enumerate(self._hand) if card in may]

    def _lead(self, card: Card, at: int) -> Trick:
        turned = turn_cards(self._stock[at:], card, self._strain)
        answer = tuple(turn.card for turn in turned if turn.turn != "skipped")
        return win_trick("me", (card, *answer), self._strain).side == "me", at + len(turned)

    def _follow(self, led: Card, card: Card) -> bool:
        return win_trick("it", (led, card), self._strain).side == "me"


class CallWorth(Struct, frozen=True, omit_defaults=True):
    """A call that could be made, the most tricks it could have brought the player, and the points for the hand.

    Level 0 without a strain is the pass. Points are ME less IT; of a rubber they are the hand's entries on its sheet.
    """

    tricks: int
    points: int
    level: int = 0
    strain: Strain | None = None


class CardCost(Struct, frozen=True):
    """A card that was played, and the tricks it has cost: the best card there would have brought so many more."""

    step: int
    card: Card
    tricks: int


class HandReport(Struct, frozen=True, kw_only=True):
    """One hand with its stock open.

    `calls`: every call there was, in listing order; `par`: the one worth most, of equal ones the first; `called`: the
    one that was made at `step`, with perfect play. `points`: what the hand brought. So par - called points were lost by
    the call, called - `points` by the cards. `cards`: those that cost tricks, in playing order.
    """

    hand: int
    step: int
    calls: tuple[CallWorth, ...]
    par: CallWorth
    called: CallWorth
    tricks: int
    points: int
    cards: tuple[CardCost, ...]

    @property
    def worst_card(self) -> CardCost | None:
        """The first of the cards that cost most; None: every card was as good as the best."""
        return max(self.cards, key=lambda card: card.tricks, default=None)


def hand_reports(steps: Iterable[StepRecords]) -> Iterator[HandReport]:
    """The hands of a game that were played to a score, in their order; one that was given up is left out."""
    game: Game | None = None
    hand: _Hand | None = None
    for step in steps:
        state, command = cast(State, game and game.state), step[0].command
        match command:
            case ev.Bid() | ev.Pass():
                hand = _Hand(state, step[0].step, command)
            case ev.Play() if hand is not None:
                hand.play(state, step[0].step, command.card)
        for record in step:
            if isinstance(record.event, ev.HandScored) and hand is not None:
                if record.event.finish != "conceded":
                    yield hand.report(record.event)
                hand = None
        game = fold_records(step, game)


class _Hand:
    """One hand from its auction on."""

    def __init__(self, auction: State, step: int, command: ev.Bid | ev.Pass) -> None:
        self._auction, self._step, self._command = auction, step, command
        self._open: dict[tuple[Strain, Side], OpenStock] = {}
        self._cards: list[CardCost] = []

    def play(self, state: State, step: int, card: Card) -> None:
        """Note what this card cost; the trick that it makes is played out by the rules."""
        before = self._most_tricks(state)
        after = fold(state, play_card(state, card))
        if cost := before - (after.tricks_me if after.phase == "hand_scored" else self._most_tricks(after)):
            self._cards.append(CardCost(step, card, cost))

    def report(self, scored: ev.HandScored) -> HandReport:
        """The hand as it was scored."""
        worths = [self._worth(command) for command in calls(self._auction)]
        called = self._worth(self._command)
        par = max(worths, key=lambda worth: worth.points)
        return HandReport(
            hand=scored.hand, step=self._step, calls=tuple(worths), par=par, called=called, tricks=scored.tricks_me,
            points=_points(scored.entries), cards=tuple(self._cards),
        )  # fmt: skip

    def _worth(self, command: ev.Bid | ev.Pass) -> CallWorth:
        made = make_bid(self._auction, command) if isinstance(command, ev.Bid) else pass_bid(self._auction)
        state = fold(self._auction, made)
        tricks = self._most_tricks(state)
        entries = score_hand(replace(state, tricks_me=tricks), "played_out").entries
        if isinstance(command, ev.Bid):
            return CallWorth(tricks, _points(entries), command.level, command.strain)
        return CallWorth(tricks, _points(entries))

    def _most_tricks(self, state: State) -> int:
        """Those won already, and the most from here."""
        contract = cast(Contract, state.contract)
        key = contract.strain, contract.declarer
        if key not in self._open:
            self._open[key] = OpenStock(self._auction.hand, self._auction.stock, contract.strain)
        leads: Side = state.last_winner or other(contract.declarer)
        return state.tricks_me + self._open[key].most_tricks(state.hand, state.stock, state.trick, leads)


def _points(entries: Iterable[Entry]) -> int:
    return sum(entry.points if entry.side == "me" else -entry.points for entry in entries)
