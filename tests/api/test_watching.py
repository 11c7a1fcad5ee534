"""What whoever runs a server sees of it: a line for each command, request ids, metrics, readiness and traces."""

import gzip
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import httpx
import psycopg
import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)

from projections import PROJECTIONS
from projections.engine.contract import Documents, Recorded
from service.event_store import unsealing
from service.event_store.connections import open_connection
from service.keys.sealing import make_sealing_key
from service.postgres import Server
from service.workers.worker import Worker

from . import truth
from .houses import house
from .playing import look, of, opened, say
from .problems import told
from .serving import Player, Service, parts, registered, serving
from .watching import lines, metric, until

DRAW = {"type": "klondike/draw"}
FORBIDDEN = {"type": "klondike/move", "source": "foundation_hearts", "target": "tableau_0"}
"""Whatever was dealt: the foundation is empty."""


def told_of(service: Service, name: str) -> list[tuple[Any, ...]]:
    """Version, step, outcome and reason of the commands of one request."""
    keys = ("version", "step", "outcome", "reason")
    return [tuple(line[key] for key in keys) for line in lines(service, "command", name)]


def test_every_command_has_a_line_without_what_it_said(service: Service, ada: Player) -> None:
    game = opened(ada, options={"draw": 1})
    say(ada, game, DRAW, headers={"request-id": "one"})
    (line,) = lines(service, "command", "one")
    assert line.pop("timestamp").endswith("Z")
    assert 0 < line.pop("millis") < 60_000
    assert line == {
        "event": "command", "level": "info", "logger": "commands", "request_id": "one",
        "game": game["id"], "game_type": "klondike", "version": 4, "step": 1, "seat": 0, "player": ada.id,
        "outcome": "accepted", "reason": "",
    }  # fmt: skip


def test_the_line_says_how_a_command_ended(service: Service, ada: Player, eve: Player) -> None:
    game = opened(ada, options={"draw": 1, "undo": False})
    say(ada, game, [DRAW, DRAW, {"type": "game/undo"}], headers={"request-id": "list"})
    assert told_of(service, "list")[:2] == [(4, 1, "accepted", ""), (5, 2, "accepted", "")]
    assert told_of(service, "list")[2][2:] == ("rule", "undo_not_offered")
    rule = say(ada, game, FORBIDDEN).json()["rule"]
    for name, player, command, headers, outcome in (
        ("rule", ada, FORBIDDEN, {}, ("rule", rule)), ("stale", ada, DRAW, {"if-match": '"1"'}, ("stale", "")),
        ("seat", eve, DRAW, {}, ("refused", "not_your_seat")),
        ("first", ada, DRAW, {"idempotency-key": "k", "if-match": '"5"'}, ("accepted", "")),
        ("again", ada, DRAW, {"idempotency-key": "k", "if-match": '"5"'}, ("repeated", "")),
        ("key", ada, DRAW, {"idempotency-key": ""}, ("refused", "malformed")),
    ):  # fmt: skip
        say(player, game, command, headers={"request-id": name, **headers})
        assert [said[2:] for said in told_of(service, name)] == [outcome]
    assert [told_of(service, name)[0][:2] for name in ("stale", "first")] == [(5, 2), (6, 3)]
    judged = [line["game_type"] for name in ("stale", "again") for line in lines(service, "command", name)]
    assert judged == ["klondike"] * 2
    assert metric(service, "kibitz_commands_total", game_type="klondike", outcome="repeated") >= 1


def test_command_lines_are_optional_and_slow_requests_warnings(database: str) -> None:
    nobody = "http://127.0.0.1:9"  # who collects no traces hurts no request
    quiet: dict[str, Any] = {"log_commands": False, "slow_request_ms": 0, "log_level": "warning", "run_worker": False}
    with serving(database, traces_endpoint=nobody, **quiet) as service:
        ada = registered(service, "Ada")
        assert say(ada, opened(ada), DRAW).status_code == 200
        assert lines(service, "command") == []
        assert metric(service, "kibitz_commands_total", outcome="accepted") == 1
        service.http.get("/livez", headers={"request-id": "slow"})
        (line,) = lines(service, "slow", "slow")
        assert (line["operation"], line["status"], line["level"]) == ("get_liveness", 200, "warning")


