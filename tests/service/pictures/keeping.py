"""Golden games as pages to keep."""

from domain.play.aggregate import Game, fold
from domain.play.frames import Frame, frames
from domain.view import ALL_SEEING, Viewer
from service.records.one_file import ViewerFrames, one_file, viewer_frames
from tests.domain.golden_games import records

from .golden_views import GOLDEN

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
