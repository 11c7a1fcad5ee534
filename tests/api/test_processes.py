"""Several processes on one database: everything is as if there were one, whichever of them is asked."""

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from random import Random
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
from service.postgres import Server

from . import truth
from .bursts import DRAW, Burst, command, whole
from .houses import House, house, until
from .playing import Game, look, moves, of, opened, say, seated
from .problems import told
from .recording import brought, given_up, imported, taken
from .serving import KEYS, Player, Service, moderating, parts, registered, serving
from .streaming import events, events_at

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


class Wandering(Burst):
    """A burst whose commands go to any of the processes."""

    def __init__(self, house: House, player: Player, game: Game, seed: int) -> None:
        super().__init__(player, game)
        self._house, self._lots = house, Random(seed)

    def say(self, player: Player, number: int) -> httpx.Response:
        return super().say(self._house.speaking(player, self._lots.choice(self._house.services)), number)


def wander(burst: Wandering, most: int) -> None:
    for number in range(most):
        answer = burst.say(burst.player, number)
        assert answer.status_code == 200, answer.text
        assert answer.json()["version"] == burst.game["version"] + 1 + number
        burst.acknowledged[str(number)] = answer.content
        burst.said += 1


def test_commands_spread_over_three_processes_are_as_those_of_one(postgres: Server, template_database: str) -> None:
    with house(postgres, template_database, 3) as three:
        players = [registered(three.services[number % 3], f"Player {number}") for number in range(6)]
        bursts = [Wandering(three, player, opened(player), number) for number, player in enumerate(players)]
        with ThreadPoolExecutor(len(bursts)) as pool:
            for done in [pool.submit(wander, burst, 40) for burst in bursts]:
                done.result()
        for burst in bursts:
            whole(three.services[0], burst, burst.player)
            seen = [look(three.speaking(burst.player, service), burst.game) for service in three.services]
            assert seen == [seen[0]] * 3


def test_commands_to_one_game_through_two_processes_at_once_all_count(two: House, ada: Player) -> None:
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
    for body, more in (
        (DRAW, {"headers": {"idempotency-key": "same"}}),
        ({"type": "klondike/move", "source": "stock", "target": "stock", "count": 1}, {}),
        (DRAW, {"headers": {"if-match": '"1"'}}),
        (DRAW, {"headers": {"idempotency-key": ""}}),
        (DRAW, {"params": {"dry_run": "true"}}),
        (DRAW, {"params": {"seat": "1"}}),
        ({"type": "nonsense"}, {}),
        ([], {}),
    ):
        assert parts(say(here, game, body, **more)) == parts(say(there, game, body, **more)), body
    nobody = {"authorization": "Bearer kbz_nobody"}
    assert parts(say(here, game, DRAW, headers=nobody)) == parts(say(there, game, DRAW, headers=nobody))
    assert parts(here.post(of(game, "/nonsense"), {})) == parts(there.post(of(game, "/nonsense"), {}))


def test_a_body_that_is_too_large_is_refused_by_either(two: House, ada: Player) -> None:
    game = two.opened_at(ada, two.services[0])
    for service in two.services:
        for size in (300_000, 5_000_000):
            answer = ada.on(service).http.post(
                of(game, "/commands"), content=b"[" * size, headers={"content-type": "application/json"}
            )
            told(answer, 413, "body_too_large")


def test_a_key_that_was_used_at_one_process_has_the_same_answer_at_the_other(two: House, ada: Player) -> None:
    game = two.opened_at(ada, two.services[0])
    first = say(two.speaking(ada, two.services[1]), game, DRAW, headers={"idempotency-key": "k"})
    again = say(two.speaking(ada, two.services[0]), game, DRAW, headers={"idempotency-key": "k"})
    assert first.content == again.content
    other = say(two.speaking(ada, two.services[1]), game, {"type": "game/undo"}, headers={"idempotency-key": "k"})
    told(other, 422, "key_reused")
    body, key = {"game_type": "klondike"}, {"idempotency-key": "open"}
    openings = [two.speaking(ada, one).post("/v1/games", body, headers=key).content for one in two.services]
    assert openings[0] == openings[1]


