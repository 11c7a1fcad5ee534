"""Running `kibitz` as its users do: as a program of its own.

`kibitz` and `serving` fork it from a warm process; `started` and the tests that take `KIBITZ` start the real command.
"""

import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import psutil

from service.postgres import PostgresError, start, stop
from tests import clusters, forking

KIBITZ = (sys.executable, "-m", "service.cli")
ROOT = Path(__file__).parents[3]


def environment(**more: str) -> dict[str, str]:
    """This run's environment without the settings of whoever runs it, the days' deals and the stock of deals."""
    ours = ("KIBITZ_", "DATABASE_URL", "COLUMNS", "LINES")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    quiet = {"KIBITZ_SAME_DEAL_DAYS": "false", "KIBITZ_CERTIFIED_DEALS": "0"}
    return {**kept, "PYTHONPATH": str(ROOT), **quiet, **more}


def kibitz(*arguments: object, **settings: str) -> "subprocess.CompletedProcess[str]":
    """Run a command to its end; its imports were made beforehand."""
    command = [*KIBITZ, *map(str, arguments)]
    return forking.run(command, env=environment(**settings), timeout=120)


@contextmanager
def folder(empty: bool = False) -> Iterator[Path]:
    """A data folder that was served before, or an empty one; what still runs on it at the end is stopped."""
    path = Path(tempfile.mkdtemp(prefix="kibitz-tests-"))
    try:
        yield path if empty else clusters.fill(path)
    finally:
        if (path / "address").exists():
            with suppress(PostgresError):
                stop(start(path))
        shutil.rmtree(path)


@dataclass
class Serving:
    """A `kibitz serve` that is ready, and what it said."""

    process: "subprocess.Popen[str]"
    folder: Path
    lines: list[str]

    @property
    def address(self) -> str:
        """`http://127.0.0.1:40123`."""
        return self.lines[0].removeprefix("Kibitz is at ")

    @property
    def port(self) -> int:
        return int(self.address.rpartition(":")[2])

    def end(self, number: int = signal.SIGTERM) -> int:
        """Its exit code after this signal."""
        self.process.send_signal(number)
        return self.process.wait(60)


def own_children(parent: int) -> list[psutil.Process]:
    """What a service has started, without what its processes are forked from."""
    return [child for child in psutil.Process(parent).children() if not forking.is_warm(child.cmdline())]


@contextmanager
def serving(
    data: Path, *flags: str, lines: int = 6, files: tuple[int, int] | None = None, forked: bool = True
) -> Iterator[Serving]:
    """`kibitz serve` on a free port, until the block ends; `files`: how many it may open, soft and hard.

    Not `forked` where the command itself is what is looked at, or the files that it needs.
    """
    command = [*KIBITZ, "serve", "--port", "0", "--data-folder", str(data), *flags]
    with open(data / "stderr", "w") as log:
        start = forking.Popen if forked else subprocess.Popen
        process = start(
            command, stdout=subprocess.PIPE, stderr=log, text=True, env=environment(),
            preexec_fn=None if files is None else lambda: resource.setrlimit(resource.RLIMIT_NOFILE, files),
        )  # fmt: skip
    try:
        assert process.stdout is not None
        said = [process.stdout.readline().rstrip("\n") for _ in range(lines)]
        assert re.fullmatch(r"Kibitz is at http://127\.0\.0\.1:\d+", said[0]), (data / "stderr").read_text()
        yield Serving(process, data, said)
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(60)
        process.stdout.close()  # type: ignore[union-attr]


started = partial(serving, forked=False)
