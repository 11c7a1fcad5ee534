"""The contract every game type fulfils: a frozen value made of typed functions; nothing to inherit."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, Generic, Literal, Self, TypeVar

from msgspec import Struct

from domain.board import Boards, derive_boards
from domain.capabilities import C, Capability, E, Layout, O, OptionRules, S, StepLimit
from domain.chance import Chance
from domain.view import Concealed, Forbidden, Illegal, Missing, Seat, V, View, Viewer

__all__ = ["Concealed", "Forbidden", "Illegal", "Missing"]
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


K = TypeVar("K", bound=Capability[Any, Any, Any, Any])


@cache
def _default_of(kind: type[Any]) -> Any:
    """What holds where a game type does not name this capability: one value for all of them."""
    return kind()


def show_everything(state: Any, event: E, viewer: Viewer) -> E:
    """The event as it is: `redact` where nothing is ever hidden."""
    return event


@dataclass(frozen=True, kw_only=True)
class GameType(Generic[O, S, C, E, V]):
    """One kind of game. Every function is pure; only `deal` and `decide` may raise, and only Illegal.

    deal      options, chance, seat count -> the opening events
    initial   options, seat count -> the state before the first event
    decide    state, seat, command -> what happens, in order, or Illegal
    evolve    state, event -> the next state; total
    legal_commands   state, seat -> the commands that decide would accept, one per meaning
    look      state, viewer -> only what that viewer may know
    redact    state before, event, viewer -> the event with what that viewer may not know as `#` or empty
    tell      state before, event, viewer -> the event as a sentence
    result    state -> None while it goes on
    material  its places, cards and printed text, as data made from the tables that its rules use
    capabilities   what it can do beyond the contract (`domain.capabilities`), at most one of each class
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
    material: Struct
    deal: Callable[[O, Chance, int], Sequence[E]]
    initial: Callable[[O, int], S]
    decide: Callable[[S, Seat, C], Sequence[E]]
    evolve: Callable[[S, E], S]
    legal_commands: Callable[[S, Seat], Sequence[C]]
    look: Callable[[S, Viewer], View[V]]
    redact: Callable[[S, E, Viewer], E]
    tell: Callable[[S, E, Viewer], str]
    result: Callable[[S], Result | None]
    capabilities: tuple[Capability[O, S, C, E], ...] = ()
    _capability: dict[type, Any] = field(init=False, repr=False, compare=False)
    most_steps: int = field(init=False, repr=False, compare=False)
    """The greatest number of steps of a game (`StepLimit`): asked at every command."""

    def __post_init__(self) -> None:
        """Index the capabilities by class: every command looks some up."""
        by_class = {type(capability): capability for capability in self.capabilities}
        object.__setattr__(self, "_capability", by_class)
        object.__setattr__(self, "most_steps", self.get(StepLimit).most)

    def find(self, kind: type[K]) -> K | None:
        """The capability of this class; None: the game type has none."""
        return self._capability.get(kind)

    def get(self, kind: type[K]) -> K:
        """The capability of this class, or what holds where the game type has none."""
        capability: K = self._capability.get(kind) or _default_of(kind)  # type: ignore[arg-type]  # classes are hashable
        return capability

    def has(self, kind: type[Capability[Any, Any, Any, Any]]) -> bool:
        """Whether there is a capability of this class."""
        return kind in self._capability

    def with_capabilities(self, *capabilities: Capability[Any, Any, Any, Any]) -> Self:
        """The same game type, with these in place of those of their classes."""
        classes = {type(capability) for capability in capabilities}
        others = (capability for capability in self.capabilities if type(capability) not in classes)
        return replace(self, capabilities=(*capabilities, *others))

    def boards(self, options: O, seats: int) -> Boards:
        """Where the zones of such a game lie: made by hand, or derived from the zones of its first view."""
        made = self.get(Layout).boards
        return made(options, seats) if made else derive_boards(self.look(self.initial(options, seats), None).zones)

    @property
    def seat_counts(self) -> tuple[int, ...]:
        """Every seat count that some choice of options allows."""
        return (*self.seats, *self.get(OptionRules).extra_seats)
