"""The database or the server dies and comes back: nothing acknowledged is lost or doubled."""

import signal
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from time import sleep
from typing import Any

import httpx

from . import truth
from .bursts import DRAW, RECYCLE, Burst, Durable, fail_early, total, whole
from .cutting import wire
from .playing import Game, look, opened, say
from .problems import told
from .serving import Player, Service, registered, serving
from .streaming import events, frames
from .watching import metric


def until_ready(service: Service) -> None:
    while service.http.get("/readyz").status_code != 200:
        sleep(0.01)


def test_without_its_database_the_service_lives_and_says_so_and_then_goes_on(durable: Durable) -> None:
    with serving(durable.fresh()) as service:
        ada = registered(service, "Ada")
        game, cold = opened(ada), opened(ada)
        first = say(ada, game, DRAW, headers={"idempotency-key": "first"})
        before = look(ada, game)
        service.http.get("/readyz").raise_for_status()
        durable.stop()
        for answer in at_once(
            lambda: say(ada, game, DRAW),
            lambda: say(ada, game, DRAW, headers={"idempotency-key": "second"}),
            lambda: say(ada, game, RECYCLE, headers={"idempotency-key": "first"}),
            lambda: ada.post("/v1/games", {"game_type": "klondike"}),
            lambda: service.http.post("/v1/players", json={"name": "Bob"}),
            lambda: ada.get("/v1/games"),
            lambda: service.http.get("/v1/players/me", headers={"authorization": "Bearer kbz_unknown"}),
            lambda: service.http.get("/readyz"),
        ):
            told(answer, 503, "unavailable")
            assert int(answer.headers["retry-after"]) > 0
        assert service.http.get("/livez").json() == {"status": "alive"}
        assert "kibitz_store_up" in service.metrics()
        assert metric(service, "kibitz_store_up") == 0
        assert service.process.poll() is None
        durable.start()
        until_ready(service)
        assert look(ada, game) == before
        assert say(ada, game, DRAW, headers={"idempotency-key": "first"}).content == first.content
        while (second := say(ada, game, DRAW, headers={"idempotency-key": "second"})).status_code == 503:
            pass
        assert second.json()["version"] == before["version"] + 1
        assert say(ada, cold, DRAW).status_code == 200
        assert len(truth.records(service, game)) == before["version"] + 1


def at_once(*requests: Callable[[], httpx.Response]) -> list[httpx.Response]:
    with ThreadPoolExecutor(len(requests)) as pool:
        return [asked.result() for asked in [pool.submit(request) for request in requests]]


def test_a_killed_server_has_lost_nothing_it_acknowledged_and_repeats_complete_the_rest(durable: Durable) -> None:
    conninfo = durable.fresh()
    with serving(conninfo) as service:
        players = [registered(service, f"Player {number}") for number in range(8)]
        bursts = [Burst(player, opened(player)) for player in players]
        with ThreadPoolExecutor(len(bursts)) as pool:
            saying = [pool.submit(burst.until_it_breaks) for burst in bursts]
            while total(bursts) < 250:
                fail_early(saying)
                sleep(0.01)
            service.end(signal.SIGKILL)
            for one in saying:
                one.result()
    with serving(conninfo) as service:
        for burst in bursts:
            whole(service, burst, burst.player.on(service))


def test_a_killed_database_has_lost_nothing_that_was_acknowledged_and_doubled_nothing(durable: Durable) -> None:
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
            while say(bursts[0].player, bursts[0].game, {"type": "game/resign"}).status_code == 503:
                pass
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


def test_a_commit_whose_answer_was_lost_is_seen_by_the_next_look_and_by_who_listens(database: str) -> None:
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
