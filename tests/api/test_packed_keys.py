"""What a repeat is answered once a packed game's idempotency keys have gone: it is judged as a new request, and nothing
of what was done before is done again."""

from collections.abc import Iterator
from typing import NamedTuple

import httpx
import psycopg
import pytest

from projections import PROJECTIONS
from service.event_store.ids import now
from service.event_store.packing import KEPT, Packer
from service.postgres import Server

from . import truth
from .packed_world import LATER, RESIGN, until
from .playing import Game, look, of, opened, say
from .serving import Player, Service, database_of, registered, serving

KEY = {"idempotency-key": "one"}
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
        assert _packed(service, now() + KEPT - 60_000_000) == 1
        in_time = say(ada, game, RESIGN, headers=KEY)
        assert _packed(service, now() + KEPT + 60_000_000) == 0
        yield Repeated(service, ada, game, first, in_time, say(ada, game, RESIGN, headers=KEY))


def _packed(service: Service, at: int) -> int:
    """Pack as if it were this late; how many games."""
    with psycopg.connect(service.conninfo, autocommit=True) as connection:
        until(lambda: _floor(connection) >= truth.head(service))
        packer = Packer(PROJECTIONS, truth.codec(), now=lambda: at)
        return sum(batch.games for batch in packer.batches(connection, LATER))


def _floor(connection: "psycopg.Connection[tuple[int, int]]") -> int:
    row = connection.execute("SELECT min(position), count(*) FROM positions").fetchone()
    return row[0] if row and row[1] == len(PROJECTIONS) else 0


def test_within_the_week_a_packed_game_repeats_its_answer(repeated: Repeated) -> None:
    assert (repeated.first.status_code, repeated.in_time.content) == (200, repeated.first.content)


def test_after_it_the_repeat_is_refused_because_the_game_is_finished(repeated: Repeated) -> None:
    said = repeated.late.json()
    assert (repeated.late.status_code, said["rule"], said["detail"]) == (409, "game_finished", "The game is finished.")
    assert look(repeated.ada, repeated.game)["version"] == repeated.first.json()["version"]


def test_a_repeat_that_names_the_version_it_was_thought_for_is_told_that_the_game_has_moved_on(
    repeated: Repeated,
) -> None:
    stale = say(repeated.ada, repeated.game, RESIGN, headers=KEY | {"if-match": f'"{repeated.game["version"]}"'})
    assert stale.status_code == 412


def test_a_refused_repeat_is_kept_nowhere_and_another_body_is_refused_alike(repeated: Repeated) -> None:
    other = say(repeated.ada, repeated.game, {"type": "klondike/draw"}, headers=KEY)
    assert (other.status_code, other.json()["rule"]) == (409, "game_finished")
    assert truth.done(repeated.service, "SELECT FROM idempotency_keys WHERE target = %s", repeated.game["id"]) == 0


def test_the_rematch_of_a_game_stays_the_rematch_when_it_is_packed(repeated: Repeated) -> None:
    ada, service = repeated.ada, repeated.service
    rematch = ada.post(of(repeated.game, "/rematch"))
    assert rematch.status_code == 201
    assert say(ada, rematch.json(), RESIGN).status_code == 200
    assert _packed(service, now() + 2 * KEPT) == 1
    again = ada.post(of(repeated.game, "/rematch"))
    assert (again.status_code, again.json()["id"]) == (200, rematch.json()["id"])


def test_an_opening_that_is_repeated_so_late_opens_another_game(repeated: Repeated) -> None:
    ada = repeated.ada
    first = ada.post("/v1/games", OPENING, headers=KEY)
    assert ada.post("/v1/games", OPENING, headers=KEY).json()["id"] == first.json()["id"]
    assert say(ada, first.json(), RESIGN).status_code == 200
    assert _packed(repeated.service, now() + 2 * KEPT) == 1
    assert ada.post("/v1/games", OPENING, headers=KEY).json()["id"] != first.json()["id"]
