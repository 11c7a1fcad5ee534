"""Programs of others that need Node: their versions are pinned in a folder; the first test that asks installs them."""

import fcntl
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from tests import debian

_PINNED = Path(__file__).parent / "node"
"""What reads the description."""
_FILES = ("package.json", "package-lock.json")


def run(name: str, *words: str, folder: Path | None = None) -> "subprocess.CompletedProcess[str]":
    """Run one of the pinned programs with these words and return what it wrote, whatever its exit code."""
    return _run([str(installed() / "node_modules" / ".bin" / name), *words], folder or _PINNED)


def run_script(name: str, *words: str) -> "subprocess.CompletedProcess[str]":
    """Run a script of `node/` with these words, where it finds the pinned packages."""
    folder = installed()
    return _run([debian.program("nodejs", ("node",)), str(_PINNED / name), *words], folder)


def installed(pinned: Path = _PINNED) -> Path:
    """The folder in which the packages are that this folder pins, installed first where they are not; raises NotThere.

    It lies beside the Python packages, under the same name, so that `make clean` takes both away.
    """
    folder = Path(sys.prefix) / pinned.name
    folder.mkdir(exist_ok=True)
    with (folder / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # tests run in several processes
        if not _is_current(folder, pinned):
            _install(folder, pinned)
    return folder


def _is_current(folder: Path, pinned: Path) -> bool:
    return (folder / ".ready").exists() and all(
        (folder / name).read_bytes() == (pinned / name).read_bytes() for name in _FILES
    )


def _install(folder: Path, pinned: Path) -> None:
    """Raises NotThere if npm cannot get the packages; for the rest of the run at once, as npm tries for minutes."""
    run, failure = os.environ.get("PYTEST_XDIST_TESTRUNUID", str(os.getpid())), folder / ".failure"
    failed_run, _, sentence = failure.read_text("utf-8").partition("\n") if failure.exists() else ("", "", "")
    if failed_run != run:
        sentence = _fetch_packages(folder, pinned)
        failure.write_text(f"{run}\n{sentence}", "utf-8")
    if sentence:
        raise debian.NotThere(sentence)
    (folder / ".ready").touch()


def _fetch_packages(folder: Path, pinned: Path) -> str:
    """The sentence that says why it failed; empty if it did not."""
    debian.program("nodejs", ("node",))
    npm = debian.program("npm", ("npm",))
    for name in _FILES:
        shutil.copy(pinned / name, folder / name)
    done = _run([npm, "ci", "--no-audit", "--no-fund", "--ignore-scripts"], folder)
    if done.returncode == 0:
        return ""
    lines = [line.removeprefix("npm error ") for line in done.stderr.splitlines()] or ["it does not say why"]
    reason = next((line for line in lines if "reason:" in line), lines[0])
    return f"These tests need packages of Node, which `npm ci` in {pinned} does not get: {reason}"


def _run(words: Sequence[str], folder: Path) -> "subprocess.CompletedProcess[str]":
    quiet = {**os.environ, "NO_COLOR": "1", "REDOCLY_TELEMETRY": "off", "NODE_NO_WARNINGS": "1", "CI": "1"}
    return subprocess.run(words, cwd=folder, env=quiet, capture_output=True, text=True, check=False)


def first_json(text: str) -> object:
    """The JSON value with which this text ends; programs may greet before it."""
    return json.loads(text[min(place for place in map(text.find, "[{") if place >= 0) :])
