"""Standard notation for Seahaven Towers, read and shown."""

import msgspec
import pytest

from domain.capabilities import Spelling
from domain.chance import Chance
from domain.games.seahaven_towers import SEAHAVEN_TOWERS, Move, Options, Standard
from tests.laws.goldens import folder, read

from .positions import after, begun, dealt, events, move, position, rule_against, standard

TABLE = position("""
    towers 6H - 2S -
    home AS 4D
    0 2C KC QC JC
    1 7H
    2 9S 8S 7S 6S
    3 8S
    4 5D
    9 TS""")


@pytest.mark.parametrize(
    ("text", "meant"),
    [("a2", "a 1"), ("1b", "0 b"), ("5h", "4 D"), ("ch", "c S"), ("34", "2 3 x2"), ("16", "0 5 x3"), ("16v3", "0 5 x3"),
     ("310", "2 9 x4"), ("101", "9 0"), ("10b", "9 b"), ("10h", "9 S"), ("a10", "a 9"), ("26", "1 5")],
)  # fmt: skip
def test_a_standard_move_spells_one_of_our_moves(text, meant):
    assert SEAHAVEN_TOWERS.get(Spelling).canonical(TABLE, 0, Standard(text)) == move(meant)


@pytest.mark.parametrize(
    ("meant", "shown"),
    [("a 1", "a2"), ("0 b", "1b"), ("4 D", "5h"), ("c S", "ch"), ("2 3 x2", "34"), ("0 5 x3", "16"), ("9 d", "10d"),
     ("1 d", "2d")],
)  # fmt: skip
def test_a_move_shows_its_standard_spelling(meant, shown):
    assert events(TABLE, move(meant))[0].standard == shown  # type: ignore[attr-defined]


def test_ten_cards_and_more_are_counted_in_hexadecimal():
    state = position("0 QD JD TD 9D 8D 7D 6D 5D 4D 3D 2D", Options(any_card=True))
    assert events(state, Standard("12vb")) == events(state, move("0 1 x11"))
    assert events(state, Standard("12"))[0].standard == "12vb"  # type: ignore[attr-defined]


def test_both_spellings_of_a_move_make_the_same_events():
    assert events(TABLE, Standard("34")) == events(TABLE, move("2 3 x2"))
    assert rule_against(TABLE, Standard("42")) == rule_against(TABLE, move("3 1")) == "in_suit"


@pytest.mark.parametrize("options", [Options(), Options(any_card=True)])
def test_what_is_shown_spells_the_move_at_every_step_of_a_game(options):
    state = dealt(5, options)
    for turn in range(80):
        listed = SEAHAVEN_TOWERS.legal_commands(state, 0)
        if not listed:
            break
        for command in listed:
            assert (
                SEAHAVEN_TOWERS.get(Spelling).canonical(state, 0, *standard(events(state, command)[0].standard))  # type: ignore[attr-defined]
                == command
            )
        state = after(state, listed[turn * 7 % len(listed)])


@pytest.mark.parametrize(
    "text", ["", "2", "09", "90", "010", "11h", "1011", "ab", "aa", "hh", "h3", "2H", "26v", "26v0", "26ve", "1010v11"]
)
def test_what_is_no_standard_notation_cannot_be_read(text):
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"type": "seahaven_towers/standard", "move": text}, Move | Standard)


def test_a_whole_game_can_be_played_in_the_notation_in_which_it_is_told():
    lines = read(folder("seahaven_towers") / "runs_won.jsonl")
    state = begun(Chance(bytes.fromhex(lines[0]["seed"])))
    for line in lines[2:]:
        state = after(state, Standard(line["events"][0]["standard"]))
    assert SEAHAVEN_TOWERS.result(state).ending == "won"
