"""What is special to the rules of FreeCell."""

import pytest

from domain.capabilities import NumberedDeals
from domain.chance import Chance
from domain.game_type import Result
from domain.games.freecell import FREECELL, Moved, Options

from .positions import PLAIN, RULES, after, dealt, events, move, position, sentences, standard, stuck

NO_UNDO, STRICT, RETURN = Options(undo=False), Options(strict_single=True), Options(foundation_return=True)
FULL = "\ncells KS KH KD KC"


def test_rows_are_dealt_over_all_columns():
    state, cards = dealt(1), FREECELL.get(NumberedDeals).cards(1, FREECELL.options())
    assert [len(column) for column in state.columns] == [7, 7, 7, 7, 6, 6, 6, 6]
    assert (state.cells, state.foundations) == ((None,) * 4, (0,) * 4)
    assert tuple(column[0] for column in state.columns) == cards[:8]
    assert tuple(column[-1] for column in state.columns[:4]) == cards[48:]


TABLE = "cells 7H - TD -\nhome 3S\n0 2D 8C 7D\n1 8S\n2 KH QS\n3 8H\n4 TC 9D 8C 7D 6S 5D 4C 3H"
RUN = "0 9C 5S 4H 3S\n1 {}\n2 KC\n3 KD\n4 KH\n5 KS\n6 QC\n7 QD\ncells {}"
SIX = "0 9D 8S 7H 6S 5H 4S 3H\n1 {}\n2 KD\n3 KH\n4 KS\n5 QC\n6 QD\ncells JC JD"
CROWDED = "0 TC 9D 8C\n1 JH\n2 KH\n3 KC\n4 QH\n5 QC\n6 QD\n7 JC\ncells 7H 7D TD"
ANSWERS = {
    "every rule by its slug": (TABLE, PLAIN, {
        "0 0": "same_zone", "a a": "same_zone", "b b": "same_zone", "5 0": "source_empty", "b 0": "source_empty",
        "a 1 x2": "one_card", "2 5 x2": None, "0 5 x3": "no_run", "1 5 x2": "no_run", "4 5 x9": "no_run",
        "0 D x2": "one_card_home", "0 S": "own_foundation", "1 S": "next_in_suit", "0 3": "alternating_colours",
        "1 c": "cell_occupied", "a b": "cell_to_cell", "a c": "cell_to_cell", "0 b x2": "one_card_in_a_cell",
        "0 2": "one_rank_lower", "1 0": "one_rank_lower", "4 5 x8": None, "S 0": "foundation_return",
    }),
    "a red jack on a black queen and on nothing else": ("0 JD\n1 QC\n2 QS\n3 QH\n4 KC", PLAIN, {
        "0 1": None, "0 2": None, "0 3": "alternating_colours", "0 4": "one_rank_lower",
    }),
    "one free cell carries two cards only": (RUN.format("6D", "JC JD JH"), PLAIN, {"0 1 x3": "run_limit"}),
    "two onto another colour": (RUN.format("5D", "JC JD JH"), PLAIN, {"0 1 x2": "alternating_colours"}),
    "two with one free cell": (RUN.format("5C", "JC JD JH"), PLAIN, {"0 1 x2": None}),
    "two cells and a column carry six onto a card and three into the column": (SIX.format("9H"), PLAIN, {
        "0 1 x6": None, "0 7 x3": None, "0 7 x4": "run_limit",
    }),
    "two cells and a column do not carry seven": (SIX.format("TC"), PLAIN, {"0 1 x7": "run_limit"}),
    "empty columns carry, too": ("cells 7H 7D TD KD\n0 TC 9D 8C\n1 JH", PLAIN, {"0 1 x3": None, "0 2 x2": None}),
    "no empty column and one cell": (CROWDED, PLAIN, {"0 1 x3": "run_limit"}),
    "with all cells full": (f"0 5H{FULL}", PLAIN, {f"0 {cell}": "cell_occupied" for cell in "abcd"}),
    "a foundation begins with the ace": ("0 2C\n1 AC", PLAIN, {"0 C": "next_in_suit", "1 C": None}),
    "an empty column takes any card": ("0 9S 7D\ncells 2H", PLAIN, {"0 5": None, "a 5": None}),
    "a card alone in its column may change columns": ("0 KS\n1 9H", PLAIN, {"0 5": None}),
    "strict single moves": ("0 6D 5S\n1 7S", STRICT, {"0 1 x2": "strict_single", "0 1": "alternating_colours"}),
    "nothing back from a foundation": ("home 5H\n0 6S", PLAIN, {"H 0": "foundation_return"}),
    "back into an empty column": ("home 5H\n0 9C", RETURN, {"H 3": None}),
    "back to a column only": ("home 3S\n0 4H", RETURN, {
        "S a": "return_to_column", "S H": "return_to_column", "S 0 x2": "one_card", "H 0": "source_empty",
    }),
}  # fmt: skip


