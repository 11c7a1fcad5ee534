"""After an erasure no file of the private PostgreSQL has a byte of what was personal: its files are read."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg
import pytest

from service.event_store.schema import migrate, migrations
from service.postgres import Server, private_server
from service.workers import maintenance
from tests.api.holding import resign
from tests.api.playing import of, opened
from tests.api.serving import Player, Service, registered, serving
from tests.api.watching import lines, until

FAST = {"fsync": "off", "autovacuum": "off"}  # nothing but the service itself cleans up
NAME, RENAMED, LABEL = "Zebulon Quagmire", "Zebulon the Second", "Zebulon's lantern"
IN_THE_CLEAR = "Zebulon of a program of before"
_KEPT = """
SELECT key, sealed_name, sealed_label FROM player_keys JOIN persons USING (player) JOIN tokens USING (player)
WHERE player = %s
"""


@pytest.fixture
def service(data_folder: Path) -> Iterator[Service]:
    """A server with a data folder of its own, which keeps its read models."""
    with private_server(data_folder, FAST) as postgres:
        migrate(postgres.dsn)
        with serving(postgres.dsn, run_worker=True) as running:
            yield running


def found(folder: Path, wanted: dict[str, bytes]) -> dict[str, list[str]]:
    """In which files of the folder these bytes stand, by what they are."""
    places: dict[str, list[str]] = {what: [] for what in wanted}
    for path in folder.rglob("*"):
        content = _read(path)
        for what, text in wanted.items():
            places[what] += [str(path.relative_to(folder))] if text in content else []
    return places


def _read(path: Path) -> bytes:
    """The server may take a file away meanwhile."""
    with suppress(FileNotFoundError):
        return path.read_bytes() if path.is_file() else b""
    return b""


def said(service: Service, *statements: str) -> list[Any]:
    """What the last of these statements answers."""
    with psycopg.connect(service.conninfo, autocommit=True) as connection:
        for statement in statements:
            cursor = connection.execute(statement.encode())
        return cursor.fetchall() if cursor.description else []


def kept_of(service: Service, player: Player) -> dict[str, bytes]:
    """What the database keeps of a person now, as it stands in the files."""
    with psycopg.connect(service.conninfo) as connection:
        rows = connection.execute(_KEPT, [player.id]).fetchall()
    return {f"{what} {number}": bytes(value) for number, row in enumerate(rows)
            for what, value in zip(("key", "name", "label"), row, strict=True)}  # fmt: skip


def test_no_file_keeps_anything_of_who_was_erased(service: Service, data_folder: Path) -> None:
    gone, bob = registered(service, NAME), registered(service, "Bob")
    everything = kept_of(service, gone)
    assert gone.http.patch("/v1/players/me", json={"name": RENAMED}).status_code == 200
    assert gone.post("/v1/tokens", {"label": LABEL}).status_code == 201
    with psycopg.connect(service.conninfo, autocommit=True) as connection:
        # What a program of before wrote, and this one has sealed since.
        write = "UPDATE persons SET name = %s WHERE player = %s"
        connection.execute(write, [IN_THE_CLEAR, gone.id])
        connection.execute(write, [None, gone.id])
    everything |= {f"{what} later": value for what, value in kept_of(service, gone).items()}
    everything |= {"in the clear": IN_THE_CLEAR.encode(), "token": gone.token.encode()}
    game = opened(gone)
    resign(gone, game)
    assert gone.post(of(game, "/comments"), {"version": 1, "text": NAME}).status_code == 201
    everything |= {"comment": bytes(said(service, "SELECT sealed FROM comments")[0][0])}
    assert any("pg_wal" in place for place in found(data_folder, everything)["key 0"])  # before it is recycled
    said(service, "SELECT pg_switch_wal()", "CHECKPOINT", "SELECT pg_switch_wal()", "CHECKPOINT")
    bobs = kept_of(service, bob)
    before = found(data_folder, everything)
    assert all(places for what, places in before.items() if what != "token")  # the search would find it
    with psycopg.connect(service.conninfo) as reader:  # an old snapshot, which sees everybody
        reader.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        reader.execute("SELECT 1")
        assert gone.http.delete("/v1/players/me").status_code == 204
        until(lambda: not said(service, "SELECT id FROM erasures"))
    places = found(data_folder, everything)
    assert {what: files for what, files in places.items() if files} == {}
    assert all(found(data_folder, bobs).values())
    assert bob.get("/v1/players/me").json()["name"] == "Bob"
    until(lambda: [line["log_overwritten"] for line in lines(service, "rewritten")] == [True])


def test_the_planners_statistics_sample_nothing_personal(service: Service) -> None:
    ada = registered(service, NAME)
    said(service, "ANALYZE player_keys", "ANALYZE persons", "ANALYZE tokens")
    sampled = "SELECT attname FROM pg_stats WHERE tablename IN ('player_keys', 'persons', 'tokens')"
    assert {row[0] for row in said(service, sampled)}.isdisjoint(
        {"key", "name", "sealed_name", "label", "sealed_label"}
    )
    assert ada.get("/v1/players/me").json()["name"] == NAME


def test_a_database_of_before_forgets_its_samples_and_is_rewritten(postgres: Server) -> None:
    name = f"test_{uuid4().hex}"
    conninfo = postgres.create_database(name)
    try:
        with psycopg.connect(conninfo, autocommit=True) as connection:
            for migration in migrations():
                if migration.number < 21:
                    connection.execute(migration.sql.encode())
            connection.execute("INSERT INTO persons (player, name) SELECT gen_random_uuid(), 'N' || n "
                               "FROM generate_series(1, 50) AS n")  # fmt: skip
            connection.execute("ANALYZE persons")
            samples = "SELECT histogram_bounds FROM pg_stats WHERE tablename = 'persons' AND attname = 'name'"
            assert "N50" in str(connection.execute(samples).fetchone())
            connection.execute(migrations_from(21))
            assert connection.execute(samples).fetchone() is None
            assert connection.execute("SELECT count(*) FROM erasures").fetchone() == (1,)
    finally:
        postgres.drop_database(name)


def migrations_from(number: int) -> bytes:
    """What is applied to a database that has those before this one."""
    return "\n".join(migration.sql for migration in migrations() if migration.number >= number).encode()


def test_whoever_reads_the_tables_is_not_cut_off_and_holds_nobody_up(service: Service) -> None:
    gone, bob = registered(service, NAME), registered(service, "Bob")
    with psycopg.connect(service.conninfo) as reader:  # as a backup does
        reader.execute("LOCK TABLE persons IN ACCESS SHARE MODE")
        assert gone.http.delete("/v1/players/me").status_code == 204
        assert bob.http.patch("/v1/players/me", json={"name": "Robert"}).status_code == 200
        assert said(service, "SELECT id FROM erasures")
        assert reader.execute("SELECT count(*) FROM persons").fetchone() == (1,)
    until(lambda: not said(service, "SELECT id FROM erasures"))
    assert bob.get("/v1/players/me").json()["name"] == "Robert"


def test_a_role_that_may_not_touch_the_log_rewrites_the_tables(postgres: Server) -> None:
    role = f"test_{uuid4().hex}"
    conninfo = postgres.create_database(role)
    try:
        with psycopg.connect(conninfo, autocommit=True) as connection:
            connection.execute(f"CREATE ROLE {role}; GRANT ALL ON SCHEMA public TO {role}".encode())
            connection.execute(f"SET SESSION AUTHORIZATION {role}".encode())
            connection.execute(migrations_from(1))
            connection.execute(maintenance.RECORD)
            before = files_of_persons(connection)
            maintenance.Rewriting()(connection)
            assert connection.execute(maintenance.WAITING).fetchall() == []
            assert before.isdisjoint(files_of_persons(connection))
    finally:
        postgres.drop_database(role)
        with psycopg.connect(postgres.conninfo("postgres"), autocommit=True) as connection:
            connection.execute(f"DROP ROLE IF EXISTS {role}".encode())


def files_of_persons(connection: psycopg.Connection[Any]) -> set[int]:
    """The numbers of the files that the tables of persons stand in."""
    named = "SELECT relfilenode FROM pg_class WHERE relname IN ('player_keys', 'persons', 'tokens')"
    return {row[0] for row in connection.execute(named).fetchall()}
