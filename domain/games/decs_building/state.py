"""Decs Building: the board and its data, the options and the cards of a game, its state and facts, and lookups.

RECONSTRUCTED DATA: the pictures of the original (Jake Staines, 2021) could not be found. Given by the published text:
the names, every point value, the costs of Small Star and Snowflake, what Snowflake, Banner Angels, Santa and Candle do,
that two spaces let one pick. Ours: every other cost, the baubles, the shapes, the grid and its power sources. All that
is ours stands in `SPACES`, `KINDS` and the numbers below them, so that the true board can replace it.
"""

from typing import Annotated, Literal, NamedTuple, get_args

from msgspec import Meta, Struct

from domain.game_type import Concealed
from domain.kit.cards import JOKERS, RANK, SUITS
from domain.view import Card, Cells, Outline, Seat

SpaceId = Literal[
    "gain_card", "stop_messing_around", "gain_jack_queen", "gain_king", "gain_wild", "add_power_cable",
    "extra_power_source", "everyone_pitch_in", "small_star", "snowflake", "big_star", "large_angel", "candy_cane",
    "banner_angels", "santa", "candle", "santas_sleigh", "comet", "herald_angel", "reindeer",
]  # fmt: skip
FeatureId = Literal[
    "power_cable", "power_source", "small_star", "snowflake", "big_star", "large_angel", "candy_cane",
    "banner_angels", "santa", "candle", "santas_sleigh", "comet", "herald_angel", "reindeer",
]  # fmt: skip
StackId = Literal[
    "stack_spades", "stack_hearts", "stack_diamonds", "stack_clubs",
    "stack_wilds", "stack_jacks", "stack_queens", "stack_kings",
]  # fmt: skip
Alternative = Literal["jack", "queen"]
Conducts = Literal["always", "if_powered"]


class Way(NamedTuple):
    """One way to use a space: its cost, a symbol per card (S H D C ? J Q K), and the stack whose top card it brings.

    `alternative` names the way where the player is to choose between two of different effect.
    """

    cost: str
    stack: StackId | None = None
    alternative: Alternative | None = None


class Space(NamedTuple):
    """A space of the board; `feature` is what is drawn, `bauble` whether it needs a pawn.

    `any_suit`: brings the top card of a suit stack of one's choice. `removes_second`: the second card paid leaves the
    game. `extra_action`: another action follows at once.
    """

    name: str
    ways: tuple[Way, ...]
    feature: FeatureId | None = None
    bauble: bool = False
    any_suit: bool = False
    removes_second: bool = False
    extra_action: bool = False


def _decoration(name: str, cost: str, feature: FeatureId, bauble: bool = False) -> Space:
    return Space(name, (Way(cost),), feature, bauble)


SPACES: dict[SpaceId, Space] = {
    "gain_card": Space("Gain a Card", (Way("??"),), any_suit=True),
    "stop_messing_around": Space("Stop Messing Around", (Way("??"),), removes_second=True),
    "gain_jack_queen": Space(
        "Gain a Jack/Queen", (Way("SC?", "stack_jacks", "jack"), Way("HD?", "stack_queens", "queen"))
    ),
    "gain_king": Space("Gain a King", (Way("JQ", "stack_kings"),), bauble=True),
    "gain_wild": Space("Gain Wild Card", (Way("QSC", "stack_wilds"),), bauble=True),
    "add_power_cable": _decoration("Add Power Cable", "S", "power_cable"),
    "extra_power_source": _decoration("Extra Power Source", "SS?", "power_source"),
    "everyone_pitch_in": Space("Everyone Pitch In", (Way("J"), Way("Q")), extra_action=True),
    "small_star": _decoration("Small Star", "D?", "small_star"),
    "snowflake": _decoration("Snowflake", "???", "snowflake"),
    "big_star": _decoration("Big Star", "DD?", "big_star"),
    "large_angel": _decoration("Large Angel", "HH?", "large_angel"),
    "candy_cane": _decoration("Candy Cane", "CC?", "candy_cane"),
    "banner_angels": _decoration("Banner Angels", "HHC", "banner_angels", bauble=True),
    "santa": _decoration("Santa", "HCD", "santa", bauble=True),
    "candle": _decoration("Candle", "HD", "candle", bauble=True),
    "santas_sleigh": _decoration("Santa's Sleigh", "JCC", "santas_sleigh", bauble=True),
    "comet": _decoration("Comet", "QDD", "comet", bauble=True),
    "herald_angel": _decoration("Herald Angel", "QHH", "herald_angel", bauble=True),
    "reindeer": _decoration("Reindeer", "KCS", "reindeer", bauble=True),
}
"""The board's spaces in its order; every cost has at most three cards, so that a plain hand can pay it."""


class Kind(NamedTuple):
    """What can be drawn: its points, its shape (rows from the top, X a cell) and its letter in a drawn grid.

    `upright` shapes have the bold line at the bottom and are not turned. `on_power`: is drawn only where it touches
    what gives power. `conducts`: gives power, always or if powered. If it works: `hand` more cards of hand size;
    `each_two_away` points for each of its kind exactly two spaces away in a straight line; `each_alike` points for
    each of its kind in the grid, itself too.
    """

    name: str
    letter: str
    points: int
    shape: str
    upright: bool = False
    needs_power: bool = True
    on_power: bool = False
    conducts: Conducts | None = None
    hand: int = 0
    each_two_away: int = 0
    each_alike: int = 0


KINDS: dict[FeatureId, Kind] = {
    "power_cable": Kind("Power Cable", "+", 0, "X", on_power=True, conducts="always"),
    "power_source": Kind("Power Source", "o", 0, "X", needs_power=False, conducts="always"),
    "small_star": Kind("Small Star", "s", 2, "X"),
    "snowflake": Kind("Snowflake", "f", 1, "X", needs_power=False),
    "big_star": Kind("Big Star", "B", 14, ".X./XXX/.X."),
    "large_angel": Kind("Large Angel", "L", 14, "X.X/XXX/.X.", upright=True),
    "candy_cane": Kind("Candy Cane", "C", 10, "XX/X./X."),
    "banner_angels": Kind("Banner Angels", "N", 14, "X..X/XXXX", upright=True, conducts="if_powered"),
    "santa": Kind("Santa", "A", 0, "XX/XX", upright=True, hand=1, each_alike=-2),
    "candle": Kind("Candle", "i", 2, "X", each_two_away=2),
    "santas_sleigh": Kind("Santa's Sleigh", "G", 30, "X.../XXXX/.XXX", upright=True),
    "comet": Kind("Comet", "M", 30, "XX.../XXXXX"),
    "herald_angel": Kind("Herald Angel", "H", 30, ".X../XXXX/XXX.", upright=True),
    "reindeer": Kind("Reindeer", "R", 70, "X.X../XXX../.XXXX/.X..X", upright=True),
}
EMPTY_SPACE = -2
"""Points of a space in which nothing is drawn."""

ROWS = COLUMNS = 8
SHORT_FIRST_ROW = 3
"""The short game does not draw the rows above this one; rows and columns count from 1, row 1 on top."""

PRINTED_SOURCES: tuple[tuple[int, int], ...] = ((5, 4), (8, 2), (8, 7))
"""The power sources of the empty grid: row, column."""


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
    """The eight stacks before a card is taken, each from the top: spades to clubs, wilds, jacks, queens, kings.

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
