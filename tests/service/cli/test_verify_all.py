"""`kibitz verify --all`: over many games, in processes, by sample, interrupted and resumed, with damage planted."""

import fcntl
import json
import os
import re
import signal
import subprocess
import termios
from array import array
from collections.abc import Iterator
from pathlib import Path
from time import sleep
from uuid import UUID, uuid4

import psycopg
import pytest
from msgspec.structs import replace

from service.cli.verify import CHUNK, Choice, chosen_games
from service.event_store.codec import standard_codec
from service.event_store.connections import open_connection
from service.postgres import Server
from tests import forking
from tests.domain.played import solitaire
from tests.domain.whole_records import records

from .many_games import games_of, keep
from .programs import KIBITZ, environment, kibitz

GAMES = 2 * CHUNK + 20


@pytest.fixture(scope="module")
def many(postgres: Server, template_database: str) -> Iterator[str]:
    """The name of a database with many games of Klondike; cloned by each test that changes something."""
    name = f"many_games_{uuid4().hex}"  # tests of this module may run in several processes
    games_of(postgres.create_database(name, template_database), GAMES)
    yield name
    postgres.drop_database(name)


@pytest.fixture
def damaged(postgres: Server, many: str) -> Iterator[str]:
    """A copy, to be damaged."""
    name = f"damaged_{many}"
    yield postgres.create_database(name, many)
    postgres.drop_database(name)


def lines(ran: "subprocess.CompletedProcess[str]") -> list[str]:
    return ran.stdout.splitlines()


def done(conninfo: str, statement: str) -> None:
    with psycopg.connect(conninfo, autocommit=True) as connection:
        connection.execute(statement.encode())


def nth(conninfo: str, number: int) -> UUID:
    """The game that was opened as this one."""
    with open_connection(conninfo, "test") as connection:
        return list(chosen_games(connection, Choice(10**9), 0))[number][1]


def test_every_game_is_told_in_the_order_of_opening_whatever_the_number_of_processes(
    postgres: Server, many: str
) -> None:
    alone, together = (
        kibitz("verify", "--all", "--processes", count, DATABASE_URL=postgres.conninfo(many)) for count in (1, 3)
    )
    assert (alone.returncode, together.returncode) == (0, 0)
    assert lines(alone) == lines(together)
    assert len(lines(alone)) == GAMES
    assert f"Games verified: {GAMES}; with faults: 0.\n" in together.stderr
    assert re.search(r"^\d+ games/s, \d+ steps/s", together.stderr, re.MULTILINE)


def test_damage_is_found_wherever_it_was_done(damaged: str) -> None:
    changed, swapped, cut, beheaded, renamed = (nth(damaged, number) for number in (3, 30, 60, 90, 110))
    one_byte = "set_byte(state, length(state) - 20, get_byte(state, length(state) - 20) # 1)"
    done(damaged, f"UPDATE events SET state = {one_byte} WHERE stream = '{changed}' AND version = 5")
    _swap(damaged, swapped, 4, swapped, 6)
    _swap(damaged, renamed, 5, nth(damaged, 111), 5)
    done(damaged, f"DELETE FROM events WHERE stream = '{cut}' AND version = 5")
    done(damaged, f"DELETE FROM events WHERE stream = '{beheaded}' AND version = 1")
    ran = kibitz("verify", "--all", "--quiet", "--processes", 2, DATABASE_URL=damaged)
    assert ran.returncode == 1
    faulty = {line.split()[1] for line in lines(ran)}
    with open_connection(damaged, "test") as connection:
        ids = [found for _, found in chosen_games(connection, Choice(10**9), 0)]
    assert faulty == {*map(str, (changed, swapped, cut, renamed, ids[ids.index(renamed) + 1])), "the"}
    assert lines(ran)[-1].startswith("FAULT the log: ")
    assert all(line in ran.stderr for line in lines(ran))


def _swap(conninfo: str, one: UUID, version: int, other: UUID, another: int) -> None:
    """The contents of two rows change places."""
    done(
        conninfo,
        f"""
        UPDATE events SET state = found.state FROM events AS found
        WHERE (events.stream, events.version, found.stream, found.version)
        IN (('{one}', {version}, '{other}', {another}), ('{other}', {another}, '{one}', {version}))
    """,
    )


def test_the_last_record_of_a_game_that_goes_on_is_missed_by_the_log(damaged: str) -> None:
    game = nth(damaged, 7)
    newest = f"(SELECT max(version) FROM events WHERE stream = '{game}')"
    done(damaged, f"DELETE FROM events WHERE stream = '{game}' AND version = {newest}")
    ran = kibitz("verify", "--all", "--quiet", DATABASE_URL=damaged)
    assert ran.returncode == 1
    assert "records were removed or added" in ran.stdout


def test_a_sample_is_as_large_as_asked_for_and_the_same_again_by_its_seed(postgres: Server, many: str) -> None:
    conninfo = postgres.conninfo(many)
    ran = kibitz("verify", "--all", "--sample", 10, "--seed", "one", DATABASE_URL=conninfo)
    with open_connection(conninfo, "test") as connection:
        first, again, other = (
            list(chosen_games(connection, Choice(10**9, 10, seed), 0)) for seed in ("one", "one", "two")
        )
    assert [line.split()[1] for line in lines(ran)] == [str(game) for _, game in first]
    assert first == again != other


