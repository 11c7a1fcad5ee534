"""Readiness names what has stopped or is missing: a projection, the worker, a sealing key; and the store is asked alone
by whoever wants that.
"""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import psycopg

from projections import PROJECTIONS
from projections.engine.contract import Documents, Recorded
from service.event_store import unsealing
from service.event_store.connections import open_connection
from service.keys.sealing import make_sealing_key
from service.workers.worker import Worker

from .playing import of, opened, say
from .problems import told
from .serving import Service, registered, serving
from .watching import metric, until

DRAW = {"type": "klondike/draw"}


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


def test_a_projection_that_has_stopped_is_named_until_it_goes_on(database: str) -> None:
    with serving(database, run_worker=False) as service:
        ada = registered(service, "Ada")
        game = opened(ada)
        with working(database, "games"):
            until(lambda: ready(service)[0] == 503)
            answer = service.http.get("/readyz")
            problem: dict[str, Any] = answer.json()
            assert (problem["type"], problem["title"]) == ("/v1/problems/not_ready", "Not ready")
            assert problem["detail"] == "The projection games has stopped."
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


def test_ready_tells_positions_lag_and_the_worker(database: str) -> None:
    with serving(database) as service:
        opened(registered(service, "Ada"))
        until(lambda: ready(service)[1]["read_position"] == ready(service)[1]["log_position"])
        status, found = ready(service)
        assert (status, found["status"], found["worker"]["status"]) == (200, "ready", "active")
        assert {one["name"] for one in found["projections"]} == set(PROJECTIONS)
        assert {(one["lag_events"], one["lag_seconds"]) for one in found["projections"]} == {(0, 0.0)}
        assert metric(service, "kibitz_worker_active") == 1


def test_without_a_worker_the_service_is_not_ready_once_its_patience_is_over(database: str) -> None:
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


def test_a_second_worker_stands_by_and_is_told_of(database: str) -> None:
    with serving(database) as service:
        until(lambda: ready(service)[1]["worker"]["status"] == "active")
        with working(database):
            until(lambda: ready(service)[1]["worker"]["standing_by"] == 1)
            assert metric(service, "kibitz_workers_standing_by") == 1


def test_an_unknown_question_is_malformed(service: Service) -> None:
    told(service.http.get("/readyz", params={"only": "luck"}), 400, "malformed")


def test_a_sealing_key_that_this_process_lacks_is_named_until_it_is_there(database: str, tmp_path: Path) -> None:
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
        assert (ready(service, only="store")[0], ready(service, only="store")[1]["missing_keys"]) == (200, [key])
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


def test_a_key_that_was_made_elsewhere_meanwhile_is_missed_once_a_game_under_it_is_met(
    database: str, tmp_path: Path
) -> None:
    (tmp_path / "one").mkdir()
    make_sealing_key(tmp_path / "one")
    shutil.copytree(tmp_path / "one", tmp_path / "other")
    with (
        serving(database, run_worker=False, worker_patience=0, sealing_keys=str(tmp_path / "one")) as one,
        serving(database, run_worker=False, worker_patience=0, sealing_keys=str(tmp_path / "other")) as other,
    ):
        rotated = make_sealing_key(tmp_path / "one")
        ada = registered(one, "Ada")
        until(lambda: rotated.id in sealed_by(database) or not opened(ada))
        assert [ready(service)[1]["missing_keys"] for service in (one, other)] == [[], []]
        for game in games(database):
            ada.on(other).get(of({"id": game}))
        assert [ready(service)[0] for service in (one, other)] == [200, 503]
        assert ready(other)[1]["missing_keys"] == [rotated.id.hex()]


def sealed_by(database: str) -> set[bytes]:
    """The keys that live games were sealed under."""
    with psycopg.connect(database) as connection:
        return set(unsealing.needed_keys(connection))


def games(database: str) -> list[str]:
    with psycopg.connect(database) as connection:
        return [str(row[0]) for row in connection.execute("SELECT DISTINCT stream FROM events").fetchall()]


def test_a_database_that_takes_no_writing_is_noticed_and_noticed_to_have_recovered(database: str) -> None:
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
    _begin_anew_with(database, "on")
    try:
        yield
    finally:
        _begin_anew_with(database, "off")


def _begin_anew_with(database: str, value: str) -> None:
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("SET default_transaction_read_only = off")
        name = psycopg.sql.Identifier(connection.info.dbname)
        setting = psycopg.sql.SQL("ALTER DATABASE {} SET default_transaction_read_only = {}")
        connection.execute(setting.format(name, psycopg.sql.SQL(value)))
        connection.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
