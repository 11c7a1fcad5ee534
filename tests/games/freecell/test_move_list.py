"""FreeCell as a move list: the deal by number or by its board, the moves, and what cannot be said or read."""

import pytest

from domain.chance import Chance
from domain.game_type import Illegal
from domain.games.freecell import FREECELL, STANDARD, Dealt, Options, Standard, number_of, shuffle_by_number
from tests.laws.goldens import folder, read

from .positions import after, begun, events, move, position, rule_against

BOARD_24 = """\
; Microsoft's deal 24, as Freecell Solver's documentation has it
Foundations: H-0 C-0 D-0 S-0
Freecells:
: 4C 2C 9C 8C QS 4S 2H
: 5H QH 3C AC 3H 4H QD
QC 9S 6H 9H 3S KS 3D
5D 2S JC 5C JH 6D AS
2D KD 10H 10C 10D 8D
7H JS KH 10S KC 7C
AH 5S 6S AD 8H JD
7S 6C 7D 4D 8S 9D
"""


def played(name: str) -> tuple[list, list]:
    """The deal's events and the moves' of a golden game."""
    lines = read(folder("freecell") / name)
    chance, line = Chance(bytes.fromhex(lines[0]["seed"])), []
    state = begun(chance)
    for step in lines[2:]:
        said = events(state, Standard(step["events"][0]["standard"]))
        state, line = after(state, Standard(step["events"][0]["standard"])), [*line, *said]
    return list(FREECELL.deal(Options(), chance, 1)), line


def test_a_golden_game_is_written_and_read_as_the_same_deal_and_the_same_moves() -> None:
    deal, line = played("runs_won.jsonl")
    text = STANDARD.write(Options(), deal, line)
    noted = STANDARD.read(text)
    assert (noted.options, noted.deal, noted.number) == (Options(), deal[0].cards, None)
    assert noted.commands == tuple(Standard(event.standard) for event in line)
    assert STANDARD.write(noted.options, deal, line) == text


def test_a_published_deal_is_named_by_its_number_and_any_other_by_its_board() -> None:
    eleven = Dealt(shuffle_by_number(11982, Options()))
    assert STANDARD.write(Options(), [eleven], []) == "#11982\n"
    shown = STANDARD.write(Options(), [Dealt(eleven.cards[1:] + eleven.cards[:1])], [])
    assert shown.count("\n: ") == 7
    assert STANDARD.read(shown).deal == eleven.cards[1:] + eleven.cards[:1]


def test_the_last_number_is_found_and_a_deal_that_only_begins_alike_is_not() -> None:
    cards = shuffle_by_number(1_000_000, Options())
    assert number_of(cards) == 1_000_000
    assert number_of((*cards[:-2], cards[-1], cards[-2])) is None


def test_a_board_of_freecell_solver_is_the_numbered_deal() -> None:
    assert STANDARD.read(BOARD_24).deal == shuffle_by_number(24, Options())


def test_capitals_and_small_letters_are_alike() -> None:
    """Moves home look like cards where both are written alike: a line belongs to the deal until that is whole."""
    noted = STANDARD.read(BOARD_24.lower() + "3H\n6A 26V3\n5h 6h\n")
    assert noted.deal == shuffle_by_number(24, Options())
    assert noted.commands == tuple(map(Standard, ("3h", "6a", "26v3", "5h", "6h")))
    assert STANDARD.read("#1\n5H 6H\n").commands == (Standard("5h"), Standard("6h"))


@pytest.mark.parametrize("head", ["#617", "FreeCell #617", "Game #617", "game no. 617", "Microsoft deal 617"])
def test_the_number_is_read_as_players_write_it(head: str) -> None:
    assert STANDARD.read(f"{head}\n26 3a\n").number == 617


def test_options_are_told_where_they_are_not_the_usual_ones() -> None:
    deal = [Dealt(shuffle_by_number(1, Options()))]
    text = STANDARD.write(Options(strict_single=True, undo=False), deal, [])
    assert text == "#1\noptions: strict_single=true undo=false\n"
    assert STANDARD.read(text).options == Options(strict_single=True, undo=False)


