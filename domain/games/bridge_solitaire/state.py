"""A game of Bridge Solitaire at one moment; each of the 54 cards lies in one place."""

from typing import Literal

from domain.chance import Chance
from domain.game_type import Concealed
from domain.games.bridge_solitaire.contract import TRICKS, Call, Contract, Side
from domain.games.bridge_solitaire.duplicate import BOARDS
from domain.games.bridge_solitaire.options import BoardOptions, Options
from domain.games.bridge_solitaire.sheet import Sheet
from domain.kit.cards import JOKERS, PACK
from domain.view import Card

Phase = Literal["select", "auction", "play", "hand_scored"]
Closing = Literal["", "rubber", "hand", "closed", "resigned"]

CARDS: tuple[Card, ...] = PACK + JOKERS[:2]
HIDDEN, OFFERED, KEPT = 7, 13, 6


class State(Concealed, frozen=True, omit_defaults=True):
    """`stock` runs from the top, the next card first; every other pile bottom to top.

    `held` are the thirteen cards at the start of play; `last_trick` and `skipped` lie open until the player's next
    card; `closed` says why it is over.
    """

    options: Options
    phase: Phase = "select"
    hand_number: int = 0
    chance: Chance | None = None
    hidden: tuple[Card, ...] = ()
    offered: tuple[Card, ...] = ()
    hand: tuple[Card, ...] = ()
    held: tuple[Card, ...] = ()
    stock: tuple[Card, ...] = ()
    discard: tuple[Card, ...] = ()
    skipped: tuple[Card, ...] = ()
    trick: tuple[Card, ...] = ()
    leader: Side | None = None
    last_trick: tuple[Card, ...] = ()
    last_winner: Side | None = None
    won_me: tuple[Card, ...] = ()
    won_it: tuple[Card, ...] = ()
    tricks_me: int = 0
    tricks_it: int = 0
    call: Call | None = None
    contract: Contract | None = None
    sheet: Sheet = Sheet()
    closed: Closing = ""

    @property
    def tricks_left(self) -> int:
        return TRICKS - self.tricks_me - self.tricks_it

    @property
    def board(self) -> int:
        """The board of duplicate bridge that this hand is; 0: none."""
        return 0

    @property
    def vulnerable(self) -> tuple[Side, ...]:
        """The sides that are vulnerable in this hand: by its board, or with a game when bidding began."""
        return BOARDS[self.board - 1] if self.board else self.sheet.vulnerable


class BoardState(State, frozen=True, omit_defaults=True):
    """Revision 2: the options know boards."""

    options: BoardOptions

    @property
    def board(self) -> int:
        return self.options.board


def lying(state: State) -> tuple[Card, ...]:
    """All 54 cards as they lie, place by place: what the next hand's shuffle starts from."""
    return (
        state.hidden + state.offered + state.hand + state.trick + state.last_trick + state.won_me + state.won_it
        + state.skipped + state.discard + state.stock
    )  # fmt: skip


def discard_top(state: State) -> Card | None:
    """The one discard that may be seen: the last card skipped, or else the last laid down."""
    pile = state.discard + state.skipped
    return pile[-1] if pile else None
