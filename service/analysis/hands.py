"""The cost of the calls and the cards of Bridge Solitaire's hands, with the stock open.

With the stock known the player alone chooses, so the most tricks from a position are found by looking at every card,
each position once: the cards in the hand, the next card of the stock, who leads.
"""

from collections.abc import Iterable, Iterator
from typing import Annotated, cast

from msgspec import Meta, Struct
from msgspec.structs import replace

from domain.games.bridge_solitaire import events as ev
from domain.games.bridge_solitaire import rules as bridge
from domain.games.bridge_solitaire.scoring import at_end, with_hand
from domain.games.bridge_solitaire.state import Contract, Entry, Sheet, Side, State, Strain, other
from domain.play.aggregate import Game
from domain.play.aggregate import fold as fold_records
from domain.play.verify import StepRecords
from domain.view import Card
from service.analysis.report import Complete, count, tell_end

_NOT_ONE = ("No hand was looked at.", "What the calls have cost is open.", "What the cards have cost is open, too.")
Trick = tuple[bool, int]
"""Whether the player wins it, and the place of the next card of the stock."""


class OpenStock:
    """A hand and its stock under one strain; the cards of the hand are the bits of a number."""

    def __init__(self, hand: tuple[Card, ...], stock: tuple[Card, ...], strain: Strain) -> None:
        self._hand, self._stock, self._strain = hand, stock, strain
        self._most: dict[tuple[int, int, bool], int] = {}
        self._answers = [[self._lead(card, at) for at in range(len(stock))] for card in hand]
        self._follows = [[bridge.win_trick("it", (led, card), strain).side == "me" for card in hand] for led in stock]

    def most_tricks(self, hand: tuple[Card, ...], stock: tuple[Card, ...], trick: tuple[Card, ...], leads: Side) -> int:
        """The most tricks from here: `trick` holds the house's lead, or nothing where `leads` leads."""
        left = sum(1 << place for place, card in enumerate(self._hand) if card in hand)
        at = len(self._stock) - len(stock)
        return self._best(left, at - 1, False) if trick else self._best(left, at, leads == "me")

    def _best(self, left: int, at: int, leads: bool) -> int:
        if at >= len(self._stock) or not left:
            return left.bit_count()
        key = (left, at, leads)
        if key in self._most:
            return self._most[key]
        best, all_of_them, places = -1, left.bit_count(), [*range(len(self._hand))]
        if not leads:
            cards = tuple([card for place, card in enumerate(self._hand) if left >> place & 1])
            legal = bridge.playable(cards, (self._stock[at],))
            places = [place for place, card in enumerate(self._hand) if card in legal]
        for place in places:
            if left >> place & 1:
                won, after = self._answers[place][at] if leads else (self._follows[at][place], at + 1)
                best = max(best, won + self._best(left & ~(1 << place), after, won))
                if best == all_of_them:
                    break
        self._most[key] = best
        return best

    def _lead(self, card: Card, at: int) -> Trick:
        turned = bridge.turn_cards(self._stock[at:], card, self._strain)
        answer = tuple(turn.card for turn in turned if turn.turn != "skipped")
        return bridge.win_trick("me", (card, *answer), self._strain).side == "me", at + len(turned)


class CallWorth(Struct, frozen=True):
    """A call that could be made, the most tricks it could have brought the player, and the points for the hand.

    Level 0 without a strain is the pass. Points are ME less IT. In a rubber: by how much the hand changes what the
    sheet comes to if the rubber ends there, with the premium of a rubber, finished (Law 74) or not (Law 80).
    """

    level: int
    strain: Strain | None
    tricks: int
    points: int


class CardCost(Struct, frozen=True):
    """A card that was played, and what it has cost: the best card there would have brought so many tricks and points
    more. `points` is null where an older analysis has not counted them."""

    step: int
    card: Card
    tricks: int
    points: int | None = None


