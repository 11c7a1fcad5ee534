"""A database that is there and does not answer, or cannot write: every request is answered in bounded time."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import sleep
from typing import Any
from uuid import uuid4

import httpx
import psycopg

from tests.api.bursts import DRAW, command

from . import faults
from .judge import judge
from .load import load
from .world import World, installed, until

Ask = Callable[[], httpx.Response]
_PADDING = """
INSERT INTO idempotency_keys
SELECT gen_random_uuid(), 'padding', gen_random_uuid(), repeat('x', 200), repeat('x', 1000)::bytea,
       gen_random_uuid(), 1, 1
FROM generate_series(1, %s)
"""


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


def test_while_the_disk_is_full_commands_are_refused_whole_and_afterwards_all_is_well(data_folder: Path) -> None:
    with installed(data_folder, small_segments=True) as world:
        ada = Watching(world)
        size = padded(world)
        with load(world, clients=2) as running:
            running.grow(20)
            with faults.full(world, size):
                refused = until_refused(ada)
                looked = ada.http.get(f"/v1/games/{ada.games[1]}")
                assert looked.status_code == 200, "what is there can be looked at"
                until(lambda: "written" in told(ada, "/readyz").get("detail", ""), "it says that it cannot write")
                assert ada.http.get("/readyz?only=store").status_code == 200
            until(world.ready, "it says by itself that it can write again")
            until(lambda: ada.say(*refused).status_code == 200, "there is room again")
            running.grow(20)
        judge(world, others=set(ada.games)).hold()


def told(ada: Watching, path: str) -> dict[str, Any]:
    """What is answered here, as JSON."""
    answer: dict[str, Any] = ada.http.get(path).json()
    return answer


def until_refused(ada: Watching) -> tuple[str, str, Any]:
    """The first command that is refused: the pages that are there already have room for some hundreds."""
    for number in range(10_000):
        said = (ada.games[0], f"full {number}", command(number))
        if (answer := ada.say(*said)).status_code == 503:
            return said
        assert answer.status_code == 200, answer.text
    raise AssertionError("the disk is never full")


def padded(world: World) -> int:
    """Fill a table that every keyed command writes to up to 2 MB; its size, more than any log segment's."""
    with psycopg.connect(world.conninfo, autocommit=True) as connection:
        connection.execute(_PADDING, [1500])
        found = connection.execute("SELECT pg_relation_size('idempotency_keys')").fetchone()
    assert found is not None
    return int(found[0])
