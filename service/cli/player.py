"""The replay on the terminal: a terminal in raw mode, keys in, screens out."""

import os
import select
import shutil
import sys
import termios
import tty
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from time import monotonic
from typing import Self

from msgspec.structs import replace

from domain.play.frames import Frame
from service.cli.ending import Refusal
from service.cli.screen import Playback, ScreenContent, move_to, press_key, screen, tick
from service.cli.sources import Source, viewer_name
from service.telemetry.background import start_thread

_SIZE_SECONDS = 0.5  # between two checks of the window's size
# ECMA-48 sequences as xterm, the Linux console and screen send them
_SEQUENCES = {
    "\x1b[C": "right", "\x1bOC": "right", "\x1b[D": "left", "\x1bOD": "left",
    "\x1b[A": "up", "\x1bOA": "up", "\x1b[B": "down", "\x1bOB": "down",
    "\x1b[H": "home", "\x1bOH": "home", "\x1b[1~": "home", "\x1b[7~": "home",
    "\x1b[F": "end", "\x1bOF": "end", "\x1b[4~": "end", "\x1b[8~": "end",
    "\x1b[5~": "page_up", "\x1b[6~": "page_down",
}  # fmt: skip
_SIGNS = {"\r": "enter", "\n": "enter", "\x7f": "backspace", "\x08": "backspace", "\x03": "ctrl_c", "\x04": "ctrl_c"}
_ENTER, _LEAVE = "\x1b[?1049h\x1b[?25l", "\x1b[?25h\x1b[?1049l"


class Terminal:
    """A terminal that reads keys and writes screens."""

    def __init__(self, source: int, target: int) -> None:
        self._source, self._target = source, target
        self._rest = ""

    @classmethod
    @contextmanager
    def opened(cls) -> Iterator[Self]:
        """Standard input and output, raw and on the alternate screen; restored however the block ends."""
        source, target = sys.stdin.fileno(), sys.stdout.fileno()
        before = termios.tcgetattr(source)
        terminal = cls(source, target)
        try:
            tty.setraw(source)
            terminal.write(_ENTER)
            yield terminal
        finally:
            terminal.write(_LEAVE)
            termios.tcsetattr(source, termios.TCSADRAIN, before)

    def write(self, text: str) -> None:
        """Everything, at once."""
        data = text.encode()
        while data:
            data = data[os.write(self._target, data) :]

    def read(self, seconds: float) -> list[str]:
        """The keys pressed within so many seconds; `q` if the terminal was closed."""
        if not select.select([self._source], [], [], seconds)[0]:
            return []
        data = os.read(self._source, 1024)
        pressed, self._rest = keys(self._rest + data.decode(errors="ignore"))
        return pressed if data else ["q"]


def keys(text: str) -> tuple[list[str], str]:
    """The keys in the text, and an incomplete escape sequence at its end, whose rest is still to come."""
    pressed: list[str] = []
    while text:
        if any(len(text) < len(sequence) and sequence.startswith(text) for sequence in _SEQUENCES):
            return pressed, text
        size = 1
        if text[0] == "\x1b" and len(text) > 1 and text[1] in "[O":  # an unknown sequence ends with its final letter
            size = next((end for end, sign in enumerate(text[2:], 3) if "@" <= sign <= "~"), len(text))
        piece, text = text[:size], text[size:]
        if piece[0] != "\x1b":
            pressed.append(_SIGNS.get(piece, piece))
        elif piece in _SEQUENCES:
            pressed.append(_SEQUENCES[piece])
    return pressed, ""


class Player:
    """One replay in the terminal."""

    def __init__(self, source: Source, viewer: int, place: int, speed: float, **drawing: bool) -> None:
        self._source, self._drawing = source, drawing
        self._loaded: dict[int, tuple[Sequence[Frame], tuple[int, ...]]] = {}
        self._notice = ""
        self._goal: int | None = None
        self._due = 0.0
        self._load_viewer(viewer)
        start = Playback(0, len(source.viewers), source.seats, viewer=viewer, speed=speed)
        self._playback = move_to(self._with_frames(start), place)

    def run(self, terminal: Terminal) -> None:
        """Until `q`."""
        before = None
        while not self._playback.done:
            if self._goal is not None:
                self._playback, self._goal = replace(move_to(self._playback, self._goal), playing=False), None
            if (drawn := screen(self._screen_content(), self._playback, shutil.get_terminal_size())) != before:
                terminal.write(drawn)
                before = drawn
            playing = self._playback.playing
            self._handle_keys(terminal.read(max(self._due - monotonic(), 0.0) if playing else _SIZE_SECONDS))

    def _screen_content(self) -> ScreenContent:
        source, viewer = self._source, self._playback.viewer
        return ScreenContent(
            game_type=source.game_type, game=source.game, viewer=viewer_name(source.viewers[viewer]),
            frames=self._loaded[viewer][0], faces=source.faces, notice=self._notice, **self._drawing,
        )  # fmt: skip

    def _handle_keys(self, pressed: Sequence[str]) -> None:
        for key in pressed:
            self._notice = ""
            if key in ("H", "L"):
                start_thread(self._show_hint if key == "H" else self._show_analysis, "telling")
                continue
            before, self._playback = self._playback, press_key(self._playback, key)
            if self._playback.viewer != before.viewer:
                self._change_viewer(before, by_name=bool(before.typed) or key != "s")
            if self._playback.playing and not before.playing:
                self._due = monotonic() + 1 / self._playback.speed
        if self._playback.playing and monotonic() >= self._due:
            self._due += 1 / self._playback.speed
            self._playback = tick(self._playback)

    def _show_hint(self) -> None:
        try:
            self._notice = self._source.hint(self._source.viewers[self._playback.viewer])
        except Refusal as refusal:
            self._notice = str(refusal)

    def _show_analysis(self) -> None:
        """Show how far the analysis has come; at its end the report, at the step where the game was lost."""
        try:
            for analysis in self._source.analyse():
                if (report := analysis.report) is None:
                    expected = max(analysis.expected, analysis.verdicts + 1)
                    self._notice = f"{analysis.verdicts} of about {expected} verdicts ..."
                else:
                    self._notice, self._goal = " ".join([*report.sentences, *report.remarks]), report.lost_step
        except Refusal as refusal:
            self._notice = str(refusal)

    def _change_viewer(self, before: Playback, by_name: bool) -> None:
        """Switch to the requested viewer; if refused, back to the one before, or with `s` to the next allowed one."""
        while self._playback.viewer != before.viewer:
            try:
                self._load_viewer(self._playback.viewer)
                break
            except Refusal as refusal:
                self._notice = str(refusal)
                back = replace(self._playback, viewer=before.viewer)
                self._playback = back if by_name else press_key(self._playback, "s")
        self._playback = move_to(self._with_frames(self._playback), self._playback.place)

    def _with_frames(self, playback: Playback) -> Playback:
        frames, moments = self._loaded[playback.viewer]
        return replace(playback, steps=len(frames), moments=moments)

    def _load_viewer(self, viewer: int) -> None:
        """Load the frames and moments of a viewer once; raises Refusal if the viewer is not allowed."""
        if viewer not in self._loaded:
            seen = self._source.viewers[viewer]
            frames, moments = self._source.frames(seen), self._source.moments(seen)
            self._loaded[viewer] = frames, tuple(moment.step for moment in moments if moment.step < len(frames))
