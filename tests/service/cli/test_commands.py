"""The commands beside `serve`, on a service that runs."""

import json
import signal
import subprocess
from pathlib import Path

import pytest

from projections import PROJECTIONS
from service import VERSION
from service.cli import COMMANDS
from service.postgres import Server
from tests import forking

from .conftest import Played
from .programs import KIBITZ, environment, folder, kibitz, serving

NOBODY = "01a1f81c-5ad7-7419-af41-349a86009bb0"


CHECKS = (
    "Python", "PostgreSQL", "Data folder", "Disk", "Clock", "Database", "Server", "Durability", "Connections", "Rights",
    "Clocks", "Schema", "Sealing keys", "Erasures", "Worker", "Processes", "Log",
)  # fmt: skip
"""What the doctor looks at, in its order."""


def on(played: Played) -> tuple[str, Path]:
    return "--data-folder", played.service.folder


def test_verify_says_one_line_for_each_game_and_finds_them(played: Played) -> None:
    ran = kibitz("verify", played.solo, played.duel, *on(played))
    assert (ran.returncode, ran.stderr) == (0, "Games verified: 2; with faults: 0.\n")
    assert ran.stdout == f"OK    {played.solo} klondike, 13 steps\nOK    {played.duel} spite_and_malice, 0 steps\n"
    ran = kibitz("verify", "--all", *on(played))
    assert ran.returncode == 0
    assert {played.solo, played.duel} <= {line.split()[1] for line in ran.stdout.splitlines()}
    assert kibitz("verify").returncode == 2
    assert kibitz("verify", played.solo, "--all").returncode == 2
    ran = kibitz("verify", NOBODY, *on(played))
    assert (ran.returncode, ran.stdout) == (1, f"FAULT {NOBODY} There is no such game.\n")


def test_migrate_has_nothing_to_do_and_rebuild_gives_the_same_again(played: Played) -> None:
    ran = kibitz("migrate", *on(played))
    assert (ran.returncode, ran.stderr) == (0, "")
    assert f"(data folder {played.service.folder})" in ran.stdout
    first, second = kibitz("rebuild", *on(played)), kibitz("rebuild", "scoreboards", *on(played))
    assert (first.returncode, second.returncode) == (0, 0)
    fingerprints = dict(line.split() for line in first.stdout.splitlines())
    assert set(fingerprints) == {*PROJECTIONS, "inbox"}
    assert second.stdout == f"scoreboards {fingerprints['scoreboards']}\n"


def test_a_worker_of_its_own_stands_by_and_ends_at_a_signal(played: Played) -> None:
    command = [*KIBITZ, "worker", *map(str, on(played))]
    with forking.Popen(command, stdout=subprocess.PIPE, text=True, env=environment()) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "The worker follows the log; Ctrl-C ends it.\n"
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0


def test_doctor_finds_a_service_that_runs_in_good_health(played: Played) -> None:
    while " a worker is at it" not in (ran := kibitz("doctor", *on(played))).stdout:
        assert played.service.process.poll() is None
    assert ran.returncode == 0, ran.stdout
    assert [line.split(":")[0].split(maxsplit=1) for line in ran.stdout.splitlines()] == [
        ["OK", name] for name in CHECKS
    ]


def test_doctor_says_what_to_do_where_nothing_runs(tmp_path: Path) -> None:
    ran = kibitz("doctor", "--data-folder", tmp_path / "none")
    assert ran.returncode == 1
    lines, none = ran.stdout.splitlines(), tmp_path / "none"
    assert f"OK    Data folder: {none} can be made." in lines
    assert (
        f"FAULT Database: No PostgreSQL runs on the data folder {none}. To do: start it with `kibitz serve`." in lines
    )


def test_doctor_tells_a_database_that_was_never_migrated(postgres: Server) -> None:
    bare = postgres.create_database("unmigrated")
    ran = kibitz("doctor", DATABASE_URL=bare)
    assert ran.returncode == 1
    assert "To do: run `kibitz migrate`." in ran.stdout


def test_without_a_service_verify_starts_the_database_for_its_time_and_a_worker_does_not() -> None:
    with folder() as data:
        with serving(data):
            pass
        ran = kibitz("verify", "--all", "--data-folder", data)
        assert ran.returncode == 0
        assert ran.stderr.startswith("Games verified: 0; with faults: 0.\n")
        assert not (data / "address").exists()
        ran = kibitz("worker", "--data-folder", data)
        assert ran.returncode == 1
        assert ran.stderr == f"kibitz: No PostgreSQL runs on the data folder {data}: start it with `kibitz serve`.\n"


def test_openapi_writes_the_same_description_to_stdout_and_to_a_file(tmp_path: Path) -> None:
    assert kibitz("openapi", "--output", tmp_path / "openapi.json").returncode == 0
    text = (tmp_path / "openapi.json").read_text("utf-8")
    assert kibitz("openapi").stdout == text
    assert json.loads(text)["openapi"].startswith("3.1")


def test_the_version_is_told() -> None:
    ran = kibitz("--version")
    assert (ran.returncode, ran.stdout) == (0, f"kibitz {VERSION}\n")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_tells_its_flags(name: str) -> None:
    ran = kibitz(name, "--help")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.startswith(f"Usage: kibitz {name}")


def test_an_unreadable_setting_is_wrong_usage() -> None:
    ran = kibitz("doctor", KIBITZ_PORT="eight")
    assert ran.returncode == 2
    assert ran.stderr == "kibitz: KIBITZ_PORT must be a whole number from 0 to 65535.\n"


def test_a_reader_that_goes_away_ends_it_quietly(played: Played) -> None:
    command = [*KIBITZ, "replay", played.solo, "--plain", *map(str, on(played))]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment()) as ran:
        assert ran.stdout is not None
        ran.stdout.close()
        assert ran.stderr is not None
        assert ran.stderr.read() == ""
        assert ran.wait(60) == 1
