"""Serving: what it says, what it refuses, and how it ends."""

import json
import signal
import subprocess
from pathlib import Path

import httpx
import psycopg
import pytest

from service.cli import COMMANDS
from service.event_store.schema import migrate
from service.postgres import PostgresUnavailable, Server, join

from .conftest import Played
from .programs import folder, kibitz, serving, started
from .test_serve_processes import until


def test_it_tells_where_it_is_where_its_data_are_and_how_to_begin(played: Played) -> None:
    lines = played.service.lines
    assert lines[1] == f"Data folder {played.service.folder}"
    assert f"curl -s {played.service.address}/v1/games " in lines[3]
    assert f"curl -s {played.service.address}/v1/games/$GAME/commands " in lines[5]


def test_the_lines_it_prints_lead_to_a_game_that_goes_on(played: Played) -> None:
    first, again = played.service.lines[3], played.service.lines[5]
    ran = subprocess.run(["sh", "-c", f"{first}\n{again}\n{again}"], capture_output=True, text=True, check=True)
    legal, *answers = map(json.loads, ran.stdout.splitlines())
    assert {"type": "klondike/draw"} in legal["commands"]
    assert [answer["frames"][-1]["step"] for answer in answers] == [1, 2]
    assert answers[1]["version"] > answers[0]["version"] > legal["version"]


def test_a_second_one_on_the_same_folder_is_refused_in_a_sentence(played: Played) -> None:
    ran = kibitz("serve", "--port", 0, "--data-folder", played.service.folder)
    process = played.service.process.pid
    told = f"kibitz: The data folder {played.service.folder} is already served by process {process}.\n"
    assert (ran.returncode, ran.stdout, ran.stderr) == (1, "", told)


def test_a_port_that_is_taken_is_refused_in_a_sentence_and_leaves_no_folder(played: Played, tmp_path: Path) -> None:
    ran = kibitz("serve", "--port", played.service.port, "--data-folder", tmp_path / "other")
    assert ran.returncode == 1
    taken = f"Port {played.service.port} of 127.0.0.1 is taken by another program"
    assert ran.stderr == f"kibitz: {taken}: choose another one with --port.\n"
    assert not (tmp_path / "other").exists()


@pytest.mark.parametrize(
    ("flag", "value", "wanted"),
    [
        ("--port", 70_000, "a whole number from 0 to 65535"),
        ("--port", -1, "a whole number from 0 to 65535"),
        ("--processes", 0, "a whole number from 1 to 64"),
        ("--processes", -3, "a whole number from 1 to 64"),
        ("--metrics-port", -1, "a whole number from 0 to 65535"),
    ],
)
def test_what_no_setting_may_be_no_flag_may_be(tmp_path: Path, flag: str, value: int, wanted: str) -> None:
    ran = kibitz("serve", flag, value, "--data-folder", tmp_path / "none")
    assert (ran.returncode, ran.stderr) == (2, f"kibitz: {flag} must be {wanted}.\n")


@pytest.mark.parametrize("port", [0, 65_534])
def test_every_process_has_a_port_for_its_metrics_or_nothing_starts(tmp_path: Path, port: int) -> None:
    ran = kibitz("serve", "--processes", 2, "--metrics-port", port, "--data-folder", tmp_path / "none")
    assert (ran.returncode, ran.stderr.count("\n")) == (2, 1)
    assert "must be a number from 1 to 65533" in ran.stderr
    assert not (tmp_path / "none").exists()


def test_sigterm_and_ctrl_c_end_it_in_good_order_and_nothing_is_lost() -> None:
    with folder(empty=True) as data:
        with started(data) as service:
            answer = httpx.post(f"{service.address}/v1/players", json={"name": "Ada"}, timeout=60)
            player = answer.raise_for_status().json()["player"]["id"]
            service.process.send_signal(signal.SIGTERM)
            assert service.end(signal.SIGTERM) == 0
        with pytest.raises(PostgresUnavailable):
            join(data)
        assert (data / "postgresql.log").read_text().rstrip().endswith("database system is shut down")
        with serving(data) as service:
            assert httpx.get(f"{service.address}/v1/players/{player}", timeout=60).json()["name"] == "Ada"
            assert service.end(signal.SIGINT) == 0


def test_a_database_of_others_is_used_but_never_migrated(postgres: Server) -> None:
    bare = postgres.create_database("bare")
    ran = kibitz("serve", "--port", 0, DATABASE_URL=bare)
    assert ran.returncode == 1
    assert "no schema" in ran.stderr
    assert "Run `kibitz migrate`." in ran.stderr
    assert kibitz("migrate", DATABASE_URL=bare).stdout.startswith("The schema is at 00")


def test_a_newer_schema_is_refused(postgres: Server) -> None:
    newer = postgres.create_database("newer")
    migrate(newer)
    _said(newer, "INSERT INTO schema_migrations (number, name) VALUES (9999, '9999_future')")
    ran = kibitz("serve", "--port", 0, DATABASE_URL=newer)
    assert ran.returncode == 1
    assert "The database has 9999_future" in ran.stderr
    assert len(ran.stderr.splitlines()) == 1


def _said(conninfo: str, sql: str) -> None:
    with psycopg.connect(conninfo, autocommit=True) as connection:
        connection.execute(sql.encode())


def test_a_connection_string_that_is_none_is_refused_without_being_repeated() -> None:
    ran = kibitz("serve", "--port", 0, DATABASE_URL="secret://nonsense")
    assert ran.returncode == 1
    assert "secret" not in ran.stderr


def test_its_log_is_json_off_the_terminal_and_holds_no_token(played: Played) -> None:
    log = played.service.folder / "stderr"
    until(lambda: "Application startup complete." in log.read_text())
    lines = log.read_text().splitlines()
    assert {"Application startup complete."} <= {json.loads(line)["event"] for line in lines}
    assert played.token not in "".join(lines)


def test_without_a_command_the_commands_are_told() -> None:
    told = kibitz("--help").stdout
    assert all(name in told for name in COMMANDS)
    assert kibitz().returncode == 2
