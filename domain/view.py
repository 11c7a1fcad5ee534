"""What a viewer sees: cards, their places, shapes that are being placed, the view of a table; and refusals of rules."""

from collections.abc import Iterable
from typing import Annotated, Generic, Literal, TypeVar

from msgspec import Meta, Struct

Card = Annotated[
    str,
    Meta(
        description="A card in two characters, rank then suit (`QH`, `TD`), or a joker (`*1` to `*4`).",
        examples=["QH"],
        extra_json_schema={"pattern": r"^([A2-9TJQK][SHDC]|\*[1-4]|#)$"},
    ),
]
FACE_DOWN: Card = "#"

NamedCard = Annotated[
    str,
    Meta(
        description="A card named by a player: rank then suit (`QH`, `TD`), or a joker (`*1` to `*4`).",
        examples=["QH"],
        pattern=r"^([A2-9TJQK][SHDC]|\*[1-4])$",
    ),
]
"""A card in a command or a given deal: read only if it is one."""

Seat = int
"""A place at the game, counted from 0."""

Viewer = int | None
"""Who looks: a seat, None for a spectator, or ALL_SEEING."""

ALL_SEEING: Viewer = -1
"""Looks at a finished game as it is known now: every card face up."""


def player_name(seat: Seat) -> str:
    """`Player 1` for seat 0: what sentences and labels say for who sits there; a reader puts the name there."""
    return f"Player {seat + 1}"


Layout = Literal["pile", "column", "row", "fan", "grid", "ring", "pyramid", "clock", "score"]


class Zone(Struct, frozen=True, omit_defaults=True, gc=False):
    """A place for cards on the table: what every picture is drawn from.

    `cards` run bottom to top; `face_down` cards of unknown face lie under them; a `#` among `cards` is a
    face-down card in its place. `x` and `y` are in card widths and card heights from the top left. A `grid`, `ring`,
    `pyramid` or `clock` is made of several zones: each is one place of that figure, a pile.
    """

    id: str
    label: str
    layout: Layout
    x: float
    y: float
    owner: Seat | None = None
    face_down: int = 0
    cards: tuple[Card, ...] = ()


V = TypeVar("V")


class View(Struct, Generic[V], frozen=True, gc=False):
    """What one viewer sees of a state: zones for the picture and the game's typed facts.

    `stuck` is told (true) only when nothing the viewer could still be shown may change the answer.
    """

    phase: str
    to_act: tuple[Seat, ...]
    stuck: bool
    zones: tuple[Zone, ...]
    facts: V


Cell = tuple[int, int]
Cells = tuple[Cell, ...]

_CELLS = "The cells of the shape as rows and columns from the upper left corner of its frame, which is 0, 0."
_ANCHORS = "Where that corner may lie now, as row and column of the grid: the shape fills each anchor plus its cells."


class Outline(Struct, frozen=True):
    """A shape in one of its turnings, and where it may be placed now."""

    cells: Annotated[Cells, Meta(description=_CELLS)]
    anchors: Annotated[Cells, Meta(description=_ANCHORS)]


def outlines(turnings: Iterable[Cells], places: Iterable[tuple[Cells, Cell]]) -> tuple[Outline, ...]:
    """Every turning of a shape with its anchors, in the order of these places; one that fits nowhere has none."""
    anchors: dict[Cells, list[Cell]] = {turning: [] for turning in turnings}
    for turning, anchor in places:
        anchors[turning].append(anchor)
    return tuple(Outline(cells, tuple(places)) for cells, places in anchors.items())


class Illegal(Exception):
    """A command or an option that the rules forbid now: the rule's stable slug and a sentence.

    `pointer`: the part of what was asked that it is about, as a JSON pointer, where it is about one.
    """

    def __init__(self, rule: str, message: str, pointer: str = "") -> None:
        super().__init__(message)
        self.rule = rule
        self.message = message
        self.pointer = pointer


class Forbidden(Illegal):
    """What the rules allow others, not this player."""


class Missing(Illegal):
    """What is asked for by its name is not there."""


class Concealed(Struct, frozen=True, gc=False):
    """A struct that holds hidden cards or secrets: its repr shows its name only, in any log or traceback.

    Garbage collection passes it by: it is frozen, so in no cycle, and a service keeps hundreds of thousands.
    """

    def __repr__(self) -> str:
        return f"<{type(self).__qualname__}>"
