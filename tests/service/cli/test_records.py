"""Games taken out of the store as records, and brought into another one."""

from pathlib import Path

import httpx
import psycopg
import pytest

from domain.play.open_record import MEDIA_TYPE, read_record, record_lines
from service.event_store.imported import import_id

from .conftest import Played
from .programs import kibitz


@pytest.fixture(scope="module")
def record(played: Played) -> bytes:
    """The record of the game that is over, as the service gives it."""
    answer = httpx.get(f"{played.service.address}/v1/games/{played.solo}/record", timeout=60)
    assert answer.headers["content-type"] == MEDIA_TYPE
    return answer.content


def test_a_game_that_is_over_is_exported_as_the_service_gives_it(played: Played, record: bytes, tmp_path: Path) -> None:
    ran = kibitz("export", played.solo, "--data-folder", played.service.folder)
    *lines, seal = record.splitlines()
    assert (ran.returncode, ran.stdout.encode().splitlines()[:-1], ran.stderr) == (0, lines, "")
    assert seal.startswith(b'{"seal":{"key":')  # by the newest key, when it was written: keys are rotated meanwhile
    path, keys = tmp_path / "game.ndjson", f"{played.service.address}/v1/keys"
    assert kibitz("export", played.solo, "--output", path, "--data-folder", played.service.folder).stdout == ""
    assert path.read_text() == ran.stdout
    assert kibitz("verify", path, "--signed", "--keys", keys).returncode == 0


def test_a_game_that_goes_on_is_exported_as_a_spectator_sees_it_and_that_is_said(played: Played) -> None:
    ran = kibitz("export", played.duel, "--data-folder", played.service.folder)
    assert ran.returncode == 0
    assert '"complete":false' in ran.stdout
    assert "game/sealed" not in ran.stdout
    assert ran.stderr == "The game is not over: the record holds what a spectator sees of it without delay.\n"


def test_records_are_imported_once_each_and_exported_as_they_came(
    record: bytes, played: Played, database: str, tmp_path: Path
) -> None:
    good, bad = tmp_path / "good.ndjson", tmp_path / "bad.ndjson"
    good.write_bytes(record)
    bad.write_bytes(record.replace(b'"klondike/draw"', b'"klondike/draw" ', 1))
    ran = kibitz("import", good, good, bad, DATABASE_URL=database)
    told, made = f"{import_id(record)} klondike, 13 steps", f"a record of game {played.solo}"
    fault = f"FAULT {bad} Step 1: Line 3 is not written as records are."
    assert (ran.returncode, ran.stdout.splitlines()) == (1, [f"NEW   {told}, {made}", f"HERE  {told}", fault])
    assert ran.stderr == "Files read: 3; with faults: 1.\n"
    assert kibitz("export", import_id(record), DATABASE_URL=database).stdout.encode() == record
    assert kibitz("verify", import_id(record), DATABASE_URL=database).returncode == 0
    drawn = kibitz("replay", import_id(record), "--plain", DATABASE_URL=database).stdout
    assert f"imported from game {played.solo}, not vouched for" in drawn
    with psycopg.connect(database) as connection:
        assert connection.execute("SELECT count(*) FROM events").fetchone() == (0,)


def test_a_game_that_was_played_here_is_here(played: Played, record: bytes, tmp_path: Path) -> None:
    path = tmp_path / "game.ndjson"
    path.write_bytes(record)
    ran = kibitz("import", path, "--data-folder", played.service.folder)
    assert (ran.returncode, ran.stdout) == (0, f"HERE  {played.solo} klondike, 13 steps\n")


def test_another_record_of_a_game_that_is_here_is_another_game(
    played: Played, record: bytes, database: str, tmp_path: Path
) -> None:
    path = tmp_path / "game.ndjson"
    path.write_bytes(record)
    assert kibitz("import", path, DATABASE_URL=database).returncode == 0
    path.write_bytes(b"".join(record_lines(read_record(record)._replace(signature=None))))
    ran = kibitz("import", path, DATABASE_URL=database)
    assert (ran.returncode, ran.stdout[:5]) == (0, "NEW  ")
    assert str(import_id(record)) not in ran.stdout
