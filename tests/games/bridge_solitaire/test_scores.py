"""What hands, boards and rubbers score, and when a rubber ends: Laws 72 to 74, 80 and 81 of rubber bridge."""

from itertools import product
from random import Random

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from domain.capabilities import DailyOptions, OptionRules, Resignation
from domain.chance import Chance
from domain.game_type import Illegal, Result
from domain.games import REVISIONS
from domain.games.bridge_solitaire import BRIDGE_SOLITAIRE as GAME
from domain.games.bridge_solitaire import BRIDGE_SOLITAIRE_1, scoring
from domain.games.bridge_solitaire import events as ev
from domain.games.bridge_solitaire.events import CloseRubber, HandScored, HandsVoided, NextHand, Play, RubberScored
from domain.games.bridge_solitaire.rules import fold
from domain.games.bridge_solitaire.scoring import with_hand
from domain.games.bridge_solitaire.state import (
    BOARDS,
    CARDS,
    STRAINS,
    BoardOptions,
    Column,
    Contract,
    Entry,
    Sheet,
    column,
    lying,
    other,
)
from domain.games.bridge_solitaire.state import GAME as GAME_POINTS
from domain.games.bridge_solitaire.state import BoardOptions as Options
from domain.games.bridge_solitaire.view import MATERIAL

from .bots import finished
from .positions import SEED, after, bidding, contract, dealing, hand, in_play, opened, plays, refused, say
from .scored import deals, ended, folded, rows, rubbers, scored_hand

NO_HONOURS = hand("5432 S, 543 H, 543 D, 543 C")


def written(bid, tricks, declarer="me", vulnerable=(), cards=NO_HONOURS):
    """The entries, each as `me below trick_score 40`."""
    entries = scoring.entries(1, contract(bid, declarer), tricks, cards, vulnerable)
    return [f"{entry.side} {entry.place} {entry.kind} {entry.points}" for entry in entries]


WRITTEN = {
    "the insult": ("1C doubled", 7, "me", (), ["me below trick_score 40", "me above insult 50"]),
    "the insult, vulnerable": ("1C doubled", 7, "me", ("me",), ["me below trick_score 40", "me above insult 50"]),
    "redoubled": ("1C redoubled", 7, "me", (), ["me below trick_score 80", "me above insult 100"]),
    "redoubled, vulnerable": ("1C redoubled", 7, "me", ("me",), ["me below trick_score 80", "me above insult 100"]),
    "a small slam": ("6C", 12, "me", (), ["me below trick_score 120", "me above small_slam 500"]),
    "a small slam, vulnerable": ("6C", 12, "me", ("me",), ["me below trick_score 120", "me above small_slam 750"]),
    "a grand slam": ("7C", 13, "me", (), ["me below trick_score 140", "me above grand_slam 1000"]),
    "a grand slam, vulnerable": ("7C", 13, "me", ("me",), ["me below trick_score 140", "me above grand_slam 1500"]),
    "slam and insult are not multiplied": (
        "6C redoubled", 12, "me", (), ["me below trick_score 480", "me above insult 100", "me above small_slam 500"],
    ),
    "twelve tricks without bidding six": ("5C", 12, "me", (), ["me below trick_score 100", "me above overtricks 20"]),
    "six bid and thirteen made": (
        "6C", 13, "me", (), ["me below trick_score 120", "me above overtricks 20", "me above small_slam 500"],
    ),
    "the house makes its contract": (
        "2D doubled", 9, "it", (), ["it below trick_score 80", "it above overtricks 100", "it above insult 50"],
    ),
    "the house two down": ("2D doubled", 6, "it", (), ["me above undertricks 300"]),
    "the house two down, vulnerable": ("2D doubled", 6, "it", ("it",), ["me above undertricks 500"]),
    "the player's vulnerability is not the house's": ("2D doubled", 6, "it", ("me",), ["me above undertricks 300"]),
    "the house's small slam": ("6H", 12, "it", (), ["it below trick_score 180", "it above small_slam 500"]),
}  # fmt: skip


@pytest.mark.parametrize(("bid", "tricks", "declarer", "vulnerable", "entries"), WRITTEN.values(), ids=WRITTEN)
def test_what_is_written_of_a_hand(bid, tricks, declarer, vulnerable, entries):
    assert written(bid, tricks, declarer, vulnerable) == entries


