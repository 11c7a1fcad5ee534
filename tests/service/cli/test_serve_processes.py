"""Serving with several processes: they share the port, what dies comes back, and all ends in good order."""

import signal
from pathlib import Path

import httpx
import psutil
import pytest

from service.postgres import PostgresUnavailable, join
from tests.ports import free_ports
from tests.waiting import until

from .programs import Serving, folder, own_children, serving

DRAW = {"type": "klondike/draw"}


def children(service: Serving, word: str) -> list[psutil.Process]:
    """The service's own processes of which the command line has this word."""
    found = [child for child in psutil.Process(service.process.pid).children() if _lives(child)]
    return [child for child in found if any(word in Path(said).name.split(".") for said in _words(child))]


def _lives(process: psutil.Process) -> bool:
    return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)


def _words(process: psutil.Process) -> list[str]:
    try:
        return list(process.cmdline())
    except psutil.Error:
        return []


def played(service: Serving, most: int = 5) -> int:
    """The version of a game after so many commands, each on a connection of its own."""
    made = httpx.post(f"{service.address}/v1/players", json={"name": "Ada"}, timeout=60).raise_for_status().json()
    said = {"authorization": f"Bearer {made['token']['secret']}"}
    game = httpx.post(f"{service.address}/v1/games", json={"game_type": "klondike"}, headers=said, timeout=60).json()
    where = f"{service.address}/v1/games/{game['id']}/commands"
    return max(
        int(httpx.post(where, json=DRAW, headers=said, timeout=60).raise_for_status().json()["version"])
        for _ in range(most)
    )


def test_two_processes_answer_on_one_port_and_one_that_is_killed_comes_back() -> None:
    with folder() as data, serving(data, "--processes", "2") as service:
        apis = children(service, "api_process")
        assert len(apis) == 2
        assert played(service) == 3 + 5
        apis[0].kill()
        assert played(service) == 3 + 5
        worker = children(service, "worker")[0]
        worker.kill()
        until(lambda: len(children(service, "api_process")) == 2 and not _lives(apis[0]))
        until(lambda: children(service, "worker") and not _lives(worker))
        until(lambda: _standing(service)[0] == _standing(service)[1] > 0)
        assert service.end(signal.SIGTERM) == 0
        with pytest.raises(PostgresUnavailable):
            join(data)


def test_one_process_has_its_read_models_kept_beside_it_and_the_keeper_comes_back() -> None:
    with folder() as data, serving(data) as service:
        worker = children(service, "worker")[0]
        worker.kill()
        until(lambda: children(service, "worker") and not _lives(worker))
        assert played(service) == 8
        until(lambda: _standing(service)[0] == _standing(service)[1] > 0)


def _standing(service: Serving) -> tuple[int, int]:
    """Where the log and the read models stand."""
    told = httpx.get(f"{service.address}/readyz", timeout=60).json()
    return int(told.get("log_position", 0)), int(told.get("read_position", -1))


def test_without_a_worker_none_is_started() -> None:
    with folder() as data, serving(data, "--no-worker") as service:
        assert own_children(service.process.pid) == children(service, "postgres")


def test_killed_it_leaves_no_process_behind_and_the_next_has_its_port_and_games() -> None:
    with folder() as data:
        with serving(data, "--port", str(free_ports()), "--processes", "2") as service:
            ours = [*children(service, "api_process"), *children(service, "worker")]
            service.process.kill()
            until(lambda: not any(map(_lives, ours)))
        with serving(data, "--port", str(service.port)) as after:
            assert after.port == service.port
            assert played(after) == 8
