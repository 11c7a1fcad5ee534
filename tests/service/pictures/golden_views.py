"""Every frame of every golden game, and golden games as pages to keep."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import msgspec

from domain.play.aggregate import Game, fold
from domain.play.frames import Frame, frames
from domain.view import ALL_SEEING, Viewer
from service.records.one_file import ViewerFrames, one_file, viewer_frames
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


PLAYERS = ("Ada", "</script><b>Bob", "Cy", "Dot", "Eve", "Fay")


def kept(name: str) -> tuple[str, dict[str, tuple[Frame, ...]]]:
    """The page of this golden game, and the frames of every viewer in it by key."""
    game, looking = _looking(name)
    text = one_file(game, PLAYERS[: len(game.players)], looking)
    return text, {one.key: tuple(one.frames) for one in looking}


def _looking(name: str) -> tuple[Game, list[ViewerFrames]]:
    played = records(*GOLDEN[name])
    game = fold(played)
    viewers: list[Viewer] = [*range(len(game.players)), None, ALL_SEEING]
    return game, [viewer_frames(viewer, PLAYERS, frames(played, viewer)) for viewer in viewers]
