"""Several processes on one database: everything is as if there were one, also when one of them dies or stands still."""

import asyncio
import signal
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from random import Random
from threading import Event
from typing import Any
from uuid import UUID, uuid4

import httpx
import psycopg
import pytest

from domain.play.deciding import Act
from domain.play.endings import void
from service.event_store.ids import now
from service.event_store.store import EventStore
from service.keys.signing import Ring
from service.live.room import Room
from service.live.signatures import Signatures
from service.live.slots import slot_of
from service.postgres import Server
from tests.service.event_store.made import waiting_for_a_lock

from . import truth
from .boxes import ending_turn
from .bursts import DRAW, Burst, command, fail_early, whole
from .houses import House, house, until
from .playing import Game, look, of, opened, say, seated
from .problems import told
from .recording import brought, given_up, imported, taken
from .serving import KEYS, Player, Service, moderating, parts, raw, registered, serving
from .streaming import Told, events, events_at
from .watching import metric

SPITE = "spite_and_malice"


@pytest.fixture(scope="module")
def two(postgres: Server, template_database: str) -> Iterator[House]:
    with house(postgres, template_database, heartbeat=3600) as made:
        yield made


@pytest.fixture
def ada(two: House) -> Player:
    return registered(two.services[0], "Ada")


@pytest.fixture
def bob(two: House) -> Player:
    return registered(two.services[1], "Bob")


class Persistent(Burst):
    """Commands to any process that lives, each again until it is acknowledged; when each was."""

    def __init__(self, house: House, player: Player, game: Game, seed: int) -> None:
        super().__init__(player, game)
        self._house, self._lots = house, Random(seed)
        self.times: list[float] = []
        self.again = 0

    def on(self, stopped: Event, most: int) -> None:
        """Go on until stopped, and for so many commands at least."""
        while self.said < most or not stopped.is_set():
            answer = self._acknowledged()
            assert answer.status_code == 200, answer.text
            assert answer.json()["version"] == self.game["version"] + 1 + self.said
            self.acknowledged[str(self.said)] = answer.content
            self.said += 1
            self.times.append(time.monotonic())

    def _acknowledged(self) -> httpx.Response:
        while True:
            at = self._lots.choice(self._house.services)
            with suppress(httpx.TransportError):
                answer = self.say(self._house.speaking(self.player, at), self.said)
                if answer.status_code != 503:
                    return answer
            self.again += 1


def test_commands_spread_over_three_processes_are_as_those_of_one(postgres: Server, template_database: str) -> None:
    with house(postgres, template_database, 3) as three:
        players = [registered(three.services[number % 3], f"Player {number}") for number in range(6)]
        bursts = [Persistent(three, player, opened(player), number) for number, player in enumerate(players)]
        over = Event()
        over.set()
        with ThreadPoolExecutor(len(bursts)) as pool:
            for done in [pool.submit(burst.on, over, 26) for burst in bursts]:
                done.result()
        assert [burst.again for burst in bursts] == [0] * 6
        for burst in bursts:
            whole(three.services[0], burst, burst.player)
            seen = [look(three.speaking(burst.player, service), burst.game) for service in three.services]
            assert seen == [seen[0]] * 3


def test_commands_through_two_processes_at_once_all_count(two: House, ada: Player) -> None:
    game = two.opened_at(ada, two.services[0])

    def draw(number: int) -> int:
        at = two.services[number % 2]
        return say(ada.on(at), game, command(0), headers={"idempotency-key": f"{number}"}).status_code

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(draw, range(20))) == {200}
    assert look(ada, game)["version"] == game["version"] + 20
    assert len(truth.records(two.services[0], game)) == game["version"] + 20


def test_what_one_process_has_recorded_the_other_shows_at_once(two: House, ada: Player) -> None:
    game = two.opened_at(ada, two.services[1])
    there, here = two.speaking(ada, two.services[0]), two.speaking(ada, two.services[1])
    for _ in range(10):
        version = say(here, game, DRAW).json()["version"]
        assert look(there, game)["version"] == version
        assert there.get(of(game, "/legal-commands")).json()["version"] == version
        assert len(there.get(of(game, "/frames")).json()["frames"]) == look(here, game)["step"] + 1