class HandReport(Struct, frozen=True, kw_only=True):
    """One hand with its stock open.

    `calls`: every call there was, in listing order; `par`: the one worth most, of equal ones the first that brings
    a game, or most of one; `called`: the one that was made at `step`, with perfect play. `points`: what the hand
    brought. So par - called points were lost by the call, called - `points` by the cards. `cards`: those that cost
    tricks, in playing order.
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
        return max(self.cards, key=_cost, default=None)


class BridgeReport(Struct, frozen=True, tag_field="kind", tag="bridge"):
    """The hands of a game that were played to a score, each with its stock open."""

    hands: tuple[HandReport, ...]
    sentences: Annotated[tuple[str, ...], Meta(min_length=3, max_length=3, description="It all, in three.")]
    complete: Complete = False


def report_hands(hands: Iterable[HandReport], *, complete: bool = True) -> BridgeReport:
    """The report of these hands; `complete`: they are all there are."""
    hands = tuple(hands)
    sentences = (_tell_all(hands), _tell_call(hands), _tell_card(hands)) if hands or complete else _NOT_ONE
    return BridgeReport(hands, tell_end(sentences, complete), complete)


def _tell_all(hands: tuple[HandReport, ...]) -> str:
    if not hands:
        return "No hand was played to its end."
    could, came = sum(hand.par.points for hand in hands), sum(hand.points for hand in hands)
    tricks = sum(card.tricks for hand in hands for card in hand.cards)
    of = f"{count(len(hands), 'hand')} brought {came} points"
    return f"{of}, and could have brought {could} with the stock known; the cards cost {count(tricks, 'trick')}."


def _tell_call(hands: tuple[HandReport, ...]) -> str:
    worst = max(hands, key=lambda hand: hand.par.points - hand.called.points, default=None)
    if worst is None or worst.par.points == worst.called.points:
        return "No call cost anything."
    cost, par = worst.par.points - worst.called.points, worst.par
    better = f"{_name_call(par)} would have been worth {par.points}"
    return f"The call that cost most, in hand {worst.hand}: {_name_call(worst.called)}, by {cost} points; {better}."


def _tell_card(hands: tuple[HandReport, ...]) -> str:
    worst = [(hand.hand, hand.worst_card) for hand in hands if hand.worst_card is not None]
    if not worst:
        return "No card cost a trick."
    hand, card = max(worst, key=lambda pair: _cost(pair[1]))
    cost = f"{count(card.tricks, 'trick')} and {card.points} points"
    return f"The card that cost most, in hand {hand}: {card.card} at step {card.step}, {cost}."


def _cost(card: CardCost) -> tuple[int, int]:
    return card.points or 0, card.tricks


def _name_call(call: CallWorth) -> str:
    return f"{call.level}{call.strain}" if call.strain else "a pass"


def expected_hands(steps: Iterable[StepRecords]) -> int:
    """How many hands were played to a score."""
    scored = [record.event for step in steps for record in step if isinstance(record.event, ev.HandScored)]
    return sum(event.finish != "conceded" for event in scored)


def hand_reports(steps: Iterable[StepRecords], earlier: Iterable[HandReport] = ()) -> Iterator[HandReport]:
    """The hands of a game that were played to a score, in their order; one that was given up is left out.

    The `earlier` hands are left out, too.
    """
    game: Game | None = None
    hand: _Hand | None = None
    seen = {hand.step for hand in earlier}
    for step in steps:
        state, command = cast(State, game and game.state), step[0].command
        match command:
            case ev.Bid() | ev.Pass() if step[0].step not in seen:
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
        """Note the cost of this card; the trick that it makes is played out by the rules."""
        before = self._most_tricks(state)
        after = bridge.fold(state, bridge.play_card(state, card))
        most = after.tricks_me if after.phase == "hand_scored" else self._most_tricks(after)
        if before > most:
            points = self._worth_of(_score(state, before)) - self._worth_of(_score(state, most))
            self._cards.append(CardCost(step, card, before - most, points))

    def report(self, scored: ev.HandScored) -> HandReport:
        """The hand as it was scored."""
        worths = {command: self._worth(command) for command in bridge.calls(self._auction)}
        par, _ = max(worths.values(), key=lambda worth: (worth[0].points, *worth[1]))
        return HandReport(
            hand=scored.hand, step=self._step, calls=tuple(worth for worth, _ in worths.values()), par=par,
            called=worths[self._command][0], tricks=scored.tricks_me, points=self._worth_of(scored.entries),
            cards=tuple(self._cards),
        )  # fmt: skip

    def _worth(self, command: ev.Bid | ev.Pass) -> tuple[CallWorth, tuple[int, int]]:
        """The worth of this call, and the games and the part score after it, ME less IT."""
        auction = self._auction
        made = bridge.make_bid(auction, command) if isinstance(command, ev.Bid) else bridge.pass_bid(auction)
        state = bridge.fold(auction, made)
        tricks = self._most_tricks(state)
        entries = _score(state, tricks)
        me, it = self._after(entries).me, self._after(entries).it
        level, strain = (command.level, command.strain) if isinstance(command, ev.Bid) else (0, None)
        worth = CallWorth(level, strain, tricks, self._worth_of(entries))
        return worth, (me.games - it.games, me.part_score - it.part_score)

    def _after(self, entries: tuple[Entry, ...]) -> Sheet:
        return with_hand(self._auction.sheet, self._auction.hand_number, entries)

    def _worth_of(self, entries: tuple[Entry, ...]) -> int:
        """These points; in a rubber with their change of the premiums, if it ends with this hand."""
        if self._auction.options.length == "hand":
            return _points(entries)
        return _margin(self._after(entries)) - _margin(self._auction.sheet)

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


def _score(state: State, tricks: int) -> tuple[Entry, ...]:
    """The hand's entries, had the player won so many tricks."""
    return bridge.score_hand(replace(state, tricks_me=tricks), "played_out").entries


def _margin(sheet: Sheet) -> int:
    return sheet.margin + _points(at_end(sheet))
