"""Deals that a solver has looked at before they are committed to, each in a short-lived process of its own.

The process has a low priority, ends when the service ends, and writes its result only to the service.
"""

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
import structlog
from msgspec import Struct, structs

from domain.capabilities import OptionRules
from domain.contest.events import Certificate, Line
from domain.game_type import Concealed
from domain.games import AnyGameType
from service.live.openings import fresh_secret

_COMMAND = "service.contests.certifying"
_PATIENCE = 45.0
"""Seconds after which the process is killed and the deal is uncertified; a certified deal takes exactly as long."""
_LOG = structlog.get_logger("certificates")


class ExaminedDeal(Concealed, frozen=True, kw_only=True):
    """A seed, the solver's verdict on its deal, the positions looked at, and the winning line if there is one."""

    seed: bytes
    certificate: Certificate = "not_tried"
    positions: int = 0
    line: Line = ()


class CertifiedDeal(ExaminedDeal, frozen=True, kw_only=True):
    """The same with the options that the seed is dealt under."""

    options: Struct


class Certificates:
    """Certifies deals; `patience` in seconds, and how to `sleep` for some."""

    def __init__(self, patience: float = _PATIENCE, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep) -> None:
        self._patience, self._sleep = patience, sleep

    async def deal(self, kind: AnyGameType) -> CertifiedDeal:
        """A fresh deal for the game type's day, winnable if a solver can find one; uncertified if the process fails.

        A certified deal always takes the same time: everybody sees when it is announced, and a solver's running time
        would reveal as much about the cards as the number of positions.
        """
        options = kind.get(OptionRules).settle(_options(kind), 1)
        clock = asyncio.get_running_loop().time
        until = clock() + self._patience
        found = await self._examine(kind.key, msgspec.json.encode(options).decode())
        if found.certificate != "not_tried":
            await self._sleep(until - clock())
        return CertifiedDeal(options=options, **structs.asdict(found))

    async def _examine(self, key: str, options: str) -> ExaminedDeal:
        process = await _start_process(key, options)
        try:
            said = await asyncio.wait_for(_read_output(process), self._patience)
            return msgspec.json.decode(said, type=ExaminedDeal)
        except (TimeoutError, msgspec.DecodeError):
            _LOG.warning("no certificate", game_type=key, returned=process.returncode)
            return ExaminedDeal(seed=fresh_secret().seed)
        finally:
            await _end_process(process)


def _options(kind: AnyGameType) -> Any:
    """A day is one hand where a game type has hands: results can then be compared."""
    fields = kind.options.__struct_fields__
    return msgspec.convert({"length": "hand"} if "length" in fields else {}, kind.options)


async def _start_process(key: str, options: str) -> asyncio.subprocess.Process:
    """Start the process in a session of its own, so that Ctrl-C reaches only the service; it ends when stdin closes."""
    pipe, nothing = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", _COMMAND, key, options, stdin=pipe, stdout=pipe, stderr=nothing, start_new_session=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )  # fmt: skip


async def _read_output(process: asyncio.subprocess.Process) -> bytes:
    return b"" if process.stdout is None else await process.stdout.read()


async def _end_process(process: asyncio.subprocess.Process) -> None:
    if process.returncode is None:
        process.kill()
    await process.wait()
