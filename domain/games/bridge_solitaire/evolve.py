"""The state after each event; never refuses, draws no lots."""

from collections.abc import Callable, Iterable
from typing import Any

from msgspec.structs import replace

from domain.games.bridge_solitaire import events as ev
from domain.games.bridge_solitaire.contract import Call
from domain.games.bridge_solitaire.evaluation import HIGH_TO_LOW
from domain.games.bridge_solitaire.options import BoardOptions, Options
from domain.games.bridge_solitaire.sheet import after
from domain.games.bridge_solitaire.state import HIDDEN, OFFERED, BoardState, State, lying
from domain.kit.cards import is_joker
from domain.view import Card


def initial(options: Options, seats: int) -> State:
    return State(options)


def board_initial(options: BoardOptions, seats: int) -> BoardState:
    return BoardState(options)


def evolve(state: State, event: ev.Event) -> State:
    """The state after one event."""
    return _HANDLERS[type(event)](state, event)


def fold(state: State, events: Iterable[ev.Event]) -> State:
    """The state after several."""
    for event in events:
        state = evolve(state, event)
    return state


def _dealt(state: State, event: ev.Dealt) -> State:
    return type(state)(
        state.options,
        hand_number=event.hand,
        chance=event.chance,
        hidden=event.cards[:HIDDEN],
        offered=event.cards[HIDDEN : HIDDEN + OFFERED],
        stock=event.cards[HIDDEN + OFFERED :],
        sheet=state.sheet,
    )


def _selected(state: State, event: ev.Selected) -> State:
    return replace(state, offered=(), hand=event.cards, discard=event.discarded)


def _hand_shown(state: State, event: ev.HandShown) -> State:
    hand = tuple(sorted(state.hand + event.cards, key=_in_hand))
    return replace(state, hidden=(), hand=hand, held=hand)


def _in_hand(card: Card) -> tuple[int, int]:
    """Spades, hearts, clubs, diamonds, each from the ace down, then jokers: colours alternate."""
    return (4, int(card[1])) if is_joker(card) else ("SHCD".index(card[1]), HIGH_TO_LOW.index(card[0]))


def _house_called(state: State, event: ev.HouseCalled) -> State:
    return replace(state, phase="auction", call=Call(event.level, event.strain))


def _unchanged(state: State, event: ev.Event) -> State:
    return state


def _contract_made(state: State, event: ev.ContractMade) -> State:
    return replace(state, phase="play", contract=event.contract)


def _house_led(state: State, event: ev.HouseLed) -> State:
    return replace(state, trick=(event.card,), leader="it", stock=state.stock[1:])


def _card_played(state: State, event: ev.CardPlayed) -> State:
    state = _swept(state)
    return replace(
        state,
        hand=tuple(card for card in state.hand if card != event.card),
        trick=(*state.trick, event.card),
        leader=state.leader if state.trick else "me",
    )


def _swept(state: State) -> State:
    """The last trick is turned down and the cards skipped for it are pushed together on the discard pile."""
    last = state.last_trick
    return replace(
        state,
        discard=state.discard + state.skipped,
        won_me=state.won_me + (last if state.last_winner == "me" else ()),
        won_it=state.won_it + (last if state.last_winner == "it" else ()),
        skipped=(),
        last_trick=(),
        last_winner=None,
    )


def _card_turned(state: State, event: ev.CardTurned) -> State:
    stock = state.stock[1:]
    if event.turn == "skipped":
        return replace(state, stock=stock, skipped=(*state.skipped, event.card))
    return replace(state, stock=stock, trick=(*state.trick, event.card))


def _trick_won(state: State, event: ev.TrickWon) -> State:
    return replace(
        state,
        trick=(),
        leader=None,
        last_trick=state.trick,
        last_winner=event.side,
        tricks_me=state.tricks_me + (event.side == "me"),
        tricks_it=state.tricks_it + (event.side == "it"),
    )


def _remaining_won(state: State, event: ev.RemainingWon) -> State:
    tricks = state.tricks_me + len(event.cards)
    return replace(state, hand=(), won_me=state.won_me + event.cards, tricks_me=tricks)


def _hand_scored(state: State, event: ev.HandScored) -> State:
    closed = "hand" if state.options.length == "hand" else state.closed
    return replace(state, phase="hand_scored", sheet=after(state.sheet, event), closed=closed)


def _rubber_scored(state: State, event: ev.RubberScored) -> State:
    return replace(state, sheet=after(state.sheet, event), closed="rubber")


def _rubber_closed(state: State, event: ev.RubberClosed) -> State:
    return replace(state, sheet=after(state.sheet, event), closed=event.reason)


def _hands_voided(state: State, event: ev.HandsVoided) -> State:
    """The rubber as it stood before that hand, all cards gathered face down, ready for a fresh shuffle."""
    if event.from_hand > state.hand_number:
        return state
    return type(state)(
        state.options,
        phase="hand_scored",
        hand_number=event.from_hand - 1,
        chance=state.chance,
        stock=lying(state),
        sheet=after(state.sheet, event),
    )


_HANDLERS: dict[type, Callable[[State, Any], State]] = {
    ev.Dealt: _dealt,
    ev.Selected: _selected,
    ev.HandShown: _hand_shown,
    ev.HouseCalled: _house_called,
    ev.BidMade: _unchanged,
    ev.Passed: _unchanged,
    ev.ContractMade: _contract_made,
    ev.HouseLed: _house_led,
    ev.CardPlayed: _card_played,
    ev.CardTurned: _card_turned,
    ev.TrickWon: _trick_won,
    ev.RemainingWon: _remaining_won,
    ev.HandScored: _hand_scored,
    ev.RubberScored: _rubber_scored,
    ev.RubberClosed: _rubber_closed,
    ev.HandsVoided: _hands_voided,
}
