"""Standard FreeCell notation: columns 1, 2 and so on, cells a to d, h for home; `26v3` moves three cards.

The notation of the Solitaire Laboratory's FreeCell FAQ; as Freecell Solver writes it for ten columns and for counts:
they stand after `v`, hexadecimal.
"""

from collections.abc import Callable
from typing import TypeVar

import msgspec
from msgspec import Struct

from domain.kit.cells import C, CellGame, Column, P, T, cards_in_zone
from domain.kit.move_list import Word, unreadable_line
from domain.kit.patience import FOUNDATIONS, HOME, CardMove, Foundation, fitting_count, run_length, top_of

M = TypeVar("M", bound=Struct)


def command_of(word: Word, command: type[M], such_as: str) -> M:
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
        return source, FOUNDATIONS[HOME[lying[-1]][0]] if lying else FOUNDATIONS[0], int(count or "1", 16)
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
    lying, top = table.columns[game.column[source]], top_of(table.columns[game.column[target]])
    run = lying[len(lying) - run_length(lying, game.accepts) :]
    if not run:
        return 1
    return max(fitting_count(run, top, game.accepts), 1) if top else into_space(table, run)
