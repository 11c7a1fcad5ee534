"""The parts of the replay that need no terminal: keys, playback, screen."""

import pytest

from domain.game.frames import frames
from service.cli.replaying.keys import keys
from service.cli.replaying.playback import Playback, at, pressed, ticked
from service.cli.replaying.screen import screen
from tests.domain.played import solitaire

START = Playback(steps=10, viewers=3)


def after(*pressed_keys: str, start: Playback = START) -> Playback:
    for key in pressed_keys:
        start = pressed(start, key)
    return start


def test_arrows_letters_and_control_keys_have_names() -> None:
    assert keys("\x1b[C\x1b[Dhq \r\x7f\x03\x1b[1~\x1bOF") == (
        ["right", "left", "h", "q", " ", "enter", "backspace", "ctrl_c", "home", "end"],
        "",
    )


def test_a_sequence_that_comes_in_two_pieces_is_one_key() -> None:
    found, rest = keys("n\x1b[")
    assert (found, rest) == (["n"], "\x1b[")
    assert keys(rest + "C") == (["right"], "")


def test_an_unknown_sequence_is_no_key_and_eats_nothing_after_it() -> None:
    assert keys("\x1b[1;5Cq") == (["q"], "")
    assert keys("\x1bq") == (["q"], "")


@pytest.mark.parametrize(
    ("typed", "place"),
    [
        (("right", "l", "n"), 3),
        (("n", "n", "left", "h"), 0),
        (("p",), 0),
        (("end",), 9),
        (("end", "right"), 9),
        (("end", "home"), 0),
        (("7", "enter"), 7),
        (("4", "2", "enter"), 9),
        (("4", "2", "backspace", "enter"), 4),
        (("enter",), 0),
        (("x", "esc"), 0),
        (("page_down", "page_up", "n"), 1),
    ],
)
def test_keys_move_through_the_steps_and_never_beyond(typed: tuple[str, ...], place: int) -> None:
    assert after(*typed).place == place


def test_a_number_is_shown_while_it_is_typed_and_gone_after_it() -> None:
    assert after("1", "2").typed == "12"
    assert after("1", "2", "enter").typed == ""
    assert after("1", "right").typed == ""


def test_playing_goes_on_until_the_end_and_starts_again_from_there() -> None:
    playing = ticked(after("8", "enter", " "))
    assert (playing.place, playing.playing) == (9, False)
    assert (pressed(playing, " ").place, pressed(playing, " ").playing) == (0, True)


def test_a_step_by_hand_ends_the_playing() -> None:
    assert not after(" ", "n").playing
    assert not after(" ", " ").playing


def test_the_speed_doubles_and_halves_within_bounds() -> None:
    assert after("+").speed == 2
    assert after("-").speed == 0.5
    assert after(*["-"] * 9).speed == 0.25
    assert after(*["+"] * 99).speed == 64


def test_s_goes_round_the_viewers_and_q_ends() -> None:
    assert [after(*["s"] * n).viewer for n in range(4)] == [0, 1, 2, 0]
    assert after("q").done
    assert after("ctrl_c").done


def drawn(playback: Playback, width: int = 120, height: int = 40, colours: bool = False) -> str:
    shown = list(frames(solitaire(), 0))[playback.place]
    return screen(shown, playback, "Klondike", "seat 0", (width, height), suit_symbols=False, colours=colours)


def lines_of(text: str) -> list[str]:
    return [line.replace("\x1b[H", "").replace("\x1b[K", "").replace("\x1b[J", "") for line in text.split("\r\n")]


def test_a_screen_fills_its_lines_with_the_state_and_the_keys_at_the_bottom() -> None:
    lines = lines_of(drawn(at(START, 4)))
    assert len(lines) == 40
    assert lines[0].startswith("Step 4 | playing")
    assert lines[-2] == "\x1b[7m Klondike | seen by seat 0 | step 4 of 9 \x1b[27m"
    assert lines[-1].startswith("arrows step")


def test_a_low_and_narrow_screen_is_never_overrun_and_can_be_scrolled() -> None:
    low = lines_of(drawn(START, 30, 8))
    assert len(low) == 8
    assert all(len(line.removeprefix("\x1b[7m").removesuffix("\x1b[27m")) <= 30 for line in low)
    assert lines_of(drawn(after("down", "j"), 120, 8))[:4] == lines_of(drawn(START))[2:6]
    assert "more below" in drawn(START, 120, 8)


def test_scrolling_ends_with_the_last_line_of_the_picture() -> None:
    far = lines_of(drawn(after(*["down"] * 99), 120, 8))
    assert far[5] == "recycles left: none"
    assert "more below" not in far[6]


def test_red_cards_are_red_only_if_wished() -> None:
    assert "\x1b[31m" in drawn(START, colours=True)
    assert "\x1b[31m" not in drawn(START)
