"""The service under its units' filters of system calls: everything that runs in a process of its own is answered."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx
import psutil
import pytest

from domain.play.open_record import MEDIA_TYPE
from tests import ports
from tests.api.analysing import ask, await_analysis
from tests.api.holding import resign
from tests.api.houses import until
from tests.api.playing import Game, of, opened, say
from tests.api.serving import Player
from tests.service.cli.programs import environment

from .filtered import allowed_calls, values
from .test_systemd import FOLDER, UNITS, Unit

LOWERING = ("setpriority", "sched_setscheduler")
"""What lowers a process's own priority."""
DRAW = {"type": "golf/draw"}


@contextmanager
def running(unit: str, *flags: str, forbidden: str, **settings: str) -> Iterator["subprocess.Popen[bytes]"]:
    """What this unit runs, under its filter without these calls too, until the block ends."""
    path = FOLDER / f"{unit}.service"
    words = [*Unit(path)["Service"]["ExecStart"].split()[1:], *flags]
    command = [sys.executable, "-m", "tests.deploy.filtered", str(path), sys.executable, "-m", "service.cli", *words]
    process = subprocess.Popen(command, env=environment(FORBIDDEN=forbidden, **settings))
    try:
        yield process
    finally:
        process.terminate()
        process.wait(60)


@pytest.fixture(params=["", " ".join(LOWERING)], ids=["as shipped", "priorities refused"])
def forbidden(request: pytest.FixtureRequest) -> str:
    calls: str = request.param
    return calls


def begun(http: httpx.Client) -> tuple[Player, Game]:
    """A player of this service and a Golf in which a card was drawn."""
    made = http.post("/v1/players", json={"name": "Ada"}).json()
    http.headers["authorization"] = f"Bearer {made['token']['secret']}"
    ada = Player(made["player"]["id"], made["token"]["secret"], made["token"]["id"], http)
    game = opened(ada, "golf", rated=False, hints=True)
    assert say(ada, game, DRAW).status_code == 200
    return ada, game


@pytest.mark.timeout(900)
def test_what_runs_in_processes_of_its_own_is_answered(database: str, tmp_path: Path, forbidden: str) -> None:
    """Where a priority may be lowered, a hint also gives way further than a replay."""
    # On a busy machine an analysis with the kernel's least priority may wait for minutes.
    niceness = 19 if forbidden else 7
    settings = {"DATABASE_URL": database, "KIBITZ_SIGNING_KEYS": str(tmp_path), "KIBITZ_PUZZLES": "0"}
    settings |= {"KIBITZ_ANALYSIS_SECONDS": "1", "KIBITZ_SEARCH_NICENESS": str(niceness)}
    url = f"http://127.0.0.1:{(port := ports.free_ports())}"
    if not forbidden:  # its filter allows no such call in any case
        with running("kibitz-migrate", forbidden="", **settings) as migrate:
            assert migrate.wait(60) == 0
    with (
        running("kibitz", "--port", str(port), forbidden=forbidden, **settings) as api,
        running("kibitz-worker", forbidden=forbidden, **settings) as worker,
        httpx.Client(base_url=url, timeout=300) as http,
    ):
        until(lambda: is_ready(http))
        ada, game = begun(http)
        ada.get(of(game, "/frames")).raise_for_status()
        with suppress(httpx.ReadTimeout):  # its process goes on
            http.get(of(game, "/hint"), timeout=1)
        own = psutil.Process().nice()
        lowered = {own} if forbidden else {min(own + 5, 19), min(own + niceness, 19)}
        until(lambda: priorities(api) == lowered)
        until(lambda: ada.get(of(game, "/hint")).status_code == 200)
        resign(ada, game)
        for path in ("/frames", "/replay", "/record", "/verification"):
            ada.get(of(game, path)).raise_for_status()
        record = ada.get(of(game, "/record")).content
        headers = {"content-type": MEDIA_TYPE}
        http.post("/v1/records/verify", content=record, headers=headers).raise_for_status()
        ask(ada, game).raise_for_status()
        await_analysis(ada, game)
        assert (api.poll(), worker.poll()) == (None, None)


def priorities(api: "subprocess.Popen[bytes]") -> set[int]:
    """Those of the processes that answer requests and hints."""
    children = psutil.Process(api.pid).children()
    return {child.nice() for child in children if {"requests", "hints"} & {*child.cmdline()}}


def is_ready(http: httpx.Client) -> bool:
    try:
        return http.get("/readyz").status_code == 200
    except httpx.TransportError:
        return False


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.stem)
def test_a_unit_allows_to_lower_a_priority_and_nothing_else_of_its_kind(path: Path) -> None:
    calls = allowed_calls(values(path, "SystemCallFilter"))
    kinds = allowed_calls(["@privileged @resources"]) - allowed_calls([])
    assert calls & kinds == (set() if path.stem == "kibitz-migrate" else set(LOWERING))
    assert {"read", "socket", "execve"} <= calls
    for name in ("SystemCallFilter", "SystemCallErrorNumber", "RestrictAddressFamilies"):
        assert path.stem == "kibitz-migrate" or values(path, name) == values(UNITS[0], name), (
            "one run shows it for both"
        )
