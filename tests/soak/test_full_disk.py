"""A database that cannot write: commands are refused whole, in bounded time."""

from pathlib import Path
from typing import Any

import psycopg

from tests.api.bursts import command
from tests.faults import faults
from tests.faults.judge import judge
from tests.faults.load import load
from tests.faults.test_silence import Watching
from tests.faults.world import World, installed, until

_PADDING = """
INSERT INTO idempotency_keys
SELECT gen_random_uuid(), 'padding', gen_random_uuid(), repeat('x', 200), repeat('x', 1000)::bytea,
       gen_random_uuid(), 1, 1
FROM generate_series(1, %s)
"""


def test_while_the_disk_is_full_commands_are_refused_whole_and_afterwards_all_is_well(data_folder: Path) -> None:
    with installed(data_folder, small_segments=True) as world:
        ada = Watching(world)
        size = padded(world)
        with load(world, clients=2) as running:
            running.grow(20)
            with faults.full(world, size):
                refused = until_refused(ada)
                looked = ada.http.get(f"/v1/games/{ada.games[1]}")
                assert looked.status_code == 200, "what is there can be looked at"
                until(lambda: "written" in told(ada, "/readyz").get("detail", ""), "it says that it cannot write")
                assert ada.http.get("/readyz?only=store").status_code == 200
            until(world.ready, "it says by itself that it can write again")
            until(lambda: ada.say(*refused).status_code == 200, "there is room again")
            running.grow(20)
        judge(world, others=set(ada.games)).hold()


def told(ada: Watching, path: str) -> dict[str, Any]:
    """What is answered here, as JSON."""
    answer: dict[str, Any] = ada.http.get(path).json()
    return answer


def until_refused(ada: Watching) -> tuple[str, str, Any]:
    """The first command that is refused: the pages that are there already have room for some hundreds."""
    for number in range(10_000):
        said = (ada.games[0], f"full {number}", command(number))
        if (answer := ada.say(*said)).status_code == 503:
            return said
        assert answer.status_code == 200, answer.text
    raise AssertionError("the disk is never full")


def padded(world: World) -> int:
    """Fill a table that every keyed command writes to up to 2 MB; its size, more than any log segment's."""
    with psycopg.connect(world.conninfo, autocommit=True) as connection:
        connection.execute(_PADDING, [1500])
        found = connection.execute("SELECT pg_relation_size('idempotency_keys')").fetchone()
    assert found is not None
    return int(found[0])
