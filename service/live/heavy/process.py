"""The event loop's side of a process for heavy work: one request and one answer at a time."""

import asyncio
import pickle
import sys
from contextlib import suppress
from typing import Any

from service.problems import Refused
from service.settings import Settings

LENGTH = 8
"""Bytes of the length before every text."""
NICENESS, SECONDS = 5, 60.0  # seconds of a processor for one piece of work: the longest record takes less
_PATIENCE = 600.0  # seconds; where other programs keep every core busy, work takes many times its processor time


class Process:
    """A child process, started with the first request, and again with the next one after it died."""

    def __init__(self, conninfo: str, settings: Settings, niceness: int = NICENESS, seconds: float = SECONDS) -> None:
        self._first = pickle.dumps((conninfo, settings, min(niceness, settings.search_niceness), seconds))
        self._child: asyncio.subprocess.Process | None = None

    async def ask(self, text: bytes) -> object:
        """Run this pickled work; raises what it raises, or Refused where the process died or took too long."""
        try:
            async with asyncio.timeout(_PATIENCE):
                said, found = pickle.loads(await self._answer(text))
        except (OSError, EOFError, TimeoutError):
            await self.end()
            raise Refused("busy", "This took too long or too much; ask again later.") from None
        except asyncio.CancelledError:
            await self.end()  # nobody reads its answer any more
            raise
        if said == "raised":
            raise found
        return found

    async def _answer(self, text: bytes) -> bytes:
        child = self._child
        if child is None or child.returncode is not None:
            await self.end()
            child = await self._start_child()
        await _write(child, text)
        stdout: Any = child.stdout
        length = int.from_bytes(await stdout.readexactly(LENGTH), "big")
        answer: bytes = await stdout.readexactly(length)
        return answer

    async def _start_child(self) -> asyncio.subprocess.Process:
        pipe = asyncio.subprocess.PIPE
        self._child = child = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "service.live.heavy", stdin=pipe, stdout=pipe
        )
        await _write(child, self._first)
        return child

    async def end(self) -> None:
        """Kill the process and wait for its end."""
        child, self._child = self._child, None
        if child is not None:
            with suppress(ProcessLookupError):
                child.kill()
            await child.wait()


async def _write(child: asyncio.subprocess.Process, text: bytes) -> None:
    stdin: Any = child.stdin
    stdin.write(len(text).to_bytes(LENGTH, "big"))
    stdin.write(text)
    await stdin.drain()
