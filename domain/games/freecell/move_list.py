"""A game of FreeCell as a move list in standard notation: the deal by its number or its cards, then the moves.

The notation is that of the Solitaire Laboratory's FreeCell FAQ, the board that of Freecell Solver.
"""

from collections.abc import Sequence

import msgspec

from domain.game_type import Illegal, Notation, Noted
from domain.games.freecell.deal import LAST_NUMBER, number_of
from domain.games.freecell.events import Dealt, Event, Moved, Standard
from domain.games.freecell.state import TABLEAU, Options
from domain.kit import move_list
from domain.kit.move_list import MoveList, Word

_SIZES = (7, 7, 7, 7, 6, 6, 6, 6)


def _written(options: Options, deal: Sequence[Event], line: Sequence[Event]) -> str:
    return move_list.text(_deal(deal), options, [_word(event) for event in line])


def _deal(deal: Sequence[Event]) -> list[str]:
    cards = next(event.cards for event in deal if isinstance(event, Dealt))
    number = number_of(cards)
    return [f"#{number}"] if number else move_list.board(cards[place :: len(TABLEAU)] for place in range(len(TABLEAU)))


def _word(event: Event) -> str:
    if not isinstance(event, Moved) or event.standard is None:
        raise Illegal("not_in_notation", "Standard notation has no word for a card that comes back from a foundation.")
    return event.standard


def _read(text: str) -> Noted:
    found = move_list.read(text)
    options, commands = move_list.chosen(found, Options), tuple(map(_command, found.words))
    if found.number is None:
        return Noted(options=options, deal=_cards(found), commands=commands)
    if found.columns or not 1 <= found.number <= LAST_NUMBER:
        raise Illegal("unreadable_notation", f"A deal has its cards, or a number from 1 to {LAST_NUMBER}.")
    return Noted(options=options, number=found.number, commands=commands)


def _cards(found: MoveList) -> tuple[str, ...]:
    if any(found.cells):
        raise Illegal("unreadable_notation", "At the deal of FreeCell the cells are empty.")
    return move_list.dealt(found.columns, _SIZES)


def _command(word: Word) -> Standard:
    try:
        return msgspec.convert({"type": "freecell/standard", "move": word.text}, Standard)
    except msgspec.ValidationError as error:
        raise move_list.unreadable(word.line, f"`{word.text}` is no move, such as 26, a3, 5h or 26v3") from error


STANDARD = Notation(
    key="standard",
    name="Standard FreeCell notation",
    media_type="text/vnd.kibitz.freecell",
    example="#1\n\n6a 6b 6h\n",
    write=_written,
    read=_read,
)
