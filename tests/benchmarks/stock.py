"""The eventsourcing library as it comes, behind the same HTTP: its application, mapper, recorder and aggregates.

`python -m tests.benchmarks.stock CONNINFO`. A game is an aggregate; an event of it carries a step's records as text,
for the library's JSON knows no structs. Every command reads the aggregate, as the library does without its cache.
"""

import asyncio
import sys
from base64 import b85decode, b85encode
from typing import Any, cast
from uuid import UUID

import msgspec
from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event
from litestar import Request, Response
from litestar.handlers import HTTPRouteHandler

from domain.play.aggregate import AnyRecord, Game, fold
from domain.play.deciding import Act, Step, play
from domain.play.table import open_game
from service.api.play.play import _answer_frames
from service.event_store.codec import standard_codec
from service.event_store.ids import now, uuid7
from service.http.replies import reply
from service.live import openings, shapes
from tests.stock_recorders import stock

from .constants import COMMANDS, handler, serve

PLAYER = UUID(int=0xBE)
_COMMANDS: Any = msgspec.json.Decoder(shapes.AnyPlayCommand)
_OPENINGS: Any = msgspec.json.Decoder(openings.AnyOpening)
_RECORDS = msgspec.msgpack.Decoder(list[bytes])


class Table(Aggregate):
    """A game that is played."""

    @event("Opened")
    def __init__(self, game_id: UUID, records: str) -> None:
        self.game = fold(_read(records))

    @staticmethod
    def create_id(game_id: UUID, records: str) -> UUID:
        """The game's own id."""
        return game_id

    @event("Said")
    def say(self, records: str) -> None:
        """One step."""
        self.game = fold(_read(records), self.game)


def _text(step: Step) -> str:
    return b85encode(msgspec.msgpack.encode([standard_codec().encode(record) for record in step.records])).decode()


def _read(text: str) -> list[AnyRecord]:
    return [standard_codec().decode(one) for one in _RECORDS.decode(b85decode(text))]


class Tables(Application[UUID]):
    """Opens games and plays them; blocking, as the library is."""

    def open(self, body: bytes) -> Game:
        """A new game of this body's kind."""
        wanted = _OPENINGS.decode(body)
        opening, secret = openings.opening(wanted, PLAYER), openings.secret(wanted)
        step = open_game(uuid7(), opening, secret, Act(PLAYER, None, now()))
        self.save(Table(game_id=step.game.id, records=_text(step)))
        return step.game

    def say(self, game_id: UUID, seat: int, body: bytes) -> Response[bytes]:
        """One command, answered as ours answers it."""
        table = cast(Table, self.repository.get(game_id))
        before = table.game
        step = play(before, _COMMANDS.decode(body), Act(PLAYER, seat, now()))
        table.say(records=_text(step))
        self.save(table)
        return _answer_frames(before, step.records, seat, None)


def _handlers(tables: Tables) -> list[HTTPRouteHandler]:
    async def open_(request: Request[Any, Any, Any]) -> Response[bytes]:
        game = await asyncio.to_thread(tables.open, await request.body())
        return reply({"id": str(game.id)}, 201)

    async def say(request: Request[Any, Any, Any]) -> Response[bytes]:
        seat = int(request.query_params["seat"])
        return await asyncio.to_thread(tables.say, request.path_params["game_id"], seat, await request.body())

    return [handler("open_game", "POST", "/v1/games", open_), handler("post_command", "POST", COMMANDS, say)]


def main(conninfo: str) -> None:
    """The program."""
    with Tables(stock(conninfo)) as tables:
        serve(_handlers(tables))


if __name__ == "__main__":
    main(sys.argv[1])
