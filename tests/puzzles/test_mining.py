"""A puzzle has exactly one continuation that wins, and every other is proved lost; what is open or hidden is none."""

from collections.abc import Callable
from functools import cache
from itertools import pairwise
from math import prod
from typing import Any

import pytest
from msgspec.structs import replace

from domain.game_type import Illegal
from domain.games import GAME_TYPES
from domain.games.black_hole import Move
from domain.games.freecell import Move as FreeCellMove
from domain.games.freecell import Standard
from domain.play.aggregate import Game
from domain.view import Zone
from service import solving
from service.analysis.history import History, history_of
from service.puzzles.mining import (
    LEAST,
    LONGEST,
    Puzzle,
    find_only,
    is_open,
    judge,
    may_be_mined,
    mine,
    tells_all,
    themes_of,
)
from service.solving import Finding, state_after, verdict
from tests.analysis.planted import planted, records

KEY, SEED = "black_hole", "planted 28"
KIND = GAME_TYPES[KEY]


@cache
def history(key: str = KEY, seed: str = SEED, *more: int) -> History:
    found = planted(key, seed, *more)
    return history_of(records(key, found.seed, found.commands))


def ask(state: Any) -> Finding:
    return verdict(KEY, history().game.options, state)


@cache
def mined() -> list[Puzzle]:
    return list(mine(history(), planted(KEY, SEED).lost_step - 1, ask))


def test_of_each_puzzle_one_continuation_wins_and_all_others_are_proved_lost() -> None:
    assert mined()
    for puzzle in mined():
        state, ways = history().positions[puzzle.step].state, []
        for commands in puzzle.line:
            after = [state_after(KIND, state, command) for command in KIND.legal_commands(state, 0)]
            verdicts = [ask(one).verdict for one in after]
            assert verdicts.count("won") == 1
            assert verdicts.count("impossible") == len(verdicts) - 1
            state = state_after(KIND, state, commands[0])
            ways.append(len(after))
        assert ways[0] > 1 < ways[-1], "it begins and ends with a choice"
        assert prod(ways) >= LEAST
        assert ask(state).verdict == "won"


def test_puzzles_of_a_game_are_apart_and_none_is_later_than_the_loss() -> None:
    steps = [puzzle.step for puzzle in mined()]
    assert all(earlier <= later - LONGEST for later, earlier in pairwise(steps))
    assert max(steps) < planted(KEY, SEED).lost_step


def test_a_puzzle_begins_with_the_first_of_the_moves_that_win_alone() -> None:
    chained, lost = history(KEY, "planted 2"), planted(KEY, "planted 2").lost_step
    several = [puzzle for puzzle in mine(chained, lost - 1, ask) if len(puzzle.line) > 1]
    assert len(several) > 1
    for puzzle in several:
        before = chained.live[chained.live.index(puzzle.step) - 1]
        earlier = find_only(KIND, chained.positions[before].state, ask)
        assert earlier is None or earlier.choices == 1


def test_a_short_stock_is_told_and_a_long_one_is_no_puzzle() -> None:
    kind = GAME_TYPES["golf"]
    dealt: Any = solving.seeded(kind, kind.options(), bytes(32))
    assert not tells_all(kind, dealt)
    assert [tells_all(kind, replace(dealt, stock=dealt.stock[:left])) for left in (0, 8, 9)] == [True, True, False]
    klondike = GAME_TYPES["klondike"]
    assert not tells_all(klondike, replace(solving.seeded(klondike, klondike.options(), bytes(32)), stock=()))


def _instead(found: str, given: str) -> Callable[[Any], Finding]:
    def told(state: Any) -> Finding:
        finding = ask(state)
        return finding._replace(verdict=given) if finding.verdict == found else finding  # type: ignore[arg-type]

    return told


@pytest.mark.parametrize(
    ("found", "given"), [("impossible", "open"), ("won", "open"), ("impossible", "won"), ("won", "impossible")]
)
def test_what_is_open_or_wins_twice_or_not_at_all_is_no_puzzle(found: str, given: str) -> None:
    state = history().positions[mined()[0].step].state
    assert find_only(KIND, state, ask) is not None
    assert find_only(KIND, state, _instead(found, given)) is None


def test_commands_that_lead_to_what_is_alike_are_one_continuation() -> None:
    """Which of the four free cells takes a card is no choice."""
    kind = GAME_TYPES["freecell"]
    state = solving.seeded(kind, kind.options(), bytes(32))
    seen = []

    def count(after: Any) -> Finding:
        seen.append(after)
        return Finding("impossible", (), 1)

    assert find_only(kind, state, count) is None
    assert len(seen) < len(kind.legal_commands(state, 0)) - 3 * 7


def test_a_position_with_hidden_cards_is_no_puzzle() -> None:
    golf, lost = history("golf", "never 9", 47), planted("golf", "never 9", 47).lost_step

    def nobody(state: Any) -> Finding:
        assert tells_all(golf.game.type, state), "nobody is asked about a position with many cards in the stock"
        return Finding("open", (), 0)

    assert not list(mine(golf, lost - 1, nobody))


def test_only_what_everybody_may_know_is_mined() -> None:
    game = history().game
    assert is_open(game)
    told = game.opening
    for hidden in (
        replace(game, opening=replace(told, visibility="private")),
        replace(game, status="playing", revealed=False),
        replace(game, importers=frozenset()),
        replace(game, revealed=False, opening=replace(told, contest=game.id)),
    ):
        assert not is_open(hidden)
        assert not may_be_mined(hidden, contests_due=False)