@pytest.mark.parametrize(
    ("bid", "cards", "points"),
    [
        ("1C", "AKQJ C, 5432 S, 543 H, 54 D", 100), ("1C", "AKQJT C, 5432 S, 54 H, 54 D", 150),
        ("1C", "KQJT C, 5432 S, 543 H, 54 D", 100), ("1NT", "A432 S, A32 H, A32 D, A32 C", 150),
        ("1C", "AKQ9 C, 5432 S, 543 H, 54 D", 0), ("1H", "AKQJT C, 5432 S, 54 H, 54 D", 0),
        ("1NT", "AKQJT C, A432 S, A4 H, 54 D", 0), ("1S", "A432 S, A32 H, A32 D, A32 C", 0),
        ("1NT", "5432 S, 543 H, 543 D, T43 C", 0),
    ],
)  # fmt: skip
def test_honours_are_written_above_the_line_made_or_not(bid, cards, points):
    for entries in (written(bid, 7, cards=hand(cards)), written(bid, 3, cards=hand(cards)),
                    written(f"{bid} redoubled", 7, cards=hand(cards))):  # fmt: skip
        honours = [row for row in entries if "honours" in row]
        assert honours == ([f"me above honours {points}"] if points else [])


SHEETS = {
    "a part score": (["me 2H 8"], {"part_score": (60, 0), "games": (0, 0), "total": (60, 0)}, ()),
    "two part scores make a game": (["me 2H 8"] * 2, {"part_score": (0, 0), "games": (1, 0), "total": (120, 0)}, (2,)),
    "a line cuts off the other side's part score, not its points": (
        ["it 2H 8", "me 4H 10"], {"part_score": (0, 0), "games": (1, 0), "total": (120, 60)}, (2,),
    ),
    "ninety are no game": (["me 3H 9"], {"games": (0, 0)}, ()),
    "a hundred are": (["me 3NT 9"], {"games": (1, 0)}, (1,)),
    "points above the line make no game": (["me 1C 13"], {"games": (0, 0)}, ()),
    "nor do undertricks": (["it 7C doubled 3"], {"games": (0, 0)}, ()),
}  # fmt: skip


@pytest.mark.parametrize(("hands", "columns", "lines"), SHEETS.values(), ids=SHEETS)
def test_points_below_the_line_make_games(hands, columns, lines):
    on = folded(*hands)
    assert {name: (getattr(on.me, name), getattr(on.it, name)) for name in columns} == columns
    assert on.lines == lines
    assert on.vulnerable == (("me",) if on.me.games else ())


@pytest.mark.parametrize(
    ("hands", "last"),
    [
        (["me 4H 10", "me 4H 9"], ("it", "undertricks", 100)),
        (["me 6H 12"], ("me", "small_slam", 500)),
        (["me 4H 10", "me 4H 10"], ("me", "rubber_premium", 700)),
        (["me 4H 10", "it 4H 10", "it 4H 10"], ("it", "rubber_premium", 500)),
        (["me 4H 10", "it 2H 8", "me 4H 10"], ("me", "rubber_premium", 700)),
    ],
)
def test_two_games_earn_the_premium(hands, last):
    on = folded(*hands)
    assert rows((ended(on) if on.complete else on).entries)[-1] == last
    assert not on.complete or [entry.kind for entry in scoring.at_end(on)] == ["rubber_premium"]


@pytest.mark.parametrize(("hands", "due"), [
    ((), []), (("me 4H 10",), [("me", "unfinished_game", 300)]), (("it 4H 10",), [("it", "unfinished_game", 300)]),
    (("me 4H 10", "it 4H 10"), []), (("me 2H 8",), [("me", "unfinished_part_score", 100)]),
    (("me 2H 8", "it 2H 8"), []),
    (("me 4H 10", "it 2H 8"), [("me", "unfinished_game", 300), ("it", "unfinished_part_score", 100)]),
    (("me 4H 10", "me 2H 8"), [("me", "unfinished_game", 300), ("me", "unfinished_part_score", 100)]),
    (("it 2H 8", "me 4H 10"), [("me", "unfinished_game", 300)]),
    (("me 4H 10", "it 4H 10", "it 2H 8"), [("it", "unfinished_part_score", 100)]),
    (("me 4H 3", "it 4H 10"), [("it", "unfinished_game", 300)]), (("me 4H 3",), []),
    (("me 1C 7",), [("me", "unfinished_part_score", 100)]),
])  # fmt: skip
def test_an_unfinished_rubber_pays_the_only_game_and_the_only_part_score(hands, due):
    assert rows(scoring.find_unfinished(folded(*hands))) == due


def test_points_still_needed_for_game_are_told():
    assert scoring.to_game(folded("me 2H 8"), "me") == 40
    assert scoring.to_game(folded("me 2H 8"), "it") == 100


def test_the_back_score_counts_an_odd_fifty_as_a_further_hundred():
    margins = [950, 940, 0, 50, 40, -950, -940]
    assert [scoring.back_score(margin) for margin in margins] == [10, 9, 0, 1, 0, -10, -9]


def test_a_finished_sheet_takes_no_more_hands():
    complete = folded("me 4H 10", "me 4H 10")
    more = scored_hand(complete, contract("4H"), 10)
    assert scoring.after(complete, more) == complete
    closed = ended(folded("me 4H 10"))
    assert scoring.after(closed, more) == closed
    assert scoring.after(closed, ev.RubberClosed("closed", scoring.find_unfinished(closed))) == closed


