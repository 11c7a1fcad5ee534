"""Packed games over HTTP: nobody can tell that a game is packed, but that its idempotency keys go after a week."""

import json
from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

import httpx
import psycopg
import pytest

from projections import PROJECTIONS
from service.event_store.ids import now
from service.event_store.packing import KEPT, Packer
from service.postgres import Server
from tests.service.cli.programs import kibitz

from . import truth
from .playing import Game, look, of, opened, play_on, say, seated
from .serving import KEYS, Player, Service, database_of, moderating, parts, registered, serving
from .watching import until

RESIGN = {"type": "game/resign"}
KEY = {"idempotency-key": "one"}
LATER = 2**62


class World:
    """A service with games that are over and one that goes on; `again` is a second server, which remembers nothing."""

    def __init__(self, service: Service) -> None:
        self.service = service
        self.ada, self.bob, self.mo = registered(service, "Ada"), registered(service, "Bob"), moderating(service)
        self.solo, self.hand = self.played(opened(self.ada)), self.played(opened(self.ada, "bridge_solitaire"))
        self.duel = self.played(seated(opened(self.ada, "spite_and_malice"), self.bob))
        self.keyed = opened(self.ada)
        self.first = say(self.ada, self.keyed, RESIGN, headers=KEY)
        self.live = seated(opened(self.bob, "spite_and_malice"), self.ada)
        caught_up(self.service)
        self.before = {player.id: told(player, self.over) for player in (self.ada, self.bob)}
        self.feed = lines(self.ada)
        self.count = self.packed()

    @property
    def over(self) -> list[Game]:
        return [self.solo, self.duel, self.hand]

    def played(self, game: Game) -> Game:
        """The game as it is when some moves were made and it was given up."""
        list(play_on([self.ada, self.bob], game, Random(3), 25))
        if look(self.ada, game)["status"] == "playing":
            assert say(self.ada, game, RESIGN).status_code == 200
        return look(self.ada, game)

    def packed(self) -> int:
        """Pack what is over; how many games."""
        return packed(self.service, now())

    def rows(self, game: Game) -> int:
        """How many rows of the log the game still has."""
        return truth.done(self.service, "SELECT FROM events WHERE stream = %s", game["id"])


def caught_up(service: Service) -> None:
    """Wait until the read models have come as far as the log."""
    floor = "SELECT FROM positions HAVING min(position) >= %s AND count(*) = %s"
    head = truth.head(service)
    until(lambda: truth.done(service, floor, head, len(PROJECTIONS)) == 1)


def packed(service: Service, at: int) -> int:
    """Pack as if it were this late; how many games."""
    caught_up(service)
    packer = Packer(PROJECTIONS, truth.codec(), now=lambda: at)
    with psycopg.connect(service.conninfo, autocommit=True) as connection:
        return sum(batch.games for batch in packer.batches(connection, LATER, 2))


def told(player: Player, games: list[Game]) -> dict[str, Any]:
    """What this player is told of these games, at every address that tells something of a game that is over."""
    paths = [of(game, rest) for game in games for rest in _RESTS]
    paths += ["/v1/feed?cursor=0", "/v1/feed?cursor=0&include=record"]
    paths += [f"/v1/games?player_id={player.id}", f"/v1/players/{player.id}"]
    answers = {path: player.get(path) for path in paths}
    return {path: (*parts(one)[:2], *map(one.headers.get, ("content-type", "etag"))) for path, one in answers.items()}


_RESTS = ("", "/frames", "/frames/3", "/record", "/verification", "/moments", "/replay", "/proof", "/events")


def lines(player: Player, after: int | str = 0) -> list[Any]:
    """The feed's lines behind this cursor, without the end."""
    *found, end = [json.loads(line) for line in player.get(f"/v1/feed?cursor={after}").text.splitlines()]
    assert end["end"]
    return found


