"""What cannot be started is started as soon as it can be; callers are told meanwhile, and nobody falls silent."""

import json
from contextlib import suppress
from pathlib import Path
from time import sleep

import httpx
import psutil

from service.postgres import PostgresUnavailable, join
from tests.faults.shortages import few_files
from tests.waiting import until

from .programs import Serving, folder, own_children, serving, started
from .test_serve_processes import _lives, children, played


def told(service: Serving, event: str) -> int:
    """How often the log tells of this."""
    lines = (service.folder / "stderr").read_text().splitlines(keepends=True)
    return sum(json.loads(line)["event"] == event for line in lines if line.startswith("{") and line.endswith("\n"))


def answered(service: Serving) -> int:
    """The status that a look gets."""
    return httpx.get(f"{service.address}/livez", timeout=60).status_code


def answers(service: Serving) -> bool:
    """Whether it does again and again: whoever stands in for the others goes when it has seen that they are there."""
    return all(answered(service) == 200 for _ in range(30) if sleep(0.02) is None)


def test_a_child_that_cannot_be_started_is_started_once_it_can_be() -> None:
    with folder() as data, started(data, "--processes", "2") as service:
        parent = service.process.pid
        with few_files(parent, 1):  # with the two pipes of each that dies five: one fewer than a start takes
            for child in children(service, "api_process"):
                child.kill()
            until(lambda: told(service, "child not started") >= 4)
            until(lambda: answered(service) == 503)
        until(lambda: len(children(service, "api_process")) == 2 and children(service, "worker"))
        until(lambda: answers(service))
        assert played(service) == 8


def test_a_postgresql_that_cannot_be_started_is_started_once_it_can_be() -> None:
    with folder() as data, started(data) as service:
        died = join(data).pid
        with few_files(service.process.pid, 3):
            psutil.Process(died).kill()
            until(lambda: told(service, "postgres does not start") + told(service, "background work failed") > 0)
        until(lambda: _pid(data) not in (None, died))
        until(lambda: answers(service))
        until(lambda: httpx.get(f"{service.address}/readyz", timeout=60).status_code == 200)
        assert played(service) == 8


def _pid(data: Path) -> int | None:
    with suppress(PostgresUnavailable, OSError, ValueError):
        return join(data).pid
    return None


def test_everything_killed_at_once_comes_back() -> None:
    with folder() as data, serving(data, "--processes", "3") as service:
        killed = own_children(service.process.pid)
        for process in killed:
            process.kill()
        until(lambda: not any(map(_lives, killed)))
        until(lambda: _plays(service))


def _plays(service: Serving) -> bool:
    with suppress(httpx.HTTPError):
        return played(service) == 8
    return False
