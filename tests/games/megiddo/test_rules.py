"""The rules of Megiddo: captures, lines, endings, options and MEGI 9; its boards, and what is told."""

import itertools
from collections import Counter
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from domain.capabilities import Reconstructed
from domain.chance import Chance
from domain.game_type import Result
from domain.games.megiddo import MEGIDDO
from domain.games.megiddo.events import Command, GameScored, GameStarted, LineCompleted, Move, Place
from domain.games.megiddo.state import BOARDS, MEGI_9_ARBATTA, MEGI_9_SIZE, Options, State, bag
from domain.games.megiddo.view import MATERIAL
from domain.view import ALL_SEEING
from tests.games.tables import After

from .positions import TABLE, drawn, move, place, position, waves, zone

MOVING, CLEOPATRA = {"move_instead_of_place": True}, {"cleopatra": True}
NINE_RINGS = {"variant": "megi_9"}
CAPTURES: dict[str, tuple[str, dict[str, Any], str, list[str], dict[int, str]]] = {
    "two stones along a ring": ("3: XOO...", {}, "3.3", ["3.1 3.2"], {3: "XXXX.."}),
    "along a spiral": (
        "1: X.....\n2: .O....\n3: ..O...", {}, "4.3", ["2.1 3.2"],
        {1: "X.....", 2: ".X....", 3: "..X...", 4: "...X.."},
    ),
    "along a spoke": (
        "4: O.....\n5: O.....\n6: X.....", {}, "3.0", ["4.0 5.0"], dict.fromkeys(range(3, 7), "X....."),
    ),
    "outwards along a spoke": (
        "1: ...X..\n2: ...O..\n3: ...O..", {}, "4.3", ["2.3 3.3"], dict.fromkeys(range(1, 5), "...X.."),
    ),
    "not a single stone": ("3: XO....", {}, "3.2", [], {3: "XOX..."}),
    "not three stones": ("3: XOOO..", {}, "3.4", [], {3: "XOOOX."}),
    "not a stone placed into a bracket": ("3: X.OX..", {"turn": 1}, "3.1", [], {3: "XOOX.."}),
    "not through the centre": ("1: O..X..\n2: O.....", {}, "3.0", [], {1: "O..X..", 2: "O.....", 3: "X....."}),
    "wave by wave": (
        "3: XOO...\n4: .O....\n5: .O....\n6: .X....", {}, "3.3", ["3.1 3.2", "4.1 5.1"],
        {3: "XXXX..", 4: ".X....", 5: ".X....", 6: ".X...."},
    ),
    "five of six are no line": ("2: XXXX..", {}, "2.4", [], {2: "XXXXX."}),
    "by a stone that moves": ("1: ...X..\n3: XOO...", MOVING, "1.3 3.3", ["3.1 3.2"], {3: "XXXX.."}),
    "not with the point that it left": ("3: XOO...", MOVING, "3.0 3.3", [], {3: ".OOX.."}),
    "beside an own stone, without Cleopatra": ("3: OX.O..", {}, "3.2", [], {3: "OXXO.."}),
    "the two around, with Cleopatra": ("3: OX.O..", CLEOPATRA, "3.2", ["3.0 3.3"], {3: "XXXX.."}),
    **{f"Cleopatra needs two between two: {row}": (
        f"3: {row}", CLEOPATRA, f"3.{row.index('.')}", [], {3: row.replace(".", "X", 1)},
    ) for row in ("O.O...", "OX....", "OXX.O.", ".X.O..")},
    "as usual with Cleopatra": ("3: XOO...", CLEOPATRA, "3.3", ["3.1 3.2"], {3: "XXXX.."}),
    "chains of both": (
        "2: .O....\n3: XOO...\n4: .X....\n5: .O....", CLEOPATRA, "3.3", ["3.1 3.2", "2.1 5.1"],
        {2: ".X....", 3: "XXXX..", 4: ".X....", 5: ".X...."},
    ),
    "round a ring of nine": ("5: O......XO", NINE_RINGS, "5.1", ["5.0 5.8"], {5: "XX.....XX"}),
    "six of nine are no line": ("2: XXXXX....", NINE_RINGS, "2.5", [], {2: "XXXXXX..."}),
}  # fmt: skip


