"""Decs Building: the state of a game and what can be read from it."""

from typing import Literal, get_args

from msgspec import Struct

from domain.game_type import Concealed, Result
from domain.games.decs_building.board import FeatureId, SpaceId, StackId
from domain.games.decs_building.grid import Cells
from domain.games.decs_building.options import PAWNS, Options
from domain.kit.cards import RANKS
from domain.view import Card, Seat

Cards = tuple[Card, ...]
STACKS: tuple[StackId, ...] = get_args(StackId)
STACK: dict[str, int] = {stack: place for place, stack in enumerate(STACKS)}
SUIT_STACKS = STACKS[:4]
PICTURE_STACK = {"J": STACK["stack_jacks"], "Q": STACK["stack_queens"], "K": STACK["stack_kings"]}
"""Where a spent jack, queen or king goes back to, by rank."""

Over = Literal["most_points", "resigned"]


class Feature(Struct, frozen=True):
    """A feature drawn in a grid: its cells as row and column from 1, row 1 on top."""

    feature: FeatureId
    cells: Cells


class Player(Concealed, frozen=True, omit_defaults=True):
    """A seat's own things: deck (next card first), hand, played pile (first card first), drawing, pawns on spaces.

    `out` is a seat that resigned: its things stay where they are and are out of play.
    """

    deck: Cards = ()
    hand: Cards = ()
    played: Cards = ()
    features: tuple[Feature, ...] = ()
    pawns: tuple[SpaceId, ...] = ()
    passed: bool = False
    out: bool = False


class State(Concealed, frozen=True, omit_defaults=True):
    """Everything on the table. Stacks run bottom to top, in the order of `STACKS`.

    `takers` are the seats that have still to take a card from a stack before the turns begin; `placing` is what the
    seat on turn has paid for and has to draw; `extra` says that it takes an extra action; `latched` that three
    stacks have been empty; `final` that this is the last round.
    """

    options: Options
    players: tuple[Player, ...]
    stacks: tuple[Cards, ...] = ((),) * len(STACKS)
    removed: Cards = ()
    token: Seat = 0
    round: int = 0
    final: bool = False
    latched: bool = False
    takers: tuple[Seat, ...] = ()
    turn: Seat | None = None
    placing: FeatureId | None = None
    extra: bool = False
    over: Over | None = None
    winners: tuple[Seat, ...] = ()
    scores: tuple[int, ...] = ()


def initial(options: Options, seats: int) -> State:
    """The empty table."""
    return State(options, (Player(),) * seats)


def clockwise(state: State, first: Seat) -> list[Seat]:
    """The seats in play, clockwise from this one on."""
    seats = len(state.players)
    around = [(first + step) % seats for step in range(seats)]
    return [seat for seat in around if not state.players[seat].out]


def spare_pawns(state: State, seat: Seat) -> int:
    """How many pawns of this seat stand on no space."""
    return PAWNS[len(state.players)] - len(state.players[seat].pawns)


def start_choices(state: State) -> tuple[StackId, ...]:
    """The stacks whose top may be taken before the turns: of the lowest number showing; in the last round any."""
    if state.final:
        return tuple(stack for stack, cards in zip(STACKS, state.stacks, strict=True) if cards)
    ranks = {stack: RANKS.index(cards[-1][0]) for stack, cards in zip(SUIT_STACKS, state.stacks, strict=False) if cards}
    return tuple(stack for stack, rank in ranks.items() if rank == min(ranks.values()))


def result(state: State) -> Result | None:
    """Won by most points, or by the last seat left; None while it goes on. Equal points win together."""
    if state.over is None:
        return None
    return Result("won", state.over, state.winners, state.scores)
