"""What is special to the rules of Klondike.

Positions are drawn with one line per pile, cards bottom to top: `0 # # 5H` (a column), `stock 2S 3S` (3S is next),
`waste QD`, and `home 3S 5H` for the top cards of the foundations. `#` lies face down and is any card that is not drawn;
`(9C)` lies face down.
"""

from itertools import pairwise

import msgspec
import pytest

from domain.capabilities import OptionRules
from domain.game_type import Illegal, Result
from domain.games import REVISIONS
from domain.games.klondike import ACCEPTS, KLONDIKE, Draw, Drawn, Move, Moved, Recycle, Recycled, Turned
from domain.games.klondike import Options as Options1
from domain.games.klondike import Options2 as Options
from domain.games.klondike import State as State1
from domain.games.klondike import State2 as State
from domain.kit.cards import PACK, RANK, SUITS
from tests.domain.played import refusal
from tests.games.rules import Rules, heights, mover, piles

RULES = Rules(KLONDIKE)
after, events, legal, sentences, stuck = RULES.after, RULES.events, RULES.legal, RULES.sentences, RULES.stuck
move = mover(Move, draw=Draw(), recycle=Recycle())
PLAIN = Options()


def position(text, options=PLAIN, recycles=0):
    """The position that the text draws; piles without a line are empty."""
    drawn = piles(text)
    home = heights(drawn.pop("home", ()))
    spare = iter([card for card in PACK if card not in text and RANK[card] > home[SUITS.index(card[1])]])
    faces = {
        name: tuple(next(spare) if card == "#" else card.strip("()") for card in cards) for name, cards in drawn.items()
    }
    columns = tuple(faces.get(str(place), ()) for place in range(7))
    down = tuple(sum(card[0] in "#(" for card in drawn.get(str(place), ())) for place in range(7))
    return State(options, columns, down, home, faces.get("stock", ()), faces.get("waste", ()), recycles)


def dealt(options=PLAIN):
    return RULES.deal(options, PACK)


def test_the_deal_is_columns_of_one_to_seven_with_seven_cards_face_up_and_24_in_the_stock():
    state = dealt()
    assert [len(column) for column in state.columns] == [1, 2, 3, 4, 5, 6, 7]
    assert sum(len(column) - down for column, down in zip(state.columns, state.face_down, strict=True)) == 7
    assert (len(state.stock), state.waste) == (24, ())
    assert [column[0] for column in state.columns] == list(PACK[:7])
    assert state.columns[6] == tuple(PACK[place] for place in (6, 12, 17, 21, 24, 26, 27))
    assert events(state, Draw()) == (Drawn((PACK[28],)),)


STRICT, NO_RETURN = Options(whole_run_only=True), Options(foundation_return=False)
TABLE = "stock 2D\nwaste 7H 9H\nhome 3S\n0 # # 8C 7D\n1 8S\n2 KH QS\n3 8H\n4 TD"
ANSWERS = {
    "every rule by its slug": (TABLE, PLAIN, {
        "0 0": "same_zone", "S S": "same_zone", "5 0": "source_empty", "H 0": "source_empty",
        "waste 1 x2": "top_card_only", "S 1 x2": "top_card_only", "0 4 x3": "face_up_only", "0 C x2": "one_card_home",
        "S H": "own_foundation", "0 S": "own_foundation", "1 S": "next_in_suit", "2 5": "king_on_empty_column",
        "0 3": "alternating_colours", "1 4": "one_rank_lower", "1 0": "one_rank_lower", "recycle": "stock_not_empty",
        "2 5 x2": None,
    }),
    "a red jack on a black queen and not on a red one": ("waste JD\n0 QC\n1 QS\n2 QH", PLAIN, {
        "waste 0": None, "waste 1": None, "waste 2": "alternating_colours",
    }),
    "a king, or a run that a king heads, into an empty column and no queen": ("waste KS\n0 # KD QC JH\n1 # QH", PLAIN, {
        "waste 2": None, "0 2 x3": None, "1 2": "king_on_empty_column", "0 2 x2": "king_on_empty_column",
    }),
    "a two begins no foundation": ("0 2H", PLAIN, {"0 H": "next_in_suit", "recycle": "waste_empty"}),
    "one pass": ("waste 2D", Options(passes=1), {"recycle": "passes_used_up", "draw": "stock_empty"}),
    "a run may be divided": ("0 # TS 9H 8C\n1 JD\n2 9D", PLAIN, {"0 2": None, "0 1 x3": None}),
    "whole runs only": ("0 # TS 9H 8C\n1 JD\n2 9D", STRICT, {"0 2": "whole_run_only", "0 1 x3": None}),
    "with whole runs only the top card goes home and the waste plays": (
        "waste 9S\nhome 7C\n0 # 9H 8C\n1 TD", STRICT, {"0 C": None, "waste 1": None},
    ),
    "back from a foundation": ("home 5H KD\n0 6S", PLAIN, {"H 0": None, "D 3": None}),
    "nothing back from a foundation": ("home 5H\n0 6S", NO_RETURN, {"H 0": "foundation_return"}),
}  # fmt: skip