def test_voiding_returns_to_the_sheet_before_that_hand_and_the_rubber_goes_on():
    hands = ("me 4H 10", "it 2H 8", "it 4H 10", "me 4H 10")
    for first in range(1, 5):
        assert scoring.after(ended(folded(*hands)), HandsVoided(first)) == folded(*hands[: first - 1])
    assert scoring.after(folded(*hands), HandsVoided(5)) == folded(*hands)
    on = scoring.after(ended(folded("me 4H 10", "me 4H 10")), HandsVoided(2))
    on = scoring.after(on, scored_hand(on, contract("4H", "it"), 3))
    assert (on.me.games, on.it.games, on.hands, on.closed) == (1, 1, 2, False)


def test_a_published_rubber_is_won_on_points_by_the_side_with_one_game():
    """Both columns as entries: two games to the house, 1690 to 880 for the player."""
    below = scoring.with_hand(Sheet(), 1, (Entry(1, "me", "below", "trick_score", 120),))
    below = scoring.with_hand(below, 2, (Entry(2, "it", "below", "trick_score", 100),))
    below = scoring.with_hand(below, 3, (Entry(3, "me", "above", "undertricks", 1570),))
    below = scoring.with_hand(below, 4, (Entry(4, "it", "below", "trick_score", 280),))
    done = ended(below)
    assert (done.me.total, done.it.total, done.margin) == (1690, 880, 810)


def sheet_of(events, on=None):
    on = on or Sheet()
    for event in events:
        on = scoring.after(on, event)
    return on


@settings(max_examples=200, deadline=None, derandomize=True, database=None)
@given(rubbers(), st.integers(0, 25))
def test_every_rubber_keeps_the_laws_of_the_sheet(events, at):
    on, kinds = Sheet(), set()
    for event in events:
        if isinstance(event, HandScored):
            assert event.vulnerable == on.vulnerable
            assert {entry.side for entry in event.entries if entry.place == "below"} <= {event.contract.declarer}
            assert len({entry.side for entry in event.entries if entry.kind != "honours"}) == 1
            assert all(entry.points > 0 and entry.points % 10 == 0 for entry in event.entries)
        on = scoring.after(on, event)
        games = (on.me.games, on.it.games)
        assert max(on.me.part_score, on.it.part_score) < GAME_POINTS
        assert (sum(games) <= 3, max(games) <= 2, len(on.lines)) == (True, True, sum(games))
    for side in ("me", "it"):
        own, points = [entry for entry in on.entries if entry.side == side], column(on, side)
        assert points.total == points.above + points.below == sum(entry.points for entry in own)
        assert points.below == sum(entry.points for entry in own if entry.place == "below")
    kinds, last = {entry.kind for entry in on.entries}, events[-1] if events else None
    assert ("rubber_premium" in kinds) == on.complete == isinstance(last, RubberScored)
    closed = isinstance(last, ev.RubberClosed)
    assert bool(kinds & {"unfinished_game", "unfinished_part_score"}) == (closed and bool(last.entries))
    assert on.closed == (closed or on.complete)
    again = msgspec.json.decode(msgspec.json.encode(sheet_of(events[:at])), type=Sheet)
    assert msgspec.json.encode(sheet_of(events[at:], again)) == msgspec.json.encode(on)


# Made exactly, levels 1 to 7, not vulnerable and vulnerable: as the tables printed on bidding cards have them.
MINOR = {
    "undoubled": ([70, 90, 110, 130, 400, 920, 1440], [70, 90, 110, 130, 600, 1370, 2140]),
    "doubled": ([140, 180, 470, 510, 550, 1090, 1630], [140, 180, 670, 710, 750, 1540, 2330]),
    "redoubled": ([230, 560, 640, 720, 800, 1380, 1960], [230, 760, 840, 920, 1000, 1830, 2660]),
}
MAJOR = {
    "undoubled": ([80, 110, 140, 420, 450, 980, 1510], [80, 110, 140, 620, 650, 1430, 2210]),
    "doubled": ([160, 470, 530, 590, 650, 1210, 1770], [160, 670, 730, 790, 850, 1660, 2470]),
    "redoubled": ([520, 640, 760, 880, 1000, 1620, 2240], [720, 840, 960, 1080, 1200, 2070, 2940]),
}
NO_TRUMP = {
    "undoubled": ([90, 120, 400, 430, 460, 990, 1520], [90, 120, 600, 630, 660, 1440, 2220]),
    "doubled": ([180, 490, 550, 610, 670, 1230, 1790], [180, 690, 750, 810, 870, 1680, 2490]),
    "redoubled": ([560, 680, 800, 920, 1040, 1660, 2280], [760, 880, 1000, 1120, 1240, 2110, 2980]),
}
TABLES = {"C": MINOR, "D": MINOR, "H": MAJOR, "S": MAJOR, "NT": NO_TRUMP}
OVER = {"undoubled": (0, 0), "doubled": (100, 200), "redoubled": (200, 400)}
"""Each overtrick; undoubled it is 20 in a minor, else 30."""
DOWN = {
    "undoubled": (list(range(50, 700, 50)), list(range(100, 1400, 100))),
    "doubled": (
        [100, 300, 500, 800, 1100, 1400, 1700, 2000, 2300, 2600, 2900, 3200, 3500],
        [200, 500, 800, 1100, 1400, 1700, 2000, 2300, 2600, 2900, 3200, 3500, 3800],
    ),
    "redoubled": (
        [200, 600, 1000, 1600, 2200, 2800, 3400, 4000, 4600, 5200, 5800, 6400, 7000],
        [400, 1000, 1600, 2200, 2800, 3400, 4000, 4600, 5200, 5800, 6400, 7000, 7600],
    ),
}


