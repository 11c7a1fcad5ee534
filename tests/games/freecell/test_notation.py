"""Standard FreeCell notation, read and shown."""

import msgspec
import pytest

from domain.capabilities import Spelling
from domain.chance import Chance
from domain.games.freecell import FREECELL, Move, Options, Standard
from tests.laws.goldens import folder, read

from .positions import after, begun, dealt, events, move, position, rule_against

TABLE = position("""
    cells 6H - 2S -
    home AS 4D
    0 KC QD JS
    1 7C
    2 9S 8H 7S 6D 5C
    3 9C
    4 5D""")


@pytest.mark.parametrize(
    ("text", "meant"),
    [("a2", "a 1"), ("1b", "0 b"), ("5h", "4 D"), ("ch", "c S"), ("32", "2 1 x2"), ("34", "2 3 x4"), ("43", "3 2"),
     ("18", "0 7 x3"), ("18v2", "0 7 x2"), ("18v1", "0 7"), ("32v2", "2 1 x2"), ("c8", "c 7")],
)  # fmt: skip
def test_a_standard_move_spells_one_of_our_moves(text, meant):
    assert FREECELL.get(Spelling).canonical(TABLE, 0, Standard(text)) == move(meant)


@pytest.mark.parametrize(
    ("meant", "shown"),
    [("a 1", "a2"), ("0 b", "1b"), ("4 D", "5h"), ("c S", "ch"), ("2 1 x2", "32"), ("0 7 x3", "18v3"), ("0 7", "18v1"),
     ("1 7", "28"), ("a 5", "a6")],
)  # fmt: skip
def test_a_move_shows_its_standard_spelling(meant, shown):
    assert events(TABLE, move(meant))[0].standard == shown  # type: ignore[attr-defined]


def test_ten_cards_and_more_are_counted_in_hexadecimal():
    state = position("0 KC QD JC TD 9C 8D 7C 6D 5C 4D 3C")
    assert events(state, Standard("12vb")) == events(state, move("0 1 x11"))
    assert events(state, Standard("12"))[0].standard == "12vb"  # type: ignore[attr-defined]


def test_both_spellings_of_a_move_make_the_same_events():
    assert events(TABLE, Standard("32")) == events(TABLE, move("2 1 x2"))
    assert rule_against(TABLE, Standard("41")) == rule_against(TABLE, move("3 0")) == "alternating_colours"


def test_what_is_shown_spells_the_move_at_every_step_of_a_game():
    state = dealt(164, Options())
    for turn in range(80):
        listed = FREECELL.legal_commands(state, 0)
        for command in listed:
            assert FREECELL.get(Spelling).canonical(state, 0, Standard(events(state, command)[0].standard)) == command  # type: ignore[attr-defined]
        state = after(state, listed[turn * 7 % len(listed)])


def test_a_card_that_comes_back_from_a_foundation_has_no_standard_spelling():
    state = position("home 5H\n0 6S", Options(foundation_return=True))
    assert events(state, move("H 0"))[0].standard is None  # type: ignore[attr-defined]
    assert b"standard" not in msgspec.json.encode(events(state, move("H 0"))[0])


@pytest.mark.parametrize(
    "text", ["", "2", "09", "90", "9h", "ab", "aa", "hh", "h3", "2H", "26v", "26v0", "26ve", "26v1a"]
)
def test_what_is_no_standard_notation_cannot_be_read(text):
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"type": "freecell/standard", "move": text}, Move | Standard)


def test_a_whole_game_can_be_played_in_the_notation_in_which_it_is_told():
    lines = read(folder("freecell") / "runs_won.jsonl")
    state = begun(Chance(bytes.fromhex(lines[0]["seed"])))
    for line in lines[2:]:
        state = after(state, Standard(line["events"][0]["standard"]))
    assert FREECELL.result(state).ending == "won"