@pytest.mark.parametrize(("text", "options", "answers"), ANSWERS.values(), ids=ANSWERS)
def test_a_command_is_legal_or_refused_by_its_rule(text, options, answers):
    state = position(text, options)
    assert {said: RULES.answer(state, move(said)) for said in answers} == answers


def test_queen_and_jack_move_together_or_the_jack_alone():
    state = position("0 QS JD\n1 KH\n2 KD\n3 QC")
    assert events(state, move("0 1 x2")) == (Moved(("QS", "JD"), "tableau_0", "tableau_1"),)
    assert after(state, move("0 1 x2")).columns[:2] == ((), ("KH", "QS", "JD"))
    assert legal(state, move("0 2 x2"))
    assert after(state, move("0 3")).columns[0] == ("QS",)


def test_a_face_down_card_that_is_uncovered_is_turned_as_an_event_of_its_own():
    state = position("0 # (9C) 5H\n1 6S")
    assert events(state, move("0 1")) == (Moved(("5H",), "tableau_0", "tableau_1"), Turned("tableau_0", "9C"))
    assert after(state, move("0 1")).face_down[0] == 1


def test_a_card_back_from_a_foundation_takes_a_card():
    state = after(position("home 5H\n0 6S\n1 4C"), move("H 0"), move("1 0"))
    assert (state.columns[0], state.foundations[1]) == (("6S", "5H", "4C"), 4)


def test_every_column_ends_in_a_run_that_is_face_up():
    for options in (PLAIN, Options(draw=3, passes=3), STRICT):
        for state in RULES.walk(options, 3, 150):
            runs = [column[down:] for column, down in zip(state.columns, state.face_down, strict=True) if column]
            assert all(runs)
            assert all(below in ACCEPTS[above] for run in runs for above, below in pairwise(run))


def test_of_three_drawn_the_last_can_be_played():
    assert events(position("stock 2S 3S 4S 5S"), Draw()) == (Drawn(("5S",)),)
    assert events(position("stock 2S 3S 4S 5S", Options(draw=3)), Draw()) == (Drawn(("5S", "4S", "3S")),)
    drawn = after(position("stock 4D 9C\n0 5S", Options(draw=3)), Draw())
    assert (drawn.waste, drawn.stock) == (("9C", "4D"), ())
    assert legal(drawn, move("waste 0"))


def test_drawing_three_goes_through_the_stock_in_eight_draws_and_again_in_the_same_triples():
    state, triples = dealt(Options(draw=3)), []
    for _ in range(2):
        for _ in range(8):
            triples.append(events(state, Draw())[0])
            state = after(state, Draw())
        assert events(state, Recycle()) == (Recycled(),)
        state = after(state, Recycle())
    assert triples[:8] == triples[8:]
    assert triples[0] == Drawn(PACK[28:31])


def test_an_ending_on_the_last_pass_needs_a_limit_of_passes():
    settle, limited = KLONDIKE.get(OptionRules).settle, Options(end_on_last_pass=True, passes=1)
    assert refusal(settle, Options(end_on_last_pass=True), 1) == "last_pass_of_unlimited"
    assert settle(limited, 1) == limited


LAST = Options(passes=2, end_on_last_pass=True)
LOSING = Options(passes=2, end_on_last_pass=True, undo=False)
ENDLESS = "home 2S\n0 # KS\n1 # 9C\n2 # TD\n3 # 7H\n4 # 7D\n5 # KH\n6 # KD\n"
DEAD = "0 # KS\n1 # KC\n2 # KD\n3 # KH\n4 # 9S\n5 # 9C\n6 # 7S\n"
WON, LOST = Result("won", "all_home", (0,), (52,)), Result("lost", "last_pass", (), (2,))
ENDINGS = {
    "all home": ("home KS KH KD QC\n3 KC", PLAIN, ["3 C"], WON),
    "all home on the last pass": ("home KS KH KD QC\nwaste KC", LAST, ["waste C"], WON),
    "all home on the last pass without undo": ("home KS KH KD QC\nwaste KC", LOSING, ["waste C"], WON),
    "all home with an empty waste": ("home KS KH KD TC\n3 KC QC JC", LOSING, ["3 C", "3 C", "3 C"], WON),
    "the top of the waste has no place": (f"{ENDLESS}stock 4C", LOSING, ["draw"], LOST),
    "the top of the waste has a place": (f"{ENDLESS}stock 6C", LOSING, ["draw"], None),
    "the waste is used up": (f"{ENDLESS}waste 6C", LOSING, ["waste 3"], None),
    "the waste is used up, with undo": (f"{ENDLESS}waste 6C", LAST, ["waste 3"], None),
    "its place is taken": (f"{ENDLESS}waste 9S", LOSING, ["1 2"], LOST),
    "with undo it stays open": (f"{ENDLESS}stock 4C", LAST, ["draw"], None),
    "without that option": (f"{ENDLESS}stock 4C", Options(passes=2, undo=False), ["draw"], None),
}


