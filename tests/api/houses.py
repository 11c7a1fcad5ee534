"""Several server processes on one database, and who of them owns what."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from uuid import UUID

import psycopg

from service.live.slots import SLOTS, slot_of
from service.postgres import Server

from .playing import Game, opened
from .serving import Player, Service, database_of, serving
from .watching import until

_OWNERS = "SELECT slot, address FROM leases LEFT JOIN processes ON number = process"


class House:
    """The processes of one database; a player speaks to any of them."""

    def __init__(self, conninfo: str, services: list[Service]) -> None:
        self.conninfo, self.services = conninfo, services
        self._on: dict[tuple[str, str], Player] = {}

    def speaking(self, player: Player, service: Service) -> Player:
        """The player at this process."""
        if (key := (player.id, service.url)) not in self._on:
            self._on[key] = player.on(service)
        return self._on[key]

    def owner(self, game: Game) -> Service:
        """The process that owns the game."""
        address = self.owners()[slot_of(UUID(game["id"]))]
        return next(service for service in self.services if service.url == f"http://{address}")

    def other(self, game: Game) -> Service:
        """A process that does not."""
        owner = self.owner(game)
        return next(service for service in self.services if service is not owner)

    def owners(self) -> dict[int, str | None]:
        """The address of each slot's owner."""
        with psycopg.connect(self.conninfo) as connection:
            return dict(connection.execute(_OWNERS.encode()).fetchall())

    def shared_by(self, services: list[Service]) -> bool:
        """Whether these processes, and no others, own all slots among them."""
        return set(self.owners().values()) == {service.url.removeprefix("http://") for service in services}

    def opened_at(self, player: Player, service: Service, game_type: str = "klondike", **body: Any) -> Game:
        """A game that this process owns. On a busy machine a lease may pass on meanwhile: then it opens another."""
        for _ in range(20):
            game = opened(self.speaking(player, service), game_type, **body)
            if self.owner(game) is service:
                return game
        raise AssertionError("What this process opens is another's, again and again.")


@contextmanager
def house(postgres: Server, template: str, count: int = 2, **settings: Any) -> Iterator[House]:
    """So many processes that have shared the games among them."""
    with database_of(postgres, template) as conninfo, ExitStack() as stack:
        services = [
            stack.enter_context(serving(conninfo, run_worker=False, worker_patience=0, **settings))
            for _ in range(count)
        ]
        house = House(conninfo, services)
        until(lambda: house.shared_by(services))
        assert len(house.owners()) == SLOTS
        yield house