def test_typed_in_cards_wait_until_no_contest_can_have_them() -> None:
    game: Game = history().game
    typed = replace(game, opening=replace(game.opening, origin="given_seed"))
    assert [may_be_mined(one, contests_due=True) for one in (game, typed)] == [True, False]
    assert may_be_mined(typed, contests_due=False)


def test_the_right_move_is_told_from_a_wrong_one_and_from_none() -> None:
    puzzle = mined()[0]
    state = history().positions[puzzle.step].state
    right = puzzle.line[0][0]
    wrong = next(one for one in KIND.legal_commands(state, 0) if one not in puzzle.line[0])
    whole = [commands[0] for commands in puzzle.line]
    assert judge(KIND, state, puzzle.line, whole).outcome == "solved"
    assert judge(KIND, state, puzzle.line, [wrong]) == ("wrong", state, (wrong, 0, state_after(KIND, state, wrong)))
    longer = [*puzzle.line, *puzzle.line]
    assert judge(KIND, state, longer, [right]).outcome == "right"
    moves = [Move(source=f"tableau_{pile}", target="foundation") for pile in range(17)]
    unfit = next(one for one in moves if one not in KIND.legal_commands(state, 0))
    for commands, rule, pointer in (
        ([*whole, right], "puzzle_over", "/commands"),
        ([unfit], None, "/commands/0"),
        ([GAME_TYPES["golf"].commands[0]()], "other_game_type", "/commands/0"),
    ):
        with pytest.raises(Illegal) as refused:
            judge(KIND, state, puzzle.line, commands)
        assert rule in (None, refused.value.rule)
        assert refused.value.pointer == pointer


def test_a_move_said_in_another_notation_is_the_same_move() -> None:
    kind = GAME_TYPES["freecell"]
    state = solving.seeded(kind, kind.options(), bytes(32))
    move = next(one for one in kind.legal_commands(state, 0) if one.target == "cell_0")
    standard = Standard(move=f"{int(move.source[-1]) + 1}a")
    assert judge(kind, state, [[move]], [standard]).outcome == "solved"


def test_themes_are_told_by_what_the_solution_does() -> None:
    for puzzle in mined():
        state = history().positions[puzzle.step].state
        view = KIND.look(state, 0)
        left = sum(len(zone.cards) for zone in view.zones if zone.id != "foundation")
        assert ("end_play" in puzzle.themes) == (left <= 13)
        twins = []
        for commands in puzzle.line:
            zones: dict[str, Zone] = {zone.id: zone for zone in KIND.look(state, 0).zones}
            ranks = [zones[one.source].cards[-1][0] for one in KIND.legal_commands(state, 0)]
            twins.append(ranks.count(zones[commands[0].source].cards[-1][0]) > 1)
            state = state_after(KIND, state, commands[0])
        assert ("two_of_a_rank" in puzzle.themes) == any(twins)
        assert not {*puzzle.themes} & {"dig_for_ace", "empty_column", "full_cells", "last_pass"}


def test_an_ace_that_is_dug_for_a_column_and_cells_are_told_by_the_moves() -> None:
    kind = GAME_TYPES["freecell"]
    dealt: Any = solving.seeded(kind, kind.options(), bytes(32))
    for move in kind.legal_commands(dealt, 0):
        column = dealt.columns[int(move.source[-1])] if move.source.startswith("tableau") else ()
        digs = any(card[0] == "A" for card in column[:-1])
        assert themes_of(kind, dealt, [move]) == (("dig_for_ace",) if digs else ())
    bare = replace(dealt, columns=(*((card,) for card in ("7H", "9D")), *((),) * 6), cells=("KS", "QS", "JS", None))
    into = FreeCellMove(source="cell_0", target="tableau_2")
    beside = FreeCellMove(source="tableau_0", target="cell_3")
    fill = FreeCellMove(source="tableau_1", target="cell_3")
    assert themes_of(kind, bare, [into]) == ("empty_column", "end_play")
    assert themes_of(kind, bare, [beside]) == ("empty_column", "end_play")
    assert themes_of(kind, bare, [fill, into]) == ("empty_column", "full_cells", "end_play")


def test_columns_that_nothing_goes_on_and_aces_that_begin_no_foundation_are_no_theme() -> None:
    golf = GAME_TYPES["golf"]
    dealt: Any = solving.seeded(golf, golf.options(), bytes(32))
    bare = replace(dealt, columns=(("AS", "5H"), ("7D",), *dealt.columns[2:]), discard=("6C",))
    for move in golf.legal_commands(bare, 0)[:2]:
        assert move.source in ("tableau_0", "tableau_1")
        assert not {*themes_of(golf, bare, [move])} & {"dig_for_ace", "empty_column"}


def test_the_last_pass_is_told_where_the_stock_does_not_come_again() -> None:
    golf = history("golf", "never 9", 47)
    kind, step = golf.game.type, next(step for step in golf.live[1:] if hasattr(golf.positions[step].command, "source"))
    state, command = golf.positions[golf.positions[step].before or 0].state, golf.positions[step].command
    assert "last_pass" not in themes_of(kind, state, [command])
    assert "last_pass" in themes_of(kind, replace(state, stock=()), [command])