@pytest.mark.parametrize(("text", "options", "answers"), ANSWERS.values(), ids=ANSWERS)
def test_a_command_is_legal_or_refused_by_its_rule(text, options, answers):
    state = position(text, options)
    assert {said: RULES.answer(state, move(said)) for said in answers} == answers


def test_a_standard_move_is_refused_by_the_rule_that_refuses_the_move_it_spells():
    spelt = {
        "61": "source_empty", "b1": "source_empty", "bh": "source_empty", "11": "same_zone",
        "14": "alternating_colours", "2h": "next_in_suit", "2c": "cell_occupied", "15v3": "no_run",
        "a5": "alternating_colours", "2hv2": "no_run",
    }  # fmt: skip
    assert {text: RULES.rule_against(position(TABLE), *standard(text)) for text in spelt} == spelt


def test_a_run_goes_by_way_of_free_cells():
    state = position(RUN.format("6D", "JC JD"))
    assert events(state, move("0 1 x3")) == (Moved(("5S", "4H", "3S"), "tableau_0", "tableau_1", "12"),)
    done = after(state, move("0 1 x3"))
    assert done.columns[:2] == (("9C",), ("6D", "5S", "4H", "3S"))
    assert after(state, *map(move, ("0 c", "0 d", "0 1", "d 1", "c 1"))) == done


def test_with_strict_single_moves_a_run_is_carried_card_by_card():
    state = position("0 6D 5S\n1 7S", STRICT)
    assert after(state, move("0 a"), move("0 1"), move("a 1")).columns[1] == ("7S", "6D", "5S")
    assert {command.count for command in FREECELL.legal_commands(state, 0)} == {1}
    alone = position("0 6D 5S", STRICT)
    assert after(alone, *standard("12")).columns[:2] == (("6D",), ("5S",))
    assert RULES.facts(alone).run_limit == 1


def test_cards_come_back_from_home_only_with_the_option():
    started = after(position("0 2C\n1 AC"), move("1 C"))
    assert after(started, move("0 C")).foundations == (0, 0, 0, 2)
    state = after(position("home 5H\n0 6S\n1 4C", RETURN), move("H 0"), move("1 0"))
    assert (state.columns[0], state.foundations) == (("6S", "5H", "4C"), (0, 4, 0, 0))


@pytest.mark.parametrize("options", [PLAIN, RETURN, NO_UNDO])
def test_the_game_is_won_with_52_cards_home(options):
    state = position("home KS KH KD QC\n3 KC", options)
    assert FREECELL.result(state) is None
    won = after(state, move("3 C"))
    assert FREECELL.result(won) == Result("won", "all_home", (0,), (52,))
    assert not stuck(won)
    assert RULES.answer(won, move("C 3")) == "game_over"


BLOCKED = "0 9S\n1 9C\n2 7S\n3 7C\n4 5S\n5 5C\n6 3S\n7 {}\nhome 2D\ncells {}"
"""Black odd cards everywhere: no column takes another's top card."""
MOVES = {
    "a free cell": ("3C", "JS JC KS"), "an empty column": ("", "JS JC KS KC"),
    "a column's top goes home": ("3D", "JS JC KS KC"), "a cell's card goes home": ("3C", "JS JC KS 3D"),
    "a column takes another's top": ("8H", "JS JC KS KC"), "a cell's card fits a column": ("3C", "JS JC KS 8D"),
}  # fmt: skip


