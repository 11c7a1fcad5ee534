"""The talon of a patience: a stock that is drawn from, its waste, and how often the waste may be turned over."""

from collections.abc import Iterable, Sequence
from typing import Any, Final, Literal, Protocol, Self, TypeVar

from domain.capabilities import Chip
from domain.game_type import Illegal
from domain.kit.patience import STEP, closed_pile
from domain.view import Card, Zone

Waste = Literal["waste"]
WASTE: Final[Waste] = "waste"
TALON_CHIPS = (
    Chip(fact="recycles_left", label="Recycles left"), Chip(fact="pass_number", label="Pass"),
    Chip(fact="draw", shown="elsewhere"),
)  # fmt: skip
"""Those of a game with a talon; how many cards are drawn is an option, and seen."""


class TalonOptions(Protocol):
    """`draw`: cards turned at a time; `passes`: times that the stock may be gone through, None: any number."""

    @property
    def draw(self) -> int: ...
    @property
    def passes(self) -> int | None: ...


class Talon(Protocol):
    """A position with a talon: piles run bottom to top, `recycles` is how often the waste has been turned over."""

    @property
    def options(self) -> TalonOptions: ...
    @property
    def stock(self) -> tuple[Card, ...]: ...
    @property
    def waste(self) -> tuple[Card, ...]: ...
    @property
    def recycles(self) -> int: ...
    def __replace__(self, /, **changes: Any) -> Self: ...


T = TypeVar("T", bound=Talon)


def recycles_left(state: Talon) -> int | None:
    """How often the waste may still be turned over; None: any number of times."""
    passes = state.options.passes
    return None if passes is None else passes - 1 - state.recycles


def can_recycle(state: Talon) -> bool:
    """Whether the waste may be turned over now."""
    return bool(state.waste) and not state.stock and recycles_left(state) != 0


def next_cards(state: Talon) -> tuple[Card, ...]:
    """The cards that a draw turns, in this order; raises Illegal if there is none."""
    if not state.stock:
        raise Illegal("stock_empty", "The stock is empty.")
    return state.stock[: -state.options.draw - 1 : -1]


def check_recycle(state: Talon) -> None:
    """Raises Illegal unless the waste may be turned over now."""
    if state.stock:
        raise Illegal("stock_not_empty", "The waste is turned over only when the stock is empty.")
    if not state.waste:
        raise Illegal("waste_empty", "There is no waste to turn over.")
    if recycles_left(state) == 0:
        raise Illegal("passes_used_up", "This was the last pass through the stock.")


def draw_cards(state: T, cards: tuple[Card, ...]) -> T:
    """The position after these cards came from the stock to the waste."""
    return state.__replace__(stock=state.stock[: -len(cards)], waste=state.waste + cards)


def turn_waste_over(state: T) -> T:
    """The position after the waste became the stock."""
    return state.__replace__(stock=state.waste[::-1], waste=(), recycles=state.recycles + 1)


def find_awaited(state: Talon, unseen: Iterable[Sequence[Card]]) -> set[Card]:
    """The cards that drawing and recycling alone can bring to the top of the waste, as far as the player knows.

    In the first pass any of the `unseen` cards of the table may be any card of the stock.
    """
    to_come, draw = state.stock[::-1], state.options.draw
    cards = _packet_tops(to_come, draw)
    if recycles_left(state) != 0:
        cards |= _packet_tops(state.waste + to_come, draw)
    return cards.union(to_come, *unseen) if to_come and not state.recycles else cards


def talon_zones(state: Talon, open_cards: bool) -> tuple[Zone, Zone]:
    """The stock, face down unless all cards lie open, and the waste to its right."""
    stock = closed_pile("stock", "Stock", 0, 0, state.stock, known=open_cards)
    return stock, Zone(WASTE, "Waste", "pile", STEP, 0, cards=state.waste)


def _packet_tops(cards: tuple[Card, ...], draw: int) -> set[Card]:
    """The last card of every packet of `draw` cards, in drawing order, and of what is left."""
    return {*cards[draw - 1 :: draw], *cards[-1:]}