def test_a_card_that_comes_back_from_a_foundation_cannot_be_said() -> None:
    back = events(position("home 5H\n0 6S", Options(foundation_return=True)), move("H 0"))
    with pytest.raises(Illegal, match="comes back from a foundation") as refusal:
        STANDARD.write(Options(foundation_return=True), [Dealt(shuffle_by_number(1, Options()))], back)
    assert refusal.value.rule == "not_in_notation"


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("#1\n26 2K\n", "Line 2: `2K` is no move"),
        ("#0\n", "a number from 1 to 2147483647"),
        ("#2147483648\n", "a number from 1 to 2147483647"),
        ("#1\nautoplay: perhaps\n6a\n", "Line 2: autoplay is `all` or `safe`"),
        (f"#1\n{BOARD_24}", "A deal has its cards, or a number"),
        (BOARD_24.replace("Freecells:", "Freecells: AS"), "the cells are empty"),
        (BOARD_24.replace("Freecells:", "Freecells:      5S  6H"), "the cells are empty"),
        (BOARD_24.replace("Freecells:", "Freecells:  AS 5X"), "Line 3: `5X` is no card"),
        (BOARD_24.replace("H-0", "H-A"), "Line 2: `foundations` is not a part of a deal"),
        (BOARD_24.replace(": 4C", ": 4X"), "Line 4: `4X` is no card"),
        (f"26\n{BOARD_24}", "Line 3: the deal stands before the moves"),
        ("", "The deal has columns of 7 7 7 7 6 6 6 6 cards"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_told_with_its_line(text: str, what: str) -> None:
    with pytest.raises(Illegal, match=what) as refusal:
        STANDARD.read(text)
    assert refusal.value.rule == "unreadable_notation"


def test_the_example_is_read_and_its_moves_are_legal() -> None:
    noted = STANDARD.read(STANDARD.example)
    state = begun(Chance(b"", given=shuffle_by_number(noted.number, noted.options)))
    for command in noted.commands:
        state = after(state, command)
    assert sum(state.foundations) == 1


# Solutions of macroxue/freecell, spelt with our names of the cells; its program moves home whatever can go, and in the
# two deals whose solutions say `h` only what FreeCell for Windows moves by itself.
PUBLISHED = {
    "#1 all": "6a 6b 7b 76 4c 7d 86 47 24 82 83 52 54 45 54 18 13 1c 58 61 25 76 2c 27 2b 12 3a 32 41",
    "#3 all": "5a 45 48 1b 2c 35 12 27 56 25 75 8c 26 45 8b 62 38 6d",
    "#4 all": "57 57 51 3a 5b 5c 35 63 31 6b 76 7d 73 26 25 c7 83 18 15 61 36 85 16 23 2c 1d 8b",
    "#1941 safe": (
        "1a 15 3b 3c 3d 4h 5h 87 37 15 16 83 81 b1 73 7b 7h 71 73 76 26 5h 87 53 58 5h a8 56 75 65 67 68 6a 41 46"
    ),
    "#98714 safe": (
        "1a 1b 31 18 3c 32 12 4d 14 34 d1 18 38 63 61 65 6d c6 61 63 45 4c 48 24 26 3h 2h 26 27 c2 76 71 7c dh 46 25 "
        "54 52 57 82 83 82 85"
    ),
}


@pytest.mark.parametrize("head", PUBLISHED)
def test_published_solutions_that_rely_on_automatic_moves_home_are_won(head: str) -> None:
    number, autoplay = head.split()
    noted = STANDARD.read(f"{number}\nautoplay: {autoplay}\n{PUBLISHED[head]}\n")
    assert noted.number is not None
    state = begun(Chance(b"", given=shuffle_by_number(noted.number, noted.options)))
    for command in noted.commands:
        state = after(state, command)
    assert sum(state.foundations) == 52
    said = iter(noted.commands)
    assert all(Standard(word) in said for word in PUBLISHED[head].split()), "the list's own moves, in their order"


def test_without_the_line_every_move_must_be_written() -> None:
    noted = STANDARD.read(f"#1\n{PUBLISHED['#1 all']}\n")
    state = begun(Chance(b"", given=shuffle_by_number(1, Options())))
    state = after(after(state, noted.commands[0]), noted.commands[1])
    assert rule_against(state, noted.commands[2]) == "cell_occupied"
    with pytest.raises(Illegal, match="Line 3: move 3, `76`, cannot be played") as refusal:
        STANDARD.read("#1\nautoplay: all\n6a 6b 76 76\n")
    assert refusal.value.rule == "alternating_colours"


def test_a_list_without_an_end_is_refused_before_it_is_played() -> None:
    with pytest.raises(Illegal) as refusal:
        STANDARD.read("#1\nautoplay: safe\n" + "1a a1 " * 1001)
    assert refusal.value.rule == "too_many_moves"
