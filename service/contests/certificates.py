"""Deals that a solver examines before the service commits to them, each in a short-lived process of its own.

The process has a low priority, ends when the service ends, and writes its result only to the service.
"""

import asyncio
import pickle
import secrets
import time
from collections.abc import Awaitable, Callable, Iterator
from typing import Any, cast

import msgspec
import structlog
from msgspec import Struct, structs

from domain.capabilities import OptionRules
from domain.contest.events import Certificate, Line
from domain.game_type import Concealed
from domain.games import GAME_TYPES, AnyGameType
from service import solving
from service.jobs.process import Process, Start
from service.live.openings import fresh_secret

_PATIENCE = 45.0
"""Seconds after which the process is killed and the deal is uncertified; a certified deal takes exactly as long."""
_NICENESS = 10
_TRIES = 20
"""The most deals to examine in search of a winnable one."""
_SECONDS = 20.0
"""Seconds after the first deal, with which machine code is made, after which no further one is examined."""
CERTIFICATES: dict[str, Certificate] = {"won": "winnable", "impossible": "impossible", "open": "not_told"}
_WORTH: tuple[Certificate, ...] = ("impossible", "not_told", "winnable")
"""Certificates from worst to best: if no deal is known to be winnable, one that may be is taken."""
_log = structlog.get_logger("certificates")


class ExaminedDeal(Concealed, frozen=True, kw_only=True):
    """A seed, the solver's verdict on its deal, the positions looked at, and the winning line if there is one."""

    seed: bytes
    certificate: Certificate = "not_tried"
    positions: int = 0
    line: Line = ()


class CertifiedDeal(ExaminedDeal, frozen=True, kw_only=True):
    """An examined deal with the options of its game."""

    options: Struct


class Certificates:
    """Certifies deals; `patience` in seconds, and how to `sleep` for some."""

    def __init__(self, patience: float = _PATIENCE, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep) -> None:
        self._patience, self._sleep = patience, sleep

    async def deal(self, kind: AnyGameType) -> CertifiedDeal:
        """A fresh deal for the game type's day, winnable if a solver can find one; uncertified if the process fails.

        Raises OSError where the system has no process for it: that is tried again.
        A certified deal always takes the same time: everybody sees when it is announced, and a solver's running time
        would reveal as much about the cards as the number of positions.
        """
        # A day is one hand where a game type has hands: results can then be compared.
        day = {"length": "hand"} if "length" in kind.options.__struct_fields__ else {}
        options: Any = kind.get(OptionRules).settle(msgspec.convert(day, kind.options), 1)
        clock = asyncio.get_running_loop().time
        until = clock() + self._patience
        deal = await self._examine(kind.key, options)
        if deal.certificate != "not_tried":
            await self._sleep(until - clock())
        return CertifiedDeal(options=options, **structs.asdict(deal))

    async def _examine(self, key: str, options: Struct) -> ExaminedDeal:
        process = Process("certificates", Start(_NICENESS))
        await process.start()
        try:
            job = pickle.dumps((examine_deals, (key, options), {}))
            return cast(ExaminedDeal, await asyncio.wait_for(process.ask(job), self._patience))
        except Exception as error:  # noqa: BLE001  a search that fails certifies nothing
            _log.warning("no certificate", game_type=key, error=type(error).__name__)
            return ExaminedDeal(seed=fresh_secret().seed)
        finally:
            await process.end()


def examine_deals(key: str, options: Struct) -> ExaminedDeal:
    """The first fresh deal known to be winnable, else the best of those examined; without a solver any deal."""
    if key not in solving.SOLVERS:
        return ExaminedDeal(seed=secrets.token_bytes(32))
    deals = _examined(GAME_TYPES[key], options)
    best, until = next(deals), time.monotonic() + _SECONDS
    while best.certificate != "winnable" and time.monotonic() < until and (deal := next(deals, None)):
        best = max(best, deal, key=lambda deal: _WORTH.index(deal.certificate))
    return best


def _examined(kind: AnyGameType, options: Struct) -> Iterator[ExaminedDeal]:
    for _ in range(_TRIES):
        seed = secrets.token_bytes(32)
        finding = solving.verdict(kind.key, options, solving.seeded(kind, options, seed))
        yield ExaminedDeal(
            seed=seed, certificate=CERTIFICATES[finding.verdict], positions=finding.positions,
            line=tuple(map(msgspec.to_builtins, finding.commands)),
        )  # fmt: skip
