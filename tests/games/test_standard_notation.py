"""Standard notation of FreeCell and Seahaven Towers: moves, whole games, boards, numbers."""

import msgspec
import pytest

from domain.chance import Chance
from domain.game_type import Illegal
from domain.games import freecell, seahaven_towers
from domain.games.freecell import Dealt, number_of, shuffle_by_number
from domain.games.seahaven_towers import SEAHAVEN_TOWERS
from tests.domain.played import refusal
from tests.laws.goldens import found, read

from .freecell import positions as cells
from .seahaven_towers import positions as towers

GAMES = {"freecell": (freecell, cells), "seahaven_towers": (seahaven_towers, towers)}
CELLS = cells.position("cells 6H - 2S -\nhome AS 4D\n0 KC QD JS\n1 7C\n2 9S 8H 7S 6D 5C\n3 9C\n4 5D")
TOWERS = towers.position("towers 6H - 2S -\nhome AS 4D\n0 2C KC QC JC\n1 7H\n2 9S 8S 7S 6S\n3 8S\n4 5D\n9 TS")
READ, SHOWN = freecell.STANDARD, seahaven_towers.STANDARD


@pytest.mark.parametrize(
    ("key", "state", "spelt"),
    [
        ("freecell", CELLS, {
            "a2": "a 1", "1b": "0 b", "5h": "4 D", "ch": "c S", "32": "2 1 x2", "34": "2 3 x4", "43": "3 2",
            "18": "0 7 x3", "18v2": "0 7 x2", "18v1": "0 7", "32v2": "2 1 x2", "c8": "c 7",
        }),
        ("seahaven_towers", TOWERS, {
            "a2": "a 1", "1b": "0 b", "5h": "4 D", "ch": "c S", "34": "2 3 x2", "16": "0 5 x3", "16v3": "0 5 x3",
            "310": "2 9 x4", "101": "9 0", "10b": "9 b", "10h": "9 S", "a10": "a 9", "26": "1 5",
        }),
    ],
)  # fmt: skip
def test_a_standard_move_spells_one_of_our_moves(key, state, spelt):
    game, positions = GAMES[key]
    for text, meant in spelt.items():
        assert positions.RULES.spelt(state, game.Standard(text)) == positions.move(meant), text


@pytest.mark.parametrize(
    ("key", "state", "shown"),
    [
        ("freecell", CELLS, {
            "a 1": "a2", "0 b": "1b", "4 D": "5h", "c S": "ch", "2 1 x2": "32", "0 7 x3": "18v3", "0 7": "18v1",
            "1 7": "28", "a 5": "a6",
        }),
        ("seahaven_towers", TOWERS, {
            "a 1": "a2", "0 b": "1b", "4 D": "5h", "c S": "ch", "2 3 x2": "34", "0 5 x3": "16", "9 d": "10d",
            "1 d": "2d",
        }),
    ],
)  # fmt: skip
def test_a_move_shows_its_standard_spelling(key, state, shown):
    positions = GAMES[key][1]
    assert {meant: positions.events(state, positions.move(meant))[0].standard for meant in shown} == shown


LONG = {
    "freecell": cells.position("0 KC QD JC TD 9C 8D 7C 6D 5C 4D 3C"),
    "seahaven_towers": towers.position("0 QD JD TD 9D 8D 7D 6D 5D 4D 3D 2D", seahaven_towers.Options(any_card=True)),
}


@pytest.mark.parametrize("key", GAMES)
def test_ten_cards_and_more_are_counted_in_hexadecimal(key):
    game, positions = GAMES[key]
    assert positions.events(LONG[key], game.Standard("12vb")) == positions.events(LONG[key], positions.move("0 1 x11"))
    assert positions.events(LONG[key], game.Standard("12"))[0].standard == "12vb"


@pytest.mark.parametrize(
    ("key", "state", "moves", "refused", "rule"),
    [
        ("freecell", CELLS, ("32", "2 1 x2"), ("41", "3 0"), "alternating_colours"),
        ("seahaven_towers", TOWERS, ("34", "2 3 x2"), ("42", "3 1"), "in_suit"),
    ],
)
def test_both_spellings_of_a_move_make_the_same_events(key, state, moves, refused, rule):
    game, positions = GAMES[key]
    assert positions.events(state, game.Standard(moves[0])) == positions.events(state, positions.move(moves[1]))
    answers = (game.Standard(refused[0]), positions.move(refused[1]))
    assert [positions.rule_against(state, command) for command in answers] == [rule, rule]


