"""What is special to the rules of Spider.

Positions are drawn with one line per pile, cards bottom to top: `0 # # KH..2H` (a column), `stock 2S 3S` (3S is next),
`finished S H` (suits of the removed runs). `KH..2H` is a run in suit; `#` lies face down and is any card; `(9C)` lies
face down.
"""

from collections import Counter

import pytest

from domain.chance import Chance
from domain.game_type import Result
from domain.games import spider
from domain.games.spider import Deal, Moved, Options, RowDealt, Turned
from tests.games.rules import Rules, mover, piles

RULES = Rules(spider.SPIDER)
after, events, legal, sentences, stuck = RULES.after, RULES.events, RULES.legal, RULES.sentences, RULES.stuck
PLAIN, MANUAL, NO_UNDO = Options(), Options(manual_removal=True), Options(undo=False)
ONE, RELAXED = Options(suits=1), Options(deal_with_spaces=True)
TWO = Options(suits=2, extra_columns="1_4_7_10")


def position(text, options=PLAIN):
    """The position that the text draws; piles without a line are empty."""
    drawn = piles(text)
    columns = [drawn.get(str(place), []) for place in range(spider.COLUMNS)]
    down = tuple(sum(word[0] in "#(" for word in column) for column in columns)
    finished = tuple(drawn.get("finished", []))
    return spider.State(options, tuple(map(cards, columns)), down, cards(drawn.get("stock", [])), finished)


def cards(words):
    """The cards that these words draw: with two packs any card will do for a `#`."""
    return tuple(card for word in words for card in _drawn(word))


def _drawn(word):
    if ".." in word:
        first, last = word.split("..")
        run = spider.RUN[first[1]]
        return run[run.index(first) : run.index(last) + 1]
    return ["5C" if word == "#" else word.strip("()")]


def remove(column, foundation=0):
    return spider.RemoveSuit(f"tableau_{column}", f"foundation_{foundation}")


move = mover(spider.Move, deal=Deal(), **{f"remove {column}": remove(column) for column in range(4)})


def test_ten_columns_and_five_rows_are_dealt():
    deck, state = spider.PACKS[4], RULES.deal(PLAIN, spider.PACKS[4])
    assert [len(column) for column in state.columns] == [6, 6, 6, 6, 5, 5, 5, 5, 5, 5]
    assert state.columns[1] == (deck[1], deck[11], deck[21], deck[31], deck[41], deck[45])
    assert state.columns[9] == (deck[9], deck[19], deck[29], deck[39], deck[53])
    for number in range(5):
        assert events(state, Deal())[0] == RowDealt(deck[54 + 10 * number : 64 + 10 * number])
        state = after(state, Deal())
    assert RULES.answer(state, Deal()) == "stock_empty"


def test_the_extra_cards_may_lie_on_the_first_fourth_seventh_and_tenth_column():
    options = Options(extra_columns="1_4_7_10")
    state, deck = RULES.deal(options), spider.SPIDER.deal(options, Chance(bytes(32)), 1)[0].cards
    assert [len(column) for column in state.columns] == [6, 5, 5, 6, 5, 5, 6, 5, 5, 6]
    assert state.face_down == (5, 4, 4, 5, 4, 4, 5, 4, 4, 5)
    assert [state.columns[column][4] for column in (0, 3, 6, 9)] == list(deck[40:44])
    assert [column[-1] for column in state.columns] == list(deck[44:54])


@pytest.mark.parametrize(("suits", "copies"), [(1, {"S": 8}), (2, {"S": 4, "H": 4}), (4, dict.fromkeys("SHDC", 2))])
def test_suits_say_which_cards_are_in_play_and_how_often(suits, copies):
    state = RULES.deal(Options(suits=suits))
    assert Counter(RULES.cards(state)) == {
        rank + suit: count for suit, count in copies.items() for rank in "A23456789TJQK"
    }
    assert RULES.facts(state).suits == suits


