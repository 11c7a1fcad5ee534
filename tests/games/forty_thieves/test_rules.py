"""What is special to the rules of Forty Thieves.

Positions are drawn with one line per pile, cards bottom to top: `0 9H 4C`, `waste QD`, `stock 2S 3S` (3S is next);
`home 3S 5H 5H` names the top cards of foundations, the first of a suit for its first foundation. `KH..2H` is a run.
"""

import pytest

from domain.capabilities import Score
from domain.game_type import Result
from domain.games import forty_thieves
from domain.games.forty_thieves import Draw, Move, Options, Recycle, Recycled
from domain.kit.cards import RANK, SUIT_NAMES, SUITS
from tests.games.rules import Rules, mover, piles

RULES = Rules(forty_thieves.FORTY_THIEVES)
after, events, legal, sentences, stuck = RULES.after, RULES.events, RULES.legal, RULES.sentences, RULES.stuck
HOMES = {f"{suit}{pile}": f"foundation_{name}_{pile}" for suit, name in SUIT_NAMES.items() for pile in (0, 1)}
move = mover(Move, HOMES, draw=Draw(), recycle=Recycle())
PLAIN, NO_UNDO, RUNS, TWICE = Options(), Options(undo=False), Options(runs=True), Options(passes=2)
STREETS = Options(build="alternating")


def position(text, options=PLAIN, recycles=0):
    """The position that the text draws; piles without a line are empty."""
    drawn = piles(text)
    home = [([RANK[card] for card in drawn.get("home", []) if card[1] == suit] + [0, 0])[:2] for suit in SUITS]
    columns = tuple(tuple(drawn.get(str(place), ())) for place in range(forty_thieves.COLUMNS))
    stock, waste = (tuple(drawn.get(name, ())) for name in ("stock", "waste"))
    return forty_thieves.State(
        options, columns, tuple(height for suit in home for height in suit), stock, waste, recycles
    )


def test_ten_columns_of_four_are_dealt_row_by_row_and_64_cards_are_the_stock():
    state = RULES.deal(PLAIN, forty_thieves.CARDS)
    assert [len(column) for column in state.columns] == [4] * 10
    assert state.columns[3] == (
        forty_thieves.CARDS[3], forty_thieves.CARDS[13], forty_thieves.CARDS[23], forty_thieves.CARDS[33],
    )  # fmt: skip
    assert (len(state.stock), state.waste) == (64, ())
    assert events(state, Draw()) == (forty_thieves.Drawn((forty_thieves.CARDS[40],)),)


def columns(first, card, places):
    """The table, and this card in each of these columns."""
    return "\n".join([first, *(f"{column} {card}" for column in places)])


