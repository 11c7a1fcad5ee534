"""The database or the server dies and comes back, answers come late, clients leave: nothing is lost or doubled."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from random import Random
from threading import Event
from time import sleep
from typing import Any

import httpx
import pytest

from tests.faults.leaving import Account, leave

from . import serving as module
from . import truth
from .bursts import DRAW, RECYCLE, Burst, Durable, fail_early, total, whole
from .cutting import wire
from .playing import Game, look, opened, say
from .problems import told
from .serving import Player, Service, registered, serving
from .sockets import connected
from .streaming import events, frames
from .watching import metric, until


def test_without_its_database_the_service_lives_and_says_so(durable: Durable) -> None:
    with serving(durable.fresh()) as service:
        ada = registered(service, "Ada")
        game, cold = opened(ada), opened(ada)
        first = say(ada, game, DRAW, headers={"idempotency-key": "first"})
        before = look(ada, game)
        service.http.get("/readyz").raise_for_status()
        durable.stop()
        asked: list[Callable[[], httpx.Response]] = [
            lambda: say(ada, game, DRAW),
            lambda: say(ada, game, DRAW, headers={"idempotency-key": "second"}),
            lambda: say(ada, game, RECYCLE, headers={"idempotency-key": "first"}),
            lambda: ada.post("/v1/games", {"game_type": "klondike"}),
            lambda: service.http.post("/v1/players", json={"name": "Bob"}),
            lambda: ada.get("/v1/games"),
            lambda: service.http.get("/v1/players/me", headers={"authorization": "Bearer kbz_unknown"}),
            lambda: service.http.get("/readyz"),
        ]
        with ThreadPoolExecutor(len(asked)) as pool:
            answers = list(pool.map(lambda ask: ask(), asked))
        for answer in answers:
            told(answer, 503, "unavailable")
            assert int(answer.headers["retry-after"]) > 0
        assert service.http.get("/livez").json() == {"status": "alive"}
        assert "kibitz_store_up" in service.metrics()
        assert metric(service, "kibitz_store_up") == 0
        assert service.process.poll() is None
        durable.start()
        until(lambda: service.http.get("/readyz").status_code == 200)
        assert look(ada, game) == before
        assert say(ada, game, DRAW, headers={"idempotency-key": "first"}).content == first.content
        second = until_served(lambda: say(ada, game, DRAW, headers={"idempotency-key": "second"}))
        assert second.json()["version"] == before["version"] + 1
        assert say(ada, cold, DRAW).status_code == 200
        assert len(truth.records(service, game)) == before["version"] + 1


def test_a_killed_database_lost_nothing_and_doubled_nothing(durable: Durable) -> None:
    with serving(durable.fresh()) as service:
        bursts = [Burst(player, opened(player)) for player in (registered(service, "A"), registered(service, "B"))]
        stopped = Event()
        with ThreadPoolExecutor(len(bursts) + 1) as pool:
            following = pool.submit(followed, registered(service, "C"), bursts[0].game)
            saying = [pool.submit(burst.through, 100, stopped) for burst in bursts]
            while total(bursts) < 100:
                fail_early(saying)
                sleep(0.01)
            durable.kill()
            durable.start()
            stopped.set()
            for one in saying:
                one.result()
            until_served(lambda: say(bursts[0].player, bursts[0].game, {"type": "game/resign"}))
            steps = [frame["step"] for frame in following.result()]
        assert steps == list(range(bursts[0].said + 2))
        whole(service, bursts[1], bursts[1].player)


def followed(player: Player, game: Game) -> list[Any]:
    """The game's frames until its end, the stream taken up again wherever it breaks off."""
    heard: list[Any] = []
    while not heard or heard[-1]["status"] != "finished":
        after = heard[-1]["version"] if heard else 0
        try:
            for event in events(player, game, after=after):
                heard += frames([event])
        except (httpx.TransportError, AssertionError):
            continue
    return heard


