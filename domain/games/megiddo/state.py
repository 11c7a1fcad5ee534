"""Megiddo: the boards, what can be chosen when a game is opened, the state and the facts.

A point is a place number: ring by ring from the innermost, in each ring spoke by spoke. Rings are cyclic; spokes and
spirals end at the innermost and the outermost ring, for the star in the middle is no point (our ruling).
"""

from itertools import product
from typing import Annotated, Literal, NamedTuple

from msgspec import Meta, Struct

from domain.capabilities import Preset
from domain.game_type import Concealed
from domain.view import Card, Seat

Variant = Literal["megiddo", "megi_9"]
Shape = Literal["ring", "spoke", "spiral"]
FirstSeat = Literal["drawn", "seat_0", "seat_1"]
Over = Literal["megiddo", "arbatta", "patara", "no_progress"]
Places = tuple[int, ...]

STONES: tuple[Card, Card] = ("AS", "AH")
"""The mark of each seat's stones: zones hold cards, so black stones are aces of spades, red ones aces of hearts."""
BOWLS = ("stones_0", "stones_1")
"""The zones of the stones that are not on the board, by seat."""
EMPTY = "."
"""A vacant point in the text of a state; a stone there is the number of its seat."""

MEGI_9_SIZE, MEGI_9_ARBATTA = 9, 9
"""Rings, spokes and stones in a line of Megi 9, and captured stones that win: reconstructed.

Its source is silent, so everything here is ours: Naglma's Spite & Malice lists MEGI 9 beside MEGIDDO without a rule. We
take the nine for the size of the board: nine rings, nine spokes, lines of nine, and nine captured stones for an
arbatta. Stones fall in pairs, so it takes ten.
"""


class Bracket(NamedTuple):
    """Two stones next to one another that fall if both are the opponent's and the stone at `end` is one's own."""

    near: int
    far: int
    end: int


class Line(NamedTuple):
    """A whole ring, spoke or spiral, from its first spoke or from the innermost ring on."""

    shape: Shape
    places: Places


class RingBoard(NamedTuple):
    """One board. Brackets and sandwiches are listed by the place of the stone that closes them.

    `arbatta` is the number of captured stones that wins; `sandwiches` are the captures of the Cleopatra variation.
    """

    size: int
    arbatta: int
    zones: tuple[str, ...]
    place: dict[str, int]
    brackets: tuple[tuple[Bracket, ...], ...]
    sandwiches: tuple[tuple[Bracket, ...], ...]
    lines: tuple[Line, ...]


_VARIANT = "The board: `megiddo` has six rings and six spokes, `megi_9` (reconstructed) nine of each and lines of nine"
_FIRST = "Who places the first stone: a seat, or the one whose stone is drawn from the bag"
_MOVE = "Whether a player may move an own stone to any vacant point instead of placing one"
_CLEOPATRA = "Whether a stone also captures the two that enclose it and the own stone beside it"
_MATCH = "Points that win a match of several games (36 in the original); 0 plays a single game"


class Options(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=False):
    """The board, who begins, and the variations."""

    variant: Annotated[Variant, Meta(description=_VARIANT)] = "megiddo"
    first_seat: Annotated[FirstSeat, Meta(description=_FIRST)] = "drawn"
    move_instead_of_place: Annotated[bool, Meta(description=_MOVE)] = False
    cleopatra: Annotated[bool, Meta(description=_CLEOPATRA)] = False
    match_points: Annotated[int, Meta(description=_MATCH, ge=0, le=360)] = 0


_UNSET: dict[str, str | int | bool] = {
    "shuffle_type": "deck_removed", "stock": 0, "play_decks": 0, "discards": 0, "hand": 0, "jokers": False,
    "packs": 0, "minimum_wild": "A", "wilds_in_stock": False,
}  # fmt: skip
"""The two rows of the Spite & Malice table that are no card game: every setting in them is unset."""

NAMED = (
    Preset(name="MEGIDDO", label="Megiddo", options=Options(), kind="board", row=_UNSET),
    Preset(
        name="MEGI 9", label="Megi 9", options=Options(variant="megi_9"), kind="board", reconstructed=True, row=_UNSET
    ),
)


