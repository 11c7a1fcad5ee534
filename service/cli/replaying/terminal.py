"""A terminal in raw mode on the alternate screen, restored however the block ends."""

import os
import select
import shutil
import sys
import termios
import tty
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Self

from service.cli.replaying.keys import keys

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
