"""The talon of a patience and its columns: drawing and recycling, the cards that may leave a zone, their moves."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from sys import intern
from typing import Any, Final, Literal, Protocol, Self, TypeVar

from domain.capabilities import Chip
from domain.game_type import Illegal
from domain.kit import patience
from domain.kit.patience import CardMove
from domain.view import Card, Zone

Waste = Literal["waste"]
WASTE: Final[Waste] = "waste"
CHIPS = (
    Chip(fact="recycles_left", label="Recycles left"), Chip(fact="pass_number", label="Pass", least=2),
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
D = TypeVar("D")
R = TypeVar("R")


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


def list_draws(state: Talon, draw: D, recycle: R) -> tuple[D | R, ...]:
    """The one of these commands that may be given now, if any."""
    return (draw,) if state.stock else (recycle,) if can_recycle(state) else ()


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


def zones(state: Talon, open_cards: bool) -> tuple[Zone, Zone]:
    """The stock, face down unless all cards lie open, and the waste to its right."""
    stock = patience.closed_pile("stock", "Stock", 0, 0, state.stock, known=open_cards)
    return stock, Zone(WASTE, "Waste", "pile", patience.STEP, 0, cards=state.waste)


def _packet_tops(cards: tuple[Card, ...], draw: int) -> set[Card]:
    """The last card of every packet of `draw` cards, in drawing order, and of what is left."""
    return {*cards[draw - 1 :: draw], *cards[-1:]}


COLUMN: dict[str, int] = {intern(f"tableau_{place}"): place for place in range(10)}
"""The number of a column, by zone: one string with the literals of the games, found without comparing characters."""


class Table(Talon, Protocol):
    """A position with columns, bottom to top, and the numbers of cards on the foundations, beside its talon."""

    @property
    def columns(self) -> tuple[tuple[Card, ...], ...]: ...
    @property
    def foundations(self) -> tuple[int, ...]: ...


P = TypeVar("P", bound=Table)
S = TypeVar("S", bound=str)
"""A game's names of the zones that cards leave."""
C = TypeVar("C", bound=str)
"""A game's names of its columns."""
M = TypeVar("M")


def is_dealt(state: Table) -> bool:
    """Before the deal there is nothing to do and yet nothing lost."""
    return bool(state.stock or state.waste or any(state.columns) or any(state.foundations))


def lift_cards(lying: tuple[Card, ...], source: str, count: int, too_few: tuple[str, str]) -> tuple[Card, ...]:
    """The top cards of those that lie open in a zone; raises Illegal if they may not leave.

    `too_few` is the rule, and its sentence, that speaks where a column has fewer open cards.
    """
    if not lying:
        raise Illegal("source_empty", "No card lies there.")
    if count > 1 and source not in COLUMN:
        raise Illegal("top_card_only", "Only its top card can be taken from there.")
    if count > len(lying):
        raise Illegal(*too_few)
    return lying[-count:]


def lying_cards(state: Table, source: str, may_return: bool, base: int = 1) -> tuple[Card, ...]:
    """The cards of a column, the waste or a foundation, bottom to top.

    Raises Illegal for a foundation from which no card may return.
    """
    if source == WASTE:
        return state.waste
    if source in COLUMN:
        return state.columns[COLUMN[source]]
    if not may_return:
        raise Illegal("foundation_return", "Cards do not come back from a foundation in this game.")
    suit = patience.SUIT_PLACE[source]
    return patience.home_cards(suit, state.foundations[suit], base)


def judge_move(
    state: P,
    move: CardMove,
    open_cards: Callable[[P, str], tuple[Card, ...]],
    too_few: tuple[str, str],
    whole: tuple[str, str] | None,
    check_column: Callable[[P, tuple[Card, ...], tuple[Card, ...]], None],
    base: int = 1,
    lowest: str = "ace",
) -> tuple[Card, ...]:
    """The cards that move; raises Illegal.

    open_cards     the position, a zone -> its face-up cards, bottom to top
    too_few        the rule, and its sentence, against more cards than are open in a column
    whole          the rule, and its sentence, against parts of a column that go to another; None: they may
    check_column   the position, what lies in the column that the cards go to, the cards; raises Illegal
    base, lowest   the rank that begins a foundation, and what it is called
    """
    source, target, count = move.source, move.target, move.count
    if source == target:
        raise Illegal("same_zone", "The cards lie there already.")
    lying = open_cards(state, source)
    cards = lying[-1:] if count == 1 else lying[-count:] if source in COLUMN else ()
    if len(cards) < count:
        cards = lift_cards(lying, source, count, too_few)
    if target in patience.SUIT_PLACE:
        patience.check_home(state.foundations, cards, patience.SUIT_PLACE[target], base, lowest)
        return cards
    if whole and source in COLUMN and count < len(lying):
        raise Illegal(*whole)
    check_column(state, state.columns[COLUMN[target]], cards)
    return cards


def list_home(
    foundations: Sequence[int], source: S, card: Card, make: Callable[[S, patience.Foundation], M], base: int = 1
) -> list[M]:
    """The move of this card from a zone to its foundation, if that waits for it."""
    suit, place = patience.HOME[card]
    return [make(source, patience.FOUNDATIONS[suit])] if foundations[suit] == (place + 1 - base) % 13 else []


def list_to_columns(
    tableau: Sequence[C],
    tops: Sequence[Card],
    accepts: Mapping[Card, frozenset[Card]],
    source: S,
    card: Card,
    make: Callable[[S, C], M],
) -> list[M]:
    """The moves of this card from a zone to the columns whose top cards accept it."""
    return [make(source, zone) for zone, top in zip(tableau, tops, strict=True) if card in accepts[top]]


def move_cards(state: P, source: str, target: str, cards: tuple[Card, ...]) -> P:
    """The position after these cards, the top ones of their zone, went to a column or a foundation.

    They leave a column, a foundation or the waste; from another zone of a game's own the caller takes them.
    """
    columns, foundations, waste, count = state.columns, state.foundations, state.waste, len(cards)
    if source in COLUMN:
        place = COLUMN[source]
        columns = patience.with_value_at(columns, place, columns[place][:-count])
    elif source == WASTE:
        waste = waste[:-count]
    elif source in patience.SUIT_PLACE:
        suit = patience.SUIT_PLACE[source]
        foundations = patience.with_value_at(foundations, suit, foundations[suit] - count)
    if target in COLUMN:
        place = COLUMN[target]
        columns = patience.with_value_at(columns, place, columns[place] + cards)
    else:
        suit = patience.SUIT_PLACE[target]
        foundations = patience.with_value_at(foundations, suit, foundations[suit] + count)
    return state.__replace__(columns=columns, foundations=foundations, waste=waste)


def only_changes_place(columns: Sequence[Sequence[Card]], move: CardMove) -> bool:
    """Whether the move takes a whole column to an empty one."""
    if move.source not in COLUMN or move.target not in COLUMN or columns[COLUMN[move.target]]:
        return False
    return move.count == len(columns[COLUMN[move.source]])
