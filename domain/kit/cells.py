"""Patiences with cells, such as FreeCell: open columns, cells for one card each, foundations; and their notation.

A CellGame says how a game is built; the functions take it, the table, and the limits that the game's options set.
Names of zones are the game's own. Standard FreeCell notation, from the Solitaire Laboratory's FreeCell FAQ: columns 1,
2 and so on, cells a to d, h for home; `26v3` moves three cards, the count hexadecimal behind the `v`, as Freecell
Solver writes it for ten columns and for counts.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, NamedTuple, Protocol, TypeVar

import msgspec
from msgspec import Struct

from domain.game_type import Illegal
from domain.kit import patience
from domain.kit.cards import SUIT_NAMES
from domain.kit.notations import Word, unreadable_line
from domain.kit.patience import CardMove, Foundation
from domain.view import Card, Zone

C = TypeVar("C", bound=str)
"""A game's names of its cells."""
T = TypeVar("T", bound=str)
"""A game's names of its columns."""
S = TypeVar("S", bound=str)
M = TypeVar("M")

Column = tuple[Card, ...]
_SUITS = tuple(SUIT_NAMES.values())
_LETTERS = "abcd"

ALL_HOME = (13,) * 4
"""The numbers of cards at home in a game that is won."""


class Table(Protocol):
    """What lies where: columns bottom to top, a card or None in each cell, the numbers of cards at home by suit."""

    @property
    def columns(self) -> tuple[Column, ...]: ...
    @property
    def cells(self) -> tuple[Card | None, ...]: ...
    @property
    def foundations(self) -> tuple[int, ...]: ...


P = TypeVar("P", bound=Table)


@dataclass(eq=False)
class CellGame(Generic[C, T]):
    """How a game with cells is built: its zones, what goes on what, and its words.

    `accepts`: the cards that may be put on a top card; `on`: the top cards that a card may be put on; `order`: what the
    cards of a run lie in. `word`: what a cell is called, `spoken`: the same in a rule; `one_card`: why no more than one
    card is taken from what is no column.
    """

    cells: tuple[C, ...]
    tableau: tuple[T, ...]
    accepts: Mapping[Card, frozenset[Card]]
    on: Mapping[Card, tuple[Card, ...]]
    order: str
    word: str
    spoken: str
    one_card: str

    def __post_init__(self) -> None:
        self.cell: dict[str, int] = {zone: place for place, zone in enumerate(self.cells)}
        """The number of a cell, by zone."""
        self.column: dict[str, int] = {zone: place for place, zone in enumerate(self.tableau)}
        """The number of a column, by zone."""
        numbers = {str(place + 1): zone for place, zone in enumerate(self.tableau)}
        self.zones: dict[str, C | T] = {**dict(zip(_LETTERS, self.cells, strict=True)), **numbers}
        """Cells and columns by their signs in standard notation."""
        self.signs: dict[str, str] = {zone: sign for sign, zone in self.zones.items()} | dict.fromkeys(
            patience.FOUNDATIONS, "h"
        )
        """The sign of every zone in standard notation."""


class Room(NamedTuple, Generic[C, T]):
    """Where cards can go: columns by their top cards, empty columns, free cells.

    `lies_on`: the top cards that a card may be put on. How many cards go at once, onto a column with cards and into an
    empty one, and which card may be the lowest in an empty one.
    """

    on: dict[Card, T]
    lies_on: Mapping[Card, tuple[Card, ...]]
    spaces: list[T]
    cells: list[C]
    limit: int
    limit_into_space: int
    into_space: frozenset[Card]


def deal_columns(cards: Column, count: int) -> tuple[Column, ...]:
    """These cards in so many columns, dealt row by row."""
    return tuple(cards[place::count] for place in range(count))


def find_room(
    game: CellGame[C, T], table: Table, limit: int, limit_into_space: int, into_space: frozenset[Card]
) -> Room[C, T]:
    """Where cards can go on this table."""
    on, spaces = {}, []
    for zone, column in zip(game.tableau, table.columns, strict=True):
        if column:
            on[column[-1]] = zone
        else:
            spaces.append(zone)
    cells = [cell for cell, card in zip(game.cells, table.cells, strict=True) if card is None]
    return Room(on, game.on, spaces, cells, limit, limit_into_space, into_space)


