"""What is special to the rules of Golf.

Positions are drawn with one line per pile, cards bottom to top: `0 9H 4C`, `discard 8S`, `stock 2S 3S` (3S is next).
Cards that are not drawn lie at the bottom of the discard pile, so that the pack is whole.
"""

from uuid import UUID

import pytest

from domain.capabilities import LowestScore, OptionRules
from domain.game_type import Result
from domain.games.golf import GOLF, TABLEAU, Counted, Draw, Drawn, Move, Moved, Options, State
from domain.kit.cards import PACK
from domain.play.deciding import Act, play
from domain.play.events import Resign, Sealed
from domain.play.table import Opening, open_game
from service.solving import verdict
from tests.games.rules import Rules, piles

RULES = Rules(GOLF)
after, events, legal, sentences, stuck = RULES.after, RULES.events, RULES.legal, RULES.sentences, RULES.stuck
PLAIN, NO_UNDO, WRAP = Options(), Options(undo=False), Options(wrap=True)
QUEENS, STRICT = Options(queens_on_kings=True), Options(draw_only_when_stuck=True)

PUBLISHED = """
    QD QC KC 3C 4C 2C KD  5C 4D JD JS 6H QS 6D  2D 9C TD JC 8C 6C 8S  4S 5D QH 7S 9D KS 7C  6S 4H AC 8H AH 9S TC
    2S
    3S TS 9H 2H 3H AD 7H 3D 5H 8D KH 7D AS 5S TH JH
"""
"""Deal 2 of PySolFC, from the test data of Shlomi Fish's black-hole-solitaire: five rows, first discard, stock."""

SOLUTION = "4D110D44D334D2D4DDD0DD56325DD5661235D530D601D216D02"
"""Printed beside it: columns by number, D draws."""


def position(text, options=PLAIN):
    """The position that the text draws; piles without a line are empty."""
    drawn = {name: tuple(cards) for name, cards in piles(text).items()}
    rest = tuple(card for card in PACK if not any(card in pile for pile in drawn.values()))
    columns = tuple(drawn.get(str(place), ()) for place in range(7))
    return State(GOLF.get(OptionRules).settle(options, 1), columns, drawn.get("stock", ()), rest + drawn["discard"])


def dealt(options=PLAIN):
    return RULES.deal(options, PUBLISHED.split())


def command(column):
    return Draw() if column in ("draw", "D") else Move(TABLEAU[int(column)], "discard")


def test_35_cards_are_dealt_in_seven_columns_one_is_turned_and_16_are_the_stock():
    state = dealt()
    assert [len(column) for column in state.columns] == [5] * 7
    assert state.columns[0] == ("QD", "5C", "2D", "4S", "6S")
    assert (state.discard, len(state.stock)) == (("2S",), 16)
    assert events(state, Draw()) == (Drawn("3S"),)


KINGS = "discard KD\nstock 5S\n0 QS\n1 QH\n2 AC"
ANSWERS = {
    "on a six a five or a seven of any suit and no six": ("discard 6S\n0 5H\n1 7S\n2 6D\n3 5C\n4 8S", PLAIN, {
        0: None, 1: None, 2: "adjacent_rank", 3: None, 4: "adjacent_rank",
    }),
    "on an ace a two and no king": ("discard AH\n0 2C\n1 KD", PLAIN, {0: None, 1: "adjacent_rank"}),
    "on a two an ace or a three": ("discard 2S\n0 AH\n1 3C", PLAIN, {0: None, 1: None}),
    "nothing on a king": ("discard KS\n0 9H\n1 QD", PLAIN, {
        "draw": "stock_empty", 2: "source_empty", 0: "nothing_on_a_king", 1: "nothing_on_a_king",
    }),
    "nothing on a king but draws": (KINGS, PLAIN, {"draw": None, **dict.fromkeys(range(3), "nothing_on_a_king")}),
    "queens on kings": (KINGS, QUEENS, {0: None, 1: None, 2: "adjacent_rank"}),
    "wrapping": (KINGS, WRAP, {0: None, 1: None, 2: None}),
    "wrapping, a king on an ace": ("discard AS\n0 KD", WRAP, {0: None}),
    "drawing at any time": ("discard 8S\n0 9H\nstock 2S", PLAIN, {"draw": None}),
    "drawing only when stuck": ("discard 8S\n0 9H\nstock 2S", STRICT, {"draw": "draw_only_when_stuck"}),
    "drawing when stuck": ("discard 8S\n0 TH\nstock 2S", STRICT, {"draw": None}),
}  # fmt: skip


@pytest.mark.parametrize(("text", "options", "answers"), ANSWERS.values(), ids=ANSWERS)
def test_a_command_is_legal_or_refused_by_its_rule(text, options, answers):
    state = position(text, options)
    assert {said: RULES.answer(state, command(said)) for said in answers} == answers


