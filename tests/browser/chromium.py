"""Where Chromium is; on a machine without one Debian's is installed."""

from tests.debian import program

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
PATIENCE = 60_000
"""Milliseconds that a page has for whatever is waited for: a machine may be busy."""


def executable() -> str:
    """The path of a Chromium, installed first where there is none; raises NotThere."""
    return program(_PACKAGE, _NAMES)