@pytest.mark.parametrize(("text", "options", "said", "result"), ENDINGS.values(), ids=ENDINGS)
def test_the_last_pass_may_end_the_game(text, options, said, result):
    state = position(text, options, recycles=1)
    assert KLONDIKE.result(state) is None
    assert KLONDIKE.result(after(state, *map(move, said))) == result


def test_what_can_be_played_after_the_last_pass():
    drawn = after(position(f"{ENDLESS}stock 6C", LOSING, recycles=1), Draw())
    used_up = after(position(f"{ENDLESS}waste 6C", LAST, recycles=1), move("waste 3"))
    columns = after(position(f"{ENDLESS}stock 4C", Options(passes=2, undo=False), recycles=1), Draw())
    assert legal(drawn, move("waste 3"))
    assert legal(used_up, move("1 2"))
    assert not stuck(used_up)
    assert legal(columns, move("1 2"))


def test_with_undo_a_last_pass_ends_stuck():
    state = after(position(f"{ENDLESS}stock 4C", LAST, recycles=1), Draw())
    assert stuck(state)
    assert KLONDIKE.legal_commands(state, 0) == ()
    assert RULES.rule_against(state, move("1 2")) == "game_over"
    with pytest.raises(Illegal, match="The last pass through the stock is over"):
        KLONDIKE.decide(state, 0, move("1 2"))


def test_the_last_pass_alone_ends_a_dead_game():
    assert KLONDIKE.result(after(position(f"{ENDLESS}stock 4C", LOSING), Draw())) is None
    assert KLONDIKE.result(position(DEAD, LOSING, recycles=1)) == Result("lost", "last_pass", (), (0,))


def test_revision_1_ends_with_the_waste():
    one = REVISIONS["klondike", 1]
    drawn = position(f"{ENDLESS}waste 6C", LOSING, recycles=1)
    fields = {name: getattr(drawn, name) for name in State1.__struct_fields__}
    state = State1(**{**fields, "options": Options1(**msgspec.to_builtins(LOSING))})
    for event in one.decide(state, 0, move("waste 3")):
        state = one.evolve(state, event)
    assert one.result(state) == LOST
    with pytest.raises(Illegal, match="The last pass through the stock is over"):
        one.decide(state, 0, move("1 2"))


def test_a_game_without_commands_is_lost_or_with_undo_stuck():
    dead = f"{DEAD}waste 2D"
    assert KLONDIKE.result(position(dead, Options(passes=1, undo=False))) == Result("lost", "no_moves", (), (0,))
    state = position(dead, Options(passes=1))
    assert KLONDIKE.result(state) is None
    assert stuck(state)
    assert KLONDIKE.legal_commands(state, 0) == ()
    turning = position(dead, Options(undo=False), recycles=1)
    assert stuck(turning)
    assert KLONDIKE.result(turning) is None


