"""Who plays for the house: players that are programs, some of each level, and which levels there are for a game type.

Their ids are the same at every service, so that any process knows them without asking. They have no token: nobody can
speak in their names.
"""

from typing import Literal, get_args
from uuid import NAMESPACE_URL, UUID, uuid5

from msgspec import Struct

from domain.capabilities import Resample
from domain.game_type import show_everything
from domain.games import GAME_TYPES, AnyGameType
from service.bots.choosing import JUDGES
from service.house.outlooks import OUTLOOKS

Level = Literal["greedy", "strong"]
LEVELS: tuple[Level, ...] = get_args(Level)
_MOST = max(max(found.seat_counts) for found in GAME_TYPES.values()) - 1
"""Players of each level: a person sits at every table of theirs."""


class HousePlayer(Struct, frozen=True):
    """A player of the house."""

    id: UUID
    level: Level
    name: str


def _players(level: Level) -> tuple[HousePlayer, ...]:
    names = [f"House ({level})", *(f"House ({level}, {number})" for number in range(2, _MOST + 1))]
    return tuple(HousePlayer(uuid5(NAMESPACE_URL, f"urn:kibitz:{name}"), level, name) for name in names)


PLAYERS = {level: _players(level) for level in LEVELS}
HOUSE = {player.id: player for of_level in PLAYERS.values() for player in of_level}
"""Every player of the house, by id."""


def levels_of(game_type: AnyGameType) -> tuple[Level, ...]:
    """The levels that play this game type; none where one plays alone, or where no other world can be drawn."""
    honest = game_type.has(Resample) or game_type.redact is show_everything
    if max(game_type.seat_counts) < 2 or game_type.key not in JUDGES or not honest:
        return ()
    outlook = OUTLOOKS.get(game_type.key)
    return LEVELS if outlook is not None and outlook.stronger else ("greedy",)
