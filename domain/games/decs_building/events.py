"""Decs Building: what happens."""

from msgspec import Struct

from domain.game_type import Concealed
from domain.games.decs_building.board import FeatureId, SpaceId, StackId
from domain.games.decs_building.grid import Cells
from domain.view import Card, Seat


class Dealt(Concealed, frozen=True, tag="decs_building/dealt", omit_defaults=True):
    """The eight stacks (bottom to top) and the shuffled starting deck of each seat (next card first)."""

    stacks: tuple[tuple[Card, ...], ...]
    decks: tuple[tuple[Card, ...], ...]


class RoundStarted(Struct, frozen=True, tag="decs_building/round_started", omit_defaults=True):
    """Round `number` begins; `token` is the seat with the first-player token."""

    number: int
    token: Seat
    final: bool = False


class Drawn(Concealed, frozen=True, tag="decs_building/drawn"):
    """Cards from a seat's own deck to its hand, in the order drawn."""

    seat: Seat
    cards: tuple[Card, ...]


class StartCardTaken(Struct, frozen=True, tag="decs_building/start_card_taken"):
    """The top card of a stack to the hand of a seat, for all to see."""

    seat: Seat
    stack: StackId
    card: Card


class TurnStarted(Struct, frozen=True, tag="decs_building/turn_started"):
    seat: Seat


class PawnReturned(Struct, frozen=True, tag="decs_building/pawn_returned"):
    """The pawn of this seat goes home from a space that another seat is taking."""

    seat: Seat
    space: SpaceId


class PawnPlaced(Struct, frozen=True, tag="decs_building/pawn_placed"):
    seat: Seat
    space: SpaceId


class Paid(Struct, frozen=True, tag="decs_building/paid", omit_defaults=True):
    """A seat uses a space: jacks, queens and kings go back to their stacks, other cards to its played pile, in order.

    `removed` is the card paid that leaves the game.
    """

    seat: Seat
    space: SpaceId
    cards: tuple[Card, ...]
    removed: Card | None = None


class CardGained(Struct, frozen=True, tag="decs_building/card_gained"):
    """The top card of a stack to the played pile of a seat."""

    seat: Seat
    stack: StackId
    card: Card


class FeatureDrawn(Struct, frozen=True, tag="decs_building/feature_drawn"):
    """A feature in the grid of a seat: cells as row and column from 1, row 1 on top."""

    seat: Seat
    feature: FeatureId
    cells: Cells


class ExtraActionGranted(Struct, frozen=True, tag="decs_building/extra_action_granted"):
    seat: Seat


class ExtraActionDeclined(Struct, frozen=True, tag="decs_building/extra_action_declined"):
    seat: Seat


class Discarded(Struct, frozen=True, tag="decs_building/discarded"):
    """Hand cards to the played pile, in order."""

    seat: Seat
    cards: tuple[Card, ...]


class Passed(Struct, frozen=True, tag="decs_building/passed"):
    seat: Seat


class EndAnnounced(Struct, frozen=True, tag="decs_building/end_announced"):
    """Three stacks are empty: one more round follows this one."""


class RoundEnded(Struct, frozen=True, tag="decs_building/round_ended"):
    """Every played pile goes under its deck, first card first."""


class SeatWithdrawn(Struct, frozen=True, tag="decs_building/seat_withdrawn"):
    """A seat that resigned is out: its pawns go home, its cards and its grid are out of play."""

    seat: Seat


class Scored(Struct, frozen=True, tag="decs_building/scored"):
    """The grids are counted: points by seat, and who has won."""

    scores: tuple[int, ...]
    winners: tuple[Seat, ...]


Event = (
    Dealt | RoundStarted | Drawn | StartCardTaken | TurnStarted | PawnReturned | PawnPlaced | Paid | CardGained
    | FeatureDrawn | ExtraActionGranted | ExtraActionDeclined | Discarded | Passed | EndAnnounced | RoundEnded
    | SeatWithdrawn | Scored
)  # fmt: skip
EVENTS: tuple[type[Event], ...] = (
    Dealt, RoundStarted, Drawn, StartCardTaken, TurnStarted, PawnReturned, PawnPlaced, Paid, CardGained,
    FeatureDrawn, ExtraActionGranted, ExtraActionDeclined, Discarded, Passed, EndAnnounced, RoundEnded,
    SeatWithdrawn, Scored,
)  # fmt: skip
