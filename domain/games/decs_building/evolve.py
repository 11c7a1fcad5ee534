"""Decs Building: folding what happened into the state. Refuses nothing, draws no lots."""

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from msgspec.structs import replace

from domain.games.decs_building import events as ev
from domain.games.decs_building.board import SPACES
from domain.games.decs_building.state import (
    PICTURE_STACK,
    STACK,
    Cards,
    Feature,
    Player,
    State,
    clockwise,
    start_choices,
)
from domain.view import Card, Seat

T = TypeVar("T")


def evolve(state: State, event: ev.Event) -> State:
    """The state after one more event."""
    return _HANDLERS[type(event)](state, event)


def put(places: tuple[T, ...], at: int, value: T) -> tuple[T, ...]:
    """The same places with another value at one of them."""
    return (*places[:at], value, *places[at + 1 :])


def without(cards: Cards, gone: Iterable[Card]) -> Cards:
    """The cards without these, each taken once."""
    left = list(cards)
    for card in gone:
        if card in left:
            left.remove(card)
    return tuple(left)


def _with(state: State, seat: Seat, **changes: Any) -> State:
    player: Player = replace(state.players[seat], **changes)
    return replace(state, players=put(state.players, seat, player))


def _dealt(state: State, event: ev.Dealt) -> State:
    players = tuple(replace(player, deck=deck) for player, deck in zip(state.players, event.decks, strict=True))
    return replace(state, stacks=event.stacks, players=players)


def _round_started(state: State, event: ev.RoundStarted) -> State:
    players = tuple(replace(player, passed=False) if player.passed else player for player in state.players)
    begun = replace(
        state, players=players, round=event.number, token=event.token, final=event.final, turn=None, takers=()
    )
    return replace(begun, takers=_takers(begun))


def _takers(state: State) -> tuple[Seat, ...]:
    """The token holder, in the last round everybody; house rule, ours: for an absent holder the next seat clockwise."""
    if not start_choices(state):
        return ()
    return tuple(clockwise(state, state.token)[: None if state.final else 1])


def _drawn(state: State, event: ev.Drawn) -> State:
    player = state.players[event.seat]
    return _with(state, event.seat, hand=player.hand + event.cards, deck=player.deck[len(event.cards) :])


def _start_card_taken(state: State, event: ev.StartCardTaken) -> State:
    """House rule, ours: where no card is left to take, nobody waits for one."""
    left = replace(state, stacks=_popped(state, event.stack))
    left = replace(left, takers=state.takers[1:] if start_choices(left) else ())
    return _with(left, event.seat, hand=(*state.players[event.seat].hand, event.card))


def _popped(state: State, stack: str) -> tuple[Cards, ...]:
    return put(state.stacks, STACK[stack], state.stacks[STACK[stack]][:-1])


def _turn_started(state: State, event: ev.TurnStarted) -> State:
    return replace(state, turn=event.seat)


def _pawn_returned(state: State, event: ev.PawnReturned) -> State:
    pawns = tuple(space for space in state.players[event.seat].pawns if space != event.space)
    return _with(state, event.seat, pawns=pawns)


def _pawn_placed(state: State, event: ev.PawnPlaced) -> State:
    return _with(state, event.seat, pawns=(*state.players[event.seat].pawns, event.space))


def _paid(state: State, event: ev.Paid) -> State:
    player, gone = state.players[event.seat], () if event.removed is None else (event.removed,)
    spent = tuple(card for card in event.cards if card[0] not in PICTURE_STACK)
    paid = _with(state, event.seat, hand=without(player.hand, event.cards + gone), played=player.played + spent)
    return replace(
        paid,
        stacks=_returned(state.stacks, event.cards),
        removed=state.removed + gone,
        placing=SPACES[event.space].feature,
        extra=False,
    )


def _returned(stacks: tuple[Cards, ...], cards: Cards) -> tuple[Cards, ...]:
    """The stacks with the jacks, queens and kings among these cards on top, in order."""
    for card in cards:
        if card[0] in PICTURE_STACK:
            stack = PICTURE_STACK[card[0]]
            stacks = put(stacks, stack, (*stacks[stack], card))
    return stacks


def _card_gained(state: State, event: ev.CardGained) -> State:
    left = replace(state, stacks=_popped(state, event.stack))
    return _with(left, event.seat, played=(*state.players[event.seat].played, event.card))


def _feature_drawn(state: State, event: ev.FeatureDrawn) -> State:
    drawn = (*state.players[event.seat].features, Feature(event.feature, event.cells))
    return replace(_with(state, event.seat, features=drawn), placing=None)


def _discarded(state: State, event: ev.Discarded) -> State:
    player = state.players[event.seat]
    return _with(state, event.seat, hand=without(player.hand, event.cards), played=player.played + event.cards)


def _round_ended(state: State, event: ev.RoundEnded) -> State:
    return replace(state, turn=None, players=tuple(map(_picked_up, state.players)))


def _picked_up(player: Player) -> Player:
    if player.out or not player.played:
        return player
    return replace(player, deck=player.deck + player.played, played=())


def _seat_withdrawn(state: State, event: ev.SeatWithdrawn) -> State:
    left = _with(state, event.seat, out=True, pawns=())
    left = replace(left, takers=_left_to_take(left, event.seat))
    if state.turn == event.seat:
        left = replace(left, turn=None, placing=None, extra=False)
    playing = clockwise(left, 0)
    return replace(left, over="resigned", winners=tuple(playing)) if len(playing) == 1 else left


def _left_to_take(state: State, seat: Seat) -> tuple[Seat, ...]:
    if seat not in state.takers:
        return state.takers
    return tuple(taker for taker in state.takers if taker != seat) if state.final else _takers(state)


def _scored(state: State, event: ev.Scored) -> State:
    return replace(state, over="most_points", winners=event.winners, scores=event.scores)


_HANDLERS: dict[type, Callable[[State, Any], State]] = {
    ev.Dealt: _dealt,
    ev.RoundStarted: _round_started,
    ev.Drawn: _drawn,
    ev.StartCardTaken: _start_card_taken,
    ev.TurnStarted: _turn_started,
    ev.PawnReturned: _pawn_returned,
    ev.PawnPlaced: _pawn_placed,
    ev.Paid: _paid,
    ev.CardGained: _card_gained,
    ev.FeatureDrawn: _feature_drawn,
    ev.ExtraActionGranted: lambda state, event: replace(state, extra=True),
    ev.ExtraActionDeclined: lambda state, event: replace(state, extra=False),
    ev.Discarded: _discarded,
    ev.Passed: lambda state, event: _with(state, event.seat, passed=True),
    ev.EndAnnounced: lambda state, event: replace(state, latched=True),
    ev.RoundEnded: _round_ended,
    ev.SeatWithdrawn: _seat_withdrawn,
    ev.Scored: _scored,
}
