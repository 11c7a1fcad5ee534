"""A game type's picture: its table as one sits down at it, after a deal that is always the same."""

from uuid import UUID

from domain.games import AnyGameType
from domain.play import events as ev
from domain.play.deciding import Act
from domain.play.frames import frames
from domain.play.table import Opening, open_game
from service.pictures.svg.frame import board_drawing, setting_of

_NOBODY = UUID(int=0)
_SECRET = ev.Sealed(bytes(32), bytes(32))


def draw_opening(found: AnyGameType) -> str:
    """The table with default options and the fewest seats as SVG, as the first seat sees it."""
    players = tuple(UUID(int=seat + 1) for seat in range(found.seats[0]))
    opening = Opening(type=found, options=found.options(), players=players)
    step = open_game(_NOBODY, opening, _SECRET, Act(players[0], None, 0))
    *_, dealt = frames(step.records, 0)
    names = ("You", "Opponent") if len(players) == 2 else ("You", *(f"Player {place + 1}" for place in range(1, 9)))
    return board_drawing(dealt, setting_of(step.game, 0, names[: len(players)]))
