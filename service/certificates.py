"""Deals that a solver has looked at before they are committed to, in a process of its own: it takes seconds."""

import asyncio
import multiprocessing
import os
import secrets
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import msgspec
from msgspec import Struct

from domain.chance import Chance, deal_seed
from domain.contest.events import Certificate
from domain.game_type import Concealed
from domain.games import GAME_TYPES, AnyGameType
from service import solving

_SAID: dict[str, Certificate] = {"won": "winnable", "impossible": "impossible", "open": "not_told"}
_TRIES = 20
"""Deals that are looked at for one that is known to be winnable; the last of them is taken as it is."""


class Certified(Concealed, frozen=True, kw_only=True):
    """A seed and what is known of the deal that it makes."""

    seed: bytes
    options: Struct
    certificate: Certificate
    positions: int


class Certificates:
    """Certifies deals, one at a time."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None

    async def deal(self, kind: AnyGameType) -> Certified:
        """A fresh deal of the game type's default options, winnable where a solver can tell."""
        if self._pool is None:
            context = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(1, mp_context=context, initializer=_politely)
        loop = asyncio.get_running_loop()
        options = kind.settle(_options(kind), 1)
        said = msgspec.json.encode(options)
        seed, verdict, positions = await loop.run_in_executor(self._pool, look, kind.key, said)
        return Certified(seed=seed, options=options, certificate=verdict, positions=positions)

    def close(self) -> None:
        """End the process, whatever it is at."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)


def _options(kind: AnyGameType) -> Any:
    """A day is one hand where a game type has hands: results can then be compared."""
    fields = kind.options.__struct_fields__
    return msgspec.convert({"length": "hand"} if "length" in fields else {}, kind.options)


def _politely() -> None:
    """What is served comes first."""
    if hasattr(os, "nice"):
        os.nice(10)


def look(key: str, options: bytes) -> tuple[bytes, Certificate, int]:
    """In the process: the first of some fresh deals that is known to be winnable, else the last."""
    kind = GAME_TYPES[key]
    chosen = msgspec.json.decode(options, type=kind.options)
    if not solving.can_tell(key):
        return secrets.token_bytes(32), "not_tried", 0
    seed, said, positions = b"", "not_told", 0
    for _ in range(_TRIES):
        seed = secrets.token_bytes(32)
        found = solving.verdict(key, chosen, Chance(deal_seed(seed, (None,))))
        said, positions = found.verdict.value, found.positions
        if said == "won":
            break
    return seed, _SAID[said], positions
