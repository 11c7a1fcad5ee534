"""Verifying games of a store in which somebody has changed something."""

from collections.abc import Sequence
from typing import Any

import psycopg
import pytest
from msgspec.structs import replace

from domain.play.aggregate import AnyRecord
from service.event_store.codec import standard_codec
from tests.domain.played import duel, solitaire
from tests.domain.whole_records import records

from .programs import kibitz


@pytest.fixture
def stored(database: str) -> str:
    """A database with a Klondike, written as the event store writes."""
    return keep(database, solitaire())


def keep(database: str, records: Sequence[AnyRecord]) -> str:
    """The database with these records in its log."""
    with psycopg.connect(database) as connection:
        for position, record in enumerate(records, 1):
            row = (
                record.stream,
                record.version,
                position,
                standard_codec().topic(record),
                standard_codec().encode(record),
            )
            connection.execute("INSERT INTO events VALUES (%s, %s, %s, %s, %s)", row)
        connection.execute("UPDATE log SET head = %s", [len(records)])
    return database


def tamper(database: str, version: int, **fields: Any) -> None:
    """One field of one record changed in the store."""
    record = replace(solitaire()[version - 1], **fields)
    with psycopg.connect(database) as connection:
        state = standard_codec().encode(record)
        connection.execute("UPDATE events SET state = %s WHERE version = %s", [state, version])


def test_a_game_that_nobody_has_touched_is_sound(stored: str) -> None:
    ran = kibitz("verify", "--all", DATABASE_URL=stored)
    assert (ran.returncode, ran.stdout[:6]) == (0, "OK    ")


def test_a_game_whose_signature_somebody_has_removed_is_told(database: str) -> None:
    """Its opening names the key; one from before there were keys is sound without."""
    keep(database, records("klondike", signer="0123456789abcdef"))
    for words in (("--all", "--quiet"), (records("klondike")[0].stream,)):
        ran = kibitz("verify", *words, DATABASE_URL=database)
        assert (ran.returncode, ran.stdout[:9]) == (4, "UNSIGNED ")
        assert "names the key 0123456789abcdef of a service that signs" in ran.stdout


def test_a_changed_time_is_told_with_its_step(stored: str) -> None:
    record = solitaire()[-1]
    tamper(stored, record.version, time=record.time + 1)
    ran = kibitz("verify", "--all", DATABASE_URL=stored)
    told = f"FAULT {record.stream} Step {record.step}: The time runs backwards, or differs within the step.\n"
    assert (ran.returncode, ran.stdout) == (1, told)


def test_a_record_that_nobody_can_read_is_told(stored: str) -> None:
    with psycopg.connect(stored) as connection:
        connection.execute("UPDATE events SET state = 'x' WHERE version = 4")
    ran = kibitz("verify", "--all", DATABASE_URL=stored)
    assert ran.returncode == 1
    assert "A stored record cannot be read" in ran.stdout
    assert ran.stderr.startswith("Games verified: 1; with faults: 1.\n")


def test_games_of_two_seats_come_out_of_the_store_as_they_went_in() -> None:
    codec = standard_codec()
    assert [codec.decode(codec.encode(record)) for record in duel()] == duel()