def published(contract: Contract, tricks: int, vulnerable: bool) -> int:
    """What the tables give the declarer."""
    if tricks < contract.needs:
        return -DOWN[contract.doubling][vulnerable][contract.needs - tricks - 1]
    each = OVER[contract.doubling][vulnerable] or (20 if contract.strain in "CD" else 30)
    exact = TABLES[contract.strain][contract.doubling][vulnerable][contract.level - 1]
    return exact + (tricks - contract.needs) * each


@pytest.mark.parametrize("doubling", ["undoubled", "doubled", "redoubled"])
@pytest.mark.parametrize("board", [1, 2, 3, 4])
def test_every_contract_and_result_scores_as_the_published_tables_say(board: int, doubling) -> None:
    sides = BOARDS[board - 1]
    for declarer in ("me", "it"):
        for level in range(1, 8):
            for strain in STRAINS:
                made = Contract(declarer, level, strain, doubling)
                for tricks in range(14):
                    entries = scoring.board_entries(1, made, tricks, sides)
                    points = sum(entry.points * (1 if entry.side == declarer else -1) for entry in entries)
                    assert points == published(made, tricks, declarer in sides), (made, tricks)


def test_the_vulnerable_sides_are_nobody_me_it_and_both_in_turn() -> None:
    boards = [GAME.look(opened(board=board), 0).facts for board in (1, 2, 3, 4)]
    assert [(facts.board, facts.vulnerable) for facts in boards] == [
        (1, ()), (2, ("me",)), (3, ("it",)), (4, ("me", "it")),
    ]  # fmt: skip


def after_ten_tricks(bid: str):
    """The last trick of board 2 in this contract, won by the player as the tenth."""
    state = in_play("AS", "2S", bid, tricks=9)
    state = replace(
        state, options=BoardOptions(length="hand", board=2), held=hand("AKQJT S, 432 H, 432 D, 32 C"), tricks_it=3
    )
    return say(state, plays("AS")[0])


@pytest.mark.parametrize(("bid", "margin", "words"), [
    ("1S", 170, "1 spade, made with 3 over, vulnerable: 170"),
    ("4S", 620, "4 spades, made, vulnerable: 620"),
    ("6S", -200, "6 spades, 2 down, vulnerable: -200"),
])  # fmt: skip
def test_ten_tricks_are_worth_more_where_game_was_bid(bid: str, margin: int, words: str) -> None:
    state, events = after_ten_tricks(bid)
    result = GAME.result(state)
    assert result is not None
    assert (result.reason, result.scores, result.outcome) == ("hand", (margin,), words)
    assert not [entry for entry in state.sheet.entries if entry.kind == "honours" or entry.place == "below"]
    assert (state.sheet.lines, state.sheet.me.games) == ((), 0)
    told = [GAME.tell(state, event, 0) for event in events if isinstance(event, HandScored)]
    assert told[0].startswith(f"Board 2: {words}.")


def test_the_house_s_contract_counts_against_the_player() -> None:
    contract = Contract("it", 1, "D", "doubled")
    assert scoring.outcome(contract, 8, ("it",), 500) == "1 diamond doubled by the house, 2 down, vulnerable: 500"


def test_a_board_is_told_before_the_bidding_and_with_the_contract() -> None:
    state = bidding("AKQJT S, AKQ H, 432 D, 32 C", board=4)
    _, events = say(state, ev.Bid(4, "S"))
    made = next(event for event in events if isinstance(event, ev.ContractMade))
    assert made.vulnerable == ("me", "it")
    (dealt,) = GAME.deal(state.options, Chance(SEED), 1)
    told = GAME.tell(GAME.initial(state.options, 1), dealt, 0)
    assert told.startswith("Board 4 (ME and IT vulnerable) is dealt")


def test_a_board_is_a_single_hand() -> None:
    assert GAME.get(OptionRules).settle(BoardOptions(board=3), 1) == BoardOptions(length="hand", board=3)
    assert GAME.get(OptionRules).settle(BoardOptions(), 1) == BoardOptions()


