"""Games as a viewer may see them: delayed for spectators by the game's delay, current for everybody else."""

from collections import deque
from collections.abc import Iterator

from domain.play.aggregate import Game
from domain.play.frames import Frame, shown_step
from domain.view import Viewer
from service.live.replays import Replays


async def shown_game(replays: Replays, game: Game, viewer: Viewer) -> Game:
    """The game as this viewer may see it: the one given, or an earlier state."""
    last = await last_step(replays, game, viewer)
    return game if last == game.step else (await replays.of(game)).after(last)


async def last_step(replays: Replays, game: Game, viewer: Viewer) -> int:
    """The last step that this viewer may see; the records are only read for a game with a delay."""
    if shown_step(game, 0, viewer) == game.step:
        return game.step
    return shown_step(game, (await replays.of(game)).dealt, viewer)


class DelayedFrames:
    """The frames of one stream that its viewer may not see yet."""

    def __init__(self, viewer: Viewer) -> None:
        self._viewer = viewer
        self._frames: deque[Frame] = deque()
        self._dealt: int | None = None

    def released_frames(self, frame: Frame, game: Game) -> Iterator[Frame]:
        """The frames that the viewer may now see, in order; `game` is the game after this frame's step."""
        self._frames.append(frame)
        if self._dealt is None and frame.view is not None:
            self._dealt = frame.step
        last = shown_step(game, self._dealt or 0, self._viewer)
        while self._frames and self._frames[0].step <= last:
            yield self._frames.popleft()
