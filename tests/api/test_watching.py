"""What whoever runs a server sees of it: a line for each command, request ids, metrics."""

import re
from typing import Any

import httpx
import pytest

from service.postgres import Server
from service.workers.worker import Worker

from . import truth
from .houses import house
from .playing import look, of, opened, say
from .serving import Player, Service, parts, registered, serving
from .streaming import events
from .watching import lines, metric, until

DRAW = {"type": "klondike/draw"}
FORBIDDEN = {"type": "klondike/move", "source": "foundation_hearts", "target": "tableau_0"}
"""Whatever was dealt: the foundation is empty."""


def told_of(service: Service, name: str) -> list[tuple[Any, ...]]:
    """Version, step, outcome and reason of the commands of one request."""
    keys = ("version", "step", "outcome", "reason")
    return [tuple(line[key] for key in keys) for line in lines(service, "command", name)]


def test_every_command_has_a_line_with_what_became_of_it_and_not_what_it_said(service: Service, ada: Player) -> None:
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
    rule = say(ada, game, FORBIDDEN, headers={"request-id": "rule"}).json()["rule"]
    say(ada, game, DRAW, headers={"request-id": "stale", "if-match": '"1"'})
    say(eve, game, DRAW, headers={"request-id": "seat"})
    say(ada, game, DRAW, headers={"request-id": "first", "idempotency-key": "k"})
    say(ada, game, DRAW, headers={"request-id": "again", "idempotency-key": "k"})
    say(ada, game, DRAW, headers={"request-id": "key", "idempotency-key": ""})
    assert told_of(service, "list")[:2] == [(4, 1, "accepted", ""), (5, 2, "accepted", "")]
    assert told_of(service, "list")[2][2:] == ("rule", "undo_not_offered")
    assert [said[2:] for said in told_of(service, "rule")] == [("rule", rule)]
    assert told_of(service, "stale") == [(5, 2, "stale", "")]
    assert [said[2:] for said in told_of(service, "seat")] == [("refused", "not_your_seat")]
    assert told_of(service, "first") == [(6, 3, "accepted", "")]
    assert [said[2:] for said in told_of(service, "again")] == [("repeated", "")]
    assert [said[2:] for said in told_of(service, "key")] == [("refused", "malformed")]


def test_lines_of_commands_can_be_switched_off(database: str) -> None:
    with serving(database, log_commands=False, run_worker=False) as service:
        ada = registered(service, "Ada")
        say(ada, opened(ada), DRAW)
        assert lines(service, "command") == []
        assert metric(service, "kibitz_commands_total", outcome="accepted") == 1


def test_a_request_id_of_the_clients_own_comes_back_in_answer_problem_and_log(service: Service) -> None:
    answer = service.http.get("/v1/nowhere", headers={"request-id": "mine-1.2:3"})
    assert answer.headers["request-id"] == answer.json()["request_id"] == "mine-1.2:3"
    assert [line["status"] for line in lines(service, "answered", "mine-1.2:3")] == [404]


@pytest.mark.parametrize("bad", ["", "x y", "a" * 101, "x\ty", "ünïcode".encode(), "kbz_secret", "no/AS/x", "ab" * 32])
def test_one_that_is_ill_formed_or_looks_like_a_secret_is_not_taken(bad: str | bytes, service: Service) -> None:
    answer = service.http.get("/v1/nowhere", headers={"request-id": bad})
    assert re.fullmatch("[0-9a-f]{32}", answer.headers["request-id"])
    assert answer.json()["request_id"] == answer.headers["request-id"]


def test_without_a_client_id_every_request_gets_one_of_its_own(service: Service) -> None:
    del service.http.headers["request-id"]
    try:
        given = {service.http.get("/livez").headers["request-id"] for _ in range(3)}
    finally:
        service.http.headers["request-id"] = "test"
    assert len(given) == 3


def test_a_fault_has_the_request_id_in_its_traceback_line(database: str) -> None:
    with serving(database, cached_games=1, run_worker=False) as service:
        ada = registered(service, "Ada")
        game = opened(ada)
        opened(ada)
        truth.done(
            service, "UPDATE events SET state = substr(state, 1, 90) WHERE stream = %s AND version = 3", game["id"]
        )
        answer = ada.get(of(game), headers={"request-id": "crash"})
        assert (answer.status_code, answer.json()["request_id"]) == (500, "crash")
        assert len(lines(service, "request failed", "crash")) == 1


def test_a_slow_request_is_told_at_level_warning(database: str) -> None:
    with serving(database, slow_request_ms=0, log_level="warning", run_worker=False) as service:
        service.http.get("/livez", headers={"request-id": "slow"})
        (line,) = lines(service, "slow", "slow")
        assert (line["operation"], line["status"], line["level"]) == ("get_liveness", 200, "warning")


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
        assert metric(service, "kibitz_commands_total", **told, outcome="accepted") == 3
        assert metric(service, "kibitz_commands_total", **told, outcome="rule", reason=rule) == 1
        assert metric(service, "kibitz_commands_total", **told, outcome="stale") == 1
        assert metric(service, "kibitz_command_seconds_count", **told) == 5
        assert metric(service, "kibitz_requests_total", operation="post_command", status="409") == 1
        assert metric(service, "kibitz_request_seconds_count", operation="post_command") == 3
        assert sum(metric(service, "kibitz_requests_total", operation=name, status="429")
                   for name in ("get_me", "unknown")) == 1  # fmt: skip
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


def test_metrics_tell_open_streams_and_inboxes(service: Service, ada: Player) -> None:
    before = metric(service, "kibitz_open_streams"), metric(service, "kibitz_open_inboxes")
    live = events(ada, opened(ada))
    next(live)
    until(lambda: metric(service, "kibitz_open_streams") == before[0] + 1)
    assert metric(service, "kibitz_open_inboxes") == before[1]
    live.close()  # type: ignore[attr-defined]


def test_the_lag_grows_while_nobody_keeps_the_read_models_and_goes_when_somebody_does(database: str) -> None:
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


def test_a_command_that_was_passed_on_has_one_id_and_one_line_at_the_process_that_carried_it_out(
    postgres: Server, template_database: str
) -> None:
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
