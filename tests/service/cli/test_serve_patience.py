"""A database that is away when the service starts is waited for; what no waiting mends ends it at once."""

import re
import signal
import socket
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from service.event_store.schema import migrate
from service.postgres import Server
from tests.api.bursts import Durable

from .beginning import SERVE, Begun, begun, door, registers
from .programs import folder, kibitz, own_children

PROCESSES = pytest.mark.parametrize("processes", ["1", "2"])


class Kept(Durable):
    """A PostgreSQL that can be stopped and started again at the same address, and a migrated database of it."""

    def __init__(self, data: Path) -> None:
        super().__init__(data)
        self.conninfo, self.runs = self.fresh(), True

    def start(self) -> None:
        super().start()
        self.runs = True

    def stop(self) -> None:
        if self.runs:
            super().stop()
        self.runs = False


@pytest.fixture(scope="module")
def kept() -> Iterator[Kept]:
    with folder() as data:
        kept = Kept(data)
        yield kept
        kept.stop()


@pytest.fixture
def away(kept: Kept) -> Kept:
    """It is stopped."""
    kept.stop()
    return kept


@PROCESSES
def test_it_waits_for_its_database_and_comes_up_with_it(away: Kept, tmp_path: Path, processes: str) -> None:
    with begun(tmp_path, (*SERVE, "--processes", processes), away.conninfo) as program:
        program.waits(3)
        assert program.pauses()[:3] == [0.25, 0.5, 1.0]
        assert program.said == ""
        away.start()
        registers(program.comes_up().removeprefix("Kibitz is at "))
        assert program.end() == 0


@pytest.mark.parametrize(("processes", "number"), [("1", signal.SIGTERM), ("2", signal.SIGINT)])
def test_a_signal_ends_the_waiting(away: Kept, tmp_path: Path, processes: str, number: int) -> None:
    with begun(tmp_path, (*SERVE, "--processes", processes), away.conninfo) as program:
        program.waits()
        assert program.end(number) == 0
    assert program.said == ""


def test_a_signal_ends_it_while_a_server_that_says_nothing_is_asked(tmp_path: Path) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as silent:
        silent.settimeout(60)
        conninfo = f"postgresql://kibitz@127.0.0.1:{silent.getsockname()[1]}/kibitz?connect_timeout=600"
        with begun(tmp_path, SERVE, conninfo) as program, closing(silent.accept()[0]):
            assert program.end(signal.SIGINT) == 0


@pytest.mark.parametrize("worker", [False, True])
def test_a_part_that_is_started_while_the_database_is_away_waits_by_itself(
    away: Kept, tmp_path: Path, worker: bool
) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        handed = (listener.fileno(),)
        words = ("service.cli", "worker") if worker else ("service.cli.api_process", str(listener.fileno()))
        with begun(tmp_path, words, away.conninfo, handed) as program:
            program.waits(2)
            away.start()
            assert program.comes_up().startswith("The worker follows the log" if worker else "ready")
            if not worker:
                registers(f"http://127.0.0.1:{listener.getsockname()[1]}")
            assert program.end() == 0
        away.stop()
        with begun(tmp_path, words, away.conninfo, handed) as program:
            program.waits()
            assert program.end(signal.SIGINT if worker else signal.SIGTERM) == 0


@pytest.mark.parametrize("flags", [(), ("--processes", "2", "--no-worker")], ids=["alone", "killed meanwhile"])
def test_one_that_may_not_be_written_to_yet_is_waited_for_too(
    database: str, tmp_path: Path, flags: tuple[str, ...]
) -> None:
    """It answers and its schema fits, so that it is lost in the middle of the start: as with a replica that is about to
    be made the primary. Processes that are killed before they were ever there come again.
    """
    set_database(database, "SET default_transaction_read_only = on")
    with begun(tmp_path, (*SERVE, *flags), database) as program:
        program.waits(2)
        for api in own_children(program.process.pid) if flags else ():
            api.kill()
        set_database(database, "RESET default_transaction_read_only")
        registers(program.comes_up().removeprefix("Kibitz is at "))
        assert ('"exit_code": -9' in program.log) == bool(flags)
        assert program.end() == 0


@pytest.mark.parametrize("number", [4, 6, 9])
def test_one_that_is_lost_in_the_middle_of_the_start_is_waited_for_without_a_traceback(
    database: str, tmp_path: Path, number: int
) -> None:
    with door(database, number) as way, begun(tmp_path, (*SERVE, "--no-worker"), way.conninfo) as program:
        program.waits()
        assert way.closed
        way.open()
        registers(program.comes_up().removeprefix("Kibitz is at "))
        assert "Traceback" not in program.log
        assert program.end() == 0


def test_keys_that_cannot_be_made_are_told_in_one_sentence(database: str, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    ran = kibitz("serve", "--port", 0, "--no-worker", DATABASE_URL=database, KIBITZ_SIGNING_KEYS=str(tmp_path / "file"))
    assert (ran.returncode, ran.stdout) == (1, "")
    assert "kibitz: " in ran.stderr
    assert "Traceback" not in ran.stderr


def set_database(conninfo: str, setting: str) -> None:
    """Change a setting of the whole database, for sessions to come."""
    with psycopg.connect(conninfo, autocommit=True) as connection:
        connection.execute("SET default_transaction_read_only = off")
        name = connection.info.dbname
        connection.execute(f'ALTER DATABASE "{name}" {setting}'.encode())


@PROCESSES
def test_what_no_waiting_mends_ends_it_with_its_own_message(postgres: Server, database: str, processes: str) -> None:
    bare, newer = (postgres.create_database(f"{name}_{processes}") for name in ("bare", "newer"))
    migrate(newer)
    with psycopg.connect(newer, autocommit=True) as connection:
        connection.execute("INSERT INTO schema_migrations (number, name) VALUES (9999, '9999_future')")
    for conninfo, message in (
        (bare, "The database has no schema.* Run `kibitz migrate`"),
        (newer, "The database has 9999_future"),
        (make_conninfo(database, dbname="nowhere"), 'database "nowhere" does not exist'),
        (make_conninfo(database, user="nobody"), 'role "nobody" does not exist'),
        ("secret://nonsense", "DATABASE_URL is no connection string"),
    ):
        ran = kibitz("serve", "--port", 0, "--processes", processes, DATABASE_URL=conninfo)
        assert (ran.returncode, ran.stdout) == (1, "")
        assert re.search(message, ran.stderr)
        assert "secret" not in ran.stderr
        assert len(ran.stderr.splitlines()) == 1
    assert kibitz("migrate", DATABASE_URL=bare).stdout.startswith("The schema is at 00")


def test_a_process_says_in_a_sentence_what_no_waiting_mends(postgres: Server, tmp_path: Path) -> None:
    bare = postgres.create_database("bare_process")
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        program = Begun(tmp_path, ("service.cli.api_process", str(listener.fileno())), bare, (listener.fileno(),))
        assert program.process.wait(60) == 1
    assert program.log.startswith("kibitz: The database has no schema")
    assert len(program.log.splitlines()) == 1