@pytest.fixture(scope="module")
def world(conninfo: str) -> Iterator[World]:
    with serving(conninfo) as service:
        yield World(service)


@pytest.fixture(scope="module")
def again(world: World) -> Iterator[Service]:
    """Another server of the same database, which has seen no game."""
    with serving(world.service.conninfo) as running:
        yield running


def test_everything_about_a_packed_game_is_told_as_before(world: World, again: Service) -> None:
    failed = {path: answer[0] for path, answer in world.before[world.ada.id].items() if answer[0] != 200}
    assert (world.count, failed) == (4, {})
    assert [world.rows(game) for game in world.over] == [0, 0, 0]
    for service in (world.service, again):
        for player in (world.ada, world.bob):
            assert told(player.on(service), world.over) == world.before[player.id]
        assert look(world.ada.on(service), world.live)["status"] == "playing"
    assert world.rows(world.live) > 0


def test_a_packed_games_key_gets_its_first_answer(world: World, again: Service) -> None:
    repeated = say(world.ada.on(again), world.keyed, RESIGN, headers=KEY)
    assert (repeated.status_code, repeated.json()) == (200, world.first.json())


def test_a_packed_game_is_forked_and_the_fork_is_played(world: World, again: Service) -> None:
    ada = world.ada.on(again)
    answer = ada.post(of(world.solo, "/fork"), {"step": 5})
    assert answer.status_code == 201, answer.text
    assert answer.json()["forked_from"]["game_id"] == world.solo["id"]
    assert say(ada, answer.json(), RESIGN).status_code == 200


def test_the_feed_of_packed_games_has_no_gap_or_double(world: World, again: Service) -> None:
    ada = world.ada.on(again)
    assert [line["game"]["id"] for line in world.feed] == [
        game["id"] for game in (world.solo, world.hand, world.duel, world.keyed)
    ]
    late = opened(ada)
    assert say(ada, late, RESIGN).status_code == 200
    found = lines(ada)
    assert found[: len(world.feed)] == world.feed
    assert found[-1]["game"]["id"] == late["id"]
    for number, line in enumerate(found):
        assert lines(ada, line["cursor"]) == found[number + 1 :]


def test_a_packed_game_is_voided_and_packed_again(world: World, again: Service) -> None:
    mo, ada, game = world.mo.on(again), world.ada.on(again), world.hand
    answer = mo.post(of(game, "/void"), {"reason": "a fault of the server"})
    assert answer.json()["version"] == game["version"] + 1
    assert world.rows(game) == 1
    assert look(ada, game)["status"] == "voided"
    assert ada.get(of(game, "/verification")).json()["faults"] == []
    caught_up(world.service)
    seen = told(ada, [game])
    kinds = [line["kind"] for line in lines(ada) if line["game"]["id"] == game["id"]]
    assert kinds == ["finished", "voided"]
    assert world.packed() >= 1
    assert world.rows(game) == 0
    with serving(world.service.conninfo) as third:
        assert told(world.ada.on(third), [game]) == seen
        assert world.mo.on(third).post(of(game, "/void"), {"reason": "twice"}).status_code == 409


def test_the_command_packs_verifies_and_exports(world: World) -> None:
    settings = {"DATABASE_URL": world.service.conninfo, "KIBITZ_SIGNING_KEYS": str(KEYS)}
    world.packed()
    game = world.played(opened(world.ada))
    before = kibitz("export", game["id"], **settings).stdout
    caught_up(world.service)
    assert kibitz("pack", **settings).stdout.startswith("Games packed: 0;")
    first, *changes = kibitz("pack", "--after-days", "0", **settings).stdout.splitlines()
    assert first.startswith("Games packed: 1; their records:")
    assert changes == []
    assert world.rows(game) == 0
    assert kibitz("export", game["id"], **settings).stdout == before
    assert kibitz("verify", "--all", **settings).returncode == 0