TABLE = "0 # # 9C 8C 7D\n1 8S\n2 KH QS\n3 9H\n4 AD\n5 # TD..4D\n6 2S"
KINGS = "0 KS\n1 KS\n2 KS\n3 KS\n4 KS\n5 KS\n6 KS\n7 KS\n8 KS\n9 KS\n"
ANSWERS = {
    "every rule by its slug": (TABLE, PLAIN, {
        "0 0": "same_zone", "7 0": "source_empty", "0 3 x4": "face_up_only", "1 9 x2": "face_up_only",
        "0 7 x2": "run_in_suit", "2 7 x2": "run_in_suit", "1 4": "one_rank_lower", "3 1": "one_rank_lower",
        "6 4": "one_rank_lower", "2 4": "one_rank_lower", "5 1 x3": "one_rank_lower", "deal": "stock_empty",
    }),
    "an empty column takes any card and every part of a run": (TABLE, PLAIN, {
        **{f"5 7 x{count}": None for count in range(1, 8)}, "5 7 x8": "face_up_only", "4 8": None, "6 7": None,
    }),
    "of a jack, ten and nine in three suits only the nine moves": ("0 JH TD 9S\n1 TC\n2 QD\n3 JC", PLAIN, {
        "0 1": None, "0 4": None, "0 3 x2": "run_in_suit", "0 2 x3": "run_in_suit",
    }),
    "the suit does not matter and the ace is low": ("0 KS\n1 QD\n2 AH\n3 2C\n4 3D", PLAIN, {
        "1 0": None, "0 5": None, "2 3": None, "0 2": "one_rank_lower", "1 2": "one_rank_lower",
        "3 2": "one_rank_lower", "4 2": "one_rank_lower",
    }),
    "with an empty column no row is dealt": (
        KINGS.replace("4 KS", "") + "stock 2C..AC KH..6H", PLAIN, {"deal": "empty_column"},
    ),
    "with one suit every descending run moves as a unit": ("0 # 9S 8S 7S\n1 TS", ONE, {"0 1 x3": None}),
    "runs that go by themselves": ("0 KH..AH", PLAIN, {"remove 0": "automatic_removal"}),
    "only a finished run is removed": ("0 KH..2H AD\n1 KH QS\n3 # (KD) QD..AD", MANUAL, {
        f"remove {column}": "finished_run" for column in range(4)
    }),
    "a finished run may be taken apart or moved whole": ("0 3C KH..AH\n1 3C\n", MANUAL, {
        "0 1 x2": None, "0 5 x13": None, "remove 0": None,
    }),
    "where runs are finished and columns empty": ("0 # KH..AH\n1 KC..AC\n2 # 9D 8D 7C\n3 TS\nfinished S", MANUAL, {
        "0 4 x13": None, "1 4 x13": None, "1 4 x12": None, "2 3 x2": "run_in_suit", "2 4": None,
    }),
}  # fmt: skip


@pytest.mark.parametrize(("text", "options", "answers"), ANSWERS.values(), ids=ANSWERS)
def test_a_command_is_legal_or_refused_by_its_rule(text, options, answers):
    state = position(text, options)
    assert {said: RULES.answer(state, move(said)) for said in answers} == answers


def test_a_finished_run_goes_to_the_first_empty_foundation():
    state = position("0 KH..AH\nfinished S C", MANUAL)
    assert [RULES.answer(state, remove(0, foundation)) for foundation in (1, 2, 3)] == [
        "first_empty_foundation", None, "first_empty_foundation",
    ]  # fmt: skip
    assert after(position("0 3C KH..AH", MANUAL), move("0 5 x13"), remove(5)).finished == ("H",)


def test_a_run_in_suit_moves_as_far_as_it_fits():
    state = position("0 JC TC 9C\n1 QD\n2 QC")
    assert events(state, move("0 1 x3")) == (Moved(("JC", "TC", "9C"), "tableau_0", "tableau_1"),)
    assert after(state, move("0 2 x3")).columns[:3] == ((), ("QD",), ("QC", "JC", "TC", "9C"))
    assert events(position(TABLE), move("5 1 x4"))[0].cards == ("7D", "6D", "5D", "4D")
    assert after(position(TABLE), move("5 1 x4")).columns[5][1:] == ("TD", "9D", "8D")


def test_the_two_copies_of_a_card_read_the_same():
    state = position("0 8D\n1 8D\n2 9S")
    assert after(state, move("0 2")).columns[2] == after(state, move("1 2")).columns[2] == ("9S", "8D")


def removed(suit, column, foundation=0):
    return spider.SuitRemoved(spider.RUN[suit], f"tableau_{column}", f"foundation_{foundation}")


def nines(card):
    return RowDealt(("9C", "9C", "9C", "AH", "9C", "9C", "9C", card, "9C", "9C"))