def test_every_answer_is_the_same_whichever_process_is_asked(two: House, ada: Player) -> None:
    game = two.opened_at(ada, two.services[0])
    here, there = two.speaking(ada, two.services[0]), two.speaking(ada, two.services[1])
    key, version = {"idempotency-key": "same"}, {"if-match": f'"{game["version"]}"'}
    for body, more in (
        (DRAW, {"headers": key | version}), (DRAW, {"headers": version}), (DRAW, {"params": {"dry_run": "true"}}),
        ({"type": "klondike/move", "source": "stock", "target": "stock", "count": 1}, {}),
        ({"type": "game/undo"}, {"headers": key}), (DRAW, {"headers": {"idempotency-key": ""}}),
        (DRAW, {"params": {"seat": "1"}}), ({"type": "nonsense"}, {}), ([], {}),
        (DRAW, {"headers": {"authorization": "Bearer kbz_nobody"}}),
    ):  # fmt: skip
        assert parts(say(there, game, body, **more)) == parts(say(here, game, body, **more)), body
    assert look(ada, game)["version"] == game["version"] + 1
    assert parts(here.post(of(game, "/nonsense"), {})) == parts(there.post(of(game, "/nonsense"), {}))
    openings = [one.post("/v1/games", {"game_type": "klondike"}, headers=key).content for one in (here, there)]
    assert openings[0] == openings[1]
    for player in (here, there):
        for size in (300_000, 5_000_000):
            told(raw(player, of(game, "/commands"), b"[" * size), 413, "body_too_large")


def test_a_stream_tells_the_same_at_every_process(two: House, ada: Player) -> None:
    game = two.opened_at(ada, two.services[0], visibility="public")
    live = [events(two.speaking(ada, service), game) for service in two.services]
    heard: list[list[Any]] = [[news(one)] for one in live]
    for number in range(6):
        say(two.speaking(ada, two.services[number % 2]), game, DRAW)
        for one, so_far in zip(live, heard, strict=True):
            so_far.append(news(one))
    say(ada, game, {"type": "game/resign"})
    for one, so_far in zip(live, heard, strict=True):
        so_far += [told for told in one if told.name != "heartbeat"]
    assert heard[0] == heard[1]
    assert [told.data["step"] for told in heard[0][:-1]] == list(range(8))
    assert heard[0][-1].name == "end"


def test_a_stream_goes_on_after_the_other_processs_version(two: House, ada: Player) -> None:
    for number in range(8):
        game = opened(two.speaking(ada, two.services[number % 2]))
        here, there = (two.speaking(ada, service) for service in two.services)
        version = say(here, game, DRAW).json()["version"]
        for player in (there, here):
            assert next(events(player, game, after=version, max_seconds=0)).name == "end"
            told(player.get(of(game, "/events"), params={"after": version + 1}), 400, "malformed")


def test_an_inbox_is_told_of_games_of_the_other_process(two: House, ada: Player, bob: Player) -> None:
    game = two.opened_at(ada, two.services[0], SPITE)
    live = {player.id: events_at(two.speaking(player, two.services[1]), "/v1/inbox/events") for player in (ada, bob)}
    for one in live.values():
        assert news(one).name == "snapshot"
    seated(game, two.speaking(bob, two.services[0]))
    seat = look(ada, game)["view"]["to_act"][0]
    acting, resting = (ada, bob)[seat], (bob, ada)[seat]
    assert news(live[acting.id]).name == "waiting"
    while look(acting, game)["view"]["to_act"] == [seat]:
        assert say(acting, game, ending_turn(acting, game)).status_code == 200
    assert news(live[acting.id]).data == {"game_id": game["id"]}
    assert news(live[resting.id]).data["game_id"] == game["id"]