@pytest.mark.parametrize(
    ("key", "options", "deal"),
    [("freecell", {}, 164), ("seahaven_towers", {}, 5), ("seahaven_towers", {"any_card": True}, 5)],
)
def test_what_is_shown_spells_the_move_at_every_step_of_a_game(key, options, deal):
    game, positions = GAMES[key]
    state = positions.dealt(deal, game.Options(**options))
    for turn in range(80):
        if not (listed := positions.RULES.type.legal_commands(state, 0)):
            break
        for command in listed:
            shown = game.Standard(positions.events(state, command)[0].standard)
            assert positions.RULES.spelt(state, shown) == command
        state = positions.after(state, listed[turn * 7 % len(listed)])


UNREADABLE = ["", "2", "09", "90", "ab", "aa", "hh", "h3", "2H", "26v", "26v0", "26ve"]


@pytest.mark.parametrize(
    ("key", "more"), [("freecell", ["9h", "26v1a"]), ("seahaven_towers", ["010", "11h", "1011", "1010v11"])]
)
def test_what_is_no_standard_notation_cannot_be_read(key, more):
    for text in (*UNREADABLE, *more):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert({"type": f"{key}/standard", "move": text}, GAMES[key][0].Standard)


@pytest.mark.parametrize(
    ("key", "path"), [(key, path) for key in GAMES for path in found(key) if "return" not in path.stem],
    ids=lambda part: getattr(part, "stem", part),
)  # fmt: skip
def test_a_golden_game_is_written_as_it_is_told(key, path):
    game, positions = GAMES[key]
    head, _, *steps = read(path)
    options, seed = game.Options(**head["options"]), bytes.fromhex(head["seed"])
    state, line = positions.RULES.deal(options, seed=seed), []
    for step in steps:
        word = game.Standard(step["events"][0]["standard"])
        line += positions.events(state, word)
        state = positions.after(state, word)
    assert positions.RULES.type.result(state).ending == path.stem.rpartition("_")[2]
    deal = positions.RULES.type.deal(options, Chance(seed), 1)
    text = game.STANDARD.write(options, deal, line)
    noted = game.STANDARD.read(text)
    assert (noted.options, noted.deal, noted.number) == (options, deal[0].cards, None)
    assert noted.commands == tuple(game.Standard(event.standard) for event in line)
    assert game.STANDARD.write(noted.options, deal, line) == text


@pytest.mark.parametrize(("key", "free", "home"), [("freecell", 2, 1), ("seahaven_towers", 1, 0)])
def test_the_example_is_read_and_its_moves_are_legal(key, free, home):
    game, positions = GAMES[key]
    noted = game.STANDARD.read(game.STANDARD.example)
    deal = noted.deal or shuffle_by_number(noted.number, noted.options)
    state = positions.after(positions.RULES.deal(given=deal), *noted.commands)
    held = state.towers if key == "seahaven_towers" else state.cells
    assert (held.count(None), sum(state.foundations)) == (free, home)


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


def test_a_published_deal_is_named_by_its_number_and_any_other_by_its_board() -> None:
    eleven = Dealt(shuffle_by_number(11982, cells.PLAIN))
    assert READ.write(cells.PLAIN, [eleven], []) == "#11982\n"
    shown = READ.write(cells.PLAIN, [Dealt(eleven.cards[1:] + eleven.cards[:1])], [])
    assert shown.count("\n: ") == 7
    assert READ.read(shown).deal == eleven.cards[1:] + eleven.cards[:1]
    cards = shuffle_by_number(1_000_000, cells.PLAIN)
    assert number_of(cards) == 1_000_000
    assert number_of((*cards[:-2], cards[-1], cards[-2])) is None


def test_a_board_of_freecell_solver_is_read_in_any_case() -> None:
    """Moves home look like cards where both are written alike: a line belongs to the deal until that is whole."""
    assert READ.read(BOARD_24).deal == shuffle_by_number(24, cells.PLAIN)
    noted = READ.read(BOARD_24.lower() + "3H\n6A 26V3\n5h 6h\n")
    assert noted.deal == shuffle_by_number(24, cells.PLAIN)
    assert noted.commands == tuple(cells.standard("3h", "6a", "26v3", "5h", "6h"))
    assert READ.read("#1\n5H 6H\n").commands == tuple(cells.standard("5h", "6h"))


@pytest.mark.parametrize("head", ["#617", "FreeCell #617", "Game #617", "game no. 617", "Microsoft deal 617"])
def test_the_number_is_read_as_players_write_it(head: str) -> None:
    assert READ.read(f"{head}\n26 3a\n").number == 617


def test_options_are_told_where_they_are_not_the_usual_ones() -> None:
    options = freecell.Options(strict_single=True, undo=False)
    text = READ.write(options, [Dealt(shuffle_by_number(1, cells.PLAIN))], [])
    assert text == "#1\noptions: strict_single=true undo=false\n"
    assert READ.read(text).options == options


