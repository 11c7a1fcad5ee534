"""The contract every game type fulfils: a frozen value made of typed functions; nothing to inherit."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, Generic, Literal, TypeVar

from msgspec import Meta, Struct

if TYPE_CHECKING:
    from domain.chance import Chance

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

Layout = Literal["pile", "column", "row", "fan", "grid", "ring", "pyramid", "clock", "score"]


class Zone(Struct, frozen=True, omit_defaults=True):
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


class View(Struct, Generic[V], frozen=True):
    """What one viewer sees of a state: zones for the picture and the game's typed facts.

    `stuck` is told (true) only when nothing the viewer could still be shown may change the answer.
    """

    phase: str
    to_act: tuple[Seat, ...]
    stuck: bool
    zones: tuple[Zone, ...]
    facts: V


Ending = Literal["won", "lost", "drawn", "abandoned"]


class Result(Struct, frozen=True, omit_defaults=True):
    """How a game ended: the ending, its reason (`all_home`, `resigned`, ...), who won, points by seat.

    `outcome`: what came of it in a few words, where points alone do not say it (`4 spades, made, vulnerable: 620`).
    """

    ending: Ending
    reason: str
    winners: tuple[Seat, ...] = ()
    scores: tuple[int, ...] = ()
    outcome: str = ""


class Illegal(Exception):
    """A command or an option that the rules forbid now: the rule's stable slug and a sentence."""

    def __init__(self, rule: str, message: str) -> None:
        super().__init__(message)
        self.rule = rule
        self.message = message


class Concealed(Struct, frozen=True):
    """A struct that holds hidden cards or secrets: its repr shows its name only, in any log or traceback."""

    def __repr__(self) -> str:
        return f"<{type(self).__qualname__}>"


class Preset(Struct, frozen=True, kw_only=True):
    """Options under a name that players know, with the row of the published table they come from, if there is one.

    `kind`: whether it is played with cards or on a board; `reconstructed`: its source leaves most of it open.
    """

    name: str
    options: Struct
    kind: Literal["cards", "board"] = "cards"
    reconstructed: bool = False
    row: dict[str, str | int | bool] = {}


class Counting(Struct, frozen=True, kw_only=True):
    """From when on a game counts that did not end by its rules: `moves` for each seat, of whichever seats.

    Given up or timed out before that, it counts for nobody, only against the reliability of who left. A changed number
    is a new `version` of the boards, the ladders and the reliability.
    """

    moves: int = 1


ATTEMPT = Counting()
"""As where one plays alone: an attempt begins with the first move."""


