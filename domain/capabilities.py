"""What a game type can do beyond its rules: each capability is a small value, found by its class."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypeVar

from msgspec import Struct

from domain.board import Boards
from domain.chance import Chance
from domain.view import Card, Seat, Viewer

O = TypeVar("O", bound=Struct)  # noqa: E741  options, as in the contract's own letters
S = TypeVar("S", bound=Struct)
C = TypeVar("C", bound=Struct)
E = TypeVar("E", bound=Struct)


class Capability(Generic[O, S, C, E]):
    """What a game type with these options, states, commands and events can do, or is, beyond the contract.

    The value made without arguments is the default of a game type that does not name the capability (`GameType.get`).
    """


Trait = Capability[Any, Any, Any, Any]
"""A capability that uses none of the four type parameters."""


@dataclass(frozen=True)
class OptionRules(Capability[O, Any, Any, Any], Generic[O]):
    """Options that depend on others. `settle`: options, seat count -> options with defaults filled in, or Illegal.

    `extra_seats`: more seat counts, which `settle` refuses unless an option allows them.
    """

    settle: Callable[[O, int], O] = lambda options, seats: options
    extra_seats: tuple[int, ...] = ()


@dataclass(frozen=True)
class Spelling(Capability[Any, S, C, Any], Generic[S, C]):
    """Several ways to say a command. `canonical`: state, seat, command -> the spelling of it that is listed."""

    canonical: Callable[[S, Seat, C], C] = lambda state, seat, command: command


@dataclass(frozen=True)
class Undoing(Capability[O, Any, Any, Any], Generic[O]):
    """Steps can be taken back where the options allow it."""

    allowed: Callable[[O], bool] = lambda options: False


@dataclass(frozen=True)
class Resignation(Capability[Any, S, Any, E], Generic[S, E]):
    """A resignation has consequences. `events`: state, seat -> what follows it before the ending."""

    events: Callable[[S, Seat], Sequence[E]] = lambda state, seat: ()


@dataclass(frozen=True)
class Score(Capability[Any, S, Any, Any], Generic[S]):
    """A game for one has a score at any time. `count`: state -> cards home, cards left or points so far."""

    count: Callable[[S], int] = lambda state: 0


@dataclass(frozen=True)
class LowestScore(Trait):
    """Of two scores the lower is the better."""


@dataclass(frozen=True)
class ForPoints(Trait):
    """Results are compared by points alone, whether the game was won or lost."""


@dataclass(frozen=True)
class PureLuck(Trait):
    """The player decides nothing: the game has statistics and no ranking."""


@dataclass(frozen=True)
class Reconstructed(Trait):
    """Some of the game's data is ours, because the original is lost."""


@dataclass(frozen=True)
class StepLimit(Trait):
    """The greatest number of steps of a game, which ends with the last of them.

    Several times the longest honest games: at most 1,342 steps in random play (Screaming Yoda for three), some
    hundreds in a patience with much undo.
    """

    most: int = 10_000


@dataclass(frozen=True)
class DailyOptions(Capability[O, Any, Any, Any], Generic[O]):
    """A day's deal has options of its own. `choose`: options, UTC day counted from 1970-01-01 -> that day's."""

    choose: Callable[[O, int], O] = lambda options, day: options


@dataclass(frozen=True)
class NumberedDeals(Capability[O, Any, Any, Any], Generic[O]):
    """Deals are published by number. `cards`: number, options -> the cards in dealing order."""

    cards: Callable[[int, O], Sequence[Card]] = lambda number, options: ()


@dataclass(frozen=True)
class Resample(Capability[Any, S, Any, Any], Generic[S]):
    """`draw`: state, viewer, chance -> another state that this viewer cannot tell from it.

    What is drawn depends on chance and on what the viewer may know, never on where the hidden cards lie: so a bot may
    think about it.
    """

    draw: Callable[[S, Viewer, Chance], S] = lambda state, viewer, chance: state


@dataclass(frozen=True)
class Taps(Trait):
    """Commands that name no place: tag -> zone (`klondike/draw` -> `stock`) or its fact where a tap says it."""

    zones: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Autoplay(Trait):
    """Cards at home by suit need not come back, so that those which nothing in play needs may go there by themselves.

    `built`: how columns are built down. `suit`: no card at home is needed. `alternate`: one is until both cards of the
    other colour one rank below are home; of an ace or a two none is, so not for games in which cards lie on an ace that
    moves with them. None: no card goes by itself.
    """

    built: Literal["alternate", "suit"] | None = None


@dataclass(frozen=True)
class RankNames(Trait):
    """The game is the same where its ranks, ace 0 to king 12, have other names.

    `rows`: -> all ways to name them, in each the name of every rank; the ranks as they are come first.
    """

    rows: Callable[[], Sequence[Sequence[int]]] = lambda: [range(13)]


