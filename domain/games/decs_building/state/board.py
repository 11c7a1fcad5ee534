"""Decs Building: the board. RECONSTRUCTED DATA: the pictures of the original (Jake Staines, 2021) could not be found.

Given by the published text: the names, every point value, the costs of Small Star and Snowflake, what Snowflake,
Banner Angels, Santa and Candle do, that two spaces let one pick. Ours: every other cost, the baubles, the shapes, the
grid and its power sources. Everything that is ours stands in this module, so that the true board can replace it.
"""

from typing import Literal, NamedTuple

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
