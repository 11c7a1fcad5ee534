"""Every frame of every golden game: what the first seat sees of it, and at the end every card."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import msgspec

from domain.play.aggregate import fold
from domain.play.frames import Frame, frames
from domain.view import ALL_SEEING
from tests.domain.golden_games import NAMES, PATHS, records

GOLDEN = dict(zip(NAMES, PATHS, strict=True))


@cache
def golden_frames(name: str) -> tuple[Frame, ...]:
    """The frames with a table, of the golden game with this name."""
    key, path = GOLDEN[name]
    return tuple(frame for frame in _frames(key, path) if frame.view is not None)


def _frames(key: str, path: Path) -> Iterator[Frame]:
    played = records(key, path)
    yield from frames(played, 0)
    yield list(frames(played, ALL_SEEING if fold(played).result else None))[-1]


def sent(frame: Frame) -> bytes:
    """The zones of a frame as they go over the wire."""
    return msgspec.json.encode(() if frame.view is None else frame.view.zones)
