"""The process that looks for deals of a shelf, for so many seconds of processor time: a line for each that is won."""

import os
import secrets
import time

import msgspec

from domain.capabilities import OptionRules
from domain.games import GAME_TYPES
from service import solving
from service.wishes.stock import Proven, Shelf
from service.workers.searching import take_task, write_line

_FIRST = 100
"""Positions of a first search, in which the machine code is made: that is not counted."""


def main() -> None:
    """Deal and search until the time is up, and end."""
    shelf: Shelf
    shelf, seconds = take_task()
    key, text = shelf
    kind = GAME_TYPES[key]
    options = kind.get(OptionRules).settle(msgspec.json.decode(text, type=kind.options), 1)
    solving.verdict(key, options, solving.seeded(kind, options, bytes(32)), _FIRST)
    until = time.process_time() + seconds
    while time.process_time() < until:
        seed = secrets.token_bytes(32)
        found = solving.verdict(key, options, solving.seeded(kind, options, seed))
        if found.verdict == "won":
            write_line(Proven(seed, found.positions))
    os._exit(0)


if __name__ == "__main__":
    main()
