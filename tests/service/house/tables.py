"""Games for bots, opened by one of them, and bots that play in this process."""

import asyncio
import time
from typing import Any
from uuid import uuid4

from service.house.client import Bot, BotOptions
from tests.api.serving import Player, Service, speaking

Game = dict[str, Any]


def bot_account(service: Service, name: str = "Host") -> Player:
    """A player who is marked as a bot."""
    answer = service.http.post("/v1/players", json={"name": name, "bot": True}).json()
    return speaking(service, answer["player"]["id"], answer["token"]["secret"], answer["token"]["id"])


def opened(player: Player, key: str, **body: Any) -> Game:
    """A game that waits for others, or for nobody."""
    answer = player.post("/v1/games", {"game_type": key, **body})
    assert answer.status_code == 201, answer.text
    game: Game = answer.json()
    return game


def seen(service: Service, game: Game) -> Game:
    """The game as a spectator sees it."""
    looked: Game = service.http.get(f"/v1/games/{game['id']}").json()
    return looked


def until_listed(player: Player, game: Game) -> None:
    """Wait until the lists, which come a little later, tell of the player's game."""
    while all(entry["id"] != game["id"] for entry in player.get(f"/v1/games?player_id={player.id}").json()["games"]):
        time.sleep(0.01)


def wish(service: Service, key: str, **more: Any) -> BotOptions:
    """One game of this type."""
    return BotOptions(**{"server": service.url, "game_types": (key,), "games": 1, "seed": uuid4().hex, **more})


def run(*wishes: BotOptions) -> tuple[list[int], list[str]]:
    """The bots side by side until all have ended: how many games each played, and what they said."""
    sentences: list[str] = []

    async def together() -> list[int]:
        return await asyncio.gather(*(Bot(options, sentences.append).run() for options in wishes))

    return asyncio.run(together()), sentences


async def ended_before_it_hears(wish: BotOptions) -> None:
    """A bot that has taken a seat, and is ended before the answer to that has come."""
    bot, taken = Bot(wish, lambda sentence: None), asyncio.Event()
    request = bot._client.request

    async def late(operation: str, *more: Any, **values: Any) -> Any:
        answer = await request(operation, *more, **values)
        if operation == "join_game":
            taken.set()
            await asyncio.sleep(3600)
        return answer

    bot._client.request = late  # type: ignore[method-assign]
    running = asyncio.create_task(bot.run())
    await taken.wait()
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
