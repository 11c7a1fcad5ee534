"""A program at a pseudo-terminal: keys are typed as a person types them, the screen is read as it stands."""

import codecs
import fcntl
import os
import pty
import select
import struct
import subprocess
import termios
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

from tests import forking

from .programs import KIBITZ, environment

PATIENCE = 240.0
"""Seconds until a screen that does not come is a failure."""
_END = "<the end>"
"""What comes behind all that a program has said."""


class Screen:
    """What a program shows, and the keys it gets."""

    def __init__(self, master: int, slave: int, process: "subprocess.Popen[bytes]") -> None:
        self._master, self._slave, self.process = master, slave, process
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self.text = ""

    def type(self, keys: str) -> None:
        os.write(self._master, keys.encode())

    def shows(self, *wanted: str) -> str:
        """The screen, as soon as it has all this on it."""
        deadline = monotonic() + PATIENCE
        while not all(text in self.last for text in wanted):
            assert monotonic() < deadline, f"{wanted} is not on the screen:\n{self.last}"
            self._read(0.2)
        return self.last

    @property
    def last(self) -> str:
        """The newest screen."""
        return self.text.rpartition("\x1b[H")[2].replace("\x1b[K", "").replace("\r\n", "\n")

    def ends(self) -> int:
        """The exit code, after everything it said was read."""
        while self.process.poll() is None:
            self._read(0.05)
        os.write(self._slave, _END.encode())
        while not self.text.endswith(_END):
            self._read(0.05)
        self.text = self.text.removesuffix(_END)
        return self.process.returncode

    def _read(self, seconds: float) -> None:
        if select.select([self._master], [], [], seconds)[0]:
            self.text += self._decoder.decode(os.read(self._master, 65536))


@contextmanager
def terminal(*arguments: object, columns: int = 110, lines: int = 45, **settings: str) -> Iterator[Screen]:
    """`kibitz` at a terminal of this size."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
    before = termios.tcgetattr(slave)
    command = [*KIBITZ, *map(str, arguments)]
    process = forking.Popen(
        command, stdin=slave, stdout=slave, stderr=slave, env=environment(**settings), start_new_session=True
    )
    try:
        yield Screen(master, slave, process)
        assert termios.tcgetattr(slave) == before, "the terminal was not given back as it was"
    finally:
        process.kill()
        process.wait()
        os.close(slave)
        os.close(master)
