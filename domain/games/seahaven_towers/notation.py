"""Standard FreeCell notation for Seahaven Towers: columns 1 to 10, towers a to d, h for home; `26v3` moves three cards.

The notation of the Solitaire Laboratory's FreeCell FAQ as Freecell Solver writes it for ten columns and for counts.
"""

from domain.games.seahaven_towers.events import Command, Move, Source, Target
from domain.games.seahaven_towers.runs import most
from domain.games.seahaven_towers.state import COLUMN, TABLEAU, TOWER, TOWERS, State
from domain.kit.patience import FOUNDATIONS, HOME, top_of
from domain.view import Seat

_ZONES: dict[str, Source] = dict(zip("abcd", TOWERS, strict=True)) | {
    str(place + 1): zone for place, zone in enumerate(TABLEAU)
}
_SIGNS: dict[str, str] = {**{zone: sign for sign, zone in _ZONES.items()}, **dict.fromkeys(FOUNDATIONS, "h")}


def canonical(state: State, seat: Seat, command: Command) -> Command:
    """The move that a command in standard notation spells."""
    if isinstance(command, Move):
        return command
    places, _, count = command.move.partition("v")
    split = 2 if places.startswith("10") else 1
    source = _ZONES[places[:split]]
    target = _home(state, source) if places[split:] == "h" else _ZONES[places[split:]]
    return Move(source, target, int(count or "0", 16) or _meant(state, source, target))


def _home(state: State, source: Source) -> Target:
    """The foundation on which the card there belongs; where there is none, any."""
    card = top_of(state.columns[COLUMN[source]]) if source in COLUMN else state.towers[TOWER[source]]
    return FOUNDATIONS[HOME[card][0]] if card else FOUNDATIONS[0]


def _meant(state: State, source: Source, target: Target) -> int:
    if source in COLUMN and target in COLUMN and source != target:
        return most(state, COLUMN[source], COLUMN[target])
    return 1


def spelling(state: State, move: Move) -> str:
    """The legal move in standard notation; into an empty column the count is said where it could be another."""
    signs = _SIGNS[move.source] + _SIGNS[move.target]
    if move.target not in COLUMN or state.columns[COLUMN[move.target]] or not state.options.any_card:
        return signs
    return signs if _meant(state, move.source, move.target) == 1 else f"{signs}v{move.count:x}"
