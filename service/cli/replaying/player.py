"""The replay on the terminal: keys in, screens out."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from time import monotonic
from typing import NamedTuple

from msgspec.structs import replace

from domain.play.frames import Frame
from service.cli.ending import Refusal
from service.cli.replaying.playback import Playback, move_to, press_key, tick
from service.cli.replaying.screen import ScreenContent, screen
from service.cli.replaying.sources import Source, viewer_name
from service.cli.replaying.terminal import Terminal
from service.telemetry.background import start_thread

_LOOK_AGAIN = 0.5
"""Seconds between two checks of the window's size."""


class _ViewerFrames(NamedTuple):
    """What one viewer sees, and which places are moments."""

    frames: Sequence[Frame]
    moments: tuple[int, ...]


class Player:
    """One replay while it is shown."""

    def __init__(self, source: Source, viewer: int, place: int, speed: float, **drawing: bool) -> None:
        self._source, self._drawing = source, drawing
        self._known: dict[int, _ViewerFrames] = {}
        self._seen = self._load_viewer(viewer)
        self._notice = ""
        self._goal: int | None = None
        start = Playback(0, len(source.viewers), source.seats, viewer=viewer, speed=speed)
        self._playback = move_to(self._playback_of_viewer(start), place)
        self._due = 0.0

    def run(self, terminal: Terminal) -> None:
        """Until `q`."""
        shown = None
        while not self._playback.done:
            if self._goal is not None:
                self._playback, self._goal = replace(move_to(self._playback, self._goal), playing=False), None
            if (drawn := screen(self._screen_content(), self._playback, terminal.size)) != shown:
                terminal.write(drawn)
                shown = drawn
            self._handle_keys(terminal.read(self._wait()))

    def _screen_content(self) -> ScreenContent:
        source = self._source
        return ScreenContent(
            game_type=source.game_type, game=source.game, viewer=viewer_name(source.viewers[self._playback.viewer]),
            frames=self._seen.frames, faces=source.faces, notice=self._notice, **self._drawing,
        )  # fmt: skip

    def _wait(self) -> float:
        return max(self._due - monotonic(), 0.0) if self._playback.playing else _LOOK_AGAIN

    def _handle_keys(self, keys: Sequence[str]) -> None:
        for key in keys:
            self._notice = ""
            if key in ("H", "L"):
                start_thread(self._tell_hint if key == "H" else self._tell_loss, "telling")
                continue
            before, self._playback = self._playback, press_key(self._playback, key)
            if self._playback.viewer != before.viewer:
                self._change_viewer(before, typed=bool(before.typed) or key != "s")
            if self._playback.playing and not before.playing:
                self._due = monotonic() + 1 / self._playback.speed
        if self._playback.playing and monotonic() >= self._due:
            self._due += 1 / self._playback.speed
            self._playback = tick(self._playback)

    def _tell_hint(self) -> None:
        with self._refused():
            self._notice = self._source.hint(self._source.viewers[self._playback.viewer])

    def _tell_loss(self) -> None:
        """Tell how far the analysis has come; at its end the report, at the step where the game was lost."""
        with self._refused():
            for done in self._source.analyse():
                if (report := done.report) is None:
                    self._notice = f"{done.verdicts} of about {max(done.expected, done.verdicts + 1)} verdicts ..."
                else:
                    self._notice, self._goal = " ".join([*report.sentences, *report.remarks]), report.lost_step

    @contextmanager
    def _refused(self) -> Iterator[None]:
        try:
            yield
        except Refusal as refusal:
            self._notice = str(refusal)

    def _change_viewer(self, before: Playback, typed: bool) -> None:
        """Switch to the requested viewer; if refused, back to the one before, or with `s` to the next allowed one."""
        while self._playback.viewer != before.viewer:
            try:
                self._seen = self._load_viewer(self._playback.viewer)
                break
            except Refusal as refusal:
                self._notice = str(refusal)
                back = replace(self._playback, viewer=before.viewer)
                self._playback = back if typed else press_key(self._playback, "s")
        self._playback = move_to(self._playback_of_viewer(self._playback), self._playback.place)

    def _playback_of_viewer(self, playback: Playback) -> Playback:
        return replace(playback, steps=len(self._seen.frames), moments=self._seen.moments)

    def _load_viewer(self, viewer: int) -> _ViewerFrames:
        """The frames and moments of a viewer, cached; raises Refusal if the viewer is not allowed."""
        if viewer not in self._known:
            seen = self._source.viewers[viewer]
            frames, moments = self._source.frames(seen), self._source.moments(seen)
            self._known[viewer] = _ViewerFrames(
                frames, tuple(moment.step for moment in moments if moment.step < len(frames))
            )
        return self._known[viewer]
