"""Thinking takes place in a process of its own, which is sent a world that the seat cannot tell apart, not the game."""

import asyncio
import pickle
import secrets
from random import Random
from typing import Any

from msgspec import Struct

from domain.capabilities import Resample
from domain.chance import Chance
from domain.games import revision_of
from domain.kit.evaluation import Move
from domain.play.aggregate import Game
from domain.view import Seat
from service.house.engine import Budget, choose_command
from service.house.players import Level
from service.jobs.process import Process, request_start
from service.settings import Settings


class Thinking:
    """The process, started when it is first needed and again after it has died; one command at a time."""

    def __init__(self, conninfo: str, settings: Settings) -> None:
        self._process = Process("bots", request_start(conninfo, settings))
        self._seconds = settings.bot_seconds
        self._turn = asyncio.Lock()
        self._waiting = 0

    async def choose(self, game: Game, seat: Seat, level: Level) -> Any:
        """The command of this seat, None: nothing now; raises Refused where the process failed.

        The time of a search is shared by all that wait for one.
        """
        self._waiting += 1
        try:
            budget = Budget(self._seconds / self._waiting) if level == "strong" else None
            world = game.type.get(Resample).draw(game.state, seat, Chance(secrets.token_bytes(32)))
            args = game.type.key, game.type.revision, game.options, world, seat, secrets.token_bytes(32), budget
            async with self._turn:
                return await self._process.ask(pickle.dumps((_choose, args, {})))
        finally:
            self._waiting -= 1

    async def close(self) -> None:
        """End the process."""
        await self._process.end()


def _choose(
    key: str, revision: int, options: Struct, world: Struct, seat: Seat, lots: bytes, budget: Budget | None
) -> Move | None:  # fmt: skip
    return choose_command(revision_of(key, revision), options, world, seat, Random(lots), budget)
