"""The table after each event; never refuses, draws no lots."""

from collections.abc import Iterable
from typing import assert_never

from msgspec.structs import replace

from domain.games.bridge_solitaire import events as ev
from domain.games.bridge_solitaire.rules.sheet import after
from domain.games.bridge_solitaire.state import (
    HIDDEN,
    HIGH_TO_LOW,
    OFFERED,
    BoardOptions,
    BoardState,
    Call,
    Options,
    State,
    lying,
)
from domain.kit.cards import JOKERS
from domain.view import Card

_SORTED = (*(rank + suit for suit in "SHCD" for rank in HIGH_TO_LOW), *JOKERS[:2])
_PLACES: dict[Card, int] = {card: place for place, card in enumerate(_SORTED)}
"""In the hand: spades, hearts, clubs, diamonds, each from the ace down, then jokers: colours alternate."""


def initial(options: Options, seats: int) -> State:
    return State(options)


def board_initial(options: BoardOptions, seats: int) -> BoardState:
    return BoardState(options)


def evolve(state: State, event: ev.Event) -> State:
    """The state after one event."""
    match event:  # the commonest first: each case that does not fit costs as much as a small change
        case ev.CardPlayed():
            return _play_card(state, event.card)
        case ev.TrickWon():
            mine = event.side == "me"
            return replace(
                state,
                trick=(),
                leader=None,
                last_trick=state.trick,
                last_winner=event.side,
                tricks_me=state.tricks_me + mine,
                tricks_it=state.tricks_it + (not mine),
            )
        case ev.CardTurned():
            stock = state.stock[1:]
            if event.turn == "skipped":
                return replace(state, stock=stock, skipped=(*state.skipped, event.card))
            return replace(state, stock=stock, trick=(*state.trick, event.card))
        case ev.HouseLed():
            return replace(state, trick=(event.card,), leader="it", stock=state.stock[1:])
        case ev.HandScored():
            closed = "hand" if state.options.length == "hand" else state.closed
            return replace(state, phase="hand_scored", sheet=after(state.sheet, event), closed=closed)
        case ev.Dealt():
            return _deal_out(state, event)
        case ev.Selected():
            return replace(state, offered=(), hand=event.cards, discard=event.discarded)
        case ev.HandShown():
            hand = tuple(sorted(state.hand + event.cards, key=_PLACES.__getitem__))
            return replace(state, hidden=(), hand=hand, held=hand)
        case ev.HouseCalled():
            return replace(state, phase="auction", call=Call(event.level, event.strain))
        case ev.ContractMade():
            return replace(state, phase="play", contract=event.contract)
        case ev.BidMade() | ev.Passed():
            return state
        case ev.RubberClosed():
            return replace(state, sheet=after(state.sheet, event), closed=event.reason)
        case ev.RubberScored():
            return replace(state, sheet=after(state.sheet, event), closed="rubber")
        case ev.RemainingWon():
            tricks = state.tricks_me + len(event.cards)
            return replace(state, hand=(), won_me=state.won_me + event.cards, tricks_me=tricks)
        case ev.HandsVoided():
            return _void_hands(state, event)
        case _:
            assert_never(event)


def fold(state: State, events: Iterable[ev.Event]) -> State:
    """The state after several."""
    for event in events:
        state = evolve(state, event)
    return state


def _play_card(state: State, card: Card) -> State:
    """The last trick is turned down and the cards skipped for it are pushed together on the discard pile."""
    hand, last, mine = state.hand, state.last_trick, state.last_winner == "me"
    at = hand.index(card) if card in hand else len(hand)
    return replace(
        state,
        hand=hand[:at] + hand[at + 1 :],
        trick=(*state.trick, card),
        leader=state.leader if state.trick else "me",
        discard=state.discard + state.skipped,
        won_me=state.won_me + last if mine else state.won_me,
        won_it=state.won_it if mine else state.won_it + last,
        skipped=(),
        last_trick=(),
        last_winner=None,
    )


def _deal_out(state: State, event: ev.Dealt) -> State:
    return type(state)(
        state.options,
        hand_number=event.hand,
        chance=event.chance,
        hidden=event.cards[:HIDDEN],
        offered=event.cards[HIDDEN : HIDDEN + OFFERED],
        stock=event.cards[HIDDEN + OFFERED :],
        sheet=state.sheet,
    )


def _void_hands(state: State, event: ev.HandsVoided) -> State:
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