NINES = "stock 9C 9C {} 9C 9C 9C AH 9C 9C 9C"
REMOVALS = {
    "an ace that completes a run": (
        "0 # (9C) KH..2H\n1 # (3D) AH", PLAIN, "1 0",
        [Moved(("AH",), "tableau_1", "tableau_0"), Turned("tableau_1", "3D"), removed("H", 0),
         Turned("tableau_0", "9C")],
    ),
    "an ace of another suit": ("0 # KH..2H\n1 AD", PLAIN, "1 0", [Moved(("AD",), "tableau_1", "tableau_0")]),
    "two parts of a run": (
        "0 KD 9S KC..7C\n1 5D 6C..AC", PLAIN, "1 0 x6",
        [Moved(tuple(spider.RUN["C"][7:]), "tableau_1", "tableau_0"), removed("C", 0)],
    ),
    "a king that lies face down": ("0 # (KH) QH..2H\n1 AH", PLAIN, "1 0", [Moved(("AH",), "tableau_1", "tableau_0")]),
    "a row that completes a run": (
        KINGS.replace("3 KS", "3 (4D) KH..2H") + NINES.format("9C"), PLAIN, "deal",
        [nines("9C"), removed("H", 3), Turned("tableau_3", "4D")],
    ),
    "a row that completes two runs, the lower column first": (
        KINGS.replace("3 KS", "3 KH..2H").replace("7 KS", "7 (4D) KC..2C") + NINES.format("AC") + "\nfinished S",
        PLAIN, "deal",
        [nines("AC"), removed("H", 3, 1), removed("C", 7, 2),
         Turned("tableau_7", "4D")],
    ),
    "nothing goes by itself": (
        "0 # (9C) KH..2H\n1 2C AH", MANUAL, "1 0", [Moved(("AH",), "tableau_1", "tableau_0")],
    ),
    "removed by hand": ("0 # (9C) KH..AH", MANUAL, "remove 0", [removed("H", 0), Turned("tableau_0", "9C")]),
    "a row does not remove by itself": (
        KINGS.replace("3 KS", "3 KH..2H") + NINES.format("9C"), MANUAL, "deal",
        [nines("9C")],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "options", "said", "happened"), REMOVALS.values(), ids=REMOVALS)
def test_a_finished_run_is_removed_at_once_or_by_hand(text, options, said, happened):
    assert list(events(position(text, options), move(said))) == happened


def test_what_a_removal_leaves():
    done = after(position("0 # (9C) KH..2H\n1 # (3D) AH"), move("1 0"))
    assert (done.columns[:2], done.face_down[:2], done.finished) == ((("5C", "9C"), ("5C", "3D")), (1, 1), ("H",))
    two = after(position("0 KD 9S KC..7C\n1 5D 6C..AC"), move("1 0 x6"))
    assert two.columns[:2] == (("KD", "9S"), ("5D",))
    buried = after(position(KINGS.replace("3 KS", "3 KH..AH") + NINES.format("9C"), MANUAL), Deal())
    assert RULES.answer(buried, remove(3)) == "finished_run"
    shown = RULES.zones(position("0 KS\nfinished H S"))
    assert [shown[f"foundation_{run}"].cards for run in range(3)] == [spider.RUN["H"], spider.RUN["S"], ()]


def test_a_row_may_be_dealt_over_empty_columns_where_that_is_allowed():
    row = after(position("0 KS\n1 QD\nstock 9C 8C 7C 6C 5C 4C 3C 2C AC TC", RELAXED), Deal())
    assert row.columns[:4] == (("KS", "TC"), ("QD", "AC"), ("2C",), ("3C",))
    assert row.face_down == (0,) * 10


def test_every_column_ends_in_a_card_that_is_face_up():
    for options in (PLAIN, TWO, RELAXED):
        for state in RULES.walk(options, 3, 150):
            piled = zip(state.columns, state.face_down, strict=True)
            assert all(len(column) > down or not column for column, down in piled)


@pytest.mark.parametrize("options", [PLAIN, NO_UNDO])
def test_the_eighth_run_wins_and_no_card_is_left(options):
    state = position("0 KD..2D\n9 AD\nfinished S S H H D C C", options)
    assert spider.SPIDER.result(state) is None
    won = after(state, move("9 0"))
    assert spider.SPIDER.result(won) == Result("won", "all_home", (0,), (104,))
    assert (won.stock, *won.columns) == ((),) * 11
    complete = after(position("0 KD..2D\n9 AD\nfinished S S H H D C C", MANUAL), move("9 0"))
    assert spider.SPIDER.result(complete) is None
    assert spider.SPIDER.result(after(complete, remove(0, 7))).ending == "won"