ANSWERS = {
    "on a nine of hearts an eight of hearts and nothing else": (
        "0 9H\n1 8H\n2 8D\n3 8S\n4 TH\n5 9H\n6 KH", PLAIN,
        {"1 0": None, "2 0": "in_suit", "3 0": "in_suit", "1 5": None}
        | {f"{column} 0": "one_rank_lower" for column in (4, 5, 6)},
    ),
    "nothing on an ace and a king on nothing": (columns("0 AS\n1 KS\n2 2S", "7D", range(3, 10)), PLAIN, {
        "1 0": "one_rank_lower", "2 0": "one_rank_lower",
        "1 2": "one_rank_lower", **{f"1 {target}": "in_suit" for target in range(3, 10)},
    }),
    "only the top card moves": ("0 9H 8H\n1 TH", PLAIN, {"0 1 x2": "one_at_a_time", "0 1": "one_rank_lower"}),
    "the top of the waste alone": (columns("0 3S\n1 KH\nwaste 2H 2S", "7D", range(2, 10)), PLAIN, {
        "waste 0": None, "waste 0 x2": "top_card_only",
    }),
    "foundations go up in suit": ("home 2S\n0 3S\n1 AH\n2 4S\n3 3H\n4 5S 4S", PLAIN, {
        "0 S0": None, "1 H0": None, "2 S0": "next_in_suit", "0 H0": "own_foundation", "3 H0": "next_in_suit",
    }),
    "every suit has two foundations": ("home 7C AC\n0 2C\n1 8C", PLAIN, {
        "0 C1": None, "1 C0": None, "0 C0": "next_in_suit", "1 C1": "next_in_suit",
    }),
    "one pass": ("0 KD\nwaste 2H", PLAIN, {"draw": "stock_empty", "recycle": "passes_used_up"}),
    "every rule by its slug": ("0 9H 8H\n1 TH", Options(runs=True, passes=2), {
        "0 0": "same_zone", "7 0": "source_empty", "waste 0": "source_empty", "0 1 x3": "column_too_short",
        "draw": "stock_empty", "recycle": "waste_empty",
    }),
    "in alternating colours": ("0 9S\n1 8H\n2 8D\n3 8C\n4 7S", STREETS, {
        "1 0": None, "2 0": None, "4 1": None, "3 0": "alternating_colours", "4 3": "alternating_colours",
        "4 0": "alternating_colours",
    }),
    "two ranks lower": ("0 9S\n1 7H", STREETS, {"1 0": "one_rank_lower"}),
    "foundations whatever the columns do": ("home AS\n0 2S\n1 2H", STREETS, {"0 S0": None, "1 S0": "own_foundation"}),
    "runs move as one and in parts that fit": ("0 4C 9H 8H 7H\n1 TH\n2 8H", RUNS, {
        "0 2": None, "0 1 x3": None, "0 1 x2": "one_rank_lower", "0 1 x4": "no_run",
    }),
    "any part of a run into an empty column": (columns("0 4C 9H 8H 7H", "KS", range(1, 9)), RUNS, {
        "0 9": None, "0 9 x2": None, "0 9 x3": None, "0 9 x4": "no_run",
    }),
    "runs are what columns are built in": ("0 9H 8S\n1 TC\n2 TH", RUNS, {"0 2 x2": "no_run"}),
    "runs of alternating colours": ("0 9H 8S\n1 TC\n2 TH", Options(build="alternating", runs=True), {"0 1 x2": None}),
    "cards of a run go home one at a time": ("home AH\n0 3H 2H", RUNS, {"0 H0": None, "0 H0 x2": "one_card_home"}),
    "a stock to be used up first": ("0 KD\nstock 2H 3H", TWICE, {"recycle": "stock_not_empty"}),
}  # fmt: skip


@pytest.mark.parametrize(("text", "options", "answers"), ANSWERS.values(), ids=ANSWERS)
def test_a_command_is_legal_or_refused_by_its_rule(text, options, answers):
    state = position(text, options)
    assert {said: RULES.answer(state, move(said)) for said in answers} == answers


LEFT = [
    ("0 9H\n1 8H", PLAIN, "1 0", {"columns": ((("9H", "8H"), *[()] * 9))}),
    ("0 9H 4C", PLAIN, "0 1", {"columns": (("9H",), ("4C",), *[()] * 8)}),
    ("waste KD 2S", PLAIN, "waste 0", {"columns": (("2S",), *[()] * 9), "waste": ("KD",)}),
    ("home 2S\n0 3S\n1 AH", PLAIN, "0 S0", {"foundations": (3, 0, 0, 0, 0, 0, 0, 0)}),
    ("home 2S\n0 3S\n1 AH", PLAIN, "1 H0", {"foundations": (2, 0, 1, 0, 0, 0, 0, 0)}),
    ("home AD\nwaste 5C 2D", PLAIN, "waste D0", {"waste": ("5C",), "foundations": (0, 0, 0, 0, 2, 0, 0, 0)}),
    ("0 4C 9H 8H 7H\n1 TH", RUNS, "0 1 x3", {"columns": (("4C",), ("TH", "9H", "8H", "7H"), *[()] * 8)}),
    ("stock 2S 3S\nwaste 4S", PLAIN, "draw", {"stock": ("2S",), "waste": ("4S", "3S")}),
]