def says(state: State, text: str) -> After:
    """`4.3`: a stone is placed; `1.3 3.3`: one is moved."""
    points = text.split()
    return place(state, points[0]) if len(points) == 1 else move(state, *points)


@pytest.mark.parametrize(("drawing", "fields", "said", "captured", "left"), CAPTURES.values(), ids=CAPTURES)
def test_two_stones_between_two_are_captured(
    drawing: str, fields: dict[str, Any], said: str, captured: list[str], left: dict[int, str]
) -> None:
    state = position(drawing, **fields)
    after = says(state, said)
    assert after.kinds() == ["StoneMoved" if " " in said else "StonePlaced", *["StonesCaptured"] * len(captured)]
    assert waves(after) == captured
    assert drawn(after.state) == left
    taken = sum(len(wave.split()) for wave in captured)
    assert after.state.captured == ((0, taken) if state.turn else (taken, 0))
    assert after.state.turn == 1 - state.turn


def spoke(rings: int, spoke: int = 0, size: int = 6) -> str:
    return "\n".join(f"{ring}: {'.' * spoke}X{'.' * (size - 1 - spoke)}" for ring in range(1, rings + 1))


def spiral(rings: int, size: int = 6) -> str:
    return "\n".join(f"{ring}: {'.' * (ring - 1)}X{'.' * (size - ring)}" for ring in range(1, rings + 1))


def won(reason: str, *scores: int, seat: int = 0) -> Result:
    return Result("won", reason, (seat,), scores)


FULL = "1: XXOXOO\n2: XOXXXX\n3: XXOXOX\n4: OOXXOX\n5: XXXOOX\n6: OXXOO."
ENDINGS: dict[str, tuple[str, dict[str, Any], str, list[str], Result | None]] = {
    "captures both ways round a ring complete it": (
        "2: .OOXOO", {}, "2.0", ["ring 2.0 2.5"], won("megiddo", 10, 0),
    ),
    "six on a spiral": (spiral(5), {}, "6.5", ["spiral 1.0 6.5"], won("megiddo", 6, 0)),
    "six on a spoke": (spoke(5), {}, "6.0", ["spoke 1.0 6.0"], won("megiddo", 6, 0)),
    "six on a spiral the other way round": (
        "1: .....X\n2: ....X.\n3: ...X..\n4: ..X...\n6: X.....", {}, "5.1", ["spiral 1.5 6.0"], won("megiddo", 6, 0),
    ),
    "a full board without a line is a patara": (
        "1: XXOOXO\n2: OXXOXO\n3: OXOXOO\n4: OOOXOO\n5: XXOXOO\n6: XOOOX.", {"captured": (4, 2)}, "6.5", [],
        Result("drawn", "patara", (), (4, 2)),
    ),
    "a line made with the last stone of the board": (
        "1: XOOOOX\n2: XXOXOX\n3: XXXXOO\n4: OXOXOO\n5: OXXXXO\n6: OOOOX.", {}, "6.5", ["spiral 1.0 6.5"],
        won("megiddo", 6, 0),
    ),
    "six captured on a full board": (FULL, {"captured": (4, 0)}, "6.5", [], won("arbatta", 6, 0)),
    "four captured on a full board": (FULL, {"captured": (2, 0)}, "6.5", [], Result("drawn", "patara", (), (4, 0))),
    "captured stones complete a line": ("2: .OOXXX", {}, "2.0", ["ring 2.0 2.5"], won("megiddo", 8, 0)),
    "a line comes before six captured": (
        "2: .OOXOO", {"captured": (2, 0)}, "2.0", ["ring 2.0 2.5"], won("megiddo", 12, 0),
    ),
    "a further line counts twelve": (
        "1: .XXXXX\n" + "\n".join(f"{ring}: X....." for ring in range(2, 7)), {}, "1.0",
        ["ring 1.0 1.5", "spoke 1.0 6.0"], won("megiddo", 18, 0),
    ),
    "the loser keeps his captures": (
        "2: OOOOO.", {"turn": 1, "captured": (4, 2)}, "2.5", ["ring 2.0 2.5"], won("megiddo", 4, 8, seat=1),
    ),
    "the opponent's captures do not win": ("", {"captured": (4, 4)}, "1.0", [], None),
    "a moved stone completes a line": (
        "1: X.....\n2: XXXXX.", MOVING, "1.0 2.5", ["ring 2.0 2.5"], won("megiddo", 6, 0),
    ),
    "nine on a ring of nine": ("2: XXXXXXXX.", NINE_RINGS, "2.8", ["ring 2.0 2.8"], won("megiddo", 6, 0)),
    "nine on a spiral": (spiral(8, 9), NINE_RINGS, "9.8", ["spiral 1.0 9.8"], won("megiddo", 6, 0)),
    "eight captured of nine": ("3: XOO......", NINE_RINGS | {"captured": (6, 0)}, "3.3", [], None),
    "ten captured of nine": ("3: XOO......", NINE_RINGS | {"captured": (8, 0)}, "3.3", [], won("arbatta", 10, 0)),
}  # fmt: skip