def test_a_clients_request_id_comes_back_everywhere(service: Service) -> None:
    answer = service.http.get("/v1/nowhere", headers={"request-id": "mine-1.2:3"})
    assert answer.headers["request-id"] == answer.json()["request_id"] == "mine-1.2:3"
    assert [line["status"] for line in lines(service, "answered", "mine-1.2:3")] == [404]
    with httpx.Client(base_url=service.url) as nameless:
        assert len({nameless.get("/livez").headers["request-id"] for _ in range(3)}) == 3


@pytest.mark.parametrize("bad", ["", "x y", "a" * 101, "x\ty", "ünïcode".encode(), "kbz_secret", "no/AS/x", "ab" * 32])
def test_an_ill_formed_or_secret_request_id_is_not_taken(bad: str | bytes, service: Service) -> None:
    answer = service.http.get("/v1/nowhere", headers={"request-id": bad})
    assert re.fullmatch("[0-9a-f]{32}", answer.headers["request-id"])
    assert answer.json()["request_id"] == answer.headers["request-id"]


def test_a_fault_has_the_request_id_in_its_traceback_line(database: str) -> None:
    with serving(database, cached_games=1, run_worker=False) as service:
        ada = registered(service, "Ada")
        game = opened(ada)
        opened(ada)
        cut = "UPDATE events SET state = substr(state, 1, 90) WHERE stream = %s AND version = 3"
        truth.done(service, cut, game["id"])
        answer = ada.get(of(game), headers={"request-id": "crash"})
        assert (answer.status_code, answer.json()["request_id"]) == (500, "crash")
        assert len(lines(service, "request failed", "crash")) == 1


def test_metrics_count_what_happened(database: str) -> None:
    with serving(database, rate_limit_per_minute=40, cached_games=1, run_worker=False) as service:
        ada = registered(service, "Ada")
        game = opened(ada, options={"draw": 1})
        say(ada, game, [DRAW, DRAW])
        rule = say(ada, game, FORBIDDEN).json()["rule"]
        say(ada, game, DRAW, headers={"if-match": '"1"'})
        opened(ada)  # the first game leaves the memory
        look(ada, game)
        look(ada, game)
        say(ada, game, {"type": "game/resign"})
        while (last := ada.get("/v1/players/me")).status_code != 429:
            pass
        assert last.json()["request_id"] == last.headers["request-id"] == "test"
        told = {"game_type": "klondike"}
        for labels, count in (
            ({"outcome": "accepted"}, 3),
            ({"outcome": "rule", "reason": rule}, 1),
            ({"outcome": "stale"}, 1),
        ):
            assert metric(service, "kibitz_commands_total", **told, **labels) == count
        assert metric(service, "kibitz_command_seconds_count", **told) == 5
        assert metric(service, "kibitz_requests_total", operation="post_command", status="409") == 1
        assert metric(service, "kibitz_request_seconds_count", operation="post_command") == 3
        refused = [
            metric(service, "kibitz_requests_total", operation=name, status="429") for name in ("get_me", "unknown")
        ]
        assert sum(refused) == 1
        assert metric(service, "kibitz_games_opened_total", **told) == 2
        assert metric(service, "kibitz_games_finished_total", **told) == 1
        assert metric(service, "kibitz_cache_lookups_total", cache="game", outcome="miss") >= 1
        assert metric(service, "kibitz_cache_lookups_total", cache="look", outcome="hit") == 1
        assert metric(service, "kibitz_cache_lookups_total", cache="token", outcome="hit") > 10
        assert metric(service, "kibitz_cached_games") == 1