@pytest.mark.parametrize(("text", "options", "said", "left"), LEFT)
def test_what_a_command_leaves(text, options, said, left):
    state = after(position(text, options), move(said))
    assert {name: getattr(state, name) for name in left} == left


@pytest.mark.parametrize("home", ["", "home 4S 4S\n"])
def test_where_both_foundations_wait_for_a_card_it_goes_on_the_first_whichever_is_named(home):
    state = position(home + ("0 5S" if home else "0 AS"))
    first, second = move("0 S0"), move("0 S1")
    assert [said for said in forty_thieves.FORTY_THIEVES.legal_commands(state, 0) if "foundation" in said.target] == [
        first
    ]
    assert (
        events(state, second)
        == events(state, first)
        == (forty_thieves.Moved(state.columns[0], "tableau_0", first.target),)
    )
    assert RULES.spelt(state, second) == RULES.spelt(state, first) == first


def test_a_move_to_the_only_foundation_has_one_spelling():
    state = position("home 9S 4S\n0 5S\n1 6S\nstock 2D")
    assert (RULES.answer(state, move("0 S1")), RULES.rule_against(state, move("0 S0"))) == (None, "next_in_suit")
    assert [RULES.spelt(state, said) for said in (move("0 S1"), move("0 1"), Draw())] == [
        move("0 S1"), move("0 1"), Draw(),
    ]  # fmt: skip


def test_copies_are_alike_and_what_is_home_stays():
    state = position("0 8D\n1 8D\n2 9D\nwaste 8D")
    assert after(state, move("0 2")).columns[2] == after(state, move("waste 2")).columns[2] == ("9D", "8D")
    waiting = after(position("0 KC AS\n1 5D 2S\nstock AH 7H"), Draw(), Draw())
    assert sum(waiting.foundations) == 0
    assert legal(waiting, move("0 S0"))
    with pytest.raises(Exception, match="foundation"):
        forty_thieves.FORTY_THIEVES.decide(position("home 4S\n0 5S"), 0, Move("foundation_spades_0", "tableau_0"))


def test_with_two_passes_the_waste_is_turned_over_once_in_unchanged_order():
    drawn = after(position("0 KD\nstock 2H 3H", TWICE), Draw(), Draw())
    assert events(drawn, Recycle()) == (Recycled(),)
    again = after(drawn, Recycle())
    assert (again.stock, again.waste) == (("2H", "3H"), ())
    last = after(again, Draw(), Draw())
    assert [RULES.answer(last, move(said)) for said in ("recycle", "waste 1")] == ["passes_used_up", None]
    told = [RULES.facts(position("0 KD\nstock 2H", TWICE, recycles=passed)) for passed in (0, 1)]
    assert [(facts.pass_number, facts.recycles_left) for facts in told] == [(1, 1), (2, 0)]
    endless = position("0 KD\nwaste 2H", Options(passes=None), recycles=40)
    assert legal(endless, Recycle())
    assert RULES.facts(endless).recycles_left is None


@pytest.mark.parametrize("options", [PLAIN, NO_UNDO])
def test_the_last_card_home_wins(options):
    state = position("home KS KS KH KH KD KD KC QC\n0 KC", options)
    assert forty_thieves.FORTY_THIEVES.result(state) is None
    assert forty_thieves.FORTY_THIEVES.result(after(state, move("0 C1"))) == Result("won", "all_home", (0,), (104,))
    assert forty_thieves.FORTY_THIEVES.get(Score).count(position("home 5C AC KS\n0 2H")) == 19


