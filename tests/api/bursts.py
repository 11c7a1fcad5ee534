"""A database server that can be killed, and commands said without a pause, each with its key."""

import os
import signal
from concurrent.futures import Future, wait
from pathlib import Path
from threading import Event
from uuid import uuid4

import httpx

from service.postgres import start, stop
from service.postgres.postmaster import DATABASE
from tests import clusters

from . import truth
from .playing import DRAW, RECYCLE, Game, look, say
from .serving import Player, Service


def command(number: int) -> dict[str, str]:
    """The stock has 24 cards: then the waste is turned over. One event each."""
    return RECYCLE if number % 25 == 24 else DRAW


class Durable:
    """A database server that waits for the disk, and can be killed and started again."""

    def __init__(self, folder: Path) -> None:
        self.server = start(clusters.fill(folder))

    def fresh(self) -> str:
        """The connection string of a migrated database."""
        return self.server.create_database(f"api_{uuid4().hex}", DATABASE)

    def stop(self) -> None:
        """Shut it down, whoever is connected."""
        stop(self.server)

    def kill(self) -> None:
        """kill -9 of the whole server, its folder let go."""
        assert self.server.process is not None
        assert self.server.lock is not None
        os.kill(self.server.pid, signal.SIGKILL)
        self.server.process.wait()
        os.close(self.server.lock)

    def start(self) -> None:
        """Start it again on the same folder."""
        self.server = start(self.server.folder)


class Burst:
    """Commands said one after the other in one game, each with its key; what was acknowledged, by key."""

    def __init__(self, player: Player, game: Game) -> None:
        self.player, self.game = player, game
        self.acknowledged: dict[str, bytes] = {}
        self.said = 0

    def say(self, player: Player, number: int) -> httpx.Response:
        return say(player, self.game, command(number), headers={"idempotency-key": str(number)})

    def through(self, most: int, stopped: Event) -> None:
        """Go on whatever happens, each command again until it is acknowledged."""
        while self.said < most or not stopped.is_set():
            while (answer := self.say(self.player, self.said)).status_code == 503:
                pass
            assert answer.status_code == 200, answer.text
            self.acknowledged[str(self.said)] = answer.content
            self.said += 1


def total(bursts: list[Burst]) -> int:
    return sum(len(burst.acknowledged) for burst in bursts)


def fail_early(saying: "list[Future[None]]") -> None:
    for task in wait(saying, timeout=0).done:
        task.result()


def whole(service: Service, burst: Burst, player: Player) -> None:
    """Every command of the burst is recorded exactly once, and repeating any gives its first answer."""
    repeated = {str(number): burst.say(player, number) for number in range(burst.said)}
    assert {answer.status_code for answer in repeated.values()} == {200}
    for key, content in burst.acknowledged.items():
        assert repeated[key].content == content
    version = len(truth.records(service, burst.game))
    assert look(player, burst.game)["version"] == version == burst.game["version"] + burst.said
    assert keys(service, burst.game) == sorted(repeated)
    versions = [answer.json()["version"] for answer in repeated.values()]
    assert versions == list(range(burst.game["version"] + 1, version + 1))


def keys(service: Service, game: Game) -> list[str]:
    """The keys that the database keeps for a game."""
    return sorted(
        key for (key,) in truth.rows(service, "SELECT key FROM idempotency_keys WHERE stream = %s", game["id"])
    )