class State(Concealed, frozen=True, omit_defaults=True):
    """The board and what was counted. Nothing is hidden.

    `stones` has one character for each point, ring by ring: `.`, or the seat whose stone lies there. `first` began
    this game; `captured`, `lines` and `idle` (moves in a row without a capture) are of this game, `scores` of the
    match. `over` and `winner` tell of the last game until the next one starts.
    """

    options: Options = Options()
    stones: str = ""
    turn: Seat | None = None
    first: Seat = 0
    number: int = 0
    captured: tuple[int, int] = (0, 0)
    lines: int = 0
    idle: int = 0
    over: Over | None = None
    winner: Seat | None = None
    scores: tuple[int, int] = (0, 0)

    @property
    def board(self) -> RingBoard:
        return BOARDS[self.options.variant]


class Facts(Struct, frozen=True, tag="megiddo/facts"):
    """What the zones do not show, and the board once more as text.

    `marks` are the cards that stand for each seat's stones; `rings`, innermost first, have one character for each
    spoke: `.` or the seat whose stone lies there. `captured` and `scores` are by seat; `arbatta` captured stones
    win. `idle_moves` counts moves in a row without a capture. `game` counts the games of a match; `match_points`
    win it (0: a single game).
    """

    variant: Variant
    marks: tuple[str, ...]
    rings: tuple[str, ...]
    captured: tuple[int, int]
    arbatta: int
    idle_moves: int
    game: int
    scores: tuple[int, int]
    match_points: int


def bag(board: RingBoard) -> tuple[Card, ...]:
    """Every stone of the game: as many for each seat as there are points, so that no seat can run out (our ruling)."""
    return STONES[:1] * board.size**2 + STONES[1:] * board.size**2


_DIRECTIONS = tuple((ring, spoke) for ring, spoke in product((0, 1, -1), repeat=2) if (ring, spoke) != (0, 0))
"""Along the ring, along the spoke and along both spirals, each both ways."""


def _board(size: int, arbatta: int) -> RingBoard:
    zones = tuple(f"point_{ring}_{spoke}" for ring in range(1, size + 1) for spoke in range(size))
    return RingBoard(
        size=size,
        arbatta=arbatta,
        zones=zones,
        place={zone: place for place, zone in enumerate(zones)},
        brackets=tuple(_brackets_closed_by(place, size, (1, 2, 3)) for place in range(size * size)),
        sandwiches=tuple(_brackets_closed_by(place, size, (-1, 2, 1)) for place in range(size * size)),
        lines=_lines(size),
    )


def _brackets_closed_by(place: int, size: int, steps: tuple[int, int, int]) -> tuple[Bracket, ...]:
    """The brackets that a stone here closes: one for each direction in which the other points are on the board."""
    ring, spoke = divmod(place, size)
    reached = [[(ring + far * out, spoke + far * on) for far in steps] for out, on in _DIRECTIONS]
    whole = [points for points in reached if all(0 <= ring < size for ring, _ in points)]
    return tuple(Bracket(*(ring * size + spoke % size for ring, spoke in points)) for points in whole)


def _lines(size: int) -> tuple[Line, ...]:
    """Every ring, every spoke, and the spirals that start on every spoke, one each way."""
    steps = range(size)
    rings = [Line("ring", tuple(ring * size + spoke for spoke in steps)) for ring in steps]
    spokes = [Line("spoke", tuple(ring * size + spoke for ring in steps)) for spoke in steps]
    spirals = [
        Line("spiral", tuple(ring * size + (spoke + turn * ring) % size for ring in steps))
        for turn, spoke in product((1, -1), steps)
    ]
    return (*rings, *spokes, *spirals)


BOARDS: dict[Variant, RingBoard] = {"megiddo": _board(6, 6), "megi_9": _board(MEGI_9_SIZE, MEGI_9_ARBATTA)}
"""Six rings, six spokes and an arbatta of six stones are those of the board of 1985."""
