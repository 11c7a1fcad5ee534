"""`python -m tests.soak.alerts [NAME ...]`: each alert is caused, and resolved as its page in deploy/RUNBOOK.md says.

A real Prometheus looks every three seconds, with the shipped rules; only their times are cut. Prints a table; exit
status 1 if an alert did not fire, or stayed.
"""

import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from threading import Event, Thread
from typing import Any
from uuid import UUID

import httpx
import psycopg
import yaml

from service.event_store.ids import now
from service.event_store.schema import migrate
from service.postgres import start, stop
from tests.debian import exit_where_missing, program
from tests.faults import faults
from tests.faults.load import Load, Wrong, under_way
from tests.faults.shortages import parent
from tests.faults.world import KIBITZ, Program, World, until
from tests.ports import free_ports

from . import folder_for, say

RULES = Path(__file__).parents[2] / "deploy" / "dashboards" / "alerts.yaml"
_SETTINGS = {"KIBITZ_DATABASE_SILENCE": "12", "KIBITZ_MAX_CONNECTIONS_PER_ADDRESS": "5000"}
_LONGEST = 100.0  # seconds until an alert fires, or is resolved
_BLOCKED = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'blocker'"
Remedy = Callable[[], object]


class Room:
    """The installation, its Prometheus, and what is at hand to hurt it."""

    def __init__(self, world: World, metrics: int, prometheus: str) -> None:
        self.world, self.metrics = world, metrics
        self._prometheus = httpx.Client(base_url=prometheus, timeout=30)
        self.folder, self.others = world.server.folder, list[Program]()
        self.http = httpx.Client(base_url=world.url, timeout=60)
        player = self.http.post("/v1/players", json={"name": "Operator"}).json()
        self.http.headers["Authorization"] = f"Bearer {player['token']['secret']}"
        self.player = player["player"]["id"] if "player" in player else player["id"]

    def sql(self, *statements: str) -> list[Any]:
        """Execute as the database's operator; the rows of the last one."""
        with psycopg.connect(self.world.conninfo, autocommit=True) as connection:
            cursors = [connection.execute(statement.encode()) for statement in statements]
            return cursors[-1].fetchall() if cursors[-1].description else []

    def block(self, statement: str) -> Remedy:
        """A session that holds these locks and is busy, for the service ends idle ones; the remedy ends it."""
        session = psycopg.connect(self.world.conninfo, application_name="blocker")
        session.execute(statement.encode())
        Thread(target=hold, args=[session, 600], daemon=True).start()
        return partial(self.sql, _BLOCKED)

    def hide(self, table: str) -> Remedy:
        """Give the table another name, as a wrong migration might; the remedy gives it back."""
        self.sql(f"ALTER TABLE {table} RENAME TO gone")
        return partial(self.sql, f"ALTER TABLE gone RENAME TO {table}")

    def firing(self) -> set[str]:
        """The names of the alerts that fire."""
        alerts = self._prometheus.get("/api/v1/alerts").json()["data"]["alerts"]
        return {alert["labels"]["alertname"] for alert in alerts if alert["state"] == "firing"}

    def repeat(self, ask: Callable[[httpx.Client], object], clients: int = 1) -> Event:
        """Ask again and again, by so many clients, until the event is set."""
        over = Event()

        def run() -> None:
            while not over.wait(0.05):
                with suppress(httpx.HTTPError):
                    ask(client)

        client = httpx.Client(
            base_url=self.world.url, timeout=60, headers=self.http.headers, limits=httpx.Limits(max_connections=clients)
        )
        for _ in range(clients):
            Thread(target=run, daemon=True).start()
        return over

    def other(self, **environment: str) -> tuple[Program, str]:
        """One more API process for the database, with these settings, not started; and its address."""
        port, database = free_ports(), ("--database-url", self.world.conninfo)
        flags = ("serve", "--port", str(port), "--no-worker", "--metrics-port", str(self.metrics + 1), *database)
        self.others.append(Program(self.folder, *flags, **environment))
        return self.others[-1], f"http://127.0.0.1:{port}"


def down(room: Room) -> Remedy:
    room.world.worker.end()
    return room.world.worker.start


def store_gone(room: Room) -> Remedy:
    stack = ExitStack()
    stack.enter_context(faults.frozen(room.world))
    return stack.close


def nothing_stored(room: Room) -> Remedy:
    def set_read_only(how: str) -> None:
        room.sql("SET default_transaction_read_only = off", how, faults._CUT + " AND pid <> pg_backend_pid()")

    set_read_only("ALTER DATABASE kibitz SET default_transaction_read_only = on")
    return partial(set_read_only, "ALTER DATABASE kibitz RESET default_transaction_read_only")