@pytest.mark.parametrize(("last", "cells"), MOVES.values(), ids=MOVES)
def test_any_card_that_can_move_keeps_it_from_being_told(last, cells):
    state = position(BLOCKED.format(last, cells), NO_UNDO)
    assert FREECELL.legal_commands(state, 0)
    assert not stuck(state)
    assert FREECELL.result(state) is None


def test_a_game_without_moves_is_lost_or_with_undo_stuck():
    blocked = BLOCKED.format("3C", "JS JC KS KC")
    assert FREECELL.result(position(blocked, NO_UNDO)) == Result("lost", "no_moves", (), (2,))
    assert FREECELL.result(position(blocked)) is None
    assert stuck(position(blocked))
    assert FREECELL.legal_commands(position(blocked), 0) == ()
    assert not stuck(position(blocked, RETURN))
    assert not stuck(position(f"0 9S\n1 8H{FULL}"))


def test_the_last_move_into_the_last_cell_may_be_the_end():
    odd = "\n1 9C\n2 7S\n3 7C\n4 5S\n5 5C\n6 3S\n7 3C{}\ncells JS JC KS"
    state = position("0 9S" + odd.format(" AS"), NO_UNDO)
    assert [FREECELL.result(after(state, move(said))) for said in ("7 S", "0 d")] == [None, None]
    dead = position("0 9S 9D" + odd.format(""), NO_UNDO)
    assert FREECELL.result(after(dead, move("0 d"))) == Result("lost", "no_moves", (), (0,))


def test_cells_and_foundations_stand_above_the_columns():
    seen = RULES.zones(dealt(1))
    assert [zone.x for zone in list(seen.values())[:8]] == [seen[f"tableau_{place}"].x for place in range(8)]
    shown = RULES.zones(position("cells - QH\nhome 3D"))
    assert (shown["cell_0"].cards, shown["cell_1"].cards) == ((), ("QH",))
    assert shown["foundation_diamonds"].cards == ("AD", "2D", "3D")


def test_the_facts_tell_how_many_cards_can_move_at_once():
    for state, limits in (
        (position("0 9S\n1 9H\n2 9C\n3 9D\n4 8S\n5 8H\ncells KS KH"), (12, 6)), (dealt(1), (5, 5)),
    ):  # fmt: skip
        facts = RULES.facts(state)
        assert (facts.run_limit, facts.run_limit_into_space) == limits


def test_moves_are_told_with_their_standard_notation():
    deal = FREECELL.deal(PLAIN, Chance(bytes(32)), 1)[0]
    assert FREECELL.tell(FREECELL.initial(PLAIN, 1), deal, None) == "Eight columns are dealt face up."
    state = position("0 QS JD\n1 KH\n2 AH\ncells - 9C")
    assert [sentences(state, said) for said in (move("0 1 x2"), *standard("b4"), move("2 H"))] == [
        ["The player moves the queen of spades and the jack of diamonds from column 1 to column 2 (12)."],
        ["The player moves the nine of clubs from cell b to column 4 (b4)."],
        ["The player moves the ace of hearts from column 3 to the foundation of hearts (3h)."],
    ]


def key(state):
    """A position, apart from which cell and which column is which."""
    return tuple(sorted(state.columns)), tuple(sorted(filter(None, state.cells))), state.foundations


@pytest.mark.parametrize(("number", "paths", "reached"), [
    (1, [32, 792, 14004], [8, 42, 190, 761]), (617, [35, 966, 19964], [11, 67, 306, 1156]),
    (11982, [35, 966, 19974], [11, 69, 314, 1164]),
])  # fmt: skip
def test_move_sequences_and_positions_from_microsofts_deals_are_counted(number, paths, reached):
    assert [RULES.paths(dealt(number), depth) for depth in (1, 2, 3)] == paths
    assert RULES.reached(dealt(number), 4, key) == reached
