"""Processes that hold a server for a while: to be killed, and gone in any case when the test is over."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests import clusters

TESTS = Path(__file__).parents[2]

SERVE = """
import signal, sys, time
from pathlib import Path
from service.postgres import start
server = start(Path(sys.argv[1]))
signal.signal(signal.SIGINT, signal.SIG_IGN)
print("running", server.pid, server.folder, flush=True)
time.sleep(600)
"""

RUN = """
import time
def test_that_takes_long(postgres):
    print("running", postgres.pid, postgres.folder, flush=True)
    time.sleep(600)
"""

_WITHOUT = ("-p", "no:cacheprovider", "-p", "no:schemathesis", "-p", "no:faker", "-p", "no:anyio")
Holder = tuple["subprocess.Popen[str]", int, Path]


@contextmanager
def serving(folder: Path) -> Iterator[Holder]:
    """A process that started the server of a folder, the pid of that server, and its folder.

    The process leads a process group of its own, as at a terminal, and shrugs at Ctrl-C."""
    with _running([sys.executable, "-c", SERVE, str(folder)], folder, signal.SIGKILL) as holder:
        yield holder


@contextmanager
def run_of_tests(folder: Path) -> Iterator[Holder]:
    """A test run of its own in the middle of a test, the pid of its server, and the server's folder."""
    (folder / "test_long.py").write_text(RUN)
    command = [sys.executable, "-m", "pytest", "-s", "-p", "conftest", *_WITHOUT, "test_long.py"]
    with _running(command, folder, signal.SIGINT) as holder:
        yield holder


def end(process: "subprocess.Popen[str]", number: signal.Signals = signal.SIGKILL) -> None:
    """Send the signal and see the end of the process, which comes within a minute."""
    process.send_signal(number)
    try:
        process.communicate(timeout=60)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        raise


@contextmanager
def _running(command: list[str], folder: Path, farewell: signal.Signals) -> Iterator[Holder]:
    path = os.pathsep.join([str(TESTS.parent), str(TESTS), os.environ.get("PYTHONPATH", "")])
    ours = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    environment = {**ours, "PYTHONPATH": path, clusters.MADE: str(clusters.made())}
    process = subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True, process_group=0)
    try:
        assert process.stdout is not None
        words = next(line for line in process.stdout if "running" in line).split()
        yield process, int(words[-2]), Path(words[-1])
    finally:
        if process.returncode is None:
            end(process, farewell)
