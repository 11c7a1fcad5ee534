"""A game of Seahaven Towers as a move list in standard FreeCell notation: the board as Freecell Solver has it, then
the moves. At the deal a card lies in the second and in the third tower: `FC: - 5S 6H -`.
"""

from collections.abc import Sequence

from domain.capabilities import Notation, Noted
from domain.game_type import Illegal
from domain.games.seahaven_towers.events import Dealt, Event, Moved, Standard
from domain.games.seahaven_towers.state import IN_COLUMNS, TABLEAU, Options
from domain.kit import move_list
from domain.kit.cells import deal_columns
from domain.kit.move_list import MoveList
from domain.kit.standard_notation import command_of
from domain.view import Card

_SIZES = (5,) * len(TABLEAU)


def _write(options: Options, deal: Sequence[Event], line: Sequence[Event]) -> str:
    cards = next(event.cards for event in deal if isinstance(event, Dealt))
    columns = deal_columns(cards[:IN_COLUMNS], len(TABLEAU))
    words = [event.standard for event in line if isinstance(event, Moved)]
    return move_list.text(move_list.deal_lines(columns, (None, *cards[IN_COLUMNS:], None)), options, words)


def _read(text: str) -> Noted:
    found = move_list.read_move_list(text)
    if found.number is not None:
        raise Illegal("unreadable_notation", "Deals of Seahaven Towers have no numbers here: write the cards.")
    if found.autoplay is not None:
        raise Illegal("unreadable_notation", "Autoplay is known of lists of FreeCell only: write every move.")
    commands = tuple(command_of(word, Standard, "26, a10, 5h or 26v3") for word in found.words)
    return Noted(options=move_list.read_options(found, Options), deal=_cards(found), commands=commands)


def _cards(found: MoveList) -> tuple[Card, ...]:
    towers = tuple(card for card in found.cells[1:3] if card is not None)
    if len(towers) != 2 or any(found.cells[:1] + found.cells[3:]):
        raise Illegal("unreadable_notation", "At the deal a card lies in the second and the third tower: FC: - 5S 6H -")
    return (*move_list.deal_order(found.columns, _SIZES), *towers)


_EXAMPLE = """\
FC: - TD 2D -
: JS 2C 8D 5C 4C
: 4D KD AC KS QC
: 5D 5H TS 3H 6S
: JH 9H AS TH 3S
: 7C 2S 7D 8H AD
: 9D 7S 2H 9S QD
: 3C QS 3D KH JD
: 8C 5S 6D 8S KC
: 6C 4S 7H JC AH
: 6H 4H 9C QH TC

b7 1a 1d
"""

STANDARD = Notation(
    key="standard",
    name="Standard FreeCell notation",
    media_type="text/vnd.kibitz.seahaven-towers",
    example=_EXAMPLE,
    write=_write,
    read=_read,
)
