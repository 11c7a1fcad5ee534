"""Where Chromium is, and how it is started; on a machine without one Debian's is installed."""

from tests.debian import program

_NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
_PACKAGE = "chromium-headless-shell"
"""Chromium's pages without its windows: a whole browser spends as much again on tabs and tool bars nobody sees."""
ARGUMENTS = [
    "--no-sandbox",  # the tests may run as root, in a container
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    # One process draws all pages of a profile: it has the scripts compiled from the first on.
    "--disable-site-isolation-trials",
    "--renderer-process-limit=1",
]
PATIENCE = 240_000
"""Milliseconds that a page has for whatever is waited for: a machine may be busy."""


def executable() -> str:
    """The path of a Chromium, installed first where there is none; raises NotThere."""
    return program(_PACKAGE, _NAMES)
