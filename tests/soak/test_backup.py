"""A backup under load, restored beside it: the restored service has what it had at one instant, and plays on."""

import shutil
import subprocess
from pathlib import Path

import httpx
import psycopg

from service.event_store.connections import open_connection
from service.event_store.reading import read_head
from tests import forking
from tests.faults.load import Client, load
from tests.faults.world import KIBITZ, Program, World, installed, until


def kibitz(world: World, *words: str, conninfo: str | None = None) -> "subprocess.CompletedProcess[str]":
    """A command on the installation's database, or on another one."""
    around = {**Program(world.server.folder, *words).environment, "DATABASE_URL": conninfo or world.conninfo}
    return forking.run([*KIBITZ, *words], env=around, timeout=200)


def test_a_backup_under_load_is_restored_whole_verified_and_played_on(data_folder: Path, tmp_path: Path) -> None:
    with installed(data_folder) as world:
        file = tmp_path / "backup"
        with load(world, clients=2) as running:
            running.grow(60)
            before = {one.key for client in running.clients for one in client.acknowledged}
            ran = kibitz(world, "backup", str(file))
            assert ran.returncode == 0, ran.stderr
            running.grow(20)
        assert file.stat().st_mode & 0o777 == 0o600
        assert kibitz(world, "backup", str(file)).returncode == 1, "an older backup is not written over"
        new = world.server.create_database("restored")
        ran = kibitz(world, "restore", str(file), conninfo=new)
        assert ran.returncode == 0, ran.stderr
        assert kibitz(world, "restore", str(file), conninfo=new).returncode == 1, "nothing is restored over anything"
        verified = kibitz(world, "verify", "--all", "--quiet", conninfo=new)
        assert (verified.returncode, verified.stdout) == (0, ""), verified.stdout
        same = a_prefix(world.conninfo, new)
        assert same, "the restored log is the beginning of the old one"
        world.stop()
        other = World(world.server, new)
        other.start()
        try:
            played_on(other, running.clients, before)
        finally:
            other.stop()


def a_prefix(old: str, new: str) -> bool:
    """Whether the new log is the old one up to its head: row by row."""
    with open_connection(new, "test") as connection:
        head = read_head(connection)
        restored = _rows(connection, head)
    with open_connection(old, "test") as connection:
        return restored == _rows(connection, head) and len(restored) > 0 and read_head(connection) > head


def _rows(connection: "psycopg.Connection[tuple[object, ...]]", head: int) -> list[tuple[object, ...]]:
    return connection.execute(
        "SELECT position, stream, version, topic, state FROM events WHERE position <= %s ORDER BY position", [head]
    ).fetchall()


def played_on(world: World, clients: list[Client], before: set[str]) -> None:
    """What was acknowledged before the backup is answered as it was then, and the games go on."""
    for client in clients:
        client.turn_to(world)
        said = [one for one in client.acknowledged if one.key in before]
        assert said
        assert all(client.say_again(one) == one.answer for one in said)
    with load(world, clients=2, seed=9) as running:
        running.grow(20)
    until(lambda: caught_up(world), "the read models have grown anew")


def caught_up(world: World) -> bool:
    told = httpx.get(f"{world.url}/readyz", timeout=60).json()
    return "read_position" in told and bool(told["read_position"] == told["log_position"])


def test_a_private_database_is_restored_into_a_new_folder_with_its_keys(data_folder: Path, tmp_path: Path) -> None:
    with installed(data_folder) as world:
        with load(world, clients=2) as running:
            running.grow(30)
        assert kibitz(world, "backup", str(tmp_path / "backup")).returncode == 0
        keys = {name: data_folder / name for name in ("keys", "sealing") if (data_folder / name).exists()}
        assert keys, "there are keys beside the database"
        new = data_folder / "new"
        for name, folder in keys.items():
            shutil.copytree(folder, new / name)
        new.chmod(0o755)
        around = {**Program(new, "restore").environment}
        for words in (("restore", str(tmp_path / "backup")), ("verify", "--all", "--quiet")):
            ran = forking.run([*KIBITZ, *words], env=around, timeout=200)
            assert ran.returncode == 0, ran.stdout + ran.stderr
