"""Behind pgbouncer in transaction mode: readers share a few connections, and what needs a session has its own."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from random import Random
from time import sleep
from typing import Any

import pytest

from service.postgres import Server
from tests.api.playing import Game, look, moves, opened, say, seated
from tests.api.serving import Player, Service, database_of, registered, serving
from tests.api.streaming import Told, frames, in_background
from tests.service.cli.programs import kibitz

from .pgbouncer import Pooler, pooling

DRAW = {"type": "klondike/draw"}
RESIGN = {"type": "game/resign"}
PLAYERS = 8
OVER_AND_OVER = 12
"""More often than psycopg repeats a statement before it prepares it, on every connection of a pool."""


@pytest.fixture(scope="module")
def pooler(postgres: Server) -> Iterator[Pooler]:
    with pooling(postgres) as running:
        yield running


@pytest.fixture(scope="module")
def direct(postgres: Server, template_database: str) -> Iterator[str]:
    with database_of(postgres, template_database) as conninfo:
        yield conninfo


@pytest.fixture(scope="module")
def service(pooler: Pooler, direct: str) -> Iterator[Service]:
    with serving(pooler.before(direct), session_url=direct) as running:
        yield running


@pytest.fixture(scope="module")
def other(pooler: Pooler, direct: str, service: Service) -> Iterator[Service]:
    """A second process on the same database."""
    with serving(pooler.before(direct), session_url=direct) as running:
        yield running


def test_players_play_and_read_at_once_through_fewer_connections_than_they_are(
    service: Service, pooler: Pooler, direct: str
) -> None:
    before = pooler.transactions(direct)
    players = [registered(service, f"Player {number}") for number in range(PLAYERS)]
    with ThreadPoolExecutor(PLAYERS) as pool:
        games = list(pool.map(played_and_read, players))
    for player, game in zip(players, games, strict=True):
        assert look(player, game)["version"] == 3 + OVER_AND_OVER
    assert pooler.transactions(direct) - before > PLAYERS * OVER_AND_OVER


def played_and_read(player: Player) -> Game:
    game = opened(player)
    for number in range(OVER_AND_OVER):
        key = {"idempotency-key": f"{number}"}
        first, again = (say(player, game, DRAW, headers=key) for _ in range(2))
        assert first.status_code == 200, first.text
        assert again.content == first.content
        for path in ("/v1/games", "/v1/inbox", "/v1/tokens", "/v1/feed", "/v1/scoreboards/klondike"):
            answer = player.get(path)
            assert answer.status_code == 200, (path, answer.text)
    return game


def test_a_stream_hears_every_step_and_an_inbox_every_turn(service: Service) -> None:
    ann, ben = registered(service, "Ann"), registered(service, "Ben")
    game = seated(opened(ann, "spite_and_malice", seats=2), ben)
    hearing = in_background(ben.on(service), game)
    chance = Random(7)
    while look(ann, game)["version"] < 30:
        player = (ann, ben)[look(ann, game)["view"]["to_act"][0]]
        assert say(player, game, chance.choice(moves(player, game))).status_code == 200
        seat = look(ann, game)["view"]["to_act"][0]
        waiting = [one["game_id"] for one in (ann, ben)[seat].get("/v1/inbox").json()["games"]]
        assert waiting == [game["id"]]
    say(ann, game, RESIGN)
    heard = frames(hearing.result())
    assert [frame["step"] for frame in heard] == list(range(len(heard)))
    assert heard[-1]["version"] == look(ben, game)["version"]


def test_the_worker_folds_what_was_played(service: Service) -> None:
    ada = registered(service, "Ada")
    game = opened(ada)
    say(ada, game, RESIGN)
    while ada.get("/v1/games", params={"player_id": ada.id, "status": "finished"}).json()["games"] == []:
        sleep(0.01)


def test_two_processes_behind_one_pooler_serve_the_same_games(service: Service, other: Service) -> None:
    ada = registered(service, "Ada")
    game = opened(ada)
    hearing: Any = in_background(ada.on(other), game)
    for number in range(OVER_AND_OVER):
        at = (service, other)[number % 2]
        answer = say(ada.on(at), game, DRAW, headers={"idempotency-key": str(number)})
        assert answer.status_code == 200, answer.text
    assert say(ada, game, RESIGN).status_code == 200
    heard: list[Told] = hearing.result()
    assert frames(heard)[-1]["version"] == look(ada.on(other), game)["version"]
    assert look(ada, game) == look(ada.on(other), game)


@pytest.mark.parametrize("command", ["serve", "worker", "migrate"])
def test_a_pooler_without_the_direct_address_is_refused_in_a_sentence(
    command: str, pooler: Pooler, direct: str
) -> None:
    refused = kibitz(command, DATABASE_URL=pooler.before(direct))
    assert refused.returncode == 1
    assert "KIBITZ_SESSION_URL" in refused.stderr
    assert refused.stderr.count("\n") == 1


def test_with_the_direct_address_commands_work(pooler: Pooler, direct: str) -> None:
    settings = {"DATABASE_URL": pooler.before(direct), "KIBITZ_SESSION_URL": direct}
    assert kibitz("migrate", **settings).returncode == 0
    assert kibitz("rebuild", "scoreboards", **settings).returncode == 0
