"""The replay on the terminal: keys in, screens out."""

from collections.abc import Sequence
from time import monotonic

from msgspec.structs import replace

from domain.game.frames import Frame
from service.cli.errors import Refusal
from service.cli.replaying.playback import Playback, at, pressed, ticked
from service.cli.replaying.screen import screen
from service.cli.replaying.sources import Source, viewer_name
from service.cli.replaying.terminal import Terminal

_LOOK_AGAIN = 0.5
"""Seconds until the size of the window is looked at again."""


class Player:
    """One replay while it is shown."""

    def __init__(self, source: Source, viewer: int, place: int, speed: float, **drawing: bool) -> None:
        self._source, self._drawing = source, drawing
        self._known: dict[int, Sequence[Frame]] = {}
        self._frames = self._seen(viewer)
        self._playback = at(Playback(len(self._frames), len(source.viewers), viewer=viewer, speed=speed), place)
        self._due = 0.0

    def run(self, terminal: Terminal) -> None:
        """Until `q`."""
        shown = None
        while not self._playback.done:
            if (drawn := self._screen(terminal.size)) != shown:
                terminal.write(drawn)
                shown = drawn
            self._heed(terminal.read(self._wait()))

    def _screen(self, size: tuple[int, int]) -> str:
        playback = self._playback
        viewer = viewer_name(self._source.viewers[playback.viewer])
        return screen(self._frames[playback.place], playback, self._source.title, viewer, size, **self._drawing)

    def _wait(self) -> float:
        return max(self._due - monotonic(), 0.0) if self._playback.playing else _LOOK_AGAIN

    def _heed(self, keys: Sequence[str]) -> None:
        for key in keys:
            before, self._playback = self._playback, pressed(self._playback, key)
            if self._playback.viewer != before.viewer:
                self._change_viewer(before)
            if self._playback.playing and not before.playing:
                self._due = monotonic() + 1 / self._playback.speed
        if self._playback.playing and monotonic() >= self._due:
            self._due += 1 / self._playback.speed
            self._playback = ticked(self._playback)

    def _change_viewer(self, before: Playback) -> None:
        """The next viewer whose frames may be seen; the one before may be seen at any rate."""
        while self._playback.viewer != before.viewer:
            try:
                self._frames = self._seen(self._playback.viewer)
                break
            except Refusal:
                self._playback = pressed(self._playback, "s")
        self._playback = at(replace(self._playback, steps=len(self._frames)), self._playback.place)

    def _seen(self, viewer: int) -> Sequence[Frame]:
        if viewer not in self._known:
            self._known[viewer] = self._source.frames(self._source.viewers[viewer])
        return self._known[viewer]
