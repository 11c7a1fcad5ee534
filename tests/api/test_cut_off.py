"""Processes that reach their database and not one another: games are played wherever a client is, and it is told.

The way is cut at the address that a process gives, as a firewall or a wrong KIBITZ_ADDRESS does.
"""

import json
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import psycopg
import pytest

from service.cluster import roster
from service.cluster.roster import is_loopback
from service.postgres import Server

from .holding import resign
from .houses import House, house, until
from .playing import DRAW, UNDO, look, of, say
from .problems import told
from .serving import Service, done, registered

_ADDRESS = "UPDATE processes SET address = %s, machine = coalesce(%s, machine) WHERE address = %s"

NOTED = '"event": "process cannot be reached"'
QUICK = {"CONNECT": 0.2, "SIGN": 0.2, "_PROBE": 0.5, "_SETTLED": 0.5}
"""The seconds of `service.cluster.leases`, so that a test waits for none of them."""


@pytest.fixture(scope="module")
def two(postgres: Server, template_database: str) -> Iterator[House]:
    constants = json.dumps({f"service.cluster.leases.{name}": seconds for name, seconds in QUICK.items()})
    with house(postgres, template_database, environment={"SERVED_CONSTANTS": constants}) as two:
        yield two


@contextmanager
def cut(two: House, owner: Service, silent: bool, machine: str | None = None) -> Iterator[str]:
    """This process cannot be reached at the address it gives: it is refused there, or nothing answers at all."""
    right = owner.url.removeprefix("http://")
    with ExitStack() as stack:
        listener = stack.enter_context(socket.create_server(("127.0.0.1", 0), backlog=0))
        wrong = f"127.0.0.1:{listener.getsockname()[1]}"
        if silent:  # Linux drops the first packet of whoever comes while nobody is accepted
            for _ in range(2):
                full = stack.enter_context(socket.socket())
                full.setblocking(False)
                full.connect_ex(listener.getsockname())
        else:
            listener.close()
        with psycopg.connect(two.conninfo, autocommit=True) as connection:
            connection.execute(_ADDRESS, [wrong, machine, right])
            yield wrong
            connection.execute(_ADDRESS, [right, machine and roster.MACHINE, wrong])


@pytest.mark.parametrize("silent", [False, True], ids=["refused", "silent"])
def test_a_game_is_played_though_its_owner_is_cut_off(two: House, silent: bool) -> None:
    owner, other = two.services
    ada, noted = registered(other, "Ada"), other.log().count(NOTED)
    game = two.opened_at(ada, owner)
    with cut(two, owner, silent) as wrong:
        until(lambda: wrong in two.owners().values())
        for step in range(1, 9):
            player = two.speaking(ada, other if step % 4 else owner)  # the owner learns of what others played
            answer = say(player, game, DRAW, headers={"idempotency-key": str(step)})
            assert done(answer)["version"] == game["version"] + step
            again = say(two.speaking(ada, other), game, DRAW, headers={"idempotency-key": str(step)})
            assert again.content == answer.content
        stale = say(two.speaking(ada, other), game, DRAW, headers={"if-match": f'"{game["version"]}"'})
        told(stale, 412, "stale_version")
        until(lambda: look(two.speaking(ada, owner), game)["version"] == game["version"] + 8)
        until(lambda: any("cannot be reached" in text for text in complaints(other)))
        assert other.log().count(NOTED) > noted
        assert "kibitz_processes_unreachable{" in other.metrics()
        assert other.http.get("/readyz", params={"only": "store"}).status_code == 200
    until(lambda: not complaints(other))
    assert say(two.speaking(ada, other), game, DRAW).status_code == 200
    resign(two.speaking(ada, other), game)
    assert two.speaking(ada, owner).get(of(game, "/verification")).json()["consistent"] is True


def test_an_owner_refuses_nothing_by_what_others_have_gone_beyond(two: House) -> None:
    owner, other = two.services
    ada = registered(other, "Ada")
    game = two.opened_at(ada, owner)
    there, here = two.speaking(ada, owner), two.speaking(ada, other)
    with cut(two, owner, silent=False) as wrong:
        until(lambda: wrong in two.owners().values())
        until(lambda: any("cannot be reached" in text for text in complaints(other)))
        for _ in range(5):  # the owner hears within a quarter of a second
            version = look(there, game)["version"]
            done(say(here, game, DRAW, headers={"if-match": f'"{version}"'}))
            done(say(there, game, UNDO, headers={"if-match": f'"{version + 1}"'}))


def test_a_loopback_address_elsewhere_is_told_by_its_remedy(two: House) -> None:
    owner, other = two.services
    with cut(two, owner, silent=False, machine="elsewhere (1)"):
        until(lambda: any("KIBITZ_ADDRESS" in text for text in complaints(other)))


def complaints(service: Service) -> list[str]:
    """What the process says of its ways to the others."""
    answer = service.http.get("/readyz").json()
    return [text for text in answer.get("complaints", []) if "cannot be reached" in text]


def test_an_address_of_the_loopback_is_known_as_one() -> None:
    assert all(map(is_loopback, ("127.0.0.1:8001", "127.8.0.1:1", "[::1]:8001", "localhost:8001")))
    assert not any(map(is_loopback, ("10.0.0.5:8001", "[fd00::5]:8001", "kibitz-0.kibitz:8001")))
    assert roster.MACHINE