def news(live: Iterator[Told]) -> Told:
    """The next event that is no heartbeat."""
    return next(told for told in live if told.name != "heartbeat")


def test_a_waiting_feed_hears_of_games_of_the_other_process(two: House, ada: Player) -> None:
    for _ in range(5):  # some of them end only once the feed waits
        game = two.opened_at(ada, two.services[0])
        after = [line for line in two.services[1].http.get("/v1/feed").text.splitlines() if line][-1]
        cursor = httpx.Response(200, text=after).json()["cursor"]
        with ThreadPoolExecutor(1) as pool:
            waiting = pool.submit(two.services[1].http.get, "/v1/feed", params={"cursor": cursor, "wait": 55})
            say(ada, game, {"type": "game/resign"})
            assert game["id"] in waiting.result(40).text, "told only once the wait was over"


def test_a_revoked_token_is_refused_at_every_process(two: House, ada: Player) -> None:
    made = ada.post("/v1/tokens", {"label": "second"}).json()
    second = {"authorization": f"Bearer {made['secret']}"}
    here, there = (service.http for service in two.services)
    assert {one.get("/v1/players/me", headers=second).status_code for one in (here, there)} == {200}
    assert ada.http.delete(f"/v1/tokens/{made['id']}").status_code == 204
    assert here.get("/v1/players/me", headers=second).status_code == 401
    until(lambda: there.get("/v1/players/me", headers=second).status_code == 401)


def test_a_void_is_heard_of_whoever_made_it(two: House, ada: Player) -> None:
    games = [two.opened_at(ada, two.services[0]) for _ in range(2)]
    assert [look(ada, game)["status"] for game in games] == ["playing"] * 2
    voided = moderating(two.services[1]).post(of(games[0], "/void"), {"reason": "A trial."})
    assert (voided.status_code, look(ada, games[0])["status"]) == (200, "voided")
    asyncio.run(void_past_the_owner(two.conninfo, UUID(games[1]["id"])))
    until(lambda: look(ada, games[1])["status"] == "voided")


def test_a_page_form_is_passed_on_with_its_session(two: House, ada: Player, bob: Player) -> None:
    game = two.opened_at(ada, two.services[0], SPITE)
    browser = httpx.Client(base_url=two.services[1].url, timeout=60)
    own = {"origin": two.services[1].url}
    assert browser.post("/sign-in", data={"token": bob.token}, headers=own).status_code == 303
    assert browser.post(f"/games/{game['id']}/join", headers={"origin": "http://elsewhere"}).status_code == 403
    assert browser.post(f"/games/{game['id']}/join", headers=own).status_code == 303
    assert look(bob, game)["your_seats"] == [1]


def test_a_hop_header_counts_only_with_the_secret_and_once(two: House, ada: Player) -> None:
    game = two.opened_at(ada, two.services[0])
    there = two.speaking(ada, two.services[1])
    for said in ("", "guessed http 10.9.8.7", "guessed", "a b c d"):
        answer = say(there, game, DRAW, headers={"kibitz-hop": said})
        assert answer.status_code == 200, answer.text
    with psycopg.connect(two.conninfo) as connection:
        query = "SELECT secret FROM processes WHERE 'http://' || address = %s"
        ((secret,),) = connection.execute(query, [two.services[1].url]).fetchall()
    before = look(ada, game)["version"]
    answer = say(there, game, DRAW, headers={"kibitz-hop": f"{secret} http 127.0.0.1"})
    assert (answer.status_code, answer.headers["kibitz-hop"]) == (421, "no")
    assert look(ada, game)["version"] == before


def say_again(player: Player, game: Game, command: Any) -> httpx.Response:
    """Say a command, with its key again while it is answered by 503: a busy process hears late whose a game is now."""
    key = {"idempotency-key": f"{uuid4()}"}
    while (answer := say(player, game, command, headers=key)).status_code == 503:
        assert int(answer.headers["retry-after"]) >= 1, answer.text
    assert answer.status_code == 200, answer.text
    return answer


