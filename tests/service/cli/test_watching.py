"""What a worker of its own tells, and what `kibitz doctor` says of one that has stopped or is not there."""

import json
import re
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from time import sleep

import httpx
import psycopg
import pytest
from prometheus_client.parser import text_string_to_metric_families

from service.event_store.schema import migrate
from service.postgres import Server
from service.workers.health import Failure, Heartbeat
from service.workers.worker import Worker
from tests import forking
from tests.ports import free_ports
from tests.waiting import until

from .programs import KIBITZ, environment, folder, kibitz, serving


@contextmanager
def working(*arguments: object, **settings: str) -> Iterator[str]:
    """The address at which a `kibitz worker` tells its metrics."""
    command = [*KIBITZ, "worker", *map(str, arguments)]
    with forking.Popen(command, stdout=subprocess.PIPE, text=True, env=environment(**settings)) as process:
        assert process.stdout is not None
        said = process.stdout.readline()
        found = re.search(r"http://\S+(?=/metrics)", said)
        try:
            assert found is not None, said
            yield found[0]
        finally:
            process.send_signal(signal.SIGTERM)
            assert process.wait(60) == 0


def told(address: str) -> dict[str, float]:
    """Samples without labels, and the greatest of those with."""
    found: dict[str, float] = {}
    for family in text_string_to_metric_families(httpx.get(f"{address}/metrics", timeout=60).text):
        for sample in family.samples:
            found[sample.name] = max(sample.value, found.get(sample.name, sample.value))
    return found


def at_work(address: str) -> bool:
    """Whether a worker there keeps the read models; `serve` is ready without waiting for its own."""
    try:
        return bool(told(address).get("kibitz_worker_active"))
    except httpx.ConnectError:
        return False


def test_a_worker_tells_its_metrics_on_a_port_of_its_own(database: str) -> None:
    with working("--metrics-port", "0", DATABASE_URL=database) as address:
        while not (found := told(address)).get("kibitz_worker_active"):
            sleep(0.05)
        assert (found["kibitz_store_up"], found["kibitz_projection_lag_events"]) == (1, 0)
        assert found["process_resident_memory_bytes"] > 0
        assert httpx.get(f"{address}/livez", timeout=60).json() == {"status": "alive"}
        assert httpx.get(f"{address}/", timeout=60).status_code == 404


def test_doctor_names_a_projection_that_has_stopped(database: str) -> None:
    Worker(database).catch_up()
    with psycopg.connect(database, autocommit=True) as connection:
        Heartbeat().write(connection, True, [Failure("games", 0, "KeyError")])
    ran = kibitz("doctor", DATABASE_URL=database)
    assert ran.returncode == 1
    (line,) = [line for line in ran.stdout.splitlines() if "Worker" in line]
    assert line.endswith("Stopped: games at 0 by KeyError. To do: look into the worker's log.")


def test_an_endpoint_for_traces_needs_what_makes_them(database: str) -> None:
    program = (
        "import sys; sys.modules['opentelemetry.sdk.trace'] = None\n"
        "from service.cli import main; sys.exit(main(['worker']))"
    )
    ran = subprocess.run(
        [KIBITZ[0], "-c", program], capture_output=True, text=True, check=False, timeout=60,
        env=environment(DATABASE_URL=database, KIBITZ_TRACES_ENDPOINT="http://127.0.0.1:9"),
    )  # fmt: skip
    assert (ran.returncode, ran.stderr) == (
        1, "kibitz: An endpoint for traces is set: pip install 'kibitz[traces]' first.\n",
    )  # fmt: skip


def test_each_of_several_processes_tells_its_own_metrics_at_a_port_of_its_own() -> None:
    port = free_ports(3)
    inside = "127.0.0.2"  # players come to 127.0.0.1
    metrics = "--metrics-host", inside, "--metrics-port", str(port)
    with folder() as data, serving(data, "--processes", "2", *metrics) as service:
        assert httpx.get(f"{service.address}/metrics", timeout=60).status_code == 404
        for _ in range(20):  # whoever takes them
            httpx.get(f"{service.address}/v1/game-types", timeout=60).raise_for_status()
        asked = 0.0
        for process in (port + 1, port + 2):
            with pytest.raises(httpx.ConnectError):
                httpx.get(f"http://127.0.0.1:{process}/metrics", timeout=60)
            told_at = httpx.get(f"http://{inside}:{process}/metrics", timeout=60).text
            samples = [one for family in text_string_to_metric_families(told_at) for one in family.samples]
            assert {one.labels["process"] for one in samples} == {str(process)}
            wanted = ("kibitz_requests_total", "list_game_types")
            asked += sum(one.value for one in samples if (one.name, one.labels.get("operation")) == wanted)
        assert asked == 20
        until(lambda: at_work(f"http://{inside}:{port}"))


def test_serve_writes_what_it_has_gathered_also_at_its_end() -> None:
    with folder() as data:
        with serving(data) as service, httpx.Client(base_url=service.address, timeout=60) as http:
            token = http.post("/v1/players", json={"name": "Ada"}).json()["token"]["secret"]
            http.headers["authorization"] = f"Bearer {token}"
            game = http.post("/v1/games", json={"game_type": "klondike"}).json()["id"]
            http.post(f"/v1/games/{game}/commands", json={"type": "klondike/draw"}).raise_for_status()
            assert service.end() == 0
        lines = [json.loads(line) for line in (data / "stderr").read_text().splitlines()]
        (told,) = [line for line in lines if line["event"] == "command"]
        assert (told["game"], told["outcome"]) == (game, "accepted")
        assert token not in (data / "stderr").read_text()


def test_a_worker_of_another_database_of_the_same_server_is_none_of_this_one(postgres: Server) -> None:
    kept, unkept = postgres.create_database("kept"), postgres.create_database("unkept")
    for conninfo in (kept, unkept):
        migrate(conninfo)
    with forking.Popen(
        [*KIBITZ, "worker"], stdout=subprocess.PIPE, text=True, env=environment(DATABASE_URL=kept)
    ) as worker:
        assert worker.stdout is not None
        worker.stdout.readline()
        while " a worker is at it" not in kibitz("doctor", DATABASE_URL=kept).stdout:
            assert worker.poll() is None
        assert "and no worker is at it" in kibitz("doctor", DATABASE_URL=unkept).stdout
        worker.terminate()


def test_what_is_wrong_is_a_sentence_of_its_own_before_what_to_do() -> None:
    ran = kibitz("doctor", DATABASE_URL=f"postgresql://nobody@127.0.0.1:{free_ports()}/none")
    told = next(line for line in ran.stdout.splitlines() if line.startswith("FAULT Database: "))
    assert told.endswith("Connection refused. To do: check DATABASE_URL and its server.")
