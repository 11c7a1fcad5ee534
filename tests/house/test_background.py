"""A run of the tests in the background of a shell, where SIGINT is ignored: SIGINT still ends what they start."""

import os
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path

TESTS = """
import signal, subprocess, sys

def test_what_is_started_does_not_ignore_sigint():
    ask = "import signal; print(signal.getsignal(signal.SIGINT) is signal.default_int_handler)"
    assert subprocess.run([sys.executable, "-c", ask], capture_output=True).stdout == b"True\\n"
"""


def test_what_tests_start_in_the_background_is_ended_by_sigint(tmp_path: Path) -> None:
    (tmp_path / "test_child.py").write_text(TESTS)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "tests.conftest", "test_child.py"]
    run = subprocess.run(
        command, cwd=tmp_path, env=environment | {"PYTHONPATH": str(Path(__file__).parents[2])}, capture_output=True,
        text=True, check=False, preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_IGN),
    )  # fmt: skip
    assert run.returncode == 0, run.stdout + run.stderr
