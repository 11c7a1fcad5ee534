"""What happens to a same-deal contest: the same cards for everybody who enters, hidden from others until it closes."""

from typing import Any, Literal
from uuid import UUID

from msgspec import Struct

from domain.game_type import Concealed
from domain.league.rules import DayRules
from domain.record import Micros

Certificate = Literal["winnable", "impossible", "not_told", "not_tried"]
Line = tuple[dict[str, Any], ...]
"""Commands of the game type as they are written, from the deal to the win; empty where none is known."""


class Announced(Struct, frozen=True, kw_only=True, tag="contest/announced", omit_defaults=True):
    """The first event: what is played, when, and the commitment to the deal.

    `day` is the UTC day (`2026-11-20`) of a public same-deal day; `league` that of a league's own contest. Attempts
    begin from `opens` until `closes`, and end with the grace of the rules. `certificate`: whether a
    solver has won the deal (`winnable`), or not (`not_told`, `not_tried`). Only old records say `impossible` here, or
    have `positions`: both tell of hidden cards and are in Sealed now.
    """

    game_type: str
    revision: int
    options: dict[str, Any]
    rules: DayRules
    opens: Micros
    closes: Micros
    commitment: str
    day: str | None = None
    league: UUID | None = None
    certificate: Certificate = "not_tried"
    positions: int = 0


class Sealed(Concealed, frozen=True, tag="contest/sealed", omit_defaults=True):
    """The seed of the deal, and what a solver found in so many `positions`; `line`: its winning commands.

    Shown to nobody before the contest is closed.
    """

    seed: bytes
    certificate: Certificate = "not_tried"
    positions: int = 0
    line: Line = ()


class Entered(Struct, frozen=True, tag="contest/entered"):
    """A player was dealt the cards: the one attempt that can count."""

    player: UUID
    game: UUID


class Closed(Struct, frozen=True, tag="contest/closed", omit_defaults=True):
    """The contest is over, and its unfinished attempts have ended; Revealed follows where the seed is known.

    `unreadable`: games that could not be ended, for what they hide is sealed under a key that was given up.
    """

    unreadable: tuple[UUID, ...] = ()


class Revealed(Concealed, frozen=True, tag="contest/revealed", omit_defaults=True):
    """What was sealed, for everybody."""

    seed: bytes
    certificate: Certificate = "not_tried"
    positions: int = 0
    line: Line = ()


CONTEST_EVENTS: tuple[type[Struct], ...] = (Announced, Sealed, Entered, Closed, Revealed)