def test_a_king_goes_on_a_queen_and_then_nothing_until_a_card_is_drawn():
    state = position("discard QD\nstock JS\n0 KS\n1 QH")
    assert events(state, command(0)) == (Moved("KS", "tableau_0", "discard"),)
    king = after(state, command(0))
    assert GOLF.legal_commands(king, 0) == (Draw(),)
    assert legal(after(king, Draw()), command(1))


def test_wrapping_brings_queens_on_kings_with_it():
    assert GOLF.get(OptionRules).settle(WRAP, 1) == Options(wrap=True, queens_on_kings=True)
    assert GOLF.get(OptionRules).settle(PLAIN, 1) == PLAIN


@pytest.mark.parametrize(("negative", "score"), [(False, 0), (True, -2)])
def test_the_last_card_wins(negative, score):
    state = position("discard 8S\n3 9H\nstock 2S 3S", Options(negative_score=negative))
    assert GOLF.result(state) is None
    won = after(state, command(3))
    assert GOLF.result(won) == Result("won", "columns_cleared", (0,), (score,))
    assert RULES.facts(won).score == score
    left = position("discard 8S\n0 2H 5H\nstock 3S", Options(negative_score=negative))
    assert RULES.facts(left).score == 2
    assert GOLF.has(LowestScore)


DEAD = "discard 8S\n0 2H 5H\n1 KD 8H"
STOCK = "discard 8S\nstock {} \n0 9H 5H\n1 QD"
STUCK = {
    "nothing to play and no stock": (True, DEAD, PLAIN),
    "one play": (False, "discard 8S\n0 2H 5H\n1 KD 7H", PLAIN),
    "a stock on which nothing could be played": (True, STOCK.format("5S KC 2D"), NO_UNDO),
    "a king in the stock is no use to a queen": (True, "discard 8S\nstock KC\n1 QD", PLAIN),
    **{
        f"a useful card in the stock: {cards}": (False, STOCK.format(cards), QUEENS)
        for useful in ("4C", "6C", "JC", "KC")
        for cards in (f"{useful} 5S 2D", f"5S 2D {useful}")
    },
}


@pytest.mark.parametrize(("told", "text", "options"), STUCK.values(), ids=STUCK)
def test_stuck_is_told_where_no_card_of_the_stock_helps(told, text, options):
    assert stuck(position(text, options)) is told


def test_without_plays_and_stock_the_cards_left_count():
    assert GOLF.result(position(DEAD, NO_UNDO)) == Result("lost", "no_moves", (), (4,))
    assert GOLF.result(position(DEAD)) is None
    drawing = position(STOCK.format("5S KC 2D"), NO_UNDO)
    assert legal(drawing, Draw())
    assert GOLF.result(drawing) is None


def test_whoever_gives_up_scores_the_cards_left():
    act = Act(UUID(int=7), 0, 0)
    opening = Opening(type=GOLF, options=PLAIN, players=(act.actor,))
    game = open_game(UUID(int=1), opening, Sealed(bytes(32), bytes(32), None), act).game
    ended = play(play(game, Draw(), act).game, Resign(), act).game
    assert ended.result == Result("lost", "resigned", (), (35,))
    assert GOLF.legal_commands(ended.state, 0) == ()
    assert not stuck(ended.state)


def test_what_happens_is_told():
    state = dealt()
    assert sentences(state, command(4)) == ["The player plays the ace of hearts from column 5 on the discard pile."]
    assert sentences(state, Draw(), None) == ["The player draws the three of spades."]
    assert GOLF.tell(state, Counted(), 0) == "The player gives up with 35 cards left in the columns."


@pytest.mark.parametrize(
    ("options", "counts"),
    [(PLAIN, [3, 4, 8, 19, 47, 101, 188, 318, 497, 734]), (WRAP, [3, 4, 8, 19, 47, 101, 190, 330, 535, 826])],
)
def test_the_positions_within_ten_commands_of_the_published_deal_are_counted(options, counts):
    def key(state):
        return state.columns, state.stock, state.discard[-1][0]

    assert RULES.reached(dealt(options), 10, key) == counts


def test_the_published_solution_wins():
    assert GOLF.result(after(dealt(), *map(command, SOLUTION))).ending == "won"


def test_a_solver_wins_one_deal_and_finds_another_impossible():
    deal = RULES.deal()
    finding = verdict("golf", deal.options, deal, 300_000)
    assert finding.verdict == "won"
    assert GOLF.result(after(deal, *finding.commands)).ending == "won"
    other = RULES.deal(seed=(25).to_bytes(32, "big"))
    assert verdict("golf", other.options, other, 2_000_000).verdict == "impossible"