def test_a_process_takes_its_share_and_leaves_it(two: House, ada: Player) -> None:
    games = [opened(two.speaking(ada, service)) for service in two.services for _ in range(8)]
    assert {service.http.get("/readyz").status_code for service in two.services} == {200}
    with serving(two.conninfo, run_worker=False) as third:
        everybody = [*two.services, third]
        until(lambda: two.shared_by(everybody))
        for number, game in enumerate(games):
            answer = say_again(two.speaking(ada, everybody[number % 3]), game, DRAW)
            assert answer.json()["version"] == game["version"] + 1, answer.text
    until(lambda: two.shared_by(two.services))
    for number, game in enumerate(games):
        answer = say_again(two.speaking(ada, two.services[number % 2]), game, DRAW)
        assert answer.json()["version"] == game["version"] + 2, answer.text


def test_an_import_changes_hands_everywhere(two: House, ada: Player, bob: Player, service: Service) -> None:
    outside = registered(service, "Olga")
    text = taken(outside, given_up([outside], opened(outside, visibility="private")))
    here, there = two.services
    game = imported(two.speaking(ada, here), text)
    assert look(two.speaking(ada, there), game, spectator=True)["id"] == game["id"]
    told(two.speaking(bob, there).get(of(game)), 404, "no_such_thing")
    assert brought(two.speaking(bob, here), text).status_code == 200
    assert two.speaking(bob, there).get(of(game)).status_code == 200
    for player in (ada, bob):
        assert two.speaking(player, here).http.delete(f"/v1/records/{game['id']}").status_code == 204
        told(two.speaking(player, there).get(of(game)), 404, "no_such_thing")


async def void_past_the_owner(conninfo: str, game: UUID) -> None:
    """As another process ends attempts of a contest: without the lease."""
    ring = Ring(KEYS)
    ring.open()
    async with EventStore(conninfo, truth.codec()) as store:
        said = Act(None, None, now())
        await Room(store, 10, Signatures(ring)).act(game, lambda one: void(one, "A trial.", said))


def going_on(saying: "list[Future[None]]") -> bool:
    fail_early(saying)
    return True


def test_the_games_of_a_killed_process_go_on_whole(postgres: Server, template_database: str) -> None:
    with house(postgres, template_database) as two:
        killed, left = two.services
        ada = registered(left, "Ada")
        quiet = two.opened_at(ada, killed)
        assert look(ada, quiet)["version"] == quiet["version"]
        for _ in range(3):
            say(two.speaking(ada, killed), quiet, DRAW)
        players = [registered(left, f"Player {number}") for number in range(6)]
        games = [two.opened_at(player, (left, killed)[seed % 2]) for seed, player in enumerate(players)]
        bursts = [Persistent(two, *pair, seed) for seed, pair in enumerate(zip(players, games, strict=True))]
        stopped = Event()
        with ThreadPoolExecutor(len(bursts)) as pool:
            saying = [pool.submit(burst.on, stopped, 10) for burst in bursts]
            until(lambda: going_on(saying) and sum(burst.said for burst in bursts) > 60)
            began = time.monotonic()
            killed.process.kill()
            two.services = [left]  # a new list: somebody may just be choosing from the old one
            until(lambda: going_on(saying) and all(burst.times[-1] > began + 0.5 for burst in bursts[1::2]))
            stopped.set()
            for one in saying:
                one.result()
        for burst in bursts:
            whole(left, burst, burst.player.on(left))
        until(lambda: two.shared_by([left]))
        assert look(ada, quiet)["version"] == quiet["version"] + 3
        killed.process.wait()


def test_a_process_after_a_kill_has_all_games_at_once(postgres: Server, template_database: str) -> None:
    with house(postgres, template_database, 1) as one:
        ada = registered(one.services[0], "Ada")
        game = opened(ada)
        one.services[0].process.kill()
        with serving(one.conninfo, run_worker=False) as after:
            answer = say(ada.on(after), game, DRAW)
            assert (answer.status_code, answer.json()["version"]) == (200, game["version"] + 1)
        one.services[0].process.wait()