class Face(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a card stands for in a game that is not played with playing cards, and how a picture draws it.

    `name` is said aloud (`a black stone`), `mark` of at most three characters is written on it, colours are `#rrggbb`.
    `strand`: colours of what is strung across it, left to right.
    """

    name: str
    mark: str = ""
    colour: str = "#888888"
    shape: Literal["card", "disc", "tile"] = "disc"
    strand: tuple[str, ...] = ()


class Notation(Struct, frozen=True, kw_only=True):
    """A way of writing a finished game that others read too: `write` is given the options, the deal's events and the
    game type's events of the live line, and may raise Illegal where the notation cannot say the game.

    `read` (None: it is only written) makes of a text the options, the cards in dealing order or a published deal's
    number, and the commands; it raises Illegal with the line that cannot be read. `example` is a text that it reads.
    """

    key: str
    name: str
    media_type: str
    example: str = ""
    write: Callable[[Any, Sequence[Any], Sequence[Any]], str]
    read: Callable[[str], "Noted"] | None = None


class Noted(Struct, frozen=True, kw_only=True):
    """What a notation's text says: `deal` or `number` is there, not both."""

    options: Struct
    deal: tuple[Card, ...] | None = None
    number: int | None = None
    commands: tuple[Struct, ...] = ()


O = TypeVar("O", bound=Struct)  # noqa: E741  options, as in the contract's own letters
S = TypeVar("S", bound=Struct)
C = TypeVar("C", bound=Struct)
E = TypeVar("E", bound=Struct)


def _settled(options: O, seats: int) -> O:
    return options


def _itself(state: Any, seat: Seat, command: C) -> C:
    return command


def _shown(state: Any, event: E, viewer: Viewer) -> E:
    return event


def _never(options: Any) -> bool:
    return False


@dataclass(frozen=True, kw_only=True)
class GameType(Generic[O, S, C, E, V]):
    """One kind of game. Every function is pure; only `settle`, `deal` and `decide` may raise, and only Illegal.

    deal      options, chance, seat count -> the opening events
    initial   options, seat count -> the state before the first event
    decide    state, seat, command -> what happens, in order, or Illegal
    evolve    state, event -> the next state; total
    legal_commands   state, seat -> the commands that decide would accept, one per meaning
    look      state, viewer -> only what that viewer may know
    redact    state before, event, viewer -> the event with what that viewer may not know as `#` or empty
    tell      state before, event, viewer -> the event as a sentence
    result    state -> None while it goes on
    material  its places and cards and all that is printed, as data made from the tables that its rules use
    settle    options, seat count -> options with dependent defaults filled in, or Illegal
    on_day    options, UTC day counted from 1970-01-01 -> the options of that day's deal (None: the same every day)
    canonical state, seat, command -> the spelling of that command which is listed
    resign    state, seat -> events that follow a resignation before the ending (None: there are none)
    undoable  options -> whether a step can be taken back
    numbered  the number of a published deal, options -> its cards in dealing order (None: has no such scheme)
    score     state of a solo game -> what it has come to so far (cards home, cards left, points)
    resample  state, viewer, chance -> another state that this viewer cannot tell from it (for the laws)
    reconstructed  some of its data is ours for want of the original
    lowest_score   of two scores the lower is the better
    pure_luck      has statistics and no ranking
    most_steps     a game ends with its so-manyth step: several times what the longest honest ones have (by lot at most
                   1,342, Screaming Yoda by three; a patience with a lot of undo some hundreds)
    for_points     its points are what is compared, whether it was won or lost
    presets        options under names that players know
    seats_by_option  more seat counts, which `settle` refuses unless an option allows them
    faces          what cards stand for that are no playing cards
    taps           tag of a command that names no place -> zone where a tap says it (`klondike/draw` -> `stock`)
    notations      ways of writing a game that others read too
    counting       from when on a game that is given up counts
    """

    key: str
    name: str
    revision: int
    seats: range
    rules: str
    options: type[O]
    state: type[S]
    commands: tuple[type[C], ...]
    events: tuple[type[E], ...]
    facts: type[V]
    deal: Callable[[O, "Chance", int], Sequence[E]]
    initial: Callable[[O, int], S]
    decide: Callable[[S, Seat, C], Sequence[E]]
    evolve: Callable[[S, E], S]
    legal_commands: Callable[[S, Seat], Sequence[C]]
    look: Callable[[S, Viewer], View[V]]
    tell: Callable[[S, E, Viewer], str]
    result: Callable[[S], Result | None]
    material: Struct
    settle: Callable[[O, int], O] = _settled
    on_day: Callable[[O, int], O] | None = None
    canonical: Callable[[S, Seat, C], C] = _itself
    redact: Callable[[S, E, Viewer], E] = _shown
    resign: Callable[[S, Seat], Sequence[E]] | None = None
    undoable: Callable[[O], bool] = _never
    numbered: Callable[[int, O], Sequence[Card]] | None = None
    resample: Callable[[S, Viewer, "Chance"], S] | None = None
    score: Callable[[S], int] | None = None
    reconstructed: bool = False
    lowest_score: bool = False
    pure_luck: bool = False
    most_steps: int = 10_000
    for_points: bool = False
    seats_by_option: tuple[int, ...] = ()
    presets: tuple[Preset, ...] = ()
    faces: Mapping[Card, Face] = field(default_factory=dict)
    taps: Mapping[str, str] = field(default_factory=dict)
    notations: tuple[Notation, ...] = ()
    counting: Counting = ATTEMPT
