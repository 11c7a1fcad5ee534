"""Decs Building: what an event does to the state."""

from collections.abc import Iterable
from typing import Any, assert_never

from msgspec.structs import replace

from domain.games.decs_building import events as ev
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
from domain.games.decs_building.state.board import SPACES
from domain.kit import turns
from domain.kit.patience import with_value_at
from domain.view import Card, Seat

Course = turns.Course[State, ev.Event]


def evolve(state: State, event: ev.Event) -> State:
    """The state after one more event; refuses nothing, draws no lots. The most frequent events stand first."""
    match event:
        case ev.TurnStarted():
            return replace(state, turn=event.seat)
        case ev.Paid():
            return _pay(state, event)
        case ev.Passed():
            return replace(state, players=_change(state, event.seat, passed=True))
        case ev.Drawn():
            player = state.players[event.seat]
            hand, deck = player.hand + event.cards, player.deck[len(event.cards) :]
            return replace(state, players=_change(state, event.seat, hand=hand, deck=deck))
        case ev.FeatureDrawn():
            features = (*state.players[event.seat].features, Feature(event.feature, event.cells))
            return replace(state, players=_change(state, event.seat, features=features), placing=None)
        case ev.CardGained():
            played = (*state.players[event.seat].played, event.card)
            players = _change(state, event.seat, played=played)
            return replace(state, players=players, stacks=_take_top(state, event.stack))
        case ev.StartCardTaken():
            return _take_start_card(state, event)
        case ev.Discarded():
            player = state.players[event.seat]
            hand, played = _remove_cards(player.hand, event.cards), player.played + event.cards
            return replace(state, players=_change(state, event.seat, hand=hand, played=played))
        case ev.RoundStarted():
            return _begin_round(state, event)
        case ev.RoundEnded():
            return replace(state, turn=None, players=tuple(map(_pick_up, state.players)))
        case ev.PawnPlaced():
            pawns = (*state.players[event.seat].pawns, event.space)
            return replace(state, players=_change(state, event.seat, pawns=pawns))
        case ev.PawnReturned():
            pawns = tuple(space for space in state.players[event.seat].pawns if space != event.space)
            return replace(state, players=_change(state, event.seat, pawns=pawns))
        case ev.ExtraActionGranted():
            return replace(state, extra=True)
        case ev.ExtraActionDeclined():
            return replace(state, extra=False)
        case ev.Dealt():
            dealt = zip(state.players, event.decks, strict=True)
            return replace(state, stacks=event.stacks, players=tuple(replace(one, deck=deck) for one, deck in dealt))
        case ev.EndAnnounced():
            return replace(state, latched=True)
        case ev.SeatWithdrawn():
            return _withdraw(state, event.seat)
        case ev.Scored():
            return replace(state, over="most_points", winners=event.winners, scores=event.scores)
        case _:
            assert_never(event)


def _remove_cards(cards: Cards, gone: Iterable[Card]) -> Cards:
    """The cards without these, each taken once."""
    left = list(cards)
    for card in gone:
        if card in left:
            left.remove(card)
    return tuple(left)


def _change(state: State, seat: Seat, **changes: Any) -> tuple[Player, ...]:
    """The players, one of them changed."""
    return with_value_at(state.players, seat, replace(state.players[seat], **changes))


def _take_top(state: State, stack: str) -> tuple[Cards, ...]:
    return with_value_at(state.stacks, STACK[stack], state.stacks[STACK[stack]][:-1])


def _pay(state: State, event: ev.Paid) -> State:
    """Jacks, queens and kings go on top of their stacks in order, other cards to the played pile."""
    player, gone = state.players[event.seat], () if event.removed is None else (event.removed,)
    stacks, played = state.stacks, player.played
    for card in event.cards:
        if card[0] in PICTURE_STACK:
            stack = PICTURE_STACK[card[0]]
            stacks = with_value_at(stacks, stack, (*stacks[stack], card))
        else:
            played = (*played, card)
    hand = _remove_cards(player.hand, event.cards + gone)
    return replace(
        state,
        players=_change(state, event.seat, hand=hand, played=played),
        stacks=stacks,
        removed=state.removed + gone,
        placing=SPACES[event.space].feature,
        extra=False,
    )


def _begin_round(state: State, event: ev.RoundStarted) -> State:
    players = tuple(replace(player, passed=False) if player.passed else player for player in state.players)
    begun = replace(
        state, players=players, round=event.number, token=event.token, final=event.final, turn=None, takers=()
    )
    return replace(begun, takers=_find_takers(begun))


def _find_takers(state: State) -> tuple[Seat, ...]:
    """The token holder, in the last round everybody; house rule, ours: for an absent holder the next seat clockwise."""
    if not start_choices(state):
        return ()
    return tuple(clockwise(state, state.token)[: None if state.final else 1])


def _take_start_card(state: State, event: ev.StartCardTaken) -> State:
    """House rule, ours: where no card is left to take, nobody waits for one."""
    players = _change(state, event.seat, hand=(*state.players[event.seat].hand, event.card))
    left = replace(state, players=players, stacks=_take_top(state, event.stack))
    return replace(left, takers=state.takers[1:] if start_choices(left) else ())


def _pick_up(player: Player) -> Player:
    """The played pile goes under the deck."""
    if player.out or not player.played:
        return player
    return replace(player, deck=player.deck + player.played, played=())


def _withdraw(state: State, seat: Seat) -> State:
    left = replace(state, players=_change(state, seat, out=True, pawns=()))
    if seat in state.takers:
        others = tuple(taker for taker in state.takers if taker != seat)
        left = replace(left, takers=others if state.final else _find_takers(left))
    if state.turn == seat:
        left = replace(left, turn=None, placing=None, extra=False)
    playing = clockwise(left, 0)
    return replace(left, over="resigned", winners=tuple(playing)) if len(playing) == 1 else left
