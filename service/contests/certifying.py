"""The process that looks at fresh deals: `python -m service.contests.certifying golf '{}'` writes its findings.

It reads nothing from standard input; when that is closed, the parent has died, and the process ends at once.
"""

import os
import secrets
import sys
import time
from collections.abc import Iterator

import msgspec
from msgspec import Struct

from domain.contest.events import Certificate
from domain.games import GAME_TYPES, AnyGameType
from service import solving
from service.contests.certificates import ExaminedDeal
from service.telemetry.background import start_thread
from service.workers.searching import end_with_parent, lower_priority

_TRIES = 20
"""The most deals to examine in search of a winnable one."""
_SECONDS = 20.0
"""Seconds after the first deal, with which machine code is made, after which no further one is examined."""
SAID: dict[str, Certificate] = {"won": "winnable", "impossible": "impossible", "open": "not_told"}
_WORTH: tuple[Certificate, ...] = ("impossible", "not_told", "winnable")
"""Certificates from worst to best: if no deal is known to be winnable, one that may be is taken."""


def look(kind: AnyGameType, options: Struct) -> ExaminedDeal:
    """The first fresh deal known to be winnable, else the best of those examined; without a solver any deal."""
    if kind.key not in solving.SOLVERS:
        return ExaminedDeal(seed=secrets.token_bytes(32))
    deals = _deals(kind, options)
    best, until = next(deals), time.monotonic() + _SECONDS
    while best.certificate != "winnable" and time.monotonic() < until and (found := next(deals, None)):
        best = max(best, found, key=_worth)
    return best


def _worth(found: ExaminedDeal) -> int:
    return _WORTH.index(found.certificate)


def _deals(kind: AnyGameType, options: Struct) -> Iterator[ExaminedDeal]:
    for _ in range(_TRIES):
        seed = secrets.token_bytes(32)
        found = solving.verdict(kind.key, options, solving.seeded(kind, options, seed))
        line = tuple(map(msgspec.to_builtins, found.commands))
        yield ExaminedDeal(seed=seed, certificate=SAID[found.verdict], positions=found.positions, line=line)


def main(key: str, options: str) -> None:
    """Write what was found to standard output, as JSON."""
    lower_priority(10)
    start_thread(end_with_parent, "asked")
    kind = GAME_TYPES[key]
    found = look(kind, msgspec.json.decode(options, type=kind.options))
    os.write(sys.stdout.fileno(), msgspec.json.encode(found))
    os._exit(0)


if __name__ == "__main__":
    main(*sys.argv[1:])