def test_days_take_the_boards_in_turn_from_the_first_of_1970() -> None:
    days = [GAME.get(DailyOptions).choose(BoardOptions(), day) for day in (0, 1, 2, 3, 4, 20_778)]
    assert [day.board for day in days] == [1, 2, 3, 4, 1, 3]
    assert {day.length for day in days} == {"hand"}


@pytest.mark.parametrize("board", [1, 2, 3, 4])
def test_a_played_board_ends_with_its_words_and_without_a_rubber_s_premiums(board: int) -> None:
    for lots in range(6):
        state, events = finished(opened(seed=bytes([lots]) * 32, length="hand", board=board), Random(lots))
        scored = [event for event in events if isinstance(event, HandScored)]
        result = GAME.result(state)
        assert result is not None
        assert len(scored) == 1
        sides = BOARDS[board - 1]
        assert scored[0].vulnerable == sides
        mine = scored[0].contract.declarer == "me"
        tricks = scored[0].tricks_me if mine else scored[0].tricks_it
        points = published(scored[0].contract, tricks, scored[0].contract.declarer in sides)
        assert result.scores == (points if mine else -points,)
        assert result.outcome.endswith(f": {result.scores[0]}")
        assert {entry.place for entry in state.sheet.entries} == {"above"}


def test_a_board_given_up_in_play_scores_the_rest_for_the_house() -> None:
    state = bidding("AKQJT S, AKQ H, 432 D, 32 C", board=1)
    given_up = [resigned(state)[1], resigned(say(state, ev.Bid(1, "S"))[0])[1]]
    assert [(result.outcome, result.scores) for result in given_up] == [
        ("", (0,)), ("1 spade, 7 down, not vulnerable: -350", (-350,)),
    ]  # fmt: skip


def test_revision_1_knows_no_boards_and_scores_a_hand_as_before() -> None:
    assert "board" not in REVISIONS["bridge_solitaire", 1].options.__struct_fields__
    state, _ = say(in_play("AS", "2S", "1S", tricks=9), plays("AS")[0])
    assert state.sheet.me.total == 30 + 90


def test_a_pass_of_the_house_and_its_bid_are_told_alike() -> None:
    passed = GAME.look(bidding("AKQJ S, AKQ H, AKQ D, AKQ C"), 0).facts.house_call
    bid = GAME.look(bidding("5432 S, 543 H, 543 D, 543 C"), 0).facts.house_call
    assert passed is not None
    assert bid is not None
    assert (passed.level, passed.strain, bid.level, bid.strain) == (0, None, 6, "H")
    assert set(msgspec.to_builtins(passed)) == set(msgspec.to_builtins(bid)) == {"level", "strain"}


def test_that_earlier_steps_may_be_looked_at_again_is_said_and_cannot_be_chosen_otherwise() -> None:
    schema = msgspec.json.schema(BoardOptions)["$defs"]["BoardOptions"]["properties"]["memory"]
    assert (schema["const"], schema["default"]) == (False, False)
    with pytest.raises(Illegal, match="can be looked at again") as refusal:
        GAME.get(OptionRules).settle(BoardOptions(memory=True), 1)
    assert refusal.value.rule == "memory"


SIX_WINNERS = "AKQJT8 C, Q87 H, 94 S, 3 D, *1"


def last_trick(bid="1C", on=None, tricks=12, declarer="me", **options):
    """One trick before the end of a hand, with the sheet as it stood before; the player is about to win it."""
    state = in_play("A C", "2C 3H", bid, tricks=tricks, declarer=declarer)
    on = on or Sheet()
    chosen = Options(**options)
    return replace(state, options=chosen, sheet=on, hand_number=on.hands + 1)


def test_between_hands_the_player_goes_on_or_closes():
    state = after(last_trick(), Play("AC"))
    assert state.phase == "hand_scored"
    assert GAME.result(state) is None
    assert GAME.legal_commands(state, 0) == (NextHand(), CloseRubber())


def test_the_next_hand_is_a_fresh_shuffle_of_all_54_cards():
    first = opened()
    played = after(replace(first, phase="hand_scored"), NextHand())
    assert played.hand_number == 2
    assert sorted(lying(played)) == sorted(CARDS)
    assert lying(played) != lying(first)
    assert (played.chance.number, first.chance.number) == (2, 1)


def test_the_next_deal_records_its_outcome_so_that_the_fold_draws_no_lots():
    state = replace(opened(), phase="hand_scored")
    _, (event,) = say(state, NextHand())
    assert isinstance(event, ev.Dealt)
    assert GAME.evolve(state, event) == GAME.evolve(state, event)
    assert event.cards[7:20] == GAME.evolve(state, event).offered