def test_a_sample_takes_every_game_as_likely(postgres: Server, many: str) -> None:
    """Of 120 games, 20 at a time, 300 times: each 50 times on average, and none by far more or less often."""
    with open_connection(postgres.conninfo(many), "test") as connection:
        taken = [game for seed in range(300) for _, game in chosen_games(connection, Choice(10**9, 20, str(seed)), 0)]
    counts = sorted(taken.count(game) for game in set(taken))
    assert len(counts) == GAMES
    assert 20 < counts[0] <= counts[-1] < 90


def test_an_interrupted_run_goes_on_where_it_stopped(damaged: str, tmp_path: Path) -> None:
    note = tmp_path / "progress"
    faulty = nth(damaged, 2)
    done(damaged, f"UPDATE events SET state = 'x' WHERE stream = '{faulty}' AND version = 4")
    interrupted(damaged, note)
    kept = json.loads(note.read_text())
    assert 0 < kept["games"] < GAMES
    ran = kibitz("verify", "--all", "--resume", note, DATABASE_URL=damaged)
    assert len(lines(ran)) == GAMES - kept["games"]
    assert f"Games verified: {GAMES}; with faults: 1.\n" in ran.stderr
    assert (ran.returncode, str(faulty) in ran.stderr) == (1, True)
    assert not note.exists()


def interrupted(conninfo: str, note: Path) -> None:
    """A run that is stopped by Ctrl-C in its second chunk: it cannot go on, for nobody reads what it prints."""
    command = [*KIBITZ, "verify", "--all", "--processes", "1", "--resume", str(note)]
    around = environment(DATABASE_URL=conninfo, PYTHONUNBUFFERED="1")
    source, target = os.pipe()
    fcntl.fcntl(source, fcntl.F_SETPIPE_SZ, 4096)  # room for the lines of one chunk, and not for those of two
    with open(source, "rb") as printed, forking.Popen(command, stdout=target, env=around) as process:
        os.close(target)
        waiting = array("i", [0])
        while waiting[0] < 3800:
            assert process.poll() is None
            sleep(0.01)
            fcntl.ioctl(source, termios.FIONREAD, waiting)
        process.send_signal(signal.SIGINT)
        printed.read()
    assert process.returncode == 130


def test_the_progress_of_another_run_is_refused(postgres: Server, many: str, database: str, tmp_path: Path) -> None:
    note = tmp_path / "progress"
    interrupted(postgres.conninfo(many), note)
    for arguments, conninfo in ((("--sample", 5), postgres.conninfo(many)), ((), database)):
        ran = kibitz("verify", "--all", "--resume", note, *arguments, DATABASE_URL=conninfo)
        assert ran.returncode == 2
        assert str(note) in ran.stderr


def test_it_ends_quietly_when_nobody_reads_on(postgres: Server, many: str) -> None:
    source, target = os.pipe()
    os.close(source)
    around = environment(DATABASE_URL=postgres.conninfo(many), PYTHONUNBUFFERED="1")
    command = [*KIBITZ, "verify", "--all", "--processes", "1"]
    ran = subprocess.run(command, stdout=target, stderr=subprocess.PIPE, env=around, check=False)
    os.close(target)
    assert (ran.returncode, ran.stderr) == (1, b"")


def test_a_progress_that_cannot_be_kept_is_told_by_its_file(postgres: Server, many: str, tmp_path: Path) -> None:
    note = tmp_path / "nowhere" / "note"
    ran = kibitz("verify", "--all", "--processes", 1, "--resume", note, DATABASE_URL=postgres.conninfo(many))
    assert (ran.returncode, ran.stderr) == (1, f"kibitz: {note} cannot be written: No such file or directory.\n")


def test_a_game_whose_signature_somebody_has_removed_is_told(database: str) -> None:
    """Its opening names the key; one from before there were keys is sound without."""
    keep(database, records("klondike", signer="0123456789abcdef"))
    for words in (("--all", "--quiet"), (records("klondike")[0].stream,)):
        ran = kibitz("verify", *words, DATABASE_URL=database)
        assert (ran.returncode, ran.stdout[:9]) == (4, "UNSIGNED ")
        assert "names the key 0123456789abcdef of a service that signs" in ran.stdout


def test_a_changed_time_and_a_record_that_nobody_can_read_are_told(database: str) -> None:
    keep(database, solitaire())
    last = solitaire()[-1]
    runs_backwards = standard_codec().encode(replace(last, time=last.time + 1))
    done(database, f"UPDATE events SET state = '\\x{runs_backwards.hex()}' WHERE version = {last.version}")
    ran = kibitz("verify", "--all", DATABASE_URL=database)
    told = f"FAULT {last.stream} Step {last.step}: The time runs backwards, or differs within the step.\n"
    assert (ran.returncode, ran.stdout) == (1, told)
    done(database, "UPDATE events SET state = 'x' WHERE version = 4")
    ran = kibitz("verify", "--all", DATABASE_URL=database)
    assert ran.returncode == 1
    assert "A stored record cannot be read" in ran.stdout
    assert ran.stderr.startswith("Games verified: 1; with faults: 1.\n")