def test_a_card_that_comes_back_from_a_foundation_has_no_standard_spelling() -> None:
    options = freecell.Options(foundation_return=True)
    back = cells.events(cells.position("home 5H\n0 6S", options), cells.move("H 0"))
    assert back[0].standard is None
    assert b"standard" not in msgspec.json.encode(back[0])
    with pytest.raises(Illegal, match="comes back from a foundation") as refused:
        READ.write(options, [Dealt(shuffle_by_number(1, cells.PLAIN))], back)
    assert refused.value.rule == "not_in_notation"


BOARD = seahaven_towers.STANDARD.example
FC = "FC: - TD 2D -"


@pytest.mark.parametrize(
    ("notation", "text", "what"),
    [
        (READ, "#1\n26 2K\n", "Line 2: `2K` is no move"),
        (READ, "#0\n", "a number from 1 to 2147483647"),
        (READ, "#2147483648\n", "a number from 1 to 2147483647"),
        (READ, "#1\nautoplay: perhaps\n6a\n", "Line 2: autoplay is `all` or `safe`"),
        (READ, f"#1\n{BOARD_24}", "A deal has its cards, or a number"),
        (READ, BOARD_24.replace("Freecells:", "Freecells: AS"), "the cells are empty"),
        (READ, BOARD_24.replace("Freecells:", "Freecells:      5S  6H"), "the cells are empty"),
        (READ, BOARD_24.replace("Freecells:", "Freecells:  AS 5X"), "Line 3: `5X` is no card"),
        (READ, BOARD_24.replace("H-0", "H-A"), "Line 2: `foundations` is not a part of a deal"),
        (READ, BOARD_24.replace(": 4C", ": 4X"), "Line 4: `4X` is no card"),
        (READ, f"26\n{BOARD_24}", "Line 3: the deal stands before the moves"),
        (READ, "", "The deal has columns of 7 7 7 7 6 6 6 6 cards"),
        (SHOWN, BOARD.replace(FC, "FC: TD 2D - -"), "the second and the third tower"),
        (SHOWN, BOARD.replace(FC, "FC: - TD - -"), "the second and the third tower"),
        (SHOWN, BOARD.replace(FC, "Freecells:  TD  2D"), "the second and the third tower"),
        (SHOWN, BOARD.replace(FC, "#5"), "have no numbers here"),
        (SHOWN, BOARD.replace(" AH\n", "\n"), "columns of 5 5 5 5 5 5 5 5 5 5 cards"),
        (SHOWN, BOARD.replace("1d", "1e"), "Line 13: `1e` is no move"),
        (SHOWN, BOARD.replace("1d", "1v"), "Line 13: `1v` is no move"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_told_with_its_line(notation, text: str, what: str) -> None:
    with pytest.raises(Illegal, match=what) as refused:
        notation.read(text)
    assert refused.value.rule == "unreadable_notation"


def test_the_board_is_that_of_freecell_solver_with_the_two_towers_of_the_deal() -> None:
    state = towers.RULES.deal()
    shown = SHOWN.write(towers.PLAIN, SEAHAVEN_TOWERS.deal(towers.PLAIN, Chance(bytes(32)), 1), [])
    held = " ".join(card or "-" for card in state.towers)
    assert shown == f"FC: {held}\n" + "".join(f": {' '.join(column)}\n" for column in state.columns)
    printed = BOARD.replace(FC, "Freecells:      TD  2D")
    assert SHOWN.read(printed) == SHOWN.read(BOARD)
    assert SHOWN.read(printed.replace("TD", "10D").replace("    10D", "   10D")) == SHOWN.read(BOARD)


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
    noted = READ.read(f"{number}\nautoplay: {autoplay}\n{PUBLISHED[head]}\n")
    assert sum(cells.after(cells.dealt(noted.number), *noted.commands).foundations) == 52
    said = iter(noted.commands)
    assert all(command in said for command in cells.standard(*PUBLISHED[head].split())), "the list's moves, in order"


def test_without_the_line_every_move_must_be_written() -> None:
    first, second, third, *_ = READ.read(f"#1\n{PUBLISHED['#1 all']}\n").commands
    assert cells.rule_against(cells.after(cells.dealt(1), first, second), third) == "cell_occupied"
    with pytest.raises(Illegal, match="Line 3: move 3, `76`, cannot be played") as refused:
        READ.read("#1\nautoplay: all\n6a 6b 76 76\n")
    assert refused.value.rule == "alternating_colours"


def test_a_list_without_an_end_is_refused_before_it_is_played() -> None:
    assert refusal(READ.read, "#1\nautoplay: safe\n" + "1a a1 " * 1001) == "too_many_moves"
