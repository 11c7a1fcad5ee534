"""Decs Building: what a player says, and what happens."""

from typing import Annotated, get_args

from msgspec import Meta, Struct

from domain.game_type import Concealed
from domain.games.decs_building.state import Alternative, FeatureId, SpaceId, StackId
from domain.view import Card, Cells, NamedCard, Seat

_CELLS = "The cells of the feature as row and column from 1, row 1 on top, in any order"
Coordinate = Annotated[int, Meta(ge=1, le=8)]
NamedCells = Annotated[tuple[tuple[Coordinate, Coordinate], ...], Meta(description=_CELLS, min_length=1, max_length=11)]
Payment = Annotated[
    tuple[NamedCard, ...], Meta(description="Hand cards in the order they are spent", min_length=1, max_length=3)
]


class TakeStartCard(
    Struct, frozen=True, tag="decs_building/take_start_card", forbid_unknown_fields=True, omit_defaults=True
):
    """Take the top card of a stack to the hand before the turns: compulsory."""

    source: StackId


class TakeAction(Struct, frozen=True, tag="decs_building/take_action", forbid_unknown_fields=True, omit_defaults=True):
    """Use a space of the board and pay for it.

    `source` is the suit stack of `gain_card`, `alternative` the choice of `gain_jack_queen`; no other space has one.
    `cells` says where a feature is drawn; left out, `place` follows. The payment is spent in the order of `order`, or
    else of `payment`: what is listed names the cards of each payment once, sorted, and leaves order and cells open.
    """

    space: SpaceId
    payment: Payment
    alternative: Alternative | None = None
    source: StackId | None = None
    cells: NamedCells | None = None
    order: Payment | None = None


class Place(Struct, frozen=True, tag="decs_building/place", forbid_unknown_fields=True, omit_defaults=True):
    """Draw the feature that was paid for."""

    cells: NamedCells


class Discard(Struct, frozen=True, tag="decs_building/discard", forbid_unknown_fields=True, omit_defaults=True):
    """Put a hand card, and then `more` in their order, on one's own played pile: a whole turn."""

    card: NamedCard
    more: Annotated[tuple[NamedCard, ...], Meta(description="Further hand cards", max_length=60)] | None = None


class DeclineExtra(Struct, frozen=True, tag="decs_building/decline_extra", forbid_unknown_fields=True):
    """Do without the extra action."""


class Pass(Struct, frozen=True, tag="decs_building/pass", forbid_unknown_fields=True):
    """Do nothing more in this round; what is left in the hand is kept."""


Command = TakeStartCard | TakeAction | Place | Discard | DeclineExtra | Pass
COMMANDS: tuple[type[Command], ...] = get_args(Command)


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
EVENTS: tuple[type[Event], ...] = get_args(Event)