def test_a_given_deal_is_used_for_the_first_hand_only():
    state = opened(dealing((), ()))
    assert lying(state) == CARDS
    again = after(replace(state, phase="hand_scored"), NextHand())
    assert lying(again) != CARDS


def test_the_next_hand_and_closing_wait_for_the_end_of_the_hand():
    assert refused(last_trick(), NextHand()) == refused(last_trick(), CloseRubber()) == "hand_unfinished"


def test_the_scored_hand_carries_all_that_a_sheet_needs():
    _, events = say(last_trick("2C doubled"), Play("AC"))
    scored = events[-1]
    assert isinstance(scored, HandScored)
    assert (scored.hand, scored.cards, scored.contract.level, scored.contract.doubling) == (1, ("AC",), 2, "doubled")
    assert (scored.tricks_me, scored.tricks_it, scored.vulnerable, scored.finish) == (13, 0, (), "played_out")
    assert rows(scored.entries) == [("me", "trick_score", 80), ("me", "overtricks", 500), ("me", "insult", 50)]


def test_the_second_game_completes_the_rubber_at_once_and_the_first_does_not():
    state, events = say(last_trick("4H", folded("me 4H 10")), Play("AC"))
    assert isinstance(events[-1], RubberScored)
    assert rows(events[-1].entries) == [("me", "rubber_premium", 700)]
    assert GAME.result(state) == Result("won", "rubber", (0,), (state.sheet.margin,))
    assert GAME.legal_commands(state, 0) == ()
    assert refused(state, NextHand()) == "game_over"
    state, events = say(last_trick("4H"), Play("AC"))
    assert isinstance(events[-1], HandScored)
    assert state.sheet.vulnerable == ("me",)


def test_more_points_win_though_the_house_takes_its_second_game():
    """1690 to 880 for the player."""
    on = with_hand(folded("it 5C 11"), 2, (Entry(2, "me", "above", "undertricks", 1690),))
    on = with_hand(on, 3, (Entry(3, "it", "above", "undertricks", 60),))
    on = with_hand(on, 4, (Entry(4, "it", "below", "trick_score", 20),))
    ending = fold(replace(opened(), sheet=on), [RubberScored((Entry(4, "it", "above", "rubber_premium", 700),))])
    assert (ending.sheet.me.total, ending.sheet.it.total) == (1690, 880)
    assert GAME.result(ending) == Result("won", "rubber", (0,), (810,))


def test_a_rubber_is_lost_to_a_house_that_is_ahead_in_points_and_drawn_at_level_totals():
    state = after(last_trick("1C", folded("me 4H 10", "me 7NT 1", "me 7NT 1"), tricks=12), Play("AC"))
    lost = fold(state, [RubberScored(())])
    assert GAME.result(lost).ending == "lost"
    level = Sheet(me=Column(total=900), it=Column(total=900))
    state = replace(opened(), sheet=level, closed="rubber")
    assert GAME.result(state) == Result("drawn", "rubber", (), (0,))


def test_closing_abandons_an_unfinished_rubber_and_pays_the_premiums_that_are_due():
    on = folded("me 4H 10", "it 2H 8")
    state, events = say(replace(opened(), phase="hand_scored", sheet=on), CloseRubber())
    assert rows(events[0].entries) == [("me", "unfinished_game", 300), ("it", "unfinished_part_score", 100)]
    assert GAME.result(state) == Result("abandoned", "closed", (), (120 + 300 - 60 - 100,))
    assert GAME.look(state, 0).phase == "finished"
    _, events = say(replace(opened(), phase="hand_scored"), CloseRubber())
    assert events == (ev.RubberClosed("closed"),)


def resigned(state):
    events = GAME.get(Resignation).events(state, 0)
    return events, GAME.result(fold(state, events))


CONCEDED = {
    "every unfinished trick goes to the house": (
        in_play("AKQJT C", "2C 3C 4C 5C 6C 7C", "4C", tricks=8), (8, 5),
        [("it", "undertricks", 100), ("me", "honours", 150)], [], 50,
    ),
    "a contract already made is scored as made": (
        in_play("AK C", "2C 3C 4C", "1H", tricks=10), (10, 3), [("me", "trick_score", 30), ("me", "overtricks", 90)],
        [("me", "unfinished_part_score", 100)], 220,
    ),
    "the house's second game pays the rubber premium": (
        replace(in_play("AK C", "2C 3C 4C", "4H", declarer="it"), sheet=folded("it 4H 10"), hand_number=2), (0, 13),
        [("it", "trick_score", 120), ("it", "overtricks", 90)], [("it", "rubber_premium", 700)], -1030,
    ),
    "a single hand pays no premiums": (
        replace(in_play("AK C", "2C 3C 4C", "4H", tricks=11), options=Options(length="hand")), (11, 2),
        [("me", "trick_score", 120), ("me", "overtricks", 30)], [], 150,
    ),
}  # fmt: skip