def list_moves(
    game: CellGame[C, T], table: Table, room: Room[C, T], make: Callable[[C | T, C | T | Foundation, int], M]
) -> list[M]:
    """The legal moves from cells, then from columns: home first, then to columns, then to cells."""
    listed, foundations = [], table.foundations
    for cell, card in zip(game.cells, table.cells, strict=True):
        if card is not None:
            suit, needed = patience.HOME[card]
            if foundations[suit] == needed:
                listed.append(make(cell, patience.FOUNDATIONS[suit], 1))
            listed += list_to_columns(room, cell, (card,), 1, make)
    for source, column in zip(game.tableau, table.columns, strict=True):
        if column:
            suit, needed = patience.HOME[column[-1]]
            if foundations[suit] == needed:
                listed.append(make(source, patience.FOUNDATIONS[suit], 1))
            listed += list_to_columns(room, source, column, patience.run_length(column, game.accepts), make)
            listed += [make(source, cell, 1) for cell in room.cells]
    return listed


def list_to_columns(room: Room[C, T], source: S, pile: Column, length: int, make: Callable[[S, T, int], M]) -> list[M]:
    """The top card and every longer part of the run of this length, wherever it fits and can be carried."""
    listed, on = [], room.on
    for count in range(1, (length if length < room.limit else room.limit) + 1):
        card = pile[-count]
        for top in room.lies_on[card]:
            if top in on:
                listed.append(make(source, on[top], count))
        if room.spaces and count <= room.limit_into_space and card in room.into_space:
            listed += [make(source, space, count) for space in room.spaces]
    return listed


def cards_in_zone(game: CellGame[C, T], table: Table, source: str) -> Column:
    """The cards in a zone, bottom to top."""
    if source in game.column:
        return table.columns[game.column[source]]
    if source in game.cell:
        card = table.cells[game.cell[source]]
        return () if card is None else (card,)
    return patience.home_cards(patience.SUIT_PLACE[source], table.foundations[patience.SUIT_PLACE[source]])


def judge_move(
    game: CellGame[C, T],
    table: P,
    move: CardMove,
    strict_single: bool,
    check_column: Callable[[P, Column, Column], None],
) -> Column:
    """The cards that move; raises Illegal. `strict_single`: cards move only one at a time.

    `check_column` is given the table, what lies in the column that the move goes to, and the cards; it raises Illegal.
    Our ruling: from cell to cell nothing would change, so that it is no move.
    """
    source, target, count = move.source, move.target, move.count
    if source == target:
        raise Illegal("same_zone", "The card lies there already.")
    lying = cards_in_zone(game, table, source)
    if not lying:
        raise Illegal("source_empty", "No card lies there.")
    if count > 1:
        if strict_single:
            raise Illegal("strict_single", "Cards move one at a time in this game.")
        if source not in game.column:
            raise Illegal("one_card", game.one_card)
        if count > patience.run_length(lying, game.accepts):
            raise Illegal("no_run", f"So many cards do not lie in {game.order} there.")
    cards = lying[-count:]
    if target in game.column:
        check_column(table, table.columns[game.column[target]], cards)
    elif source in patience.SUIT_PLACE:
        raise Illegal("return_to_column", "A card comes back from a foundation to a column only.")
    elif target in game.cell:
        if count > 1:
            raise Illegal(f"one_card_in_a_{game.word}", f"A {game.spoken} holds one card.")
        if source in game.cell:
            raise Illegal(f"{game.word}_to_{game.word}", f"From {game.word} to {game.word} changes nothing.")
        if table.cells[game.cell[target]] is not None:
            raise Illegal(f"{game.word}_occupied", f"That {game.spoken} holds a card already.")
    else:
        patience.check_home(table.foundations, cards, patience.SUIT_PLACE[target])
    return cards


def move_cards(
    game: CellGame[C, T], table: Table, source: str, target: str, cards: Column
) -> tuple[tuple[Column, ...], tuple[Card | None, ...], tuple[int, ...]]:
    """Columns, cells and foundations after these cards went from the top of one zone to another."""
    columns, cells, foundations = table.columns, table.cells, table.foundations
    if (place := game.column.get(source)) is not None:
        columns = patience.with_value_at(columns, place, columns[place][: -len(cards)])
    elif (place := game.cell.get(source)) is not None:
        cells = patience.with_value_at(cells, place, None)
    else:
        place = patience.SUIT_PLACE[source]
        foundations = patience.with_value_at(foundations, place, foundations[place] - len(cards))
    if (place := game.column.get(target)) is not None:
        columns = patience.with_value_at(columns, place, columns[place] + cards)
    elif (place := game.cell.get(target)) is not None:
        cells = patience.with_value_at(cells, place, cards[0])
    else:
        place = patience.SUIT_PLACE[target]
        foundations = patience.with_value_at(foundations, place, foundations[place] + len(cards))
    return columns, cells, foundations