def test_a_damaged_game_hurts_no_other(world: World) -> None:
    one, other = world.played(opened(world.ada)), world.played(opened(world.ada))
    assert world.packed() >= 2
    sql = "UPDATE packed_games SET body = (SELECT body FROM packed_games WHERE game = %s) WHERE game = %s"
    assert truth.done(world.service, sql, other["id"], one["id"]) == 1
    with serving(world.service.conninfo) as fresh:
        assert world.ada.on(fresh).get(of(one)).status_code == 500
        assert f"The packed game {one['id']} is damaged" in fresh.log()
        assert look(world.ada.on(fresh), other)["id"] == other["id"]
    ran = kibitz("verify", "--all", DATABASE_URL=world.service.conninfo, KIBITZ_SIGNING_KEYS=str(KEYS))
    assert ran.returncode == 1
    assert f"FAULT {one['id']} The packed game {one['id']} is damaged" in ran.stdout
    assert "; with faults: 1." in ran.stderr


OPENING = {"game_type": "klondike"}


class Repeated(NamedTuple):
    """A game that was given up under a key, and what repeats of that were answered, one for each moment of packing."""

    service: Service
    ada: Player
    game: Game
    first: httpx.Response
    in_time: httpx.Response
    late: httpx.Response


@pytest.fixture(scope="module")
def repeated(postgres: Server, template_database: str) -> Iterator[Repeated]:
    with database_of(postgres, template_database) as conninfo, serving(conninfo) as service:
        ada = registered(service, "Ada")
        game = opened(ada)
        first = say(ada, game, RESIGN, headers=KEY)
        assert packed(service, now() + KEPT - 60_000_000) == 1
        in_time = say(ada, game, RESIGN, headers=KEY)
        assert packed(service, now() + KEPT + 60_000_000) == 0
        yield Repeated(service, ada, game, first, in_time, say(ada, game, RESIGN, headers=KEY))


def test_after_a_week_a_repeat_finds_the_game_finished(repeated: Repeated) -> None:
    assert (repeated.first.status_code, repeated.in_time.content) == (200, repeated.first.content)
    said = repeated.late.json()
    assert (repeated.late.status_code, said["rule"], said["detail"]) == (409, "game_finished", "The game is finished.")
    assert look(repeated.ada, repeated.game)["version"] == repeated.first.json()["version"]
    stale = say(repeated.ada, repeated.game, RESIGN, headers=KEY | {"if-match": f'"{repeated.game["version"]}"'})
    assert stale.status_code == 412, "who names the version is told that the game has moved on"


def test_a_refused_repeat_is_kept_nowhere(repeated: Repeated) -> None:
    other = say(repeated.ada, repeated.game, {"type": "klondike/draw"}, headers=KEY)
    assert (other.status_code, other.json()["rule"]) == (409, "game_finished")
    assert truth.done(repeated.service, "SELECT FROM idempotency_keys WHERE target = %s", repeated.game["id"]) == 0


def test_a_packed_games_rematch_stays_its_rematch(repeated: Repeated) -> None:
    ada, service = repeated.ada, repeated.service
    rematch = ada.post(of(repeated.game, "/rematch"))
    assert rematch.status_code == 201
    assert say(ada, rematch.json(), RESIGN).status_code == 200
    assert packed(service, now() + 2 * KEPT) == 1
    again = ada.post(of(repeated.game, "/rematch"))
    assert (again.status_code, again.json()["id"]) == (200, rematch.json()["id"])


def test_an_opening_that_is_repeated_so_late_opens_another_game(repeated: Repeated) -> None:
    ada = repeated.ada
    first = ada.post("/v1/games", OPENING, headers=KEY)
    assert ada.post("/v1/games", OPENING, headers=KEY).json()["id"] == first.json()["id"]
    assert say(ada, first.json(), RESIGN).status_code == 200
    assert packed(repeated.service, now() + 2 * KEPT) == 1
    assert ada.post("/v1/games", OPENING, headers=KEY).json()["id"] != first.json()["id"]
