"""Replays from the store and over HTTP, printed and at a terminal."""

import signal
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg
import pytest

from domain.play.open_record import OpenRecord, record_lines
from service.event_store.reading import read_stream
from service.postgres import join

from .conftest import Played
from .programs import kibitz
from .pseudo import terminal


def store(played: Played) -> tuple[object, ...]:
    return "--data-folder", played.service.folder


def http(played: Played, token: bool = True) -> tuple[object, ...]:
    asked = ("--server", played.service.address)
    return (*asked, "--token", played.token) if token else asked


def test_without_a_terminal_it_prints_the_same_from_the_store_and_over_http(played: Played) -> None:
    stored = kibitz("replay", played.solo, "--plain", "--seat", 0, *store(played))
    served = kibitz("replay", played.solo, "--plain", "--seat", 0, *http(played))
    assert stored.returncode == 0, stored.stderr
    assert [line for line in stored.stdout.splitlines() if line.startswith("Step ")][::13] == [
        "Step 0 | playing, phase playing | Player 1 to act",
        "Step 13 | finished, phase playing | lost: given up",
    ]
    assert served.stdout == stored.stdout
    ran = kibitz("replay", played.solo, "--step", 3, *store(played))
    assert (ran.returncode, ran.stdout[:7], ran.stdout.count("Step ")) == (0, "Step 3 ", 1)
    assert "\x1b" not in ran.stdout
    ran = kibitz("replay", played.solo, "--spoken", "--step", 1, *store(played))
    assert ran.stdout.startswith("Step 1.\nThe player draws the ")
    assert "Column 7: six cards face down, then " in ran.stdout


def test_known_now_shows_every_card_of_a_game_that_is_over_and_of_no_other(played: Played) -> None:
    ran = kibitz("replay", played.solo, "--known", "now", "--step", 0, "--symbols", *store(played))
    assert "##" not in ran.stdout
    assert "♠" in ran.stdout


def test_over_http_a_spectator_sees_no_hand_and_the_environments_token_its_own(played: Played) -> None:
    ran = kibitz("replay", played.duel, *http(played, token=False))
    assert ran.stdout.count("## ## ## ## ##") == 1
    ran = kibitz("replay", played.duel, "--seat", 0, *http(played, token=False), KIBITZ_TOKEN=played.token)
    assert ran.returncode == 0, ran.stderr


def test_at_a_terminal_keys_step_jump_play_and_change_the_seat(played: Played) -> None:
    with terminal("replay", played.solo, *store(played)) as screen:
        screen.shows("Step 0 | playing", f"Klondike {played.solo} | seen by a spectator | step 0 of 13", "q quits")
        for keys, step in (
            ("\x1b[C", 1), ("l", 2), ("n", 3), ("\x1b[D", 2), ("h", 1), ("p", 0), ("\x1b[F", 13), ("\x1b[H", 0),
        ):  # fmt: skip
            screen.type(keys)
            screen.shows(f"Step {step} ", f"step {step} of 13")
        screen.type("1")
        screen.shows("go to 1_")
        screen.type("2\r")
        screen.shows("Step 12 ", "The player draws the ")
        screen.type("s")
        screen.shows("seen by Player 1")
        screen.type("s")
        assert "##" not in screen.shows("as known now | step 12 of 13")
        screen.type("+++++")
        screen.type(" ")
        screen.shows("Step 13 ", "lost: given up")
        screen.type("q")
        assert screen.ends() == 0
        assert screen.text.endswith("\x1b[?25h\x1b[?1049l")


def test_at_a_terminal_playing_runs_from_the_start_to_the_end(played: Played) -> None:
    with terminal("replay", played.solo, "--speed", 32, "--no-colour", *http(played)) as screen:
        screen.shows("step 0 of 13")
        screen.type(" ")
        screen.shows("step 13 of 13")
        assert all(f"step {step} of 13" in screen.text for step in range(14))
        assert "\x1b[31m" not in screen.text
        screen.type("\x03")
        assert screen.ends() == 0


def test_at_a_terminal_a_seat_that_may_not_be_seen_is_left_out(played: Played) -> None:
    with terminal("replay", played.duel, *http(played, token=False)) as screen:
        screen.shows("seen by a spectator")
        screen.type("s")
        screen.shows("seen by a spectator", "You may not look from that seat before the game is over.")
        screen.type("1s")
        screen.shows("seen by a spectator", "You may not look from that seat before the game is over.")
        screen.type("1")
        screen.shows("seen by a spectator", "go to 1_")
        screen.type("q")
        assert screen.ends() == 0


def test_at_a_terminal_seats_are_chosen_by_number_and_letter(played: Played) -> None:
    with terminal("replay", played.duel, *http(played)) as screen:
        screen.shows("seen by a spectator")
        for keys, seen in (("2s", "seen by Player 2"), ("1s", "seen by Player 1"), ("w", "seen by a spectator")):
            screen.type(keys)
            screen.shows(seen)
        screen.type("q")
        assert screen.ends() == 0


@pytest.mark.parametrize("source", [store, http])
def test_at_a_terminal_moments_are_walked_and_steps_and_keys_listed(played: Played, source: Any) -> None:
    with terminal("replay", played.solo, *source(played), columns=80, lines=24) as screen:
        screen.shows(" Klondike | seen by a spectator | step 0 of 13 | 1/s | moment 1 of 2")
        screen.type("]")
        screen.shows("step 13 of 13", "moment 2 of 2", "The game is lost: given up.")
        screen.type("t")
        screen.shows(">*13 The player resigns. The game is lost: given up.", "  12 The player draws the ")
        screen.type("M")
        screen.shows("step 0 of 13", ">* 0 A game of Klondike is opened.")
        screen.type("?")
        screen.shows("] m            the next moment", "step 0 of 13")
        screen.type("?t")
        assert ">* 0" not in screen.shows("Step 0 | playing", "more lines (down)")
        screen.type("q")
        assert screen.ends() == 0


@pytest.fixture
def record(played: Played, tmp_path: Path) -> Path:
    """The record of the finished game in a file."""
    with psycopg.connect(join(played.service.folder).dsn) as connection:
        records = read_stream(connection, UUID(played.solo))
    path = tmp_path / "game.kibitz.ndjson"
    path.write_bytes(b"".join(record_lines(OpenRecord(tuple(records), None))))
    return path


def test_a_record_file_is_replayed_as_the_game_of_the_store(played: Played, record: Path) -> None:
    for more in ((), ("--seat", 0, "--spoken"), ("--known", "now", "--step", 4)):
        filed, stored = kibitz("replay", record, *more), kibitz("replay", played.solo, *more, *store(played))
        assert filed.returncode == 0, filed.stderr
        assert filed.stdout == stored.stdout
    with terminal("replay", record) as screen:
        screen.shows(f"Klondike {played.solo} | seen by a spectator | step 0 of 13")
        screen.type("a]")
        assert "##" not in screen.shows("as known now | step 13 of 13")
        screen.type("q")
        assert screen.ends() == 0


def test_a_signal_gives_the_terminal_back(played: Played) -> None:
    with terminal("replay", played.solo, "--step", 5, *store(played)) as screen:
        screen.shows("step 5 of 13")
        screen.process.send_signal(signal.SIGTERM)
        assert screen.ends() == 130
        assert screen.text.endswith("\x1b[?25h\x1b[?1049l")