def table_zones(
    game: CellGame[C, T], table: Table, first_cell: int, foundations_above: Sequence[int]
) -> tuple[Zone, ...]:
    """Cells, foundations and columns; the first cell and the foundations stand above the columns of these numbers."""
    cells = tuple(
        Zone(
            zone,
            f"{game.word.capitalize()} {letter}",
            "pile",
            patience.STEP * x,
            0,
            cards=() if card is None else (card,),
        )
        for x, (zone, letter, card) in enumerate(zip(game.cells, _LETTERS, table.cells, strict=True), first_cell)
    )
    columns = tuple(patience.column_zone(place, cards) for place, cards in enumerate(table.columns))
    return (*cells, *patience.foundation_zones(table.foundations, foundations_above), *columns)


def say_move(game: CellGame[C, T], cards: Column, source: str, target: str, standard: str | None) -> str:
    """The move as a sentence, with the move in standard notation behind it, if it has one."""
    origin, goal, notation = _zone_name(game, source), _zone_name(game, target), f" ({standard})" if standard else ""
    return f"The player moves {patience.the(cards)} from {origin} to {goal}{notation}."


def _zone_name(game: CellGame[C, T], zone: str) -> str:
    if zone in game.column:
        return f"column {game.column[zone] + 1}"
    if zone in game.cell:
        return f"{game.word} {_LETTERS[game.cell[zone]]}"
    return f"the foundation of {_SUITS[patience.SUIT_PLACE[zone]]}"


K = TypeVar("K", bound=Struct)


def command_of(word: Word, command: type[K], such_as: str) -> K:
    """The command in standard notation that the word is; raises Illegal."""
    try:
        return msgspec.convert({"type": command.__struct_config__.tag, "move": word.text.lower()}, command)
    except msgspec.ValidationError as error:
        raise unreadable_line(word.line, f"`{word.text}` is no move, such as {such_as}") from error


def read_standard(
    game: CellGame[C, T], table: P, move: str, into_space: Callable[[P, Column], int]
) -> tuple[C | T, C | T | Foundation, int]:
    """What a move in standard notation spells: source, target and count, hexadecimal behind the `v`.

    `h` is the foundation on which the card there belongs; where there is none, any. `into_space` has the number of
    cards that a move into an empty column means where none is said, by the table and the run they are taken from.
    """
    places, _, count = move.partition("v")
    split = 2 if places.startswith("10") else 1
    source = game.zones[places[:split]]
    if places[split:] == "h":
        lying = cards_in_zone(game, table, source)
        return (
            source,
            patience.FOUNDATIONS[patience.HOME[lying[-1]][0]] if lying else patience.FOUNDATIONS[0],
            int(count or "1", 16),
        )
    target = game.zones[places[split:]]
    return source, target, int(count, 16) if count else _count_meant(game, table, source, target, into_space)


def spell_standard(
    game: CellGame[C, T], table: P, move: CardMove, into_space: Callable[[P, Column], int] | None
) -> str:
    """The legal move in standard notation; into an empty column the count is said where it could be another.

    `into_space` as in read_standard; None: it could not.
    """
    signs = game.signs[move.source] + game.signs[move.target]
    if into_space is None or move.target not in game.column or table.columns[game.column[move.target]]:
        return signs
    meant = _count_meant(game, table, move.source, move.target, into_space)
    return signs if meant == 1 else f"{signs}v{move.count:x}"


def _count_meant(
    game: CellGame[C, T], table: P, source: str, target: str, into_space: Callable[[P, Column], int]
) -> int:
    """The number of cards that a move means where none is said: from column to column as many as fit; at least 1."""
    if source == target or source not in game.column or target not in game.column:
        return 1
    lying, top = table.columns[game.column[source]], patience.top_of(table.columns[game.column[target]])
    run = lying[len(lying) - patience.run_length(lying, game.accepts) :]
    if not run:
        return 1
    return max(patience.fitting_count(run, top, game.accepts), 1) if top else into_space(table, run)
