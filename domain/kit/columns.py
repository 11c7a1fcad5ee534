"""Columns of a patience with a talon: which cards may leave a zone, and how they go from one to another."""

from collections.abc import Sequence
from typing import Protocol, TypeVar

from domain.game_type import Illegal
from domain.kit.patience import SUIT_PLACE, with_value_at
from domain.kit.talon import WASTE, Talon
from domain.view import Card

COLUMN: dict[str, int] = {f"tableau_{place}": place for place in range(10)}
"""The number of a column, by zone."""


class Table(Talon, Protocol):
    """A position with columns, bottom to top, and the numbers of cards on the foundations, beside its talon."""

    @property
    def columns(self) -> tuple[tuple[Card, ...], ...]: ...
    @property
    def foundations(self) -> tuple[int, ...]: ...


T = TypeVar("T", bound=Table)


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


def move_cards(state: T, source: str, target: str, cards: tuple[Card, ...]) -> T:
    """The position after these cards, the top ones of their zone, went to a column or a foundation.

    They leave a column, a foundation or the waste; from another zone of a game's own the caller takes them.
    """
    columns, foundations, waste, count = state.columns, state.foundations, state.waste, len(cards)
    if source in COLUMN:
        place = COLUMN[source]
        columns = with_value_at(columns, place, columns[place][:-count])
    elif source == WASTE:
        waste = waste[:-count]
    elif source in SUIT_PLACE:
        suit = SUIT_PLACE[source]
        foundations = with_value_at(foundations, suit, foundations[suit] - count)
    if target in COLUMN:
        place = COLUMN[target]
        columns = with_value_at(columns, place, columns[place] + cards)
    else:
        suit = SUIT_PLACE[target]
        foundations = with_value_at(foundations, suit, foundations[suit] + count)
    return state.__replace__(columns=columns, foundations=foundations, waste=waste)


def only_changes_place(columns: Sequence[Sequence[Card]], source: str, target: str, count: int) -> bool:
    """Whether the move takes a whole column to an empty one."""
    if source not in COLUMN or target not in COLUMN or columns[COLUMN[target]]:
        return False
    return count == len(columns[COLUMN[source]])