BLOCKED = "home {}\n0 # # KS\n1 # # KC\n2 # # KD\n3 # # KH\n4 # # 9S\n5 # # 9C\n6 # # 7S\n"
"""No column takes another's top card; red eights, red sixes and black or red queens would have a place."""
COVERED = "stock 2D 3D 5S\n0 {} KS\n1 KC\n2 KD\n3 KH\n4 9S\n5 9C\n6 7S"
KINGS = "0 KS QD JS\n1 # # 9S\n2 # # 9C\n3 # # 7S\n4 # # 7C\n5 # # 7D\n"
QUEEN = "home QS\n0 # # 9S\n1 # # 9C\n2 # # 7S\n3 # # 7C\n4 # # 7D\n5 # # 5D\n6 # # 5H\n"
THREE, TWICE = Options(draw=3), Options(passes=2)
STUCK = {
    "no move and no stock": (True, BLOCKED, PLAIN, 0),
    "one move": (False, BLOCKED.replace("{}", "6S"), PLAIN, 0),
    "a seen stock without a useful card": (True, f"{BLOCKED}stock 2D 3D 5S", PLAIN, 1),
    "an unseen stock": (False, f"{BLOCKED}stock 2D 3D 5S", PLAIN, 0),
    "a useful card in the stock": (False, f"{BLOCKED}stock 2D 8H 5S", PLAIN, 1),
    "a useful card under the waste": (False, f"{BLOCKED}waste 2D 8H 5S", PLAIN, 1),
    "a useful card under the waste in the last pass": (True, f"{BLOCKED}waste 2D 8H 5S", TWICE, 1),
    "a useful card under the waste before the last pass": (False, f"{BLOCKED}waste 2D 8H 5S", TWICE, 0),
    "the rest of the last pass": (False, f"{BLOCKED}stock 2D 8H\nwaste 5S", TWICE, 1),
    "drawing three, a card that never comes to the top": (True, f"{BLOCKED}stock 5S 8H 2D", THREE, 1),
    "drawing three, a card that comes to the top": (False, f"{BLOCKED}stock 8H 5S 2D", THREE, 1),
    "drawing three, the waste joins the next pass": (False, f"{BLOCKED}stock 5S 8H 2D\nwaste 3D", THREE, 1),
    "drawing three, the last packet is short": (False, f"{BLOCKED}stock 8H 5S 2D 3D", THREE, 1),
    "unseen cards that could not help wherever they lay": (True, COVERED.format("(4D)"), PLAIN, 0),
    "a face-down card that could lie in the stock": (False, COVERED.format("(8D)"), PLAIN, 0),
    "a king's column that only changes places": (True, KINGS, PLAIN, 0),
    "a king that uncovers a card": (False, KINGS.replace("0 KS", "0 # KS"), PLAIN, 0),
    "a king in the stock for an empty column": (False, f"{KINGS}stock KH", PLAIN, 1),
    "a king in the stock on the queen of its suit": (False, f"{QUEEN}stock KS", NO_RETURN, 1),
    "a king in the stock of another suit": (True, f"{QUEEN}stock KC", NO_RETURN, 1),
    "a whole column onto another": (
        False, "0 QS JD\n1 # # KH\n2 # # 9C\n3 # # 7S\n4 # # 7C\n5 # # 7D\n6 # # 5D", PLAIN, 0,
    ),
    "a card that can come back from a foundation": (False, BLOCKED.replace("{}", "8H"), PLAIN, 0),
    "a card that cannot come back": (True, BLOCKED.replace("{}", "8H"), NO_RETURN, 0),
    "a won game": (False, "home KS KH KD KC", PLAIN, 0),
    "a won game without return": (False, "home KS KH KD KC", NO_RETURN, 0),
}  # fmt: skip


@pytest.mark.parametrize(("told", "text", "options", "recycles"), STUCK.values(), ids=STUCK)
def test_stuck_is_told_where_no_line_of_play_helps(told, text, options, recycles):
    assert stuck(position(text.replace("{}", ""), options, recycles)) is told


def test_a_stuck_game_may_have_legal_moves():
    blocked = BLOCKED.replace("{}", "")
    assert legal(position(f"{blocked}stock 2D 3D 5S", recycles=1), Draw())
    assert legal(position(KINGS), move("0 6 x3"))
    joined = position(f"{blocked}stock 5S 8H 2D\nwaste 3D", THREE, 1)
    assert after(joined, Draw(), Recycle(), Draw()).waste == ("3D", "2D", "8H")
    drawn = after(position(f"{blocked}stock 2D 3D 5S"), Draw(), Draw())
    assert [stuck(drawn), stuck(after(drawn, Draw()))] == [False, True]


def test_a_recycled_stock_is_backs_again():
    state = position("stock 2S 3S 4S", Options(draw=3, passes=3))
    assert RULES.zones(after(state, Draw()))["waste"].cards == ("4S", "3S", "2S")
    again = after(state, Draw(), Recycle())
    assert (RULES.zones(again)["stock"].face_down, RULES.zones(again)["stock"].cards) == (3, ())
    assert RULES.zones(position("home 3D"))["foundation_diamonds"].cards == ("AD", "2D", "3D")
    facts = RULES.facts(again)
    assert (facts.draw, facts.pass_number, facts.recycles_left) == (3, 2, 1)
    assert RULES.facts(dealt()).recycles_left is None


def test_moves_turned_cards_draws_and_recycles_are_told():
    state = position("0 (9C) QS JD\n1 KH\n2 2S\nwaste AH\nstock 2D 3S 4S", Options(draw=3))
    assert sentences(state, move("0 1 x2")) == [
        "The player moves the queen of spades and the jack of diamonds from column 1 to column 2.",
        "The nine of clubs is turned up in column 1.",
    ]
    assert sentences(state, move("waste H")) == [
        "The player moves the ace of hearts from the waste to the foundation of hearts."
    ]
    assert sentences(after(state, move("waste H")), move("H 2")) == [
        "The player moves the ace of hearts from the foundation of hearts to column 3."
    ]
    assert sentences(state, Draw()) == [
        "The player draws the four of spades, the three of spades and the two of diamonds."
    ]
    assert sentences(after(state, Draw()), Recycle()) == ["The player turns the waste over: it is the stock again."]
