"""Programs beside the benchmark: they are written lines, and answer each with one."""

import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO

ROOT = Path(__file__).parents[2]


class Program:
    """One that runs."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self.process = process

    def write(self, text: bytes) -> None:
        """Write, and wait for nothing."""
        assert self.process.stdin is not None
        self.process.stdin.write(text)
        self.process.stdin.flush()

    def line(self) -> str:
        """The next line that it says."""
        assert self.process.stdout is not None
        return self.process.stdout.readline().decode().strip()


@contextmanager
def running(
    words: Sequence[str], env: Mapping[str, str] | None = None, log: IO[bytes] | None = None, python: bool = True,
    cwd: Path = ROOT,
) -> Iterator[Program]:  # fmt: skip
    """Python with these words, or another program, until the end of the block; then it has half a minute to end."""
    command = [sys.executable, *words] if python else words
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, cwd=cwd, env=env
    ) as process:
        try:
            yield Program(process)
        finally:
            process.terminate()
            process.communicate(timeout=30)