BLOCKED = "0 # KS\n1 # KC\n2 # KD\n3 # KH\n4 # JS\n5 # JC\n6 # 9S\n7 # 9C\n8 # 7S\n9 # {}\n"
"""No card has a place on another."""
ROW = "stock 9C 9C 9C 9C 9C 9C 9C 9C 9C 9C"
NINE = "0 KS JC\n1 KC 9D\n2 KD 7S\n3 KH 5H\n4 3S {}\n"
STUCK = {
    "nothing is legal": (True, BLOCKED.format("7H"), PLAIN),
    "one move": (False, BLOCKED.format("8H"), NO_UNDO),
    "a row in the stock": (False, BLOCKED.format("7H") + ROW, NO_UNDO),
    "a space": (False, BLOCKED.replace("9 # {}", ""), PLAIN),
    "ten cards that can still be spread": (False, NINE.format("AC") + ROW, PLAIN),
    "fewer than ten cards with a stock that is never dealt": (True, NINE.format("") + ROW, PLAIN),
    "fewer than ten cards and no stock": (False, NINE.format(""), PLAIN),
    "fewer than ten cards where rows are dealt over spaces": (False, NINE.format("") + ROW, RELAXED),
    "a finished run that may be removed": (False, BLOCKED.format("KD..AD"), MANUAL),
    "a run that is not finished": (True, BLOCKED.format("KD..2D AH"), MANUAL),
}


@pytest.mark.parametrize(("told", "text", "options"), STUCK.values(), ids=STUCK)
def test_stuck_is_told_where_nothing_more_can_be_reached(told, text, options):
    assert stuck(position(text, options)) is told


def test_a_dead_game_is_lost_without_undo():
    dead = BLOCKED.format("7H")
    assert spider.SPIDER.legal_commands(position(dead), 0) == ()
    assert spider.SPIDER.result(position(dead)) is None
    assert spider.SPIDER.result(position(dead + "finished S C", NO_UNDO)) == Result("lost", "no_moves", (), (26,))
    assert spider.SPIDER.legal_commands(position(dead + ROW, NO_UNDO), 0) == (Deal(),)
    for text in (dead + ROW, BLOCKED.format("8H"), NINE.format("") + ROW):
        assert spider.SPIDER.result(position(text, NO_UNDO)) is None
    spreading = position(NINE.format("AC") + ROW)
    assert not legal(spreading, Deal())
    assert legal(after(spreading, *(move(f"{column} {column + 5}") for column in range(5))), Deal())
    assert legal(position(NINE.format("") + ROW), move("0 5"))


def test_facts_and_sentences_tell_what_happens():
    facts = RULES.facts(position("0 KS\nfinished H S\nstock" + " 2C" * 30, Options(suits=2)))
    assert (facts.suits, facts.deals_left, facts.runs_removed) == (2, 3, 2)
    assert sentences(position("0 (9C) KH..3H\n1 (4D) 2H AH"), move("1 0 x2")) == [
        "The player moves the two of hearts and the ace of hearts from column 2 to column 1.",
        "The four of diamonds is turned up in column 2.",
        "The run of hearts from king to ace is removed from column 1.",
        "The nine of clubs is turned up in column 1.",
    ]
    state = position(KINGS + "stock 9C 9C 9C 9C 9C 9C 9C 9C AH 2D")
    assert sentences(state, Deal())[0].startswith(
        "The player deals a row: the two of diamonds, the ace of hearts, the nine of clubs,"
    )
    assert after(state, Deal()).columns[0] == ("KS", "2D")


@pytest.mark.parametrize(
    ("options", "byte", "counts"),
    [
        (PLAIN, 0, [3, 11, 56, 301, 1493]), (PLAIN, 1, [8, 44, 231, 1129]),
        (TWO, 0, [3, 11, 56, 295, 1456]), (TWO, 1, [8, 44, 226, 1061]),
        (ONE, 0, [3, 11, 56, 289, 1417]), (ONE, 1, [8, 44, 232, 1124]),
    ],
)  # fmt: skip
def test_as_many_positions_are_reached_as_a_second_program_counts(options, byte, counts):
    """The second program was written from the rules alone and shares no code with this one."""
    assert RULES.reached(RULES.deal(options, seed=bytes([byte]) * 32), len(counts)) == counts
