"""Replays from the store and over HTTP, printed and at a terminal."""

import signal

from .conftest import Played
from .programs import kibitz
from .pseudo import terminal


def store(played: Played) -> tuple[object, ...]:
    return "--data-folder", played.service.folder


def http(played: Played, token: bool = True) -> tuple[object, ...]:
    asked = ("--server", played.service.address)
    return (*asked, "--token", played.token) if token else asked


def test_plain_prints_every_frame_and_the_same_from_the_store_and_over_http(played: Played) -> None:
    stored = kibitz("replay", played.solo, "--plain", "--seat", 0, *store(played))
    served = kibitz("replay", played.solo, "--plain", "--seat", 0, *http(played))
    assert stored.returncode == 0, stored.stderr
    assert [line for line in stored.stdout.splitlines() if line.startswith("Step ")][::13] == [
        "Step 0 | playing, phase playing | seat 0 to act",
        "Step 13 | finished, phase playing | lost: resigned",
    ]
    assert served.stdout == stored.stdout


def test_without_a_terminal_it_prints(played: Played) -> None:
    ran = kibitz("replay", played.solo, "--step", 3, *store(played))
    assert (ran.returncode, ran.stdout[:7]) == (0, "Step 3 ")
    assert ran.stdout.count("Step ") == 1
    assert "\x1b" not in ran.stdout


def test_known_now_shows_every_card_of_a_game_that_is_over_and_of_no_other(played: Played) -> None:
    ran = kibitz("replay", played.solo, "--known", "now", "--step", 0, "--symbols", *store(played))
    assert "##" not in ran.stdout
    assert "♠" in ran.stdout
    for source in (store(played), http(played)):
        ran = kibitz("replay", played.duel, "--known", "now", *source)
        assert (ran.returncode, ran.stderr) == (1, "kibitz: A game is shown as known now once it is over.\n")


def test_a_spectator_over_http_sees_no_hand(played: Played) -> None:
    ran = kibitz("replay", played.duel, *http(played, token=False))
    assert ran.stdout.count("## ## ## ## ##") == 1
    ran = kibitz("replay", played.duel, "--seat", 0, *http(played, token=False))
    assert (ran.returncode, ran.stderr) == (1, "kibitz: You may not look from that seat before the game is over.\n")


def test_the_token_may_stand_in_the_environment(played: Played) -> None:
    ran = kibitz("replay", played.duel, "--seat", 0, *http(played, token=False), KIBITZ_TOKEN=played.token)
    assert ran.returncode == 0, ran.stderr


def test_spoken_reads_it_aloud(played: Played) -> None:
    ran = kibitz("replay", played.solo, "--spoken", "--step", 1, *store(played))
    assert ran.stdout.startswith("Step 1.\nThe player draws the ")
    assert "Column 6: six cards face down, then " in ran.stdout


def test_what_is_not_there_is_told_in_a_sentence(played: Played) -> None:
    nobody = "01a1f81c-5ad7-7419-af41-349a86009bb0"
    for arguments, told in (
        ((nobody, *store(played)), f"There is no game {nobody}."),
        ((nobody, *http(played)), "There is no such game, or you may not see it."),
        ((played.solo, "--seat", 3, *store(played)), "The game has no seat 3."),
        ((played.solo, "--step", 99, *store(played)), "The game has no step 99."),
        ((played.solo, "--server", "http://127.0.0.1:1"), "http://127.0.0.1:1 does not answer:"),
    ):
        ran = kibitz("replay", *arguments)
        assert ran.returncode == 1
        assert ran.stderr.startswith(f"kibitz: {told}")
        assert ran.stderr.count("\n") == 1


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
        screen.shows("seen by seat 0")
        screen.type("s")
        assert "##" not in screen.shows("as known now | step 12 of 13")
        screen.type("+++++")
        screen.type(" ")
        screen.shows("Step 13 ", "lost: resigned")
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
        screen.type("s1")
        screen.shows("seen by a spectator", "go to 1_")
        screen.type("q")
        assert screen.ends() == 0


def test_a_signal_gives_the_terminal_back(played: Played) -> None:
    with terminal("replay", played.solo, "--step", 5, *store(played)) as screen:
        screen.shows("step 5 of 13")
        screen.process.send_signal(signal.SIGTERM)
        assert screen.ends() == 130
        assert screen.text.endswith("\x1b[?25h\x1b[?1049l")