def test_where_players_come_there_are_no_metrics(service: Service, ada: Player) -> None:
    """The path looks as one that never was, and the port that is for them has nothing else."""
    never = parts(service.http.get("/never-was"))
    assert never[0] == 404
    for http in (service.http, ada.http):
        assert parts(http.get("/metrics"))[:2] == parts(http.get("/never-was"))[:2]
    assert parts(service.http.get("/metrics")) == never
    inside = httpx.Client(base_url=service.metrics_url, timeout=60)
    assert inside.get("/metrics").headers["content-type"].startswith("text/plain; version=")
    assert inside.head("/metrics").content == b""
    for method, path in (("GET", "/v1/games"), ("GET", "/"), ("POST", "/metrics"), ("POST", "/v1/players")):
        assert inside.request(method, path).status_code == 404


def test_metrics_count_appends_and_their_conflicts(database: str) -> None:
    with serving(database, run_worker=False) as service:
        ada = registered(service, "Ada")
        game = opened(ada)
        stored = 3  # the player, the game, and some time later that the token was used today
        until(lambda: metric(service, "kibitz_appends_total", outcome="stored") == stored)
        say(ada, game, DRAW, headers={"idempotency-key": "k"})
        say(ada, game, DRAW, headers={"idempotency-key": "k"})
        assert metric(service, "kibitz_appends_total", outcome="stored") == stored + 1
        assert metric(service, "kibitz_appends_total", outcome="repeated") == 1
        assert metric(service, "kibitz_append_batch_size_sum") == metric(service, "kibitz_append_seconds_count")
        assert metric(service, "kibitz_commits_total") == stored + 1
        assert metric(service, "kibitz_pool_requests_total", pool="store") > 0
        assert metric(service, "process_resident_memory_bytes") > 0
        assert metric(service, "process_open_fds") > 0


def test_the_lag_grows_without_a_worker_and_goes_with_one(database: str) -> None:
    with serving(database, run_worker=False) as service:
        ada = registered(service, "Ada")
        say(ada, opened(ada), [DRAW] * 5)
        head = truth.head(service)
        lag = {"projection": "games"}
        assert metric(service, "kibitz_projection_lag_events", **lag) == head
        first = metric(service, "kibitz_projection_lag_seconds", **lag)
        until(lambda: metric(service, "kibitz_projection_lag_seconds", **lag) > first > 0)
        assert metric(service, "kibitz_worker_active") == 0
        Worker(database).catch_up()
        assert metric(service, "kibitz_projection_lag_events", **lag) == 0
        assert metric(service, "kibitz_projection_lag_seconds", **lag) == 0
        assert metric(service, "kibitz_log_position") == metric(service, "kibitz_read_position") == head


def test_a_command_passed_on_has_one_id_and_one_line(postgres: Server, template_database: str) -> None:
    with house(postgres, template_database) as two:
        here, there = two.services
        ada = registered(here, "Ada")
        game = two.opened_at(ada, here)
        answer = say(two.speaking(ada, there), game, DRAW, headers={"request-id": "far"})
        assert answer.headers.get_list("request-id") == ["far"]
        assert told_of(here, "far") == [(4, 1, "accepted", "")]
        assert told_of(there, "far") == []
        assert metric(there, "kibitz_requests_passed_on_total", outcome="answered") == 1
        assert metric(here, "kibitz_commands_total", outcome="accepted") == 1
        assert metric(there, "kibitz_commands_total", outcome="accepted") == 0
        assert metric(here, "kibitz_slots_held") > 0


@contextmanager
def working(database: str, *broken: str) -> Iterator[Worker]:
    """A worker for the length of the block; the folds of these projections raise."""
    worker = Worker(database, [replace(p, fold=failing) if p.name in broken else p for p in PROJECTIONS.values()])
    worker.start()
    try:
        yield worker
    finally:
        worker.stop()


def failing(documents: Documents, recorded: Recorded) -> None:
    raise ZeroDivisionError("the queen is QH")


def ready(service: Service, **query: str) -> tuple[int, dict[str, Any]]:
    answer = service.http.get("/readyz", params=query)
    return answer.status_code, answer.json()