BLOCKED = "0 KS\n1 KC\n2 KD\n3 KH\n4 JS\n5 JC\n6 9S\n7 9C\n8 7D\n"
"""No card has a place on another; an eight of spades, say, would have one."""
FULL = f"{BLOCKED}9 7H\n"
STUCK = {
    "nothing can be done": (True, FULL, PLAIN, 0),
    "a stock without a useful card": (True, f"{FULL}stock 4S 4D", NO_UNDO, 0),
    "a card of the stock with a place": (False, f"{FULL}stock 4S 8S 4D", PLAIN, 0),
    "an ace in the stock": (False, f"{FULL}stock 4S AD 4D", PLAIN, 0),
    "a second foundation waits": (False, f"home 5C AC\n{FULL}stock 2C", PLAIN, 0),
    "no foundation waits": (True, f"home 5C AC\n{FULL}stock 3C", PLAIN, 0),
    "under the waste": (True, f"{FULL}waste 8S 4D", PLAIN, 0),
    "under the waste before the last pass": (False, f"{FULL}waste 8S 4D", TWICE, 0),
    "under the waste in the last pass": (True, f"{FULL}waste 8S 4D", TWICE, 1),
    "one move": (False, f"{BLOCKED}9 8C", PLAIN, 0),
    "a card that lies on others and an empty column": (False, BLOCKED.replace("7D", "4C 7D"), PLAIN, 0),
    "a card of the stock and an empty column": (False, f"{BLOCKED}stock 4S", PLAIN, 0),
    "a card of the waste and an empty column": (False, f"{BLOCKED}waste 4S", PLAIN, 0),
    "a whole column that only changes its place": (True, BLOCKED, PLAIN, 0),
    "a run that need not move whole": (False, BLOCKED.replace("7D", "7D 6D"), RUNS, 0),
    "a won game": (False, "home KS KS KH KH KD KD KC KC", PLAIN, 0),
    "a won game without undo": (False, "home KS KS KH KH KD KD KC KC", NO_UNDO, 0),
}


@pytest.mark.parametrize(("told", "text", "options", "recycles"), STUCK.values(), ids=STUCK)
def test_stuck_is_told_where_no_line_of_play_helps(told, text, options, recycles):
    assert stuck(position(text, options, recycles)) is told


def test_a_game_is_lost_only_where_nothing_is_legal():
    assert forty_thieves.FORTY_THIEVES.legal_commands(position(FULL), 0) == ()
    assert forty_thieves.FORTY_THIEVES.result(position(FULL)) is None
    lost = forty_thieves.FORTY_THIEVES.result(position(f"home 2S 2D\n{FULL}", NO_UNDO))
    assert lost == Result("lost", "no_moves", (), (4,))
    drawing = position(f"{FULL}stock 4S 4D", NO_UNDO)
    assert forty_thieves.FORTY_THIEVES.result(drawing) is None
    assert forty_thieves.FORTY_THIEVES.result(after(drawing, Draw(), Draw())).reason == "no_moves"
    assert forty_thieves.FORTY_THIEVES.result(position(BLOCKED, NO_UNDO)) is None
    assert legal(position(BLOCKED), move("0 9"))
    assert legal(position(BLOCKED.replace("7D", "7D 6D"), RUNS), move("8 9 x2"))


def test_the_foundations_of_a_suit_stand_side_by_side_above_the_columns():
    seen = RULES.zones(position("home 3S AS 2C"))
    shown = [seen[f"foundation_{pile}"].cards for pile in ("spades_0", "spades_1", "clubs_0")]
    assert shown == [("AS", "2S", "3S"), ("AS",), ("AC", "2C")]
    assert [seen[zone].x for zone in forty_thieves.FOUNDATIONS] == [seen[zone].x for zone in forty_thieves.TABLEAU[2:]]
    assert seen["foundation_hearts_0"].label == seen["foundation_hearts_1"].label == "Hearts"


def test_what_happens_is_told():
    state = position("0 4C 9H 8H\n1 TH\n2 KS AS\nstock 2D\nwaste 7H", RUNS)
    told = [sentences(state, move(said)) for said in ("0 1 x2", "2 S1", "waste 0", "draw")]
    assert [*told, [forty_thieves.FORTY_THIEVES.tell(state, Recycled(), 0)]] == [
        ["The player moves the nine of hearts and the eight of hearts from column 1 to column 2."],
        ["The player moves the ace of spades from column 3 to a foundation of spades."],
        ["The player moves the seven of hearts from the waste to column 1."],
        ["The player draws the two of diamonds."],
        ["The player turns the waste over: it is the stock again."],
    ]
