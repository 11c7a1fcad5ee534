"""Boards of duplicate bridge: every contract, result and vulnerability, and how a game is one."""

from random import Random

import msgspec
import pytest
from msgspec.structs import replace

from domain.capabilities import DailyOptions, OptionRules, Resignation
from domain.game_type import Illegal
from domain.games import REVISIONS
from domain.games.bridge_solitaire import BRIDGE_SOLITAIRE as GAME
from domain.games.bridge_solitaire import scoring
from domain.games.bridge_solitaire.events import Bid, ContractMade, HandScored
from domain.games.bridge_solitaire.state import BOARDS, STRAINS, BoardOptions, Contract

from .bots import finished
from .positions import bidding, hand, in_play, opened, plays, say

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
    _, events = say(state, Bid(4, "S"))
    made = next(event for event in events if isinstance(event, ContractMade))
    assert made.vulnerable == ("me", "it")
    (dealt,) = GAME.deal(BoardOptions(board=4, length="hand"), _chance(), 1)
    told = GAME.tell(GAME.initial(BoardOptions(board=4, length="hand"), 1), dealt, 0)
    assert told.startswith("Board 4 (ME and IT vulnerable) is dealt")


def _chance():
    state = opened()
    assert state.chance is not None
    return state.chance


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
    given_up = _resigned(say(state, Bid(1, "S"))[0])
    result = GAME.result(given_up)
    assert result is not None
    assert (result.outcome, result.scores) == ("1 spade, 7 down, not vulnerable: -350", (-350,))
    result = GAME.result(_resigned(state))
    assert result is not None
    assert (result.outcome, result.scores) == ("", (0,))


def _resigned(state):
    assert GAME.has(Resignation)
    for event in GAME.get(Resignation).events(state, 0):
        state = GAME.evolve(state, event)
    return state


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
