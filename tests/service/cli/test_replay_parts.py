"""The parts of the replay that need no terminal: keys, playback, screen."""

from typing import Any

import pytest

from domain.capabilities import CardFaces
from domain.games import GAME_TYPES
from domain.play.frames import frames, moments
from service.cli.player import keys
from service.cli.screen import KEYS, Playback, ScreenContent, move_to, press_key, screen, steps, tick
from tests.domain.golden_games import PATHS, records
from tests.domain.played import solitaire

FRAMES = tuple(frames(solitaire(), 0))
START = Playback(steps=10, viewers=4, seats=2, moments=(0, 4, 5))


def after(*pressed_keys: str, start: Playback = START) -> Playback:
    for key in pressed_keys:
        start = press_key(start, key)
    return start


def test_keys_are_told_from_what_a_terminal_sends() -> None:
    assert keys("\x1b[C\x1b[Dhq \r\x7f\x03\x1b[1~\x1bOF") == (
        ["right", "left", "h", "q", " ", "enter", "backspace", "ctrl_c", "home", "end"],
        "",
    )
    found, rest = keys("n\x1b[")
    assert (found, rest) == (["n"], "\x1b[")
    assert keys(rest + "C") == (["right"], "")
    assert keys("\x1b[1;5Cq") == (["q"], "")
    assert keys("\x1bq") == (["q"], "")


@pytest.mark.parametrize(("typed", "field", "values"), [
    # Through the steps, and never beyond.
    (["right l n", "n n left h", "p", "end", "end right", "end home", "7 enter"], "place", [3, 0, 0, 9, 9, 0, 7]),
    (["4 2 enter", "4 2 backspace enter", "enter", "x esc", "page_down page_up n"], "place", [9, 4, 0, 0, 1]),
    # To the next and the previous moment.
    (["]", "m m", "] ] ]", "end [", "end M M", "[", "3 enter ]", "3 enter ["], "place", [4, 5, 5, 5, 4, 0, 4, 0]),
    (["1 2", "1 2 enter", "1 right", "1 s"], "typed", ["12", "", "", ""]),
    # A step by hand ends the playing, and so does a jump, unless it is played on from there.
    (["space", "space n", "space space", "space ]", "] ] space ]"], "playing", [True, False, False, False, True]),
    (["+", "-", "- " * 9, "+ " * 99], "speed", [2, 0.5, 0.25, 64]),
    (["", "s", "s s", "s s s", "s s s s"], "viewer", [0, 1, 2, 3, 0]),
    (["0 s", "1 s", "2 s", "9 s", "a", "a w"], "viewer", [0, 1, 2, 0, 3, 0]),  # a seat by its number
    (["q", "ctrl_c"], "done", [True, True]),
    (["t", "t t"], "listing", [True, False]),
    (["?", "? ?"], "helping", [True, False]),
])  # fmt: skip
def test_keys_move_play_choose_and_show(typed: list[str], field: str, values: list[object]) -> None:
    pressed = [after(*(" " if key == "space" else key for key in keys.split())) for keys in typed]
    assert [getattr(playback, field) for playback in pressed] == values


def test_playing_goes_on_until_the_end_and_starts_again_from_there() -> None:
    playing = tick(after("8", "enter", " "))
    assert (playing.place, playing.playing) == (9, False)
    assert (press_key(playing, " ").place, press_key(playing, " ").playing) == (0, True)
    assert after("a", start=Playback(steps=10, viewers=3, seats=2)).viewer == 0, "nobody sees all of this game"


def shown(**more: Any) -> ScreenContent:
    drawing: dict[str, Any] = {"faces": {}, "frames": FRAMES, "viewer": "Player 1"}
    return ScreenContent(game_type="Klondike", game="01890000-0000-7000-8000-000000000000", **(drawing | more))


def drawn(playback: Playback, width: int = 120, height: int = 40, **more: Any) -> str:
    return screen(shown(**more), playback, (width, height))


def lines_of(text: str) -> list[str]:
    lines = [line.replace("\x1b[H", "").replace("\x1b[K", "").replace("\x1b[J", "") for line in text.split("\r\n")]
    return [line.removeprefix("\x1b[7m").removesuffix("\x1b[27m") for line in lines]


def test_a_screen_tells_what_happened_the_state_and_the_keys() -> None:
    lines = lines_of(drawn(move_to(START, 4)))
    assert len(lines) == 40
    assert lines[0].startswith("Step 4 | playing")
    assert lines[-3] == " ".join(FRAMES[4].sentences)
    where = "seen by Player 1 | step 4 of 9 | 1/s | moment 2 of 3"
    assert lines[-2] == f" Klondike 01890000-0000-7000-8000-000000000000 | {where} "
    assert lines[-1].startswith("arrows step")
    assert lines_of(drawn(after("+", " "), 80, 24))[-2] == (
        " Klondike | seen by Player 1 | step 0 of 9 | playing 2/s | moment 1 of 3 "
    )
    assert lines_of(drawn(START, notice="You may not."))[-3] == "You may not."


