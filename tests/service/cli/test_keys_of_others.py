"""A process that lacks a sealing key which others have does not join them; one that nobody has keeps nobody away."""

import shutil
from pathlib import Path

import httpx
import psycopg

from service.cluster import roster
from service.event_store import unsealing
from service.keys.sealing import make_sealing_key, sealing_keys
from tests.waiting import until

from .beginning import SERVE, Begun, begun, registers

ALONE = (*SERVE, "--no-worker")
TWO = (*SERVE, "--processes", "2")


def kept(where: Path) -> list[bytes]:
    return [key.id for key in sealing_keys(where / "keys")]


def named(conninfo: str) -> set[bytes]:
    """The keys that the database knows as sealing."""
    with psycopg.connect(conninfo) as connection:
        return {bytes(row[0]) for row in connection.execute("SELECT id FROM sealing_keys").fetchall()}


def refused(where: Path, conninfo: str, words: tuple[str, ...], key: bytes) -> None:
    """It ends by itself, and says which key it lacks and where."""
    program = Begun(where, words, conninfo)
    assert program.process.wait(60) == 1
    assert program.said == ""
    assert f"kibitz: The sealing key {key.hex()} is not in {where / 'keys'}, and other processes have it" in program.log


def test_a_process_without_the_key_of_those_that_live_is_refused_until_it_has_it(database: str, tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    with begun(one, ALONE, database) as first:
        first.comes_up()
        (key,) = kept(one)
        for words in (ALONE, TWO):
            refused(other, database, words, key)
        assert named(database) == {key}
        shutil.copytree(one / "keys", other / "keys", dirs_exist_ok=True)
        with begun(other, TWO, database) as second:
            registers(second.comes_up().removeprefix("Kibitz is at "))


def test_a_key_that_nobody_has_any_more_keeps_no_process_from_serving(database: str, tmp_path: Path) -> None:
    with begun(tmp_path / "one", ALONE, database) as first:
        first.comes_up()
    (key,) = kept(tmp_path / "one")
    with begun(tmp_path / "other", TWO, database) as second:
        address = second.comes_up().removeprefix("Kibitz is at ")
        registers(address)
        # Two that begin at once may each make a key, and learn of the other's a moment later.
        until(lambda: httpx.get(f"{address}/readyz", timeout=60).json()["missing_keys"] == [key.hex()])


def test_a_key_that_was_given_up_keeps_nobody_away_though_another_still_has_it(database: str, tmp_path: Path) -> None:
    with begun(tmp_path / "one", ALONE, database) as first:
        first.comes_up()
        (key,) = kept(tmp_path / "one")
        with psycopg.connect(database, autocommit=True) as connection:
            unsealing.give_up(connection, key)
        with begun(tmp_path / "other", ALONE, database) as second:
            registers(second.comes_up().removeprefix("Kibitz is at "))


def test_a_key_that_a_running_process_was_given_is_asked_of_the_next(database: str, tmp_path: Path) -> None:
    """Rotated on one machine: once the database knows the new key, a machine that was forgotten is told."""
    one, other = tmp_path / "one", tmp_path / "other"
    with begun(one, ALONE, database) as first:
        first.comes_up()
        shutil.copytree(one / "keys", other / "keys")
        rotated = make_sealing_key(one / "keys").id
        until(lambda: rotated in holders(database))
        with psycopg.connect(database, autocommit=True) as connection:
            connection.execute("INSERT INTO sealing_keys (id) VALUES (%s)", [rotated])
        refused(other, database, ALONE, rotated)


def holders(conninfo: str) -> frozenset[bytes]:
    with psycopg.connect(conninfo) as connection:
        return roster.held_keys(connection)
