"""One game: follow its news, wait for the turn, look, choose, say it."""

import asyncio
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager, suppress
from random import Random
from typing import Any

from kibitz_client import Kibitz, Refused, ScopeMissing, StreamClosed, Unauthenticated, VersionConflict

from service.bots.choosing import Choice, Command, Position

Look = dict[str, Any]
OVER = ("finished", "voided")
RESIGN: Command = {"type": "game/resign"}

PATIENCE = 5000
"""Commands of one game, after which the bot gives up: a solitaire played by lot might never end."""

_LOOK_AGAIN = 30.0  # seconds without news
_PAUSE = 0.5  # seconds before a stream that was closed is asked for again
_SAY_NOTHING = 0.25  # seconds until a bot that sent nothing chooses again


async def is_accepted(asked: Awaitable[Any]) -> bool:
    """Whether a request was accepted; raises that the token is not sufficient, or the version old."""
    try:
        await asked
    except (Unauthenticated, ScopeMissing, VersionConflict):
        raise
    except Refused:
        return False
    return True


class News:
    """Wakes up whoever waits for a game to move on."""

    def __init__(self, client: Kibitz, game_id: str) -> None:
        self._client = client
        self._game_id = game_id
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
        """Follow the game's stream to its end."""
        while True:
            after = self._version or None
            try:
                async for event in self._client.events("stream_game", after=after, game_id=self._game_id):
                    self._version = max(self._version, int((event.id or "0").partition(".")[0]))
                    self._heard.set()
            except StreamClosed:  # the token has ended: another one may be had
                await asyncio.sleep(_PAUSE)
            else:
                return


@asynccontextmanager
async def game_news(client: Kibitz, game_id: str) -> AsyncIterator[News]:
    """The news of a game for the length of a `with` block."""
    news = News(client, game_id)
    listening = asyncio.create_task(news.listen())
    try:
        yield news
    finally:
        listening.cancel()
        await asyncio.gather(listening, return_exceptions=True)


class Playing:
    """The bot's part in one game, with every seat that it holds there."""

    def __init__(self, client: Kibitz, game_id: str, choice: Choice, random: Random) -> None:
        self._client = client
        self._game_id = game_id
        self._choice = choice
        self._random = random
        self._said = 0
        self._seeded = False

    async def play_to_end(self) -> Look:
        """The game as it looks when it is over, or when no seat there is the bot's any more."""
        async with game_news(self._client, self._game_id) as news:
            while True:
                look: Look = await self._request("get_game")
                if look["status"] in OVER or not look["your_seats"]:
                    return look
                await self._take_turn(look, news)

    async def _take_turn(self, look: Look, news: News) -> None:
        """One round: give a seed, send a command if a seat of ours is to act, or wait for news."""
        if look["status"] == "waiting" and look["await_seeds"] and not self._seeded:
            await is_accepted(self._request("seed_game", {"client_seed": f"{self._random.random()}"}))
            self._seeded = True
        acting = [seat for seat in look["your_seats"] if look["view"] and seat in look["view"]["to_act"]]
        if not acting:
            await news.after(look["version"], _LOOK_AGAIN)
        elif not await self._speak(look, self._random.choice(acting)):
            await news.after(look["version"], _SAY_NOTHING)

    async def _speak(self, look: Look, seat: int) -> bool:
        """Choose and send a command; False if nothing was sent. True also if the look is stale: look again at once."""
        if look["viewer"] != seat:
            look = await self._request("get_game", seat=seat)
        listed = await self._request("list_legal_commands", seat=seat)
        if listed["version"] != look["version"] or look["status"] in OVER:
            return True
        command = self._choose_command(look, seat, listed["commands"])
        if command is None:
            return False
        self._said += 1
        with suppress(VersionConflict):
            return await is_accepted(self._request("post_command", command, version=look["version"], seat=seat))
        return True

    async def _request(self, operation: str, body: Any = None, /, **values: Any) -> Any:
        return await self._client.request(operation, body, game_id=self._game_id, **values)

    def _choose_command(self, look: Look, seat: int, commands: list[Command]) -> Command | None:
        """The chosen command; resigns if the game is stuck, no command is left, or too many were sent."""
        position = Position(look["game_type"], look["options"], seat, look["view"], commands)
        if not position.commands:
            return None if position.may_wait else RESIGN
        if position.view["stuck"] or self._said >= PATIENCE:
            return RESIGN
        return self._choice(position, self._random)