@pytest.mark.parametrize(("state", "tricks", "scored", "closed", "margin"), CONCEDED.values(), ids=CONCEDED)
def test_of_a_hand_given_up_the_house_wins_the_rest(state, tricks, scored, closed, margin):
    (hand_scored, rubber_closed), result = resigned(state)
    assert (hand_scored.tricks_me, hand_scored.tricks_it, hand_scored.finish) == (*tricks, "conceded")
    assert (rows(hand_scored.entries), rows(rubber_closed.entries)) == (scored, closed)
    assert (rubber_closed.reason, result) == ("resigned", Result("lost", "resigned", (), (margin,)))


@pytest.mark.parametrize("phase", ["selecting", "bidding", "hand_scored"])
def test_resigning_without_a_contract_pays_the_premiums_alone(phase):
    state = bidding(SIX_WINNERS) if phase == "bidding" else opened()
    state = replace(state, sheet=folded("me 4H 10"), hand_number=2)
    (closed,), result = resigned(replace(state, phase=phase) if phase == "hand_scored" else state)
    assert rows(closed.entries) == [("me", "unfinished_game", 300)]
    assert (result.ending, result.reason) == ("lost", "resigned")


SINGLE = {
    "a contract made": (last_trick("1C", length="hand"), "won", None),
    "the house's contract beaten": (last_trick("1C", declarer="it", length="hand"), "won", None),
    "a grand slam": (last_trick("7C", length="hand"), "won", None),
    "twelve down": (last_trick("7C", tricks=0, length="hand"), "lost", -600),
    "honours equal the undertricks": (
        replace(last_trick("4C", tricks=6, length="hand"), held=("AC", "KC", "QC", "JC", "TC")), "drawn", 0,
    ),
}  # fmt: skip


@pytest.mark.parametrize(("state", "ending", "margin"), SINGLE.values(), ids=SINGLE)
def test_points_win_lose_or_draw_a_single_hand(state, ending, margin):
    done = after(state, Play("AC"))
    winners, score = (0,) if ending == "won" else (), done.sheet.margin if margin is None else margin
    assert GAME.result(done) == Result(ending, "hand", winners, (score,))
    assert GAME.legal_commands(done, 0) == ()


def test_voided_hands_return_the_game_to_the_state_before_them_and_that_in_play_to_the_scored_ones():
    state = replace(opened(), hand_number=3, sheet=folded("me 4H 10", "it 2H 8"))
    voided = GAME.evolve(state, HandsVoided(2))
    assert voided.sheet == folded("me 4H 10")
    assert (voided.phase, voided.hand_number) == ("hand_scored", 1)
    assert sorted(lying(voided)) == sorted(CARDS)
    assert after(voided, NextHand()).hand_number == 2
    assert after(voided, NextHand()).sheet.vulnerable == ("me",)
    state = replace(in_play("AK C", "2C"), hand_number=2, sheet=folded("me 4H 10"))
    assert GAME.evolve(state, HandsVoided(2)).sheet == folded("me 4H 10")


def test_voiding_a_finished_rubber_opens_it_again():
    state = after(last_trick("4H", folded("me 4H 10")), Play("AC"))
    voided = GAME.evolve(state, HandsVoided(2))
    assert GAME.result(voided) is None
    assert GAME.legal_commands(voided, 0) == (NextHand(), CloseRubber())
    assert GAME.evolve(opened(), HandsVoided(2)) == opened(), "hands that were not dealt"


def test_old_undertricks_are_scored_where_the_option_says_so():
    state = last_trick("4C doubled", tricks=5, old_undertricks=True)
    _, events = say(state, Play("AC"))
    assert rows(events[-1].entries) == [("it", "undertricks", 700)]


Points = dict[tuple[str, str], int]
"""By side and kind."""

UNHURRIED = settings(
    deadline=None, derandomize=True, database=None, suppress_health_check=[HealthCheck.too_slow]
)  # a busy machine is no fault
VULNERABILITIES = tuple(product(BOARDS, (False, True)))


def _made(contract: Contract, tricks: int, exposed: bool) -> Points:
    row = next(one for one in MATERIAL.tricks if (one.strain, one.doubling) == (contract.strain, contract.doubling))
    doubling = next(one for one in MATERIAL.doublings if one.id == contract.doubling)
    over = tricks - MATERIAL.book - contract.level
    points = {
        "trick_score": row.first + (contract.level - 1) * row.further,
        "overtricks": over * (row.overtrick_vulnerable if exposed else row.overtrick),
        "insult": doubling.insult,
    }
    slams = [one for one in MATERIAL.slams if one.level == contract.level]
    points |= {str(one.id): one.points_vulnerable if exposed else one.points for one in slams}
    return {(contract.declarer, kind): value for kind, value in points.items()}


