"""What a newcomer is told first of a game: its rules in five lines, from `domain/games/<key>.lesson.json`."""

from functools import cache
from pathlib import Path

import msgspec
from msgspec import Struct

import domain.games

_FOLDER = Path(domain.games.__file__).parent


class Lesson(Struct, frozen=True, forbid_unknown_fields=True):
    """`brief`: the rules in five lines or fewer."""

    brief: tuple[str, ...]


@cache
def lesson_of(key: str) -> Lesson:
    """The lesson of this game type; an empty one where none is written yet."""
    file = _FOLDER / f"{key}.lesson.json"
    return msgspec.json.decode(file.read_bytes(), type=Lesson) if file.is_file() else Lesson(())