def test_a_frozen_process_is_fenced_and_its_queue_judged_again(postgres: Server, template_database: str) -> None:
    with house(postgres, template_database) as two, ThreadPoolExecutor(3) as pool:
        ice, left = two.services
        ada = registered(left, "Ada")
        first, second, third = (two.opened_at(ada, ice) for _ in range(3))
        watcher = ada.on(ice)
        look(watcher, third)
        with psycopg.connect(two.conninfo) as held:
            held.execute("SELECT head FROM log FOR UPDATE")
            written = pool.submit(say_until_told, ada.on(ice), first)
            until(lambda: waiting_for_a_lock(two.conninfo) == 1)
            queued = pool.submit(say_until_told, ada.on(ice), second)
            until(lambda: metric(ice, "kibitz_append_queue") >= 1)  # and perhaps that the token was used today
            ice.process.send_signal(signal.SIGSTOP)
            try:
                held.close()
                until(lambda: two.shared_by([left]))
                assert look(ada, second)["version"] == second["version"]
                assert say(ada, third, DRAW).json()["version"] == third["version"] + 1
                asked = pool.submit(look, watcher, third)  # it waits in the socket, and is the first to be read
                until(lambda: unread(ice) > 0)
                left.process.send_signal(signal.SIGSTOP)  # else it may give the leases back before the queue is judged
                thawed = now()
                ice.process.send_signal(signal.SIGCONT)
                until(lambda: metric(ice, "kibitz_appends_total", outcome="failed") >= 1)
            finally:
                for service in two.services:
                    service.process.send_signal(signal.SIGCONT)
        assert asked.result()["version"] == third["version"] + 1
        assert queued.result().status_code == 200, queued.result().text
        assert written.result().json()["version"] == first["version"] + 1
        recorded = truth.records(left, second)[-1].time
        assert recorded >= thawed, "what was decided before the process stood still was stored"
        for game in (first, second, third):
            assert [look(ada.on(one), game)["version"] for one in two.services] == [game["version"] + 1] * 2
        until(lambda: two.shared_by(two.services))


def say_until_told(player: Player, game: dict[str, Any]) -> httpx.Response:
    """The answer to a draw, said again as long as it is 503: so long may a process stand still."""
    while (answer := say(player, game, DRAW, headers={"idempotency-key": "draw"})).status_code == 503:
        time.sleep(0.05)
    return answer


def unread(service: Service) -> int:
    """How many bytes wait in the sockets of its connections; proc_net_tcp(5)."""
    ours, established = f":{httpx.URL(service.url).port:04X}", "01"
    lines = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return sum(int(it[4].partition(":")[2], 16) for it in lines if it[1].endswith(ours) and it[3] == established)


def test_processes_whose_locks_were_lost_come_back(postgres: Server, template_database: str) -> None:
    with house(postgres, template_database) as two:
        first, stopped = two.services[0], Event()
        ada = registered(first, "Ada")
        burst = Persistent(two, ada, two.opened_at(ada, first), 7)
        lost = holders(two.conninfo, end=True)
        stopped.set()
        for most in range(20):
            burst.on(stopped, most)
            time.sleep(0.02)
        until(lambda: len(holders(two.conninfo) - lost) == 2 and two.shared_by(two.services))
        whole(first, burst, ada)
        assert slot_of(UUID(burst.game["id"])) in two.owners()


def holders(conninfo: str, end: bool = False) -> set[int]:
    """The connections that hold the locks of processes; these may be ended."""
    named = "FROM pg_stat_activity WHERE application_name = 'kibitz process' AND datname = current_database()"
    with psycopg.connect(conninfo, autocommit=True) as connection:
        ended = ", pg_terminate_backend(pid)" if end else ""
        return {row[0] for row in connection.execute(f"SELECT pid{ended} {named}".encode()).fetchall()}
