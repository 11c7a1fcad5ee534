"""`kibitz serve` with its own PostgreSQL: what dies under it comes back, and it ends in good order all the same."""

import os
import signal
from contextlib import suppress
from pathlib import Path

import msgspec
import psutil
import pytest

from service.postgres import PostgresUnavailable, guard_server, join, start, stop
from tests.faults.load import Client, Load, load
from tests.faults.world import Program, World, until


class Private(World):
    """`kibitz serve` alone, on the data folder's own PostgreSQL."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.loads, self.others, self.faults = folder, [], set(), {}
        self.port, self.url, self.calm_since, self.struck = 0, "", 0.0, 0.0
        self.api = Program(folder, "serve", "--port", "0", "--data-folder", str(folder))

    def start(self) -> None:
        """Bring it up, at the address that it tells."""
        self.api.start()
        until(lambda: "Kibitz is at" in self.api.log() or not self._runs(), "the service says where it is")
        told = [line for line in self.api.log().splitlines() if line.startswith("Kibitz is at")]
        assert told, self.api.log()
        self.url = told[0].split()[-1]

    def _runs(self) -> bool:
        return self.api.process is not None and self.api.process.poll() is None


def test_a_private_postgresql_that_is_killed_again_and_again_is_brought_back(data_folder: Path) -> None:
    world = Private(data_folder)
    world.start()
    try:
        with load(world, clients=2) as running:
            for number in (signal.SIGKILL, signal.SIGKILL, signal.SIGQUIT):
                running.grow(20)
                died = join(data_folder).pid
                os.kill(died, number)
                until(lambda: not runs(died), "it is dead")  # noqa: B023
                until(lambda: alive_again(data_folder, died), "it is back")  # noqa: B023
            running.grow(20)
        assert everything_stands(running)
        last = join(data_folder).pid
    finally:
        world.api.end(signal.SIGTERM)
    assert world.api.process is not None
    assert world.api.process.returncode == 0
    assert not runs(last)
    assert world.api.log().count("postgres is back") >= 3
    with pytest.raises(PostgresUnavailable):
        join(data_folder)


def alive_again(folder: Path, died: int) -> bool:
    with suppress(PostgresUnavailable, OSError, ValueError):
        return join(folder).pid != died
    return False


def runs(pid: int) -> bool:
    with suppress(psutil.NoSuchProcess):
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    return False


def everything_stands(running: Load) -> bool:
    """Each game's version is at least that of its last acknowledged command, and each answer is given again."""
    said = [one for client in running.clients for one in client.acknowledged]
    reached = {one.game: one.version for one in sorted(said, key=lambda one: one.version)}
    versions = {game: version_of(running.clients[0], game) for game in reached}
    again = all(client.say_again(one) == one.answer for client in running.clients for one in client.acknowledged)
    return again and all(versions[game] >= version for game, version in reached.items())


def version_of(client: Client, game: str) -> int:
    told: int = msgspec.json.decode(client.answered("GET", f"/v1/games/{game}").content)["version"]
    return told


def test_a_server_that_was_only_joined_is_nobody_elses_to_guard(data_folder: Path) -> None:
    server = start(data_folder, {"fsync": "off"})
    with pytest.raises(ValueError, match="not ours to guard"), guard_server(join(data_folder)):
        pass
    stop(server)
