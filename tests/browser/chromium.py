"""Where Chromium is; on a machine without one Debian's is installed."""

import os
import shutil
import subprocess

_NAMES = ("chromium", "chromium-browser", "google-chrome")
_PACKAGE = "chromium"
ARGUMENTS = [
    "--no-sandbox",  # the tests may run as root, in a container
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
]


class NoChromium(Exception):
    """There is no Chromium, and it cannot be installed here: how to get it, in one line."""


def executable() -> str:
    """The path of a Chromium, installed first where there is none; raises NoChromium."""
    return found() or _installed()


def found() -> str | None:
    """The path of a Chromium that is there already."""
    return next((path for name in _NAMES if (path := shutil.which(name))), None)


def _installed() -> str:
    if shutil.which("apt-get") is None or os.geteuid() != 0:
        raise NoChromium(f"The browser tests need Chromium: install it, as with `sudo apt-get install {_PACKAGE}`.")
    _apt("update")
    _apt("install", "-y", "--no-install-recommends", _PACKAGE)
    if (path := found()) is None:
        raise NoChromium(f"apt-get has installed {_PACKAGE}, but none of {', '.join(_NAMES)} is on the PATH.")
    return path


def _apt(*words: str) -> None:
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    done = subprocess.run(["apt-get", "-q", *words], env=quiet, capture_output=True, text=True, check=False)
    if done.returncode:
        said = (done.stderr.strip().splitlines() or ["it said nothing"])[-1]
        raise NoChromium(f"`apt-get {' '.join(words)}` failed, so there is no Chromium: {said}")
