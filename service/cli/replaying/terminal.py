"""A terminal in raw mode on the alternate screen, restored however the block ends, and the keys that it sends."""

import os
import select
import shutil
import sys
import termios
import tty
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Self

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
    """Reads keys and writes screens."""

    def __init__(self, source: int, target: int) -> None:
        self._source, self._target = source, target
        self._rest = ""

    @classmethod
    @contextmanager
    def opened(cls) -> Iterator[Self]:
        """The terminal of standard input and output."""
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

    @property
    def size(self) -> tuple[int, int]:
        """Columns and lines as they are now."""
        return shutil.get_terminal_size()

    def write(self, text: str) -> None:
        """Everything, at once."""
        data = text.encode()
        while data:
            data = data[os.write(self._target, data) :]

    def read(self, seconds: float | None) -> list[str]:
        """The keys pressed within so many seconds (None: wait for one); `q` if the terminal was closed."""
        if not select.select([self._source], [], [], seconds)[0]:
            return []
        read = os.read(self._source, 1024)
        found, self._rest = keys(self._rest + read.decode(errors="ignore"))
        return found if read else ["q"]


def keys(text: str) -> tuple[list[str], str]:
    """The keys in the text, and an incomplete escape sequence at its end, whose rest is still to come."""
    found: list[str] = []
    while text:
        if any(len(text) < len(sequence) and sequence.startswith(text) for sequence in _SEQUENCES):
            return found, text
        size = _size(text)
        found += _key_names(text[:size])
        text = text[size:]
    return found, ""


def _size(text: str) -> int:
    """The number of characters of the first key; an unknown sequence ends with its final letter."""
    if text[0] != "\x1b" or len(text) < 2 or text[1] not in "[O":
        return 1
    ends = (at for at, sign in enumerate(text[2:], 3) if "@" <= sign <= "~")
    return next(ends, len(text))


def _key_names(piece: str) -> list[str]:
    if len(piece) > 1 or piece == "\x1b":
        return [_SEQUENCES[piece]] if piece in _SEQUENCES else []
    return [_SIGNS.get(piece, piece)]