def test_a_version_that_is_stale_at_one_process_is_stale_at_the_other(two: House, ada: Player) -> None:
    game = two.opened_at(ada, two.services[0])
    version = {"if-match": f'"{game["version"]}"'}
    assert say(two.speaking(ada, two.services[1]), game, DRAW, headers=version).status_code == 200
    for service in two.services:
        told(say(two.speaking(ada, service), game, DRAW, headers=version), 412, "stale_version")


def test_a_stream_tells_the_same_on_the_process_that_does_not_own_the_game(two: House, ada: Player) -> None:
    game = two.opened_at(ada, two.services[0], visibility="public")
    live = [events(two.speaking(ada, service), game) for service in two.services]
    heard: list[list[Any]] = [[next(told for told in one if told.name == "frame")] for one in live]
    for number in range(6):
        say(two.speaking(ada, two.services[number % 2]), game, DRAW)
        for one, so_far in zip(live, heard, strict=True):
            so_far.append(next(told for told in one if told.name == "frame"))
    say(ada, game, {"type": "game/resign"})
    for one, so_far in zip(live, heard, strict=True):
        so_far += [told for told in one if told.name != "heartbeat"]
    assert heard[0] == heard[1]
    assert [told.data["step"] for told in heard[0][:-1]] == list(range(8))
    assert heard[0][-1].name == "end"


def test_a_stream_goes_on_after_a_version_that_the_other_process_has_just_recorded(two: House, ada: Player) -> None:
    for number in range(20):
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
    acting, resting = in_turn((ada, bob), game)
    assert (news(live[acting.id]).name, news(live[acting.id], 0).data) == ("waiting", None)
    pass_turn(acting, game)
    assert news(live[acting.id]).data == {"game_id": game["id"]}
    assert news(live[resting.id]).data["game_id"] == game["id"]


def news(live: Iterator[Any], most: int = 1000) -> Any:
    """The next event that is no heartbeat, among so many."""
    for _ in range(most):
        if (told := next(live)).name != "heartbeat":
            return told
    return type("Nothing", (), {"data": None})


def in_turn(players: tuple[Player, Player], game: Game) -> tuple[Player, Player]:
    seat = look(players[0], game)["view"]["to_act"][0]
    return players[seat], players[1 - seat]


def pass_turn(player: Player, game: Game) -> None:
    seat, lots = look(player, game)["your_seats"][0], Random(1)
    while look(player, game)["view"]["to_act"] == [seat]:
        assert say(player, game, lots.choice(moves(player, game))).status_code == 200


def test_a_feed_that_waits_at_one_process_hears_of_a_game_that_ends_at_the_other(two: House, ada: Player) -> None:
    for _ in range(5):  # some of them end only once the feed waits
        game = two.opened_at(ada, two.services[0])
        after = [line for line in two.services[1].http.get("/v1/feed").text.splitlines() if line][-1]
        cursor = httpx.Response(200, text=after).json()["cursor"]
        with ThreadPoolExecutor(1) as pool:
            waiting = pool.submit(two.services[1].http.get, "/v1/feed", params={"cursor": cursor, "wait": 55})
            say(ada, game, {"type": "game/resign"})
            assert game["id"] in waiting.result(40).text, "told only once the wait was over"


def test_a_token_revoked_at_one_process_is_refused_at_the_other(two: House, ada: Player) -> None:
    made = ada.post("/v1/tokens", {"label": "second"}).json()
    second = {"authorization": f"Bearer {made['secret']}"}
    here, there = (service.http for service in two.services)
    assert {one.get("/v1/players/me", headers=second).status_code for one in (here, there)} == {200}
    assert ada.http.delete(f"/v1/tokens/{made['id']}").status_code == 204
    assert here.get("/v1/players/me", headers=second).status_code == 401
    until(lambda: there.get("/v1/players/me", headers=second).status_code == 401)


