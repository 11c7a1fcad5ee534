"""The process that looks for deals: `python -m service.wishes golf '{}' 5` writes a line for each that can be won.

It ends after so many seconds of processor time, or once standard input is closed: then the parent has died.
"""

import os
import secrets
import sys
import time

import msgspec

from domain.capabilities import OptionRules
from domain.games import GAME_TYPES
from service import solving
from service.telemetry.background import start_thread
from service.wishes.stock import Proven

_FIRST = 100
"""Positions of a first search, in which the machine code is made: that is not counted."""


def main(key: str, text: str, seconds: float) -> None:
    """Deal and search until the time is up, and end."""
    os.nice(19)
    start_thread(_end_with_parent, "asked")
    kind = GAME_TYPES[key]
    options = kind.get(OptionRules).settle(msgspec.json.decode(text, type=kind.options), 1)
    solving.verdict(key, options, solving.seeded(kind, options, bytes(32)), _FIRST)
    until = time.process_time() + seconds
    while time.process_time() < until:
        seed = secrets.token_bytes(32)
        found = solving.verdict(key, options, solving.seeded(kind, options, seed))
        if found.verdict == "won":
            os.write(sys.stdout.fileno(), msgspec.json.encode(Proven(seed, found.positions)) + b"\n")
    os._exit(0)


def _end_with_parent() -> None:
    os.read(sys.stdin.fileno(), 1)
    os._exit(1)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], float(sys.argv[3]))