@dataclass(frozen=True)
class Layout(Capability[O, Any, Any, Any], Generic[O]):
    """Where its zones lie, made by hand. `boards`: options, number of seats -> the boards; None: from the zones."""

    boards: Callable[[O, int], Boards] | None = None


class Chip(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A fact that is shown beside the table under words made for it.

    `fact`: its path (`contract`, `seats.@.score`, where `@` is a seat and `seat` says that it stands at each plate).
    `shown`: a number, a number of the one at `of`, a card, a flag (the label alone, where it is true or not empty),
    words, the players at seats, or elsewhere: by the table or another page, so it has no chip and is in no list.
    `form`: how the value is written, `{}` the whole, `{level}` a part of it; `words` replace values in it. What is null
    or empty has no chip, nor has a number below `least` or above `most`: it tells a player nothing.
    """

    fact: str
    label: str = ""
    shown: Literal["number", "of", "card", "flag", "words", "seats", "elsewhere"] = "number"
    of: str = ""
    seat: bool = False
    form: str = "{}"
    words: Mapping[str, str] = {}
    least: int | None = None
    most: int | None = None


@dataclass(frozen=True)
class Chips(Trait):
    """The facts that have chips; what has none stands in the list of facts.

    `phases`: what a player does in a phase, for those whose name does not say it.
    """

    chips: tuple[Chip, ...] = ()
    phases: Mapping[str, str] = field(default_factory=dict)


class Offer(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What can be had for cards, as its plate tells it.

    `said`: the values of the command that says it, in a line (`gain_jack_queen jack`). `costs`: the ways to pay for it,
    a symbol for each card: a suit, the rank of a picture, `?` any. `gain`: what it brings. `shape`: what is drawn, row
    by row from the top, `X` a cell, and `mark` its letter on the board. `pawn`: whether one's pawn must stand there.
    `hindrance`: what it fails for where the cards would do.
    """

    said: str
    name: str
    costs: tuple[str, ...]
    gain: str = ""
    shape: tuple[str, ...] = ()
    mark: str = ""
    pawn: bool = False
    hindrance: str = ""


@dataclass(frozen=True)
class Offers(Trait):
    """A command (`tag`) that is said by plates, all of which lie beside the table in this order.

    `pawns`: the path of the fact that tells on which of them a seat's pawns stand (`seats.@.pawns`); `spare`: of how
    many more it has. `payers`: the cards that pay each symbol, and the same while the fact `eased` is true.
    """

    tag: str = ""
    pawns: str = ""
    spare: str = ""
    eased: str = ""
    payers: tuple[Mapping[str, tuple[Card, ...]], ...] = ()
    plates: tuple[Offer, ...] = ()


class Preset(Struct, frozen=True, kw_only=True):
    """Options under a name that players know, with the row of the published table they come from, if there is one.

    `label`: what it is, in the words of people who do not know that name. `kind`: whether it is played with cards or on
    a board; `reconstructed`: its source leaves most of it open.
    """

    name: str
    label: str
    options: Struct
    kind: Literal["cards", "board"] = "cards"
    reconstructed: bool = False
    row: dict[str, str | int | bool] = {}


@dataclass(frozen=True)
class Presets(Trait):
    """Options under names that players know."""

    presets: tuple[Preset, ...] = ()


@dataclass(frozen=True)
class Varieties(Trait):
    """What a player chooses among before a game in one click: the first is the easiest, and where one begins."""

    presets: tuple[Preset, ...] = ()


class Counting(Struct, Trait, frozen=True, kw_only=True):
    """From when on a game counts that did not end by its rules: after `moves` times as many moves as it has seats.

    Given up or timed out before that, it counts for nobody, only against the reliability of who left. A changed number
    is a new `version` of the boards, the ladders and the reliability.
    """

    moves: int = 1


class Face(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a card stands for in a game that is not played with playing cards, and how a picture draws it.

    `name` is said aloud (`a black stone`), `mark` of at most nine characters is written on it, colours are `#rrggbb`.
    `strand`: colours of what is strung across it, left to right; one alone is a bulb.
    """

    name: str
    mark: str = ""
    colour: str = "#888888"
    shape: Literal["card", "disc", "tile"] = "disc"
    strand: tuple[str, ...] = ()


@dataclass(frozen=True)
class CardFaces(Trait):
    """What the cards of a game that has no playing cards stand for."""

    by_card: Mapping[Card, Face] = field(default_factory=dict)


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
    """What a notation's text says: `deal` or `number` is there, not both; `said`: where each command stands."""

    options: Struct
    deal: tuple[Card, ...] | None = None
    number: int | None = None
    commands: tuple[Struct, ...] = ()
    said: tuple[str, ...] = ()


@dataclass(frozen=True)
class Notations(Trait):
    """Ways of writing a game that others read too."""

    notations: tuple[Notation, ...] = ()
