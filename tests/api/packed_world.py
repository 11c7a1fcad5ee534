"""A world of games that are over, and packing them; what anybody is told of them."""

import json
from random import Random
from typing import Any

import psycopg

from projections import PROJECTIONS
from service.event_store.packing import Packer

from . import truth
from .playing import Game, look, of, opened, play_on, say, seated
from .serving import Player, Service, moderating, parts, registered
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
        self.caught_up()
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

    def caught_up(self) -> None:
        """Until the read models have come as far as the log."""
        with psycopg.connect(self.service.conninfo, autocommit=True) as connection:
            until(lambda: _floor(connection) >= truth.head(self.service))

    def packed(self) -> int:
        """Pack what is over; how many games."""
        self.caught_up()
        with psycopg.connect(self.service.conninfo, autocommit=True) as connection:
            batches = list(Packer(PROJECTIONS, truth.codec()).batches(connection, LATER, 2))
        return sum(batch.games for batch in batches)

    def rows(self, game: Game) -> int:
        """How many rows of the log the game still has."""
        return truth.done(self.service, "SELECT FROM events WHERE stream = %s", game["id"])


def _floor(connection: "psycopg.Connection[Any]") -> int:
    row = connection.execute("SELECT min(position), count(*) FROM positions").fetchone()
    return int(row[0]) if row and row[1] == len(PROJECTIONS) else 0


def told(player: Player, games: list[Game]) -> dict[str, Any]:
    """What this player is told of these games, at every address that tells something of a game that is over."""
    paths = [of(game, rest) for game in games for rest in _RESTS]
    paths += [
        f"/v1/games?player_id={player.id}",
        "/v1/feed?cursor=0",
        "/v1/feed?cursor=0&include=record",
        f"/v1/players/{player.id}",
    ]
    return {path: _part(player, path) for path in paths}


_RESTS = ("", "/frames", "/frames/3", "/record", "/verification", "/moments", "/replay", "/proof", "/events")


def _part(player: Player, path: str) -> Any:
    status, body, headers = parts(player.get(path))
    return status, body, headers.get("content-type"), headers.get("etag")


def lines(player: Player, after: int | str = 0) -> list[Any]:
    """The feed's lines behind this cursor, without the end."""
    *found, end = [json.loads(line) for line in player.get(f"/v1/feed?cursor={after}").text.splitlines()]
    assert end["end"]
    return found