def projection_stopped(room: Room) -> Remedy:
    room.sql("UPDATE documents SET body = 'x'")
    room.world.worker.end(signal.SIGTERM)  # it keeps documents in memory
    room.world.worker.start()
    flags = ("rebuild", "--database-url", room.world.conninfo)
    return lambda: subprocess.run([*KIBITZ, *flags], env=room.world.api.environment, check=True, capture_output=True)


def key_missing(room: Room) -> Remedy:
    (away := room.folder / "away").mkdir()
    files = [path for path in (room.folder / "keys").iterdir() if "seal" in path.name]
    for path in files:
        path.rename(away / path.name)
    room.world.api.end()
    room.world.api.start()
    return lambda: [(away / path.name).rename(path) for path in files]


def server_errors(room: Room) -> Remedy:
    rename_back = room.hide("puzzles")
    over = room.repeat(lambda client: client.get("/v1/puzzles/daily"))
    return lambda: (rename_back(), over.set())


def slow_disk(room: Room, clients: int = 1) -> Remedy:
    """The log is held for some seconds, again and again, as by a disk that stalls."""
    over = room.repeat(lambda client: client.post("/v1/games", json={"game_type": "golf"}), clients)

    def stall() -> None:
        while not over.wait(0.2):
            with psycopg.connect(room.world.conninfo) as connection:
                connection.execute("SELECT FROM log FOR UPDATE")
                hold(connection, 2 if clients == 1 else 8)

    thread = Thread(target=stall)
    thread.start()
    return lambda: (over.set(), thread.join())


def no_connections(room: Room) -> Remedy:
    end = room.block("LOCK TABLE puzzles")
    over = room.repeat(lambda client: client.get("/v1/puzzles/daily"), 24)
    return lambda: (over.set(), end())


def unreachable(room: Room) -> Remedy:
    """The address at which a process is reached leaves the machine, as when a route is lost."""

    def move(how: str) -> None:
        subprocess.run(["ip", "addr", how, "198.51.100.31/32", "dev", "lo"], check=True)

    extra, url = room.other(KIBITZ_ADDRESS="198.51.100.31")
    move("add")
    try:
        extra.start()
        until(lambda: is_answered(f"{url}/livez"), "the other process answers")
    finally:
        move("del")
    return lambda: (move("add"), time.sleep(5), extra.end(signal.SIGTERM), move("del"))  # type: ignore[func-returns-value]


def webhooks_late(room: Room) -> Remedy:
    room.world.worker.end()
    made, at = UUID(int=1), now()
    room.sql(
        f"INSERT INTO webhooks (id, player, url, types, secret, created_at, verified_at) VALUES ('{made}', "
        f"'{room.player}', 'https://192.0.2.1/', '{{}}', '', {at}, {at})",
        "INSERT INTO account_events (id, player, type, at, summary) SELECT gen_random_uuid(), "
        f"'{room.player}', 'game.finished', {at}, '{{}}' FROM generate_series(1, 150)",
        f"INSERT INTO webhook_deliveries (webhook, event, due, begun_at) SELECT '{made}', number, {at}, {at} "
        f"FROM account_events WHERE player = '{room.player}'",
    )
    return lambda: (
        room.world.worker.start(),
        room.sql(f"UPDATE webhooks SET disabled = 'failing' WHERE id = '{made}'"),
    )


def no_hints(room: Room) -> Remedy:
    first, *others = [f"/v1/games/{open_game(room)}/hint" for _ in range(3)]
    room.http.get(first)
    (child,) = [one for one in parent(room.world).children(recursive=True) if one.cmdline()[-1] == "hints"]
    child.suspend()
    asking = [room.repeat(lambda client, path=path: client.get(path)) for path in others]  # one waits, one is refused
    return lambda: (child.kill(), time.sleep(5), [over.set() for over in asking])


