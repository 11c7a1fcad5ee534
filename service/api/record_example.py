"""The example of an open record: a game of Klondike with one draw, given up. The same text in every run."""

from uuid import UUID

from domain.games import GAME_TYPES
from domain.games.klondike.events import Draw
from domain.play import events as ev
from domain.play.deciding import Act, Step, play
from domain.play.open_record import OpenRecord, record_lines
from domain.play.table import Opening, open_game

_GAME = UUID("0190f3c2-5a2e-7cc1-9d3b-0d8f6f1f5a11")
_PLAYER = UUID("0190f3c1-1a2b-7def-8abc-0123456789ab")
_START, _SECOND = 1_767_637_800_000_000, 1_000_000


def _game() -> Step:
    klondike = GAME_TYPES["klondike"]
    opening = Opening(type=klondike, options=klondike.options(), players=(_PLAYER,))
    secret = ev.Sealed(bytes(range(32)), bytes(range(32, 64)))
    step = open_game(_GAME, opening, secret, Act(_PLAYER, None, _START))
    for number, command in enumerate((Draw(), ev.Resign()), 1):
        said = play(step.game, command, Act(_PLAYER, 0, _START + number * _SECOND))
        step = Step((*step.records, *said.records), said.game)
    return step


EXAMPLE = b"".join(record_lines(OpenRecord(_game().records, None))).decode()
