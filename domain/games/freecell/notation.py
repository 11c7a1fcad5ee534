"""Standard FreeCell notation: columns 1 to 8, free cells a to d, h for home; `26v3` moves three cards.

The notation of the Solitaire Laboratory's FreeCell FAQ; the count after `v`, hexadecimal, is Freecell Solver's.
"""

from domain.games.freecell.events import Command, Move, Source, Target
from domain.games.freecell.runs import most
from domain.games.freecell.state import CELL, CELLS, COLUMN, TABLEAU, State
from domain.kit.patience import FOUNDATIONS, HOME, SUIT_PLACE, top_of
from domain.view import Seat

_ZONES: dict[str, Source] = dict(zip("abcd12345678", (*CELLS, *TABLEAU), strict=True))
_SIGNS: dict[str, str] = {**{zone: sign for sign, zone in _ZONES.items()}, **dict.fromkeys(FOUNDATIONS, "h")}


def canonical(state: State, seat: Seat, command: Command) -> Command:
    """The move that a command in standard notation spells."""
    if isinstance(command, Move):
        return command
    source = _ZONES[command.move[0]]
    target = _home(state, source) if command.move[1] == "h" else _ZONES[command.move[1]]
    return Move(source, target, int(command.move[3:] or "0", 16) or _meant(state, source, target))


def _home(state: State, source: Source) -> Target:
    """The foundation on which the card there belongs; where there is none, any."""
    card = top_of(state.columns[COLUMN[source]]) if source in COLUMN else state.cells[CELL[source]]
    return FOUNDATIONS[HOME[card][0]] if card else FOUNDATIONS[0]


def _meant(state: State, source: Source, target: Target) -> int:
    if source in COLUMN and target in COLUMN and source != target:
        return most(state, COLUMN[source], COLUMN[target])
    return 1


def spelling(state: State, move: Move) -> str | None:
    """The legal move in standard notation; into an empty column the count is said where it could be another."""
    if move.source in SUIT_PLACE:
        return None
    signs = _SIGNS[move.source] + _SIGNS[move.target]
    if move.target not in COLUMN or state.columns[COLUMN[move.target]]:
        return signs
    return signs if _meant(state, move.source, move.target) == 1 else f"{signs}v{move.count:x}"