def lines_lost(room: Room) -> Remedy:
    extra, url = room.other()
    popen = partial(subprocess.Popen, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    extra.process = popen(extra._command, env=extra.environment, start_new_session=True)
    extra.process.stderr.close()  # type: ignore[union-attr]
    over = room.repeat(lambda client: client.get(f"{url}/v1/games/{UUID(int=0)}"))

    return lambda: (over.set(), extra.end(signal.SIGTERM))  # type: ignore[func-returns-value]


def hold(session: psycopg.Connection[Any], seconds: float) -> None:
    with suppress(psycopg.Error):
        session.execute("SELECT pg_sleep(%s)", [seconds])


def is_answered(url: str) -> bool:
    with suppress(httpx.TransportError):
        return httpx.get(url).status_code == 200
    return False


def open_game(room: Room) -> str:
    """A new game with hints; its id."""
    opening = {"game_type": "golf", "options": {"undo": False}, "rated": False, "hints": True}
    return str(room.http.post("/v1/games", json=opening).json()["id"])


CAUSES: dict[str, Callable[[Room], Remedy]] = {
    "KibitzDown": down, "KibitzStoreGone": store_gone, "KibitzNothingStored": nothing_stored,
    "KibitzNothingStored: the log is held": lambda room: room.block("SELECT FROM log FOR UPDATE"),
    "KibitzNoWorker": down, "KibitzSealingKeyMissing": key_missing,
    "KibitzReadModelsBehind": lambda room: room.block("LOCK TABLE positions IN EXCLUSIVE MODE"),
    "KibitzCommandsSlow": slow_disk,
    "KibitzAppendsQueue": partial(slow_disk, clients=700), "KibitzConnectionsShort": no_connections,
    "KibitzProcessUnreachable": unreachable, "KibitzLogLinesLost": lines_lost, "KibitzWebhooksLate": webhooks_late,
    "KibitzJobsStandStill": lambda room: room.hide("analyses"), "KibitzNoHints": no_hints,
    "KibitzProjectionStopped": projection_stopped, "KibitzServerErrors": server_errors,
}  # fmt: skip


def main(names: list[str]) -> int:
    """Cause these alerts, or all; 0 if each fired and was resolved."""
    rules = yaml.safe_load(RULES.read_text("utf-8"))["groups"][0]["rules"]
    for untried in {rule["alert"] for rule in rules} - {name.split(":")[0] for name in CAUSES}:
        say(f"not tried: {untried}")
    failed = False
    with folder_for("alerts") as folder, installed(folder) as room:
        say("| alert | fired after | resolved after | beside it fired |\n|---|---|---|---|")
        for name in names or CAUSES:
            alert = name.split(":")[0]
            times = [wait(lambda: not room.firing())]
            remedy = CAUSES[name](room)
            times.append(wait(lambda alert=alert: alert in room.firing()))
            beside, began = room.firing() - {alert}, time.monotonic()
            remedy()
            times.append(None if wait(lambda: not room.firing()) is None else time.monotonic() - began)
            fired, resolved = ("never" if seconds is None else f"{seconds:.0f} s" for seconds in times[1:])
            say(f"| {name} | {fired} | {resolved} | {', '.join(sorted(beside))} |")
            failed |= None in times
    return int(failed)


def wait(is_so: Callable[[], bool]) -> float | None:
    """The seconds until then; None: in vain."""
    began = time.monotonic()
    while not is_so():
        if time.monotonic() - began > _LONGEST:
            return None
        time.sleep(0.2)
    return time.monotonic() - began


@contextmanager
def installed(folder: Path) -> Iterator[Room]:
    """PostgreSQL, an API process, a worker, clients that play, and Prometheus."""
    prometheus, metrics, port = program("prometheus", ["prometheus"]), free_ports(4), free_ports()
    watching = folder / "prometheus"
    watching.mkdir()
    cut = re.sub(r"\[\d+m\]", "[20s]", re.sub(r"for: \w+", "for: 1s", RULES.read_text("utf-8")))
    (watching / "alerts.yaml").write_text(cut)
    jobs = {"kibitz-worker": metrics, "kibitz": metrics + 1, "extra": metrics + 2}
    scrapes = [{"job_name": name, "static_configs": [{"targets": [f"127.0.0.1:{at}"]}]} for name, at in jobs.items()]
    times = {"scrape_interval": "3s", "scrape_timeout": "3s", "evaluation_interval": "1s"}
    config = {"global": times, "rule_files": ["alerts.yaml"], "scrape_configs": scrapes}
    (watching / "prometheus.yaml").write_text(yaml.safe_dump(config))
    command = [
        prometheus, f"--config.file={watching}/prometheus.yaml", f"--storage.tsdb.path={watching}/data",
        f"--web.listen-address=127.0.0.1:{port}", "--log.level=warn",
    ]  # fmt: skip
    Program.popen = subprocess.Popen
    server = start(folder)
    try:
        migrate(server.dsn)
        world = World(server, server.dsn, ("--metrics-port", str(metrics)), **_SETTINGS)
        world.worker = Program(folder, "worker", "--database-url", server.dsn, "--metrics-port", str(metrics))
        with subprocess.Popen(command) as watcher:
            try:
                world.start()
                time.sleep(3)
                with suppress(Wrong), under_way(world, Load(world, 2)):  # a client ends at a 500, which is caused last
                    room = Room(world, metrics, f"http://127.0.0.1:{port}")
                    try:
                        yield room
                    finally:
                        for other in room.others:
                            other.end()
            finally:
                world.stop()
                watcher.terminate()
    finally:
        stop(server)


if __name__ == "__main__":
    with exit_where_missing():
        sys.exit(main(sys.argv[1:]))
