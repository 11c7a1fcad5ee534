"""What is killed, and what the next start makes of it."""

import os
import signal
import subprocess
from contextlib import suppress
from pathlib import Path
from threading import Thread
from time import sleep

import psutil
import psycopg
import pytest
from holder import end, run_of_tests, serving

from service.postgres import FolderInUse, join, private_server, start, stop
from service.postgres.folder import existing_data_folder, identity

IN_THE_WAY = "pre-existing shared memory block"


def store(conninfo: str, card: str) -> None:
    with psycopg.connect(conninfo) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS kept (card text)")
        connection.execute("INSERT INTO kept VALUES (%s)", [card])


def stored(conninfo: str) -> list[str]:
    with psycopg.connect(conninfo) as connection:
        return [card for (card,) in connection.execute("SELECT card FROM kept ORDER BY card")]


def kill_with_its_children(pid: int) -> None:
    for process in [psutil.Process(pid), *psutil.Process(pid).children()]:
        with suppress(psutil.NoSuchProcess):  # a child sees its parent dead, and ends by itself
            process.kill()


def test_a_server_outlives_ctrl_c_and_its_process_and_is_adopted_with_everything_in_it(data_folder: Path) -> None:
    """Ctrl-C at the terminal reaches the process group of whoever started it, and not PostgreSQL."""
    with serving(data_folder) as (holder, pid, _):
        with pytest.raises(FolderInUse, match=f"served by process {holder.pid}"):
            start(data_folder)
        store(join(data_folder).dsn, "QH")
        with psycopg.connect(join(data_folder).dsn) as connection:
            os.killpg(holder.pid, signal.SIGINT)
            end(holder)
            assert connection.execute("SELECT 1").fetchone() == (1,)
    server, process = start(data_folder), psutil.Process(pid)
    assert (server.pid, server.process, stored(server.dsn)) == (pid, None, ["QH"])
    stop(server)
    process.wait(60)


def test_a_server_killed_with_its_children_recovers_though_another_process_has_the_number_in_its_pid_file(
    data_folder: Path,
) -> None:
    with serving(data_folder) as (holder, pid, _):
        store(join(data_folder).dsn, "QH")
        end(holder)
        kill_with_its_children(pid)
    account = existing_data_folder(data_folder).account
    with subprocess.Popen(["sleep", "600"], cwd="/", **identity(account)) as stranger:
        pid_file = data_folder / "cluster" / "postmaster.pid"
        pid_file.write_text(pid_file.read_text().replace(str(pid), str(stranger.pid), 1))
        with private_server(data_folder) as server:
            assert server.pid not in (pid, stranger.pid)
            assert server.process is not None
            assert stored(server.dsn) == ["QH"]
        assert stranger.poll() is None
        stranger.kill()
    assert "automatic recovery in progress" in server.data.log.read_text()


def test_a_start_waits_for_the_children_of_a_killed_server(data_folder: Path) -> None:
    with serving(data_folder) as (holder, pid, _):
        end(holder)
    killed = psutil.Process(pid)
    lingering = killed.children()[0]
    lingering.suspend()
    killed.kill()
    killed.wait(60)
    leave = Thread(target=resumed_once_in_the_way, args=(lingering, data_folder / "postgresql.log"), daemon=True)
    leave.start()
    with private_server(data_folder) as server:
        assert not lingering.is_running() or lingering.status() == psutil.STATUS_ZOMBIE
        assert server.pid != pid
    assert IN_THE_WAY in server.data.log.read_text()


def resumed_once_in_the_way(lingering: psutil.Process, log: Path) -> None:
    """What PostgreSQL says of its start tells that it has met the child."""
    while IN_THE_WAY not in log.read_text():
        sleep(0.02)
    lingering.resume()


def test_an_interrupted_first_start_leaves_nothing_that_hinders_the_next(empty_folder: Path) -> None:
    (empty_folder / "cluster.unfinished" / "base").mkdir(parents=True)
    with private_server(empty_folder, {"fsync": "off"}) as server:
        assert server.has_database("kibitz")
    assert not (empty_folder / "cluster.unfinished").exists()


def test_an_interrupted_test_run_leaves_no_server_and_no_folder(tmp_path: Path) -> None:
    with run_of_tests(tmp_path) as (run, pid, folder):
        end(run, signal.SIGTERM)
        assert not folder.exists()
        assert not psutil.pid_exists(pid)


def test_what_a_killed_test_run_left_is_cleared_by_the_next_which_leaves_nothing_after_ctrl_c(tmp_path: Path) -> None:
    with run_of_tests(tmp_path) as (killed, pid, folder):
        end(killed)
        left_behind = psutil.Process(pid)
    with run_of_tests(tmp_path) as (run, next_pid, next_folder):
        assert not folder.exists()
        left_behind.wait(60)
        end(run, signal.SIGINT)
        assert not next_folder.exists()
        assert not psutil.pid_exists(next_pid)
