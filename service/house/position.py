"""What a seat of the house is shown: what the API would tell a stranger's program of that seat, and no more."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from domain.games import AnyGameType
from domain.view import Seat
from service.bots.choosing import Position


class Choices(NamedTuple):
    """The position, and its commands as values, in the order of `position.commands`."""

    position: Position
    commands: Sequence[Struct]


def choices_of(game_type: AnyGameType, options: dict[str, Any], state: Struct, seat: Seat) -> Choices:
    """What this seat sees of the state and may say there."""
    commands = game_type.legal_commands(state, seat)
    view, listed = msgspec.to_builtins((game_type.look(state, seat), commands))
    return Choices(Position(game_type.key, options, seat, view, listed), commands)
