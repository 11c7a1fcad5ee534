"""Columns of a patience with a talon: which cards may leave a zone, and how they go from one to another."""

from collections.abc import Callable, Mapping, Sequence
from sys import intern
from typing import Protocol, TypeVar

from domain.game_type import Illegal
from domain.kit.patience import (
    FOUNDATIONS,
    HOME,
    SUIT_PLACE,
    CardMove,
    Foundation,
    check_home,
    count_needed,
    home_cards,
    with_value_at,
)
from domain.kit.talon import WASTE, Talon
from domain.view import Card

COLUMN: dict[str, int] = {intern(f"tableau_{place}"): place for place in range(10)}
"""The number of a column, by zone: one string with the literals of the games, found without comparing characters."""


class Table(Talon, Protocol):
    """A position with columns, bottom to top, and the numbers of cards on the foundations, beside its talon."""

    @property
    def columns(self) -> tuple[tuple[Card, ...], ...]: ...
    @property
    def foundations(self) -> tuple[int, ...]: ...


T = TypeVar("T", bound=Table)
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
    suit = SUIT_PLACE[source]
    return home_cards(suit, state.foundations[suit], base)


def judge_move(
    state: T,
    move: CardMove,
    open_cards: Callable[[T, str], tuple[Card, ...]],
    too_few: tuple[str, str],
    whole: tuple[str, str] | None,
    check_column: Callable[[T, tuple[Card, ...], tuple[Card, ...]], None],
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
    if target in SUIT_PLACE:
        check_home(state.foundations, cards, SUIT_PLACE[target], base, lowest)
        return cards
    if whole and source in COLUMN and count < len(lying):
        raise Illegal(*whole)
    check_column(state, state.columns[COLUMN[target]], cards)
    return cards


def list_home(
    foundations: Sequence[int], source: S, card: Card, make: Callable[[S, Foundation], M], base: int = 1
) -> list[M]:
    """The move of this card from a zone to its foundation, if that waits for it."""
    suit = HOME[card][0]
    return [make(source, FOUNDATIONS[suit])] if foundations[suit] == count_needed(card, base) else []


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


def only_changes_place(columns: Sequence[Sequence[Card]], move: CardMove) -> bool:
    """Whether the move takes a whole column to an empty one."""
    if move.source not in COLUMN or move.target not in COLUMN or columns[COLUMN[move.target]]:
        return False
    return move.count == len(columns[COLUMN[move.source]])