def _down(contract: Contract, tricks: int, exposed: bool, old: bool) -> Points:
    case = (contract.doubling, exposed, old)
    row = next(one for one in MATERIAL.undertricks if (one.doubling, one.vulnerable, one.old_undertricks) == case)
    missing = MATERIAL.book + contract.level - tricks
    return {(other(contract.declarer), "undertricks"): row.points[missing - 1]}


def _hand(contract: Contract, tricks: int, exposed: bool, old: bool) -> Points:
    made = tricks >= MATERIAL.book + contract.level
    return _made(contract, tricks, exposed) if made else _down(contract, tricks, exposed, old)


def _honours(contract: Contract, held: tuple[str, ...]) -> Points:
    rows = [one for one in MATERIAL.honours if one.strain == contract.strain]
    return {("me", "honours"): sum(one.points for one in rows if len(set(one.cards) & set(held)) == one.held)}


def _bonus(contract: Contract, tricks: int, exposed: bool) -> Points:
    boards = MATERIAL.boards
    assert boards is not None
    below = _made(contract, tricks, exposed)[contract.declarer, "trick_score"]
    if tricks < MATERIAL.book + contract.level:
        return {}
    if below < boards.game:
        return {(contract.declarer, "part_score_bonus"): boards.part_score_bonus}
    return {(contract.declarer, "game_bonus"): boards.game_bonus_vulnerable if exposed else boards.game_bonus}


def _written(entries: tuple[Entry, ...]) -> Points:
    return {(entry.side, entry.kind): entry.points for entry in entries}


def _entered(points: Points) -> Points:
    return {key: value for key, value in points.items() if value}


@UNHURRIED
@given(deals())
def test_a_hand_of_a_rubber_is_scored_by_the_tables(deal: tuple[Contract, int, tuple[str, ...]]) -> None:
    contract, tricks, held = deal
    below = {line.id: line.place for line in MATERIAL.lines}
    for vulnerable, old in VULNERABILITIES:
        entries = scoring.entries(1, contract, tricks, held, vulnerable, old)
        told = _hand(contract, tricks, contract.declarer in vulnerable, old) | _honours(contract, held)
        assert _written(entries) == _entered(told)
        assert all(entry.place == below[entry.kind] for entry in entries)


@UNHURRIED
@given(deals())
def test_a_board_is_scored_by_the_tables(deal: tuple[Contract, int, tuple[str, ...]]) -> None:
    contract, tricks, _ = deal
    for vulnerable, old in VULNERABILITIES:
        exposed = contract.declarer in vulnerable
        told = _hand(contract, tricks, exposed, old) | _bonus(contract, tricks, exposed)
        assert _written(scoring.board_entries(1, contract, tricks, vulnerable, old)) == _entered(told)


def test_the_premiums_of_a_rubber_are_those_that_are_entered() -> None:
    rubber, game = MATERIAL.rubber, "me 4S 10"
    assert (rubber.game, rubber.games) == (100, 2)
    for hands, premium in (((game, game), rubber.premium[0]), (("it 4S 10", game, game), rubber.premium[1])):
        assert rows(ended(folded(*hands)).entries)[-1] == ("me", "rubber_premium", premium)
    unfinished = rows(ended(folded(game, "it 1C 7")).entries)[-2:]
    assert unfinished == [
        ("me", "unfinished_game", rubber.unfinished_game),
        ("it", "unfinished_part_score", rubber.unfinished_part_score),
    ]


def test_what_a_score_sheet_prints_is_told_in_its_figures() -> None:
    value = {card.id: card.value for card in MATERIAL.cards}
    assert (len(value), value["AS"], value["KS"], value["2C"], value["*1"]) == (54, 14, 13, 2, 0)
    assert [(one.id, one.name) for one in MATERIAL.strains][0::4] == [("C", "clubs"), ("NT", "no trump")]
    plain = {one.strain: (one.first, one.further) for one in MATERIAL.tricks if one.doubling == "undoubled"}
    assert plain == {"C": (20, 20), "D": (20, 20), "H": (30, 30), "S": (30, 30), "NT": (40, 30)}
    assert [(one.points, one.points_vulnerable) for one in MATERIAL.slams] == [(500, 750), (1000, 1500)]
    assert [one.insult for one in MATERIAL.doublings] == [0, 50, 100]
    down = {(one.doubling, one.vulnerable, one.old_undertricks): one.points[:4] for one in MATERIAL.undertricks}
    assert down["doubled", False, False] == (100, 300, 500, 800)
    assert down["doubled", True, False] == (200, 500, 800, 1100)
    assert down["doubled", False, True] == (100, 300, 500, 700)
    assert down["redoubled", False, True] == (200, 600, 1000, 1400)
    assert down["doubled", True, True] == down["doubled", True, False]


def test_the_first_revision_knows_no_boards() -> None:
    material = BRIDGE_SOLITAIRE_1.material
    assert isinstance(material, type(MATERIAL))
    assert material.boards is None