def test_a_stopped_projection_is_named_until_it_goes_on(database: str) -> None:
    with serving(database, run_worker=False) as service:
        ada = registered(service, "Ada")
        game = opened(ada)
        with working(database, "games"):
            until(lambda: ready(service)[0] == 503)
            answer = service.http.get("/readyz")
            problem: dict[str, Any] = answer.json()
            described = (problem["type"], problem["title"], problem["detail"])
            assert described == ("/v1/problems/not_ready", "Not ready", "The projection games has stopped.")
            assert (problem["failing"], problem["worker"]["status"]) == (["games"], "active")
            stands = {one["name"]: one for one in problem["projections"]}
            assert (stands["games"]["position"], stands["games"]["failing"]) == (0, "ZeroDivisionError")
            assert stands["games"]["lag_events"] == problem["log_position"] > 0
            assert stands["days"]["failing"] is None
            assert "QH" not in answer.text
            assert int(answer.headers["retry-after"]) > 0
            assert answer.headers["content-type"] == "application/problem+json"
            assert ready(service, only="store")[0] == 200
            assert metric(service, "kibitz_projection_failing", projection="games") == 1
            assert metric(service, "kibitz_projection_failing", projection="days") == 0
            assert say(ada, game, DRAW).status_code == 200
        with working(database):
            until(lambda: ready(service)[0] == 200 and ready(service)[1]["read_position"] > 0)
        assert metric(service, "kibitz_projection_failing", projection="games") == 0


def test_ready_tells_positions_lag_and_workers(database: str) -> None:
    with serving(database) as service:
        opened(registered(service, "Ada"))
        until(lambda: ready(service)[1]["read_position"] == ready(service)[1]["log_position"])
        status, found = ready(service)
        assert (status, found["status"], found["worker"]["status"]) == (200, "ready", "active")
        assert {one["name"] for one in found["projections"]} == set(PROJECTIONS)
        assert {(one["lag_events"], one["lag_seconds"]) for one in found["projections"]} == {(0, 0.0)}
        assert metric(service, "kibitz_worker_active") == 1
        with working(database):
            until(lambda: ready(service)[1]["worker"]["standing_by"] == 1)
            assert metric(service, "kibitz_workers_standing_by") == 1
        told(service.http.get("/readyz", params={"only": "luck"}), 400, "malformed")


def test_without_a_worker_the_service_is_not_ready_for_long(database: str) -> None:
    with serving(database, run_worker=False, worker_patience=0.3) as service:
        until(lambda: ready(service)[0] == 503)
        _, problem = ready(service)
        assert (problem["detail"], problem["failing"]) == ("No worker keeps the read models.", [])
        assert problem["worker"]["status"] == "missing"
        with working(database):
            until(lambda: ready(service)[0] == 200)
        until(lambda: ready(service)[0] == 503)
        assert ready(service, only="store")[0] == 200


def test_where_none_is_expected_none_is_missed(database: str) -> None:
    with serving(database, run_worker=False, worker_patience=0) as service:
        until(lambda: ready(service)[1]["worker"]["seconds"] > 0.3)
        assert ready(service)[0] == 200


def test_a_missing_sealing_key_is_named_until_it_is_there(database: str, tmp_path: Path) -> None:
    key, own = make_sealing_key(tmp_path / "theirs").id.hex(), tmp_path / "own"
    with serving(database, sealing_keys=str(tmp_path / "theirs")) as service:
        ada = registered(service, "Ada")
        game = opened(ada)
        assert ready(service)[1]["missing_keys"] == []
    with serving(database, run_worker=False, worker_patience=0, sealing_keys=str(own)) as service:
        status, problem = ready(service)
        assert (status, problem["type"], problem["missing_keys"]) == (503, "/v1/problems/not_ready", [key])
        assert f"The sealing key {key} is missing" in problem["detail"]
        assert f"`kibitz keys give-up {key}`" in problem["detail"]
        assert metric(service, "kibitz_sealing_keys_missing") == 1
        status, store = ready(service, only="store")
        assert (status, store["missing_keys"]) == (200, [key])
        assert service.http.get("/livez").status_code == 200
        told(ada.on(service).get(of(game)), 503, "key_missing")
        assert say(ada.on(service), opened(ada.on(service)), DRAW).status_code == 200
        shutil.copy(tmp_path / "theirs" / f"{key}.seal", own)
        until(lambda: ready(service)[0] == 200)
        assert ready(service)[1]["missing_keys"] == []
        assert metric(service, "kibitz_sealing_keys_missing") == 0
        assert say(ada.on(service), game, DRAW).status_code == 200