def test_a_moderator_voids_a_game_through_any_process(two: House, ada: Player) -> None:
    game = two.opened_at(ada, two.services[0])
    voided = moderating(two.services[1]).post(of(game, "/void"), {"reason": "A trial."})
    assert voided.status_code == 200
    assert look(ada, game)["status"] == "voided"


def test_a_page_form_is_passed_on_with_its_session(two: House, ada: Player, bob: Player) -> None:
    game = two.opened_at(ada, two.services[0], SPITE)
    browser = httpx.Client(base_url=two.services[1].url, timeout=60)
    own = {"origin": two.services[1].url}
    assert browser.post("/sign-in", data={"token": bob.token}, headers=own).status_code == 303
    assert browser.post(f"/games/{game['id']}/join", headers={"origin": "http://elsewhere"}).status_code == 403
    assert browser.post(f"/games/{game['id']}/join", headers=own).status_code == 303
    assert look(bob, game)["your_seats"] == [1]


def hops(service: Service) -> int:
    """How many commands this process was asked to carry out."""
    name = 'kibitz_requests_total{operation="post_command"'
    return int(sum(float(line.split()[-1]) for line in service.metrics().splitlines() if name in line))


def test_a_hop_header_without_the_secret_means_nothing(two: House, ada: Player) -> None:
    game = two.opened_at(ada, two.services[0])
    there = two.speaking(ada, two.services[1])
    for said in ("", "guessed http 10.9.8.7", "guessed", "a b c d"):
        answer = say(there, game, DRAW, headers={"kibitz-hop": said})
        assert answer.status_code == 200, answer.text


def test_a_request_that_was_passed_on_is_not_passed_on_again(two: House, ada: Player) -> None:
    game = two.opened_at(ada, two.services[0])
    with psycopg.connect(two.conninfo) as connection:
        rows = connection.execute("SELECT 'http://' || address, secret FROM processes").fetchall()
        found = {str(url): str(secret) for url, secret in rows}
    there = two.services[1]
    hop = {"kibitz-hop": f"{found[there.url]} http 127.0.0.1"}
    answer = say(two.speaking(ada, there), game, DRAW, headers=hop)
    assert (answer.status_code, answer.headers["kibitz-hop"]) == (421, "no")
    assert look(ada, game)["version"] == game["version"]


def test_each_process_is_ready_though_it_owned_nothing(two: House) -> None:
    for service in two.services:
        assert service.http.get("/readyz").status_code == 200


def say_again(player: Player, game: Game, command: Any) -> httpx.Response:
    """Say a command, with its key again while it is answered by 503: a busy process hears late whose a game is now."""
    key = {"idempotency-key": f"{uuid4()}"}
    while (answer := say(player, game, command, headers=key)).status_code == 503:
        assert int(answer.headers["retry-after"]) >= 1, answer.text
    assert answer.status_code == 200, answer.text
    return answer


def test_a_process_that_comes_takes_its_share_and_one_that_goes_leaves_it(two: House, ada: Player) -> None:
    games = [opened(two.speaking(ada, service)) for service in two.services for _ in range(8)]
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


def test_an_import_that_changes_hands_at_one_process_does_so_at_the_other(
    two: House, ada: Player, bob: Player, service: Service
) -> None:
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


def test_what_the_service_itself_does_elsewhere_the_owner_hears_of(two: House, ada: Player) -> None:
    game = two.opened_at(ada, two.services[0])
    assert look(ada, game)["status"] == "playing"
    asyncio.run(void_past_the_owner(two.conninfo, UUID(game["id"])))
    until(lambda: look(ada, game)["status"] == "voided")


async def void_past_the_owner(conninfo: str, game: UUID) -> None:
    """As another process ends attempts of a contest: without the lease."""
    ring = Ring(KEYS)
    ring.open()
    async with EventStore(conninfo, truth.codec()) as store:
        said = Act(None, None, now())
        await Room(store, 10, Signatures(ring)).act(game, lambda one: void(one, "A trial.", said))
