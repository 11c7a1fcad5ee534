"""Decs Building: what can be set and the cards of a game, its state, what is told beside the cards, and lookups."""

from typing import Annotated, Literal, get_args

from msgspec import Meta, Struct

from domain.game_type import Concealed
from domain.games.decs_building.state.board import FeatureId, SpaceId, StackId
from domain.kit.cards import JOKERS, RANK, SUITS
from domain.view import Card, Cells, Outline, Seat

TieBreak = Literal["shared", "fewest_empty_spaces"]


class Options(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=False):
    """What can be chosen when a game is opened."""

    short: Annotated[
        bool, Meta(description="The shorter game: no eights and nines, and the top two rows of the grid are not drawn")
    ] = False
    two_player_tens: Annotated[
        bool, Meta(description="Whether two players use the tens of their pack; three and four have none")
    ] = True
    tie_break: Annotated[
        TieBreak,
        Meta(description="Who wins with equal points: all of them, or of these who left the fewest empty spaces"),
    ] = "shared"


RUNS = {2: "23456789T", 3: "2234456789", 4: "223344556789"}
"""The ranks of every suit stack from the top, by number of players."""

PICTURES = {2: 4, 3: 6, 4: 8}
"""How many aces, jacks, queens and kings there are of each, by number of players; the suits of six are S H D C S H."""

WILD_JOKERS = {2: 2, 3: 2, 4: 4}
PAWNS = {2: 4, 3: 3, 4: 2}
"""Pawns of each player, by number of players."""


def piles(options: Options, seats: int) -> tuple[tuple[Card, ...], ...]:
    """The eight stacks before anybody takes a card, each from the top: spades to clubs, wilds, jacks, queens, kings.

    House rule, ours: pictures and aces lie S H D C and again, the jokers under the aces.
    """
    left_out = ("89" if options.short else "") + ("" if options.two_player_tens else "T")
    suits = [tuple(rank + suit for rank in RUNS[seats] if rank not in left_out) for suit in SUITS]
    aces, jacks, queens, kings = (tuple(rank + suit for suit in (SUITS * 2)[: PICTURES[seats]]) for rank in "AJQK")
    return (*suits, aces + JOKERS[: WILD_JOKERS[seats]], jacks, queens, kings)


def pack(options: Options, seats: int) -> tuple[Card, ...]:
    """Every card of the game."""
    return tuple(card for pile in piles(options, seats) for card in pile)


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


class DrawnFeature(Struct, frozen=True):
    """A feature of a grid: its cells as row and column from 1, and whether it works (is powered, or need not be)."""

    feature: FeatureId
    cells: Cells
    works: bool


class SeatFacts(Struct, frozen=True, omit_defaults=True):
    """What is told of a seat beside the zones: public but for `deck`, its cards with the next one first, which are told
    to its owner alone.

    `grid` is drawn in rows from the top (in the short game rows 3 to 8): `.` empty, `o` a power source, else the
    letter of the feature. `score` is the score if the game ended now.
    """

    grid: tuple[str, ...]
    features: tuple[DrawnFeature, ...]
    score: int
    empty_spaces: int
    hand_size: int
    pawns: tuple[SpaceId, ...]
    spare_pawns: int
    passed: bool
    out: bool
    deck: tuple[Card, ...] = ()


class Facts(Struct, frozen=True, tag="decs_building/facts", omit_defaults=True):
    """What the cards do not show.

    `token` is the seat with the first-player token, which passes by a seat that is out; `to_place` the feature that
    was paid for and has to be drawn; `last_round_next` that three stacks have been empty and the round after this one
    is the last. `outlines` are the ways in which that feature may be drawn now, by its turnings.
    """

    round: int
    token: Seat
    final_round: bool
    last_round_next: bool
    extra_action: bool
    to_place: FeatureId | None
    seats: tuple[SeatFacts, ...]
    outlines: tuple[Outline, ...] = ()


def to_act(state: State) -> Seat | None:
    """The one seat that has to say something."""
    if state.over is not None:
        return None
    return state.takers[0] if state.takers else state.turn


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
    ranks = {stack: RANK[cards[-1]] for stack, cards in zip(SUIT_STACKS, state.stacks, strict=False) if cards}
    lowest = min(ranks.values(), default=0)
    return tuple(stack for stack, rank in ranks.items() if rank == lowest)
