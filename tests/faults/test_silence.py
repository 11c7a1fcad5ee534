"""A database that is there and does not answer: every request is answered in bounded time."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from time import sleep
from typing import Any
from uuid import uuid4

import httpx

from tests.api.bursts import DRAW

from . import faults
from .judge import judge
from .load import load
from .world import World, until

Ask = Callable[[], httpx.Response]


class Watching:
    """One player with a game of Klondike, who asks for one thing of each kind."""

    def __init__(self, world: World) -> None:
        self.http = httpx.Client(base_url=world.url, timeout=60)
        told = self.answered("POST", "/v1/players", json={"name": "Ada"}).json()
        self.http.headers["authorization"] = f"Bearer {told['token']['secret']}"
        self.games = [self.opened() for _ in range(8)]

    def answered(self, method: str, path: str, **more: Any) -> httpx.Response:
        """The answer, asked for again after a 503: a disk that is busy may be silent for longer than is waited here."""
        while (answer := self.http.request(method, path, **more)).status_code == 503:
            sleep(0.1)
        return answer

    def opened(self, **more: Any) -> str:
        """A new game's id."""
        body, headers = {"game_type": "klondike", **more}, {"idempotency-key": str(uuid4())}
        answer = self.answered("POST", "/v1/games", json=body, headers=headers)
        assert answer.status_code == 201, answer.text
        return str(answer.json()["id"])

    def say(self, game: str, key: str, said: Any) -> httpx.Response:
        """What is answered at once, 503 too."""
        return self.http.post(f"/v1/games/{game}/commands", json=said, headers={"idempotency-key": key})

    def draw(self, game: str, key: str) -> httpx.Response:
        return self.say(game, key, DRAW)

    def drawn(self, game: str, key: str) -> httpx.Response:
        """What is answered in the end."""
        headers = {"idempotency-key": key}
        return self.answered("POST", f"/v1/games/{game}/commands", json=DRAW, headers=headers)

    def at_once(self) -> list[httpx.Response]:
        """Commands, openings, registrations, lists and the probe, all at the same time."""
        kinds: list[Ask] = [
            lambda: self.http.post("/v1/games", json={"game_type": "golf"}),
            lambda: self.http.post("/v1/players", json={"name": "Bob"}),
            lambda: self.http.get("/v1/games"),
            lambda: self.http.get("/v1/scoreboards/klondike"),
            lambda: self.http.get("/readyz"),
        ]
        drawing: list[Any] = [lambda game=game: self.draw(game, "frozen") for game in self.games]
        with ThreadPoolExecutor(40) as pool:
            return [asked.result() for asked in [pool.submit(ask) for ask in [*drawing, *kinds, *kinds]]]


def test_while_postgresql_is_frozen_every_request_is_told_so_and_afterwards_all_is_well(world: World) -> None:
    ada = Watching(world)
    with faults.frozen(world):
        answers = [*ada.at_once(), *ada.at_once()]
        alive = ada.http.get("/livez")
    assert [answer.status_code for answer in answers] == [503] * len(answers)
    assert all(int(answer.headers["retry-after"]) > 0 for answer in answers)
    assert alive.status_code == 200
    world.await_ready()
    for game in ada.games:
        until(lambda: ada.draw(game, "frozen").status_code == 200, "the command is taken")  # noqa: B023
        assert ada.answered("GET", f"/v1/games/{game}").json()["version"] == 4, "told once, and said again with its key"
    ada_games = set(ada.games)
    with load(world, clients=2) as running:
        running.grow(20)
        with faults.frozen(world):
            until(lambda: not world.ready(), "the service tells that its database is silent")
        running.grow(20)
    judge(world, others=ada_games).hold()
