"""Whoever was told of a step by a stream looks and finds it, however late the service hears of its own commit."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest

from service.postgres import Server

from . import serving as module
from .playing import Game, look, opened, say
from .serving import Service, database_of, registered, serving
from .streaming import events, frames
from .watching import until


@pytest.fixture(scope="module")
def service(postgres: Server, template_database: str) -> Iterator[Service]:
    with database_of(postgres, template_database) as conninfo, pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_SERVED", Path(__file__).with_name("served_late.py"))
        with serving(conninfo, forked=False) as running:
            yield running


def stored_version(service: Service, game: Game) -> int:
    with psycopg.connect(service.conninfo, autocommit=True) as connection:
        row = connection.execute("SELECT max(version) FROM events WHERE stream = %s", [game["id"]]).fetchone()
    assert row is not None
    return int(row[0])


@pytest.mark.parametrize("after", [0, 1])
def test_a_step_that_a_stream_tells_is_found_by_who_looks(after: int, service: Service) -> None:
    ada = registered(service, "Ada")
    game = opened(ada)
    before = look(ada, game)["version"]
    with ThreadPoolExecutor(1) as pool:
        playing = pool.submit(say, ada.on(service), game, {"type": "klondike/draw"})
        until(lambda: stored_version(service, game) > before)
        told = frames(list(events(ada, game, after=after * before, max_frames=1 if after else 2)))
        found = look(ada, game)["version"]
        assert playing.result().status_code == 200
    assert told[-1]["version"] == before + 1
    assert found >= told[-1]["version"]


def test_a_stream_that_waits_tells_no_step_too_early(service: Service) -> None:
    ada, eve = registered(service, "Ada"), registered(service, "Eve")
    game = opened(ada)
    with ThreadPoolExecutor(1) as pool:
        stream = events(eve.on(service), game)
        next(event for event in stream if event.name == "frame")
        pool.submit(say, ada.on(service), game, {"type": "klondike/draw"})
        told = next(event for event in stream if event.name == "frame")
        assert look(eve, game)["version"] >= told.id
