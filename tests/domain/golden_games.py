"""The golden games of every game type as whole games, from the opening to the secrets, each folded once."""

from functools import cache
from pathlib import Path

from domain.games import GAME_TYPES
from domain.play.aggregate import AnyRecord
from tests.laws.goldens import found, read, replay

PATHS = [(key, path) for key in GAME_TYPES for path in found(key)]
NAMES = [f"{key}/{path.stem}" for key, path in PATHS]


@cache
def records(key: str, path: Path) -> tuple[AnyRecord, ...]:
    """The records of a golden game."""
    return replay(GAME_TYPES[key], read(path))