def test_a_sealing_key_that_was_given_up_is_not_missing(database: str, tmp_path: Path) -> None:
    key = make_sealing_key(tmp_path / "theirs").id
    with serving(database, sealing_keys=str(tmp_path / "theirs")) as service:
        ada = registered(service, "Ada")
        game = opened(ada)
    with serving(database, sealing_keys=str(tmp_path / "own")) as service:
        assert ready(service)[1]["missing_keys"] == [key.hex()]
        with open_connection(database, "test") as connection:
            unsealing.give_up(connection, key)
        assert ready(service)[0] == 200
        told(ada.on(service).get(of(game)), 503, "key_missing")
        assert (ready(service)[0], ready(service)[1]["missing_keys"]) == (200, [])


def test_a_key_made_elsewhere_is_missed_when_needed(database: str, tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    make_sealing_key(tmp_path / "one")
    shutil.copytree(tmp_path / "one", tmp_path / "other")
    with (
        serving(database, run_worker=False, worker_patience=0, sealing_keys=str(tmp_path / "one")) as one,
        serving(database, run_worker=False, worker_patience=0, sealing_keys=str(tmp_path / "other")) as other,
    ):
        rotated = make_sealing_key(tmp_path / "one")
        ada = registered(one, "Ada")
        games = [opened(ada)]
        with psycopg.connect(database, autocommit=True) as connection:
            while rotated.id not in set(unsealing.needed_keys(connection)):
                games.append(opened(ada))
        assert [ready(service)[1]["missing_keys"] for service in (one, other)] == [[], []]
        for game in games:
            ada.on(other).get(of(game))
        assert [ready(service)[0] for service in (one, other)] == [200, 503]
        assert ready(other)[1]["missing_keys"] == [rotated.id.hex()]


def test_a_read_only_database_is_noticed_until_it_has_recovered(database: str) -> None:
    with serving(database, run_worker=False) as service, working(database):
        until(lambda: ready(service)[0] == 200)
        ada = registered(service, "Ada")
        game = opened(ada)
        with read_only(database):
            answer = say(ada, game, DRAW)
            assert answer.status_code == 503
            assert int(answer.headers["retry-after"]) > 0
            status, problem = ready(service)
            assert (status, problem["title"]) == (503, "Not ready")
            assert "The database is read-only: nothing can be written." in problem["complaints"]
            assert ready(service, only="store")[0] == 200
        until(lambda: ready(service)[0] == 200)
        assert say(ada, game, DRAW).status_code == 200


@contextmanager
def read_only(database: str) -> Iterator[None]:
    """No connection to the database may write; those that there are were cut."""
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("SET default_transaction_read_only = off")
        setting = psycopg.sql.SQL("ALTER DATABASE {} SET default_transaction_read_only = {}")
        name = psycopg.sql.Identifier(connection.info.dbname)
        for value in ("on", "off"):
            connection.execute(setting.format(name, psycopg.sql.SQL(value)))
            connection.execute(
                "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
            if value == "on":
                yield


class Collector:
    """A small collector of traces, OTLP over HTTP in protobuf: every span, and the attributes of what sent it."""

    def __init__(self) -> None:
        self.spans: list[Any] = []
        self.resources: list[dict[str, str]] = []
        self.raw = b""
        self.url = ""

    def take(self, body: bytes) -> None:
        self.raw += body
        for sent in ExportTraceServiceRequest.FromString(body).resource_spans:
            self.resources.append({one.key: one.value.string_value for one in sent.resource.attributes})
            self.spans += [span for scope in sent.scope_spans for span in scope.spans]

    def has_all(self) -> bool:
        """Whether both commands, the batch that stored one of them, and what was folded have come."""
        appends = {span.span_id for span in self.named("append")}
        stored = {link.span_id for span in self.named("append batch") for link in span.links}
        folded = any(attributes(span)["kibitz.events"] > 0 for span in self.named("projection batch"))
        return len(self.named("post_command")) == 2 and appends <= stored and folded

    def named(self, name: str) -> list[Any]:
        return [span for span in self.spans if span.name == name]


def attributes(span: Any) -> dict[str, Any]:
    return {one.key: getattr(one.value, one.value.WhichOneof("value")) for one in span.attributes}


@contextmanager
def collecting() -> Iterator[Collector]:
    """A collector at an address of its own, for the length of a `with` block."""
    collector = Collector()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            assert (self.path, self.headers["content-type"]) == ("/v1/traces", "application/x-protobuf")
            collector.take(gzip.decompress(body) if self.headers.get("content-encoding") == "gzip" else body)
            answer = ExportTraceServiceResponse().SerializeToString()
            self.send_response(200)
            self.send_header("Content-Type", "application/x-protobuf")
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        collector.url = f"http://127.0.0.1:{server.server_port}"
        Thread(target=server.serve_forever, daemon=True).start()
        yield collector
        server.shutdown()


TRACE, PARENT = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
ROOT = Path(__file__).parents[2]
AT_ONCE = {"OTEL_BSP_SCHEDULE_DELAY": "100"}
"""Milliseconds between two exports: nothing waits for the one at the end, which has few seconds."""


def test_a_command_is_traced_from_request_to_stored_batch(database: str) -> None:
    with collecting() as collector:
        with serving(database, environment=AT_ONCE, traces_endpoint=collector.url, log_level="info") as service:
            ada = registered(service, "Ada")
            game = opened(ada, seed="my lucky text")
            say(ada, game, DRAW, headers={"traceparent": f"00-{TRACE}-{PARENT}-01", "request-id": "traced"})
            say(ada, game, FORBIDDEN, headers={"request-id": "forbidden"})
            until(lambda: ready(service)[1]["read_position"] == ready(service)[1]["log_position"])
            (line,) = lines(service, "command", "traced")
            until(collector.has_all)
        assert {"service.name": "kibitz"}.items() <= collector.resources[0].items()
        commands = {attributes(span)["kibitz.request_id"]: span for span in collector.named("post_command")}
        request = commands["traced"]
        assert (request.trace_id.hex(), request.parent_span_id.hex()) == (TRACE, PARENT)
        assert line["trace_id"] == TRACE
        assert (attributes(request)["http.response.status_code"], request.kind) == (200, 2)
        within = {span.name: span for span in collector.spans if span.parent_span_id == request.span_id}
        assert within.keys() == {"decide", "append"}
        append = within["append"].span_id
        (batch,) = [one for one in collector.named("append batch") if append in [link.span_id for link in one.links]]
        assert [(link.trace_id.hex(), link.span_id) for link in batch.links] == [(TRACE, append)]
        assert attributes(batch)["kibitz.appends"] == 1
        position = attributes(within["append"])["kibitz.position"]
        folds = [attributes(one) for one in collector.named("projection batch")]
        assert any(fold["kibitz.first"] <= position <= fold["kibitz.last"] for fold in folds)
        refused = commands["forbidden"].span_id
        (decided,) = [one for one in collector.named("decide") if one.parent_span_id == refused]
        assert attributes(decided)["error.type"] == "Illegal"
        for secret in (ada.token, "my lucky text", "foundation", of(game)):
            assert secret.encode() not in collector.raw


def test_without_an_endpoint_nothing_that_traces_is_imported() -> None:
    program = (
        "import sys; from service.app import create_app; from service.settings import Settings\n"
        "create_app(Settings(), 'host=/nowhere'); print([name for name in sys.modules if name.startswith(TRACING)])"
    ).replace("TRACING", "('opentelemetry.sdk', 'opentelemetry.exporter', 'opentelemetry.trace')")
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT, timeout=60,
        env={"PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert ran.stdout == "[]\n"
