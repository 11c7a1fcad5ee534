"""A Python environment for each generator: its packages are pinned in `locks/`, beside those that its clients need."""

import fcntl
import shutil
import subprocess
import sys
from pathlib import Path

_LOCKS = Path(__file__).with_name("locks")


def programs_of(generator: str) -> Path:
    """The folder of the environment's programs, installed first where they are not."""
    folder, lock = Path(sys.prefix) / generator, _LOCKS / f"{generator}.txt"
    folder.mkdir(exist_ok=True)
    with (folder / ".lock").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)  # tests run in several processes
        ready = folder / ".ready"
        if not ready.exists() or ready.read_text() != lock.read_text():
            _run([sys.executable, "-m", "venv", "--clear", str(folder / "venv")])
            pip = [str(folder / "venv" / "bin" / "python"), "-m", "pip", "install", "--quiet", "--requirement"]
            _run([*pip, str(lock)])
            shutil.copy(lock, ready)
    return folder / "venv" / "bin"


def _run(words: list[str]) -> None:
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"`{' '.join(words)}` failed: {done.stderr[-1000:]}")