@pytest.mark.parametrize(("drawing", "fields", "said", "lines", "result"), ENDINGS.values(), ids=ENDINGS)
def test_a_line_captures_or_a_full_board_end_a_game(
    drawing: str, fields: dict[str, Any], said: str, lines: list[str], result: Result | None
) -> None:
    after = says(position(drawing, **fields), said)
    completed = [event for event in after.events if isinstance(event, LineCompleted)]
    ends = [(line.shape, line.points[0], line.points[-1]) for line in completed]
    assert ends == [(shape, zone(start), zone(end)) for shape, start, end in map(str.split, lines)]
    assert MEGIDDO.result(after.state) == result
    assert (after.kinds()[-1] == "GameScored") is (result is not None)


def test_six_stones_captured_in_several_turns_are_an_arbatta() -> None:
    state = position("2: XOO...\n4: XOO...\n6: XOO...")
    for number, point in enumerate(["2.3", "4.3"], 1):
        state = place(place(state, point).state, f"5.{2 * number}").state
        assert (state.captured, MEGIDDO.result(state)) == ((2 * number, 0), None)
    after = place(state, "6.3")
    assert after.kinds() == ["StonePlaced", "StonesCaptured", "GameScored"]
    assert MEGIDDO.result(after.state) == won("arbatta", 6, 0)


def test_stones_captured_back_count_for_the_other_side_and_nothing_is_taken_off() -> None:
    ours = place(position("3: XOO..O"), "3.3").state
    assert (drawn(ours), ours.captured) == ({3: "XXXX.O"}, (2, 0))
    theirs = place(replace(position("3: OXX...", turn=1), captured=ours.captured), "3.3").state
    assert theirs.captured == (2, 2)


@pytest.mark.parametrize("size", [6, 9])
def test_every_point_lies_on_one_ring_one_spoke_and_two_spirals(size: int) -> None:
    board = BOARDS["megiddo" if size == 6 else "megi_9"]
    assert (len(board.zones), board.zones[0], board.zones[-1]) == (size**2, "point_1_0", f"point_{size}_{size - 1}")
    assert Counter(line.shape for line in board.lines) == {"ring": size, "spoke": size, "spiral": 2 * size}
    assert len({frozenset(line.places) for line in board.lines}) == 4 * size
    assert {len(set(line.places)) for line in board.lines} == {size}
    through = Counter((point, line.shape) for line in board.lines for point in line.places)
    for point in range(size**2):
        assert [through[point, shape] for shape in ("ring", "spoke", "spiral")] == [1, 1, 2]
    brackets = [len(board.brackets[size * ring]) for ring in range(size)]
    assert brackets == ([5] * 6 if size == 6 else [5, 5, 5, 8, 8, 8, 5, 5, 5])
    assert all(0 <= point < size**2 for start in board.brackets for bracket in start for point in bracket)


def test_a_bracket_goes_round_the_ring() -> None:
    along = [bracket for bracket in BOARDS["megiddo"].brackets[0] if max(bracket) < 6]
    assert sorted(along) == [(1, 2, 3), (5, 4, 3)]


