"""Idempotency keys of what is no game are deleted after thirty days; those of games and of nobody stay."""

from uuid import UUID

import psycopg

from service.event_store.packing import keys
from service.event_store.packing.keys import KEPT_DAYS, KeyAging

from .packed_logs import folded, played

ADA, NOBODY, LEAGUE = UUID(int=0xADA), UUID(int=0), UUID(int=0x1EA)
_KEEP = """
INSERT INTO idempotency_keys (player, operation, target, key, body_hash, stream, first_version, last_version, kept_at)
VALUES (%s, 'rename_league /v1/leagues/x', %s, %s, 'hash', %s, 1, 1, now() - make_interval(days => %s))
"""


def swept(database: str) -> list[str]:
    """The keys that are left once the worker has nothing more to do."""
    aging = KeyAging()
    with psycopg.connect(database, autocommit=True) as connection:
        while aging(connection):
            pass
        assert not aging(connection)
        return [key for (key,) in connection.execute("SELECT key FROM idempotency_keys ORDER BY key")]


def test_old_keys_of_no_game_go_and_all_others_stay(database: str) -> None:
    (game,) = played(1)
    folded(database, [game])
    with psycopg.connect(database) as connection:
        for player, target, key, stream, days in (
            (ADA, NOBODY, "old", LEAGUE, KEPT_DAYS + 1),
            (ADA, NOBODY, "its own", ADA, KEPT_DAYS + 1),
            (ADA, NOBODY, "young", LEAGUE, KEPT_DAYS - 1),
            (ADA, NOBODY, "opening", game[0].stream, KEPT_DAYS + 1),
            (ADA, game[0].stream, "command", game[0].stream, KEPT_DAYS + 1),
            (NOBODY, NOBODY, "a day's contest", LEAGUE, KEPT_DAYS + 1),
        ):
            connection.execute(_KEEP, (player, target, key, stream, days))
    assert swept(database) == ["a day's contest", "command", "opening", "young"]


def test_many_keys_of_one_moment_all_go_past_those_that_stay(database: str) -> None:
    (game,) = played(1)
    folded(database, [game])
    batch = keys._AT_ONCE
    with psycopg.connect(database) as connection:  # one transaction: one moment
        for number in range(batch + 10):
            connection.execute(_KEEP, (ADA, NOBODY, f"a {number:04}", game[0].stream, KEPT_DAYS + 1))
            connection.execute(_KEEP, (ADA, NOBODY, f"b {number:04}", LEAGUE, KEPT_DAYS + 1))
    assert {key[0] for key in swept(database)} == {"a"}
