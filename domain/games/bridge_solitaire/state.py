"""The words of Bridge Solitaire, what may be chosen, the sheet, and a game at one moment with its 54 cards."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from domain.chance import Chance
from domain.game_type import Concealed
from domain.kit.cards import JOKERS, PACK
from domain.view import Card

Side = Literal["me", "it"]
"""The two columns of the sheet: ME is the player, IT is the house."""

Strain = Literal["C", "D", "H", "S", "NT"]
Doubling = Literal["undoubled", "doubled", "redoubled"]

STRAINS: tuple[Strain, ...] = ("C", "D", "H", "S", "NT")
"""The strains from the lowest to the highest (Law 18 of contract bridge)."""

LEVELS = range(1, 8)
TRICKS = 13
BOOK = 6
"""The tricks that do not count: a contract of level n needs 6 + n."""

BY_JOKERS: tuple[Doubling, ...] = ("undoubled", "doubled", "redoubled")
"""The doubling by the number of jokers in the player's thirteen cards, whoever declares."""

SIDES: tuple[Side, ...] = ("me", "it")
HIGH_TO_LOW = "AKQJT98765432"
CARDS: tuple[Card, ...] = PACK + JOKERS[:2]
HIDDEN, OFFERED, KEPT = 7, 13, 6

GAME = 100
"""Points for tricks that make a game: below the line of a rubber's sheet (Law 73), or on a board."""

GAMES = 2
"""Games that make a rubber (Law 74)."""

BOARDS: tuple[tuple[Side, ...], ...] = ((), ("me",), ("it",), ("me", "it"))
"""The sides that are vulnerable on boards 1, 2, 3 and 4."""

Phase = Literal["select", "auction", "play", "hand_scored"]
Closing = Literal["", "rubber", "hand", "closed", "resigned"]
Section = Literal["below", "above"]
Kind = Literal[
    "trick_score",
    "overtricks",
    "insult",
    "small_slam",
    "grand_slam",
    "undertricks",
    "honours",
    "part_score_bonus",
    "game_bonus",
    "rubber_premium",
    "unfinished_game",
    "unfinished_part_score",
]


class Call(Struct, frozen=True, omit_defaults=True):
    """One call of the auction; level 0 without a strain is a pass."""

    level: int = 0
    strain: Strain | None = None

    @property
    def is_pass(self) -> bool:
        return self.strain is None


class Contract(Struct, frozen=True):
    """What was bid, by whom, and how it is doubled."""

    declarer: Side
    level: int
    strain: Strain
    doubling: Doubling = "undoubled"

    @property
    def needs(self) -> int:
        """The tricks that make it."""
        return BOOK + self.level


class Entry(Struct, frozen=True):
    """Points of one kind for one side, above or below the line; never zero.

    `hand` is the hand that earned it; a premium at the end carries the number of the last scored hand. A board of
    duplicate bridge has no line: all of it stands above.
    """

    hand: Annotated[int, Meta(ge=0)]
    side: Side
    place: Section
    kind: Kind
    points: Annotated[int, Meta(ge=1)]


class Column(Struct, frozen=True):
    """One side's column: games won, points towards the open game, and all points above and below the line."""

    games: int = 0
    part_score: int = 0
    above: int = 0
    below: int = 0
    total: int = 0
    vulnerable: bool = False


class Sheet(Struct, frozen=True):
    """Entries in the order of writing and what they add up to.

    `hands` is the number of scored hands; `lines` are the hands after which a line was drawn under a game;
    a sheet that is `complete` (two games) or `closed` (premiums entered) takes no more hands.
    """

    hands: int = 0
    entries: tuple[Entry, ...] = ()
    me: Column = Column()
    it: Column = Column()
    lines: tuple[int, ...] = ()
    closed: bool = False

    @property
    def complete(self) -> bool:
        """Whether a side has two games (Law 74)."""
        return GAMES in (self.me.games, self.it.games)

    @property
    def margin(self) -> int:
        """The player's points less the house's."""
        return self.me.total - self.it.total

    @property
    def vulnerable(self) -> tuple[Side, ...]:
        """The sides that have a game."""
        return tuple(side for side in SIDES if column(self, side).vulnerable)


class Options(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=False):
    """The defaults are the game as its inventor's text tells it, with our rulings where that text is silent."""

    length: Annotated[
        Literal["rubber", "hand"], Meta(description="A rubber, until one side has two games, or a single hand.")
    ] = "rubber"
    house_tie: Annotated[
        Literal["highest", "lowest"],
        Meta(description="Which of equally short suits the house names: the highest or the lowest ranking."),
    ] = "highest"
    exclude_discards: Annotated[
        bool,
        Meta(description="Leave the seven discards out of the winner count instead of taking them as the house's."),
    ] = False
    old_undertricks: Annotated[
        bool, Meta(description="Doubled undertricks not vulnerable as before 1987: 100, then 200 each however many.")
    ] = False


class BoardOptions(Options, frozen=True, forbid_unknown_fields=True, omit_defaults=False):
    """Revision 2: a single hand may be a board of duplicate bridge, and nothing has to be remembered."""

    board: Annotated[
        int,
        Meta(
            ge=0, le=4,
            description="Play one hand as this board of duplicate bridge: 1 nobody vulnerable, 2 ME, 3 IT, 4 both."
            " 0: no board, the hand is scored as in a rubber.",
        ),
    ] = 0  # fmt: skip
    memory: Annotated[
        bool,
        Meta(
            description="Whether cards that may no longer be inspected have to be remembered. Always false: the earlier"
            " steps of a hand are shown as they were seen, with its discards, skipped cards and tricks.",
            extra_json_schema={"const": False},
        ),
    ] = False


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


class HouseCall(Struct, frozen=True):
    """What the house called; level 0 and no strain: it passed."""

    level: int
    strain: Strain | None


class Facts(Struct, frozen=True, tag="bridge_solitaire/facts"):
    """Beside the cards: the hand's number, calls and tricks, the card on top of the discards, and the sheet.

    `house_call`: none before the house has called, level 0 without a strain when it passed. `discard_top` is also the
    last of `skipped` while those lie open. `vulnerable`: the sides that are so in this hand; `board`: the board of
    duplicate bridge that it is, 0 where it is none.
    """

    length: Literal["rubber", "hand"]
    hand: int
    house_call: HouseCall | None
    contract: Contract | None
    tricks_me: int
    tricks_it: int
    discard_top: Card | None
    last_winner: Side | None
    sheet: Sheet
    vulnerable: tuple[Side, ...]
    board: int


def other(side: Side) -> Side:
    return "it" if side == "me" else "me"


def column(sheet: Sheet, side: Side) -> Column:
    return sheet.me if side == "me" else sheet.it


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