COMMANDS = msgspec.json.Decoder(Command)
REFUSED: list[tuple[dict[str, Any], Command, int, str]] = [
    *(({}, Place(zone(point)), 0, "vacant_point") for point in ("3.0", "3.1")),
    ({}, Place(zone("1.0")), 1, "not_your_turn"),
    *(({}, Place(zone(point)), 0, "no_such_point") for point in ("7.0", "1.6")),
    ({}, Move(zone("3.0"), zone("1.0")), 0, "stones_stay"),
    *((MOVING, Move(zone(source), zone("1.0")), 0, "own_stone") for source in ("3.1", "2.0")),
    *((MOVING, Move(zone("3.0"), zone(target)), 0, "vacant_point") for target in ("3.1", "3.0")),
    (MOVING, Move(zone("7.0"), zone("1.0")), 0, "no_such_point"),
    (MOVING, Move(zone("3.0"), zone("1.7")), 0, "no_such_point"),
]


@pytest.mark.parametrize(("options", "command", "seat", "rule"), REFUSED)
def test_what_cannot_be_done_is_refused_by_its_rule(
    options: dict[str, Any], command: Command, seat: int, rule: str
) -> None:
    assert TABLE.refused(position("3: XO....", **options), command, seat) == rule


def test_a_zone_that_is_no_point_of_any_board_cannot_be_read() -> None:
    for target in ("point_0_0", "point_1_9", "stones_0", "point_10_1", "point_1_1_"):
        with pytest.raises(msgspec.ValidationError):
            COMMANDS.decode(msgspec.json.encode({"type": "megiddo/place", "target": target}))


def test_vacant_points_and_moves_of_own_stones_are_listed() -> None:
    listed = MEGIDDO.legal_commands(position("1: XO....\n6: .....X"), 0)
    assert [command.target for command in listed[:5]] == [zone(point) for point in ("1.2", "1.3", "1.4", "1.5", "2.0")]
    assert (len(listed), listed[-1].target) == (33, zone("6.4"))
    assert all(isinstance(command, Place) for command in listed)
    assert MEGIDDO.legal_commands(position(), 1) == ()
    listed = MEGIDDO.legal_commands(position("3: XO..X.", **MOVING), 0)
    assert [isinstance(command, Move) for command in listed] == [False] * 33 + [True] * 66
    assert {command.source for command in listed[33:]} == {zone("3.0"), zone("3.4")}
    assert len(MEGIDDO.legal_commands(position(**NINE_RINGS), 0)) == MEGI_9_SIZE**2 == 81


def test_before_the_start_and_after_the_end_nobody_can_place() -> None:
    before, over = MEGIDDO.initial(MEGIDDO.options(), 2), place(position("2: XXXXX."), "2.5").state
    for state, rule in ((before, "not_your_turn"), (over, "game_over")):
        assert [MEGIDDO.legal_commands(state, seat) for seat in (0, 1)] == [(), ()]
        assert TABLE.refused(state, Place(zone("1.0")), 0) == rule
    assert (MEGIDDO.look(over, None).to_act, MEGIDDO.look(over, None).phase) == ((), "finished")


SEEDS = [bytes([number]) * 32 for number in range(40)]
BAG = bag(BOARDS["megiddo"])


def first(seed: bytes, **options) -> int:
    (started,) = MEGIDDO.deal(Options(**options), Chance(seed), 2)
    return started.seat


def test_the_seat_that_begins_is_drawn() -> None:
    drawn = [first(seed) for seed in SEEDS]
    assert 10 <= sum(drawn) <= 30
    assert MEGIDDO.deal(Options(), Chance(SEEDS[0]), 2) == MEGIDDO.deal(Options(), Chance(SEEDS[0]), 2)


@pytest.mark.parametrize("seat", [0, 1])
def test_the_first_seat_can_be_named(seat: int) -> None:
    assert {first(seed, first_seat=f"seat_{seat}") for seed in SEEDS} == {seat}