@pytest.mark.parametrize("size", [(80, 24), (30, 8), (200, 60), (20, 3), (10, 1)])
@pytest.mark.parametrize("keys", ["", "t", "?", "t>>", "jjjjjjjj>"])
def test_no_screen_is_overrun_whatever_it_shows(size: tuple[int, int], keys: str) -> None:
    for place in (0, 7):
        lines = lines_of(drawn(move_to(after(*keys), place), *size))
        assert len(lines) == size[1]
        assert max(map(len, lines)) <= size[0]


@pytest.mark.parametrize("key", GAME_TYPES)
def test_every_game_type_can_be_seen_whole_at_eighty_columns_and_twenty_four_lines(key: str) -> None:
    path = next(path for found, path in PATHS if found == key)
    seen = tuple(frames(records(key, path), 0))
    made = {"frames": seen, "faces": GAME_TYPES[key].get(CardFaces).by_card}
    start = move_to(Playback(steps=len(seen), viewers=2, seats=1), len(seen) // 2)
    whole = lines_of(drawn(start, 250, 300, **made))[:-3]
    found = set[str]()
    for typed in [["j"] * down + [">"] * across for down in range(0, 300, 10) for across in range(4)]:
        screened = lines_of(drawn(after(*typed, start=start), 80, 24, **made))
        assert (len(screened), max(map(len, screened)) <= 80) == (24, True)
        found.update(word for line in screened[:-3] for word in line.split())
    assert {word for line in whole for word in line.split()} - found == set()


def test_a_small_screen_is_scrolled_down_and_across_to_the_end() -> None:
    assert lines_of(drawn(after("down", "j"), 120, 8))[:4] == lines_of(drawn(START))[2:6]
    assert lines_of(drawn(START, 120, 8))[4].endswith("more lines (down)")
    far = lines_of(drawn(after(*["down"] * 99), 120, 8))
    assert far[4] == "recycles left: none"
    lines, moved = lines_of(drawn(START, 40, 30)), lines_of(drawn(after(">"), 40, 30))
    assert moved[5][:19] == lines[5][20:39]
    assert drawn(after(*[">"] * 99), 40, 30) == drawn(after(*[">"] * 50), 40, 30)
    assert drawn(after(">", "<"), 40, 30) == drawn(START, 40, 30)


def test_the_list_of_steps_goes_round_the_step_that_is_shown_and_marks_moments() -> None:
    found = steps(FRAMES, 10, (0, 10, 12), 5)
    assert [line[:5].strip() for line in found] == ["8", "9", ">*10", "11", "*12"]
    assert found[2] == ">*10 " + " ".join(FRAMES[10].sentences)
    assert steps(FRAMES, 0, (), 3)[0].startswith(">  0 A game of Klondike is opened.")
    assert steps(FRAMES, len(FRAMES) - 1, (), 3)[-1].startswith(f"> {len(FRAMES) - 1} ")
    assert len(steps(FRAMES[:2], 1, (), 9)) == 2


def test_the_list_stands_below_the_picture_and_beside_it_where_there_is_room() -> None:
    narrow, wide = (lines_of(drawn(move_to(after("t"), 4), width, 24)) for width in (80, 160))
    assert narrow[0].startswith("Step 4 | playing")
    assert any(line.startswith(">* 4 ") for line in narrow[14:21])
    assert any(line[102:].startswith(">* 4 ") for line in wide[:21])
    assert wide[0].startswith("Step 4 | playing")


def test_the_help_names_every_key_that_does_something() -> None:
    text = "\n".join(KEYS)
    for key in ("right l n", "left h p", "] m", "[ M", "home g", "end G", "space", "+ -", "< >", "t  ", "w  ", "a  "):
        assert key in text
    assert all(len(line) < 80 for line in KEYS)
    assert len(KEYS) <= 21
    assert lines_of(drawn(after("?"), 80, 24))[:2] == KEYS[:2]


def test_moments_of_the_played_game_can_be_walked() -> None:
    places = tuple(moment.step for moment in moments(FRAMES))
    playback = Playback(steps=len(FRAMES), viewers=2, seats=1, moments=places)
    for place in places[1:]:
        playback = press_key(playback, "]")
        assert playback.place == place
    assert playback.place == len(FRAMES) - 1


def test_red_cards_are_red_only_if_wished() -> None:
    assert "\x1b[31m" in drawn(START, colours=True)
    assert "\x1b[31m" in drawn(after("t"), 160, colours=True)
    assert "\x1b[31m" not in drawn(START)