def test_a_commit_whose_answer_was_lost_is_seen(database: str) -> None:
    with wire(database) as laid, serving(laid.conninfo, run_worker=False) as service:
        ada, eve = registered(service, "Ada"), registered(service, "Eve")
        game = opened(ada)
        live = events(eve, game)
        heard = [next(told for told in live if told.name == "frame")]
        laid.armed.set()
        told(say(ada, game, DRAW, headers={"idempotency-key": "k"}), 503, "unavailable")
        assert len(truth.records(service, game)) == game["version"] + 1
        assert look(ada, game)["version"] == game["version"] + 1
        heard.append(next(told for told in live if told.name == "frame"))
        again = until_served(lambda: say(ada, game, DRAW, headers={"idempotency-key": "k"}))
        assert again.json()["version"] == game["version"] + 1
        say(ada, game, {"type": "game/resign"})
        heard += [told for told in live if told.name == "frame"]
        assert [told.data["step"] for told in heard] == [0, 1, 2]


def test_an_opening_whose_answer_was_lost_is_opened_once(database: str) -> None:
    with wire(database) as laid, serving(laid.conninfo, run_worker=False) as service:
        ada = registered(service, "Ada")

        def ask() -> httpx.Response:
            return ada.post("/v1/games", {"game_type": "klondike"}, headers={"idempotency-key": "k"})

        laid.armed.set()
        told(ask(), 503, "unavailable")
        head = truth.head(service)
        assert until_served(ask).json()["version"] == 3
        assert truth.head(service) == head


def until_served(ask: Callable[[], httpx.Response]) -> httpx.Response:
    while (answer := ask()).status_code == 503:
        pass
    return answer


@pytest.fixture(scope="module")
def late(conninfo: str) -> Iterator[Service]:
    """A service that hears late of its own commits."""
    with ExitStack() as stack:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(module, "_SERVED", Path(__file__).with_name("served_late.py"))
            running = stack.enter_context(serving(conninfo))
        yield running


@pytest.mark.parametrize("after", [0, 1])
def test_a_step_that_a_stream_tells_is_found(after: int, late: Service) -> None:
    ada = registered(late, "Ada")
    game = opened(ada)
    before = look(ada, game)["version"]
    with ThreadPoolExecutor(1) as pool:
        playing = pool.submit(say, ada.on(late), game, DRAW)
        until(lambda: len(truth.records(late, game)) > before)
        told = frames(list(events(ada, game, after=after * before, max_frames=1 if after else 2)))
        found = look(ada, game)["version"]
        assert playing.result().status_code == 200
    assert told[-1]["version"] == before + 1
    assert found >= told[-1]["version"]


def test_a_stream_that_waits_tells_no_step_too_early(late: Service) -> None:
    ada, eve = registered(late, "Ada"), registered(late, "Eve")
    game = opened(ada)
    with ThreadPoolExecutor(1) as pool:
        stream = events(eve.on(late), game)
        next(event for event in stream if event.name == "frame")
        pool.submit(say, ada.on(late), game, DRAW)
        told = next(event for event in stream if event.name == "frame")
        assert look(eve, game)["version"] >= told.id


_STREAMS = 240


def test_clients_who_leave_take_nothing_with_them(database: str) -> None:
    bounds = {"max_streams_per_sender": _STREAMS, "max_connections_per_address": _STREAMS + 10}
    with serving(database, heartbeat=5.0, **bounds) as service:
        account = Account(service.url)
        assert set(leave([account], 480, Random(1))) == set(account.requests())
        leave([account], 1_200, Random(2), ("stream_game",))
        for gauge in ("kibitz_open_streams", "kibitz_open_inboxes"):
            until(lambda gauge=gauge: metric(service, gauge) == 0)  # type: ignore[misc]
        assert account.unanswered() == {}
        with connected(service, _STREAMS) as clients:
            for client in clients:
                client.sendall(account.requests()["stream_game"])
            assert {client.recv(12) for client in clients} == {b"HTTP/1.1 200"}