@pytest.mark.parametrize("seat", [0, 1])
def test_of_a_given_deal_the_first_stone_tells_who_begins(seat: int) -> None:
    given = BAG if seat == 0 else BAG[::-1]
    assert MEGIDDO.deal(Options(), Chance(SEEDS[0], given=given), 2) == (GameStarted(seat),)


def test_unknown_options_and_options_out_of_bounds_cannot_be_read() -> None:
    for wrong in ({"variant": "megi_7"}, {"match_points": -1}, {"match_points": 361}, {"stock": 20}):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert(wrong, Options)


def test_as_many_moves_in_a_row_as_there_are_points_without_a_capture_draw_the_game() -> None:
    state = replace(position("1: X..O..", move_instead_of_place=True), idle=34)
    state = move(state, "1.0", "2.0").state
    assert (state.idle, MEGIDDO.result(state)) == (35, None)
    assert place(state, "6.5").state.idle == 0
    after = move(state, "1.3", "2.3")
    assert MEGIDDO.result(after.state) == Result("drawn", "no_progress", (), (0, 0))


def test_a_capture_is_progress() -> None:
    state = replace(position("1: ...X..\n3: XOO...", move_instead_of_place=True), idle=35)
    after = move(state, "1.3", "3.3").state
    assert (after.idle, MEGIDDO.result(after)) == (0, None)


def test_a_match_goes_on_with_an_empty_board_and_the_loser_begins() -> None:
    after = place(position("2: XXXXX.", captured=(2, 4), match_points=36), "2.5")
    assert after.events[-2:] == (GameScored("megiddo", 0, (8, 4)), GameStarted(1, 2))
    assert (drawn(after.state), after.state.captured, after.state.scores) == ({}, (0, 0), (8, 4))
    assert (after.state.turn, MEGIDDO.result(after.state)) == (1, None)
    assert len(MEGIDDO.legal_commands(after.state, 1)) == 36


@pytest.mark.parametrize("began", [0, 1])
def test_after_a_drawn_game_of_a_match_the_seat_that_did_not_begin_it_begins(began: int) -> None:
    state = replace(position("1: X..O..", move_instead_of_place=True, match_points=9), idle=35, first=began)
    assert move(state, "1.0", "2.0").events[-1] == GameStarted(1 - began, 2)


def test_a_match_is_won_with_its_points_even_by_the_loser_of_its_last_game_and_equal_ones_play_on() -> None:
    state = replace(position("2: XXXXX.", captured=(2, 4), match_points=36), scores=(28, 30), number=5)
    after = place(state, "2.5")
    assert after.kinds()[-1] == "GameScored"
    assert MEGIDDO.result(after.state) == Result("won", "match_points", (0,), (36, 34))
    state = replace(position("2: XXXXX.", captured=(0, 4), match_points=36), scores=(12, 35))
    assert MEGIDDO.result(place(state, "2.5").state) == Result("won", "match_points", (1,), (18, 39))
    state = replace(position("2: XXXXX.", captured=(0, 4), match_points=36), scores=(30, 32))
    after = place(state, "2.5")
    assert (after.state.scores, MEGIDDO.result(after.state)) == ((36, 36), None)
    assert after.events[-1] == GameStarted(1, 2)


def test_megi_9_is_not_played_unless_it_is_asked_for_and_is_told_to_be_reconstructed() -> None:
    assert (MEGIDDO.options().variant, MEGI_9_ARBATTA) == ("megiddo", 9)
    assert MEGIDDO.has(Reconstructed)
    assert "**reconstructed**" in MEGIDDO.rules


def test_every_seat_has_as_many_stones_as_there_are_points() -> None:
    bowls = MEGIDDO.look(position(**NINE_RINGS), None).zones[-2:]
    assert [len(bowl.cards) for bowl in bowls] == [81, 81]
    given = tuple(stone for bowl in bowls for stone in bowl.cards)
    assert MEGIDDO.deal(position(**NINE_RINGS).options, Chance(bytes(32), given=given[::-1]), 2) == (GameStarted(1),)


STATE = position("1: X....O\n3: .XO...", captured=(2, 0))


def zones(state):
    return {zone.id: zone for zone in MEGIDDO.look(state, None).zones}


