"""What the calls and the cards of Bridge Solitaire's hands have cost, with the stock open."""

from collections.abc import Iterable, Iterator
from typing import Annotated, cast

from msgspec import Meta, Struct
from msgspec.structs import replace

from domain.games.bridge_solitaire import events as ev
from domain.games.bridge_solitaire.rules import calls, fold, make_bid, pass_bid, play_card, score_hand
from domain.games.bridge_solitaire.scoring import at_end, with_hand
from domain.games.bridge_solitaire.state import Contract, Entry, Sheet, Side, State, Strain, other
from domain.play.aggregate import Game
from domain.play.aggregate import fold as fold_records
from domain.play.form import StepRecords
from domain.view import Card
from service.analysis.difficulty import Complete, count, tell_end
from service.analysis.open_stock import OpenStock

_NOT_ONE = ("No hand was looked at.", "What the calls have cost is open.", "What the cards have cost is open, too.")


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
    told = tuple(hands)
    sentences = (_tell_all(told), _tell_call(told), _tell_card(told)) if told or complete else _NOT_ONE
    return BridgeReport(told, tell_end(sentences, complete), complete)


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
    found = [(hand.hand, hand.worst_card) for hand in hands if hand.worst_card is not None]
    if not found:
        return "No card cost a trick."
    hand, card = max(found, key=lambda one: _cost(one[1]))
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


def hand_reports(steps: Iterable[StepRecords], known: Iterable[HandReport] = ()) -> Iterator[HandReport]:
    """The hands of a game that were played to a score, in their order; one that was given up is left out.

    What is `known` is not looked at again.
    """
    game: Game | None = None
    hand: _Hand | None = None
    seen = {one.step for one in known}
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
        """Note what this card cost; the trick that it makes is played out by the rules."""
        before = self._most_tricks(state)
        after = fold(state, play_card(state, card))
        most = after.tricks_me if after.phase == "hand_scored" else self._most_tricks(after)
        if before > most:
            points = self._worth_of(_score(state, before)) - self._worth_of(_score(state, most))
            self._cards.append(CardCost(step, card, before - most, points))

    def report(self, scored: ev.HandScored) -> HandReport:
        """The hand as it was scored."""
        worths = {command: self._worth(command) for command in calls(self._auction)}
        par, _ = max(worths.values(), key=lambda worth: (worth[0].points, *worth[1]))
        return HandReport(
            hand=scored.hand, step=self._step, calls=tuple(worth for worth, _ in worths.values()), par=par,
            called=worths[self._command][0], tricks=scored.tricks_me, points=self._worth_of(scored.entries),
            cards=tuple(self._cards),
        )  # fmt: skip

    def _worth(self, command: ev.Bid | ev.Pass) -> tuple[CallWorth, tuple[int, int]]:
        """What this call is worth, and the games and the part score after it, ME less IT."""
        made = make_bid(self._auction, command) if isinstance(command, ev.Bid) else pass_bid(self._auction)
        state = fold(self._auction, made)
        tricks = self._most_tricks(state)
        entries = _score(state, tricks)
        me, it = self._after(entries).me, self._after(entries).it
        level, strain = (command.level, command.strain) if isinstance(command, ev.Bid) else (0, None)
        worth = CallWorth(level, strain, tricks, self._worth_of(entries))
        return worth, (me.games - it.games, me.part_score - it.part_score)

    def _after(self, entries: tuple[Entry, ...]) -> Sheet:
        return with_hand(self._auction.sheet, self._auction.hand_number, entries)

    def _worth_of(self, entries: tuple[Entry, ...]) -> int:
        """These points; in a rubber with what they change of the premiums, if it ends with this hand."""
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
    return score_hand(replace(state, tricks_me=tricks), "played_out").entries


def _margin(sheet: Sheet) -> int:
    return sheet.margin + _points(at_end(sheet))
