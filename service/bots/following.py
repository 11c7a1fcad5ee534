"""News of a game: the version of the last event in its stream."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import httpx

from service.bots.asking import Service

_PAUSE = 0.5  # seconds before a stream that broke off is asked for again


class News:
    """Wakes up whoever waits for a game to move on."""

    def __init__(self, service: Service, path: str) -> None:
        self._service = service
        self._path = path
        self._version = 0
        self._heard = asyncio.Event()

    async def after(self, version: int, seconds: float) -> None:
        """Wait until the game stands at a later version, but no longer than so many seconds."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while self._version <= version:
                    self._heard.clear()
                    await self._heard.wait()

    async def listen(self) -> None:
        """Follow the stream until its `end` event; reconnect when it breaks off."""
        while True:
            with suppress(httpx.HTTPError):
                if await self._read_stream():
                    return
            await asyncio.sleep(_PAUSE)

    async def _read_stream(self) -> bool:
        """Read the stream; whether it had an `end` event."""
        async with self._service.stream(self._path, after=self._version) as lines:
            async for line in lines:
                field, _, told = line.partition(": ")
                if field == "id":
                    self._version = max(self._version, int(told))
                    self._heard.set()
                if (field, told) == ("event", "end"):
                    return True
        return False


@asynccontextmanager
async def game_news(service: Service, path: str) -> AsyncIterator[News]:
    """The news of a game for the length of a `with` block."""
    news = News(service, path)
    listening = asyncio.create_task(news.listen())
    try:
        yield news
    finally:
        listening.cancel()
        await asyncio.gather(listening, return_exceptions=True)