def told(state, after: After) -> list[str]:
    return [MEGIDDO.tell(before, event, None) for before, event in TABLE.unfolded(state, after.events)]


def test_everybody_sees_the_whole_table() -> None:
    views = [MEGIDDO.look(STATE, viewer) for viewer in (0, 1, None, ALL_SEEING)]
    assert all(view == views[0] for view in views)


def test_a_point_holds_one_stone_and_the_facts_show_the_board_as_text_and_what_was_counted() -> None:
    seen = zones(STATE)
    assert [seen[f"point_3_{spoke}"].cards for spoke in range(3)] == [(), ("AS",), ("AH",)]
    assert MEGIDDO.look(STATE, None).facts.marks == ("AS", "AH")
    facts = MEGIDDO.look(STATE, None).facts
    assert facts.rings == ("0....1", "......", ".01...", "......", "......", "......")
    assert (facts.captured, facts.arbatta, facts.game, facts.scores, facts.match_points) == ((2, 0), 6, 1, (0, 0), 0)


def test_stones_come_from_the_bowls_and_captured_ones_go_back_to_them() -> None:
    assert [len(zones(STATE)[f"stones_{seat}"].cards) for seat in (0, 1)] == [34, 34]
    after = place(position("3: XOO..."), "3.3").state
    assert [len(zones(after)[f"stones_{seat}"].cards) for seat in (0, 1)] == [32, 36]


def test_stones_captures_lines_and_points_are_told() -> None:
    state = position("2: .OOXXX", captured=(1, 1))
    assert told(state, place(state, "2.0")) == [
        "Player 1 places a stone on ring 2 spoke 1.",
        "Player 1 captures 2 stones: ring 2 spoke 2, ring 2 spoke 3.",
        "Player 1 completes ring 2.",
        "A megiddo: Player 1 wins the game; Player 1 scores 9 points, Player 2 scores 1 point.",
    ]


def test_spokes_and_spirals_are_told_by_where_they_run() -> None:
    second = position(spoke(5, 1))
    assert told(second, place(second, "6.1"))[1] == "Player 1 completes spoke 2."
    state = position(spiral(5))
    said = "Player 1 completes the spiral from ring 1 spoke 1 to ring 6 spoke 6."
    assert told(state, place(state, "6.5"))[1] == said


def test_a_drawn_game_of_a_match_and_the_next_one_are_told() -> None:
    state = replace(position("1: X..O..", move_instead_of_place=True, match_points=36), idle=35)
    assert told(state, move(state, "1.0", "2.0")) == [
        "Player 1 moves a stone from ring 1 spoke 1 to ring 2 spoke 1.",
        "Too many moves in a row brought nothing: the game is drawn; "
        "Player 1 scores 0 points, Player 2 scores 0 points.",
        "Player 2 begins game 2.",
    ]


PRINTED = {board.id: board for board in MATERIAL.boards}


def test_the_boards_have_their_points_and_lines() -> None:
    for name, size in (("megiddo", 6), ("megi_9", 9)):
        board = PRINTED[name]  # type: ignore[index]
        points = {point.id: (point.ring, point.spoke) for point in board.points}
        assert (board.rings, board.spokes, board.arbatta, len(points)) == (size, size, size, size * size)
        assert Counter(line.shape for line in board.lines) == {"ring": size, "spoke": size, "spiral": 2 * size}
        for line in board.lines:
            places = [points[point] for point in line.points]
            pairs = itertools.pairwise(places)
            steps = {(after[0] - before[0], (after[1] - before[1]) % size) for before, after in pairs}
            kind = {"ring": {(0, 1)}, "spoke": {(1, 0)}}.get(line.shape, steps & {(1, 1), (1, size - 1)})
            assert (len(places), steps) == (size, kind)


def test_stones_and_points_are_those_of_the_original() -> None:
    assert [(stone.id, stone.name, stone.seat) for stone in MATERIAL.stones] == [
        ("AS", "a black stone", 0), ("AH", "a red stone", 1),
    ]  # fmt: skip
    assert (MATERIAL.points.line, MATERIAL.points.further_line, MATERIAL.points.captured_stone) == (6, 12, 1)
