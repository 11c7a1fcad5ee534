"""Whole games of Megiddo by random play: what holds at every step."""

import re
from itertools import product
from typing import Any

import pytest

from domain.games.megiddo import MEGIDDO
from domain.games.megiddo import events as ev
from domain.games.megiddo.events import StonesCaptured
from domain.games.megiddo.state import State
from tests.games.tables import Game

from .positions import TABLE

TABLES: dict[str, dict[str, Any]] = {
    "megiddo": {},
    "moving": {"move_instead_of_place": True},
    "cleopatra": {"cleopatra": True, "first_seat": "seat_1"},
    "match": {"match_points": 36},
    "moving_match": {"match_points": 20, "move_instead_of_place": True, "cleopatra": True},
    "megi_9": {"variant": "megi_9"},
    "megi_9_moving": {"variant": "megi_9", "move_instead_of_place": True, "match_points": 1},
}


def game(table: str, number: int) -> Game:
    """A random game of this table, to its end."""
    return TABLE.played(f"{table} {number}", 2, TABLES[table], lambda choices, state, lots: lots.choice(choices))


NUMBERS = range(12)
Point = tuple[int, int]


@pytest.fixture(scope="module", params=TABLES)
def games(request: pytest.FixtureRequest) -> list[Game]:
    return [game(request.param, number) for number in NUMBERS]


def test_every_game_ends_with_a_reason_and_then_offers_nothing(games: list[Game]) -> None:
    for played in games:
        ended = MEGIDDO.result(played.state)
        assert ended is not None
        assert (ended.ending, len(ended.winners)) in {("won", 1), ("drawn", 0)}
        assert [MEGIDDO.legal_commands(played.state, seat) for seat in (0, 1)] == [(), ()]


def test_nothing_but_a_turn_and_its_captures_changes_the_board(games: list[Game]) -> None:
    for played in games:
        for step in played.steps:
            for before, event in TABLE.unfolded(step.state, step.events):
                if not isinstance(event, ev.GameStarted):
                    pairs = zip(before.stones, MEGIDDO.evolve(before, event).stones, before.board.zones, strict=True)
                    assert {zone for was, now, zone in pairs if was != now} == _named(event)


def _named(event: ev.Event) -> set[str]:
    """The points that an event names as changed."""
    if isinstance(event, StonesCaptured):
        return set(event.points)
    turned = isinstance(event, ev.StonePlaced | ev.StoneMoved)
    return {getattr(event, name) for name in ("source", "target") if hasattr(event, name)} if turned else set()


def test_captures_agree_with_a_search_along_every_direction_of_the_bare_board(games: list[Game]) -> None:
    for played in games:
        for step in played.steps[:: 1 if len(played.steps) < 200 else 5]:
            waves = [list(event.points) for event in step.events if isinstance(event, StonesCaptured)]
            assert waves == _searched(step.state, step.command)


def _searched(state: State, command: ev.Command) -> list[list[str]]:
    """The waves of captures, found by walking the board as a map from ring and spoke to stone."""
    size, ours = state.board.size, str(state.turn)
    stones = {divmod(place, size): stone for place, stone in enumerate(state.stones)}
    if isinstance(command, ev.Move):
        stones[_ring_and_spoke(command.source)] = "."
    found, new = [], {_ring_and_spoke(command.target)}
    while new:
        stones |= dict.fromkeys(new, ours)
        new = {point for origin in new for point in _around(state, stones, origin)}
        found += [[f"point_{ring + 1}_{spoke}" for ring, spoke in sorted(new)]] if new else []
    return found


def _ring_and_spoke(zone: str) -> Point:
    ring, spoke = map(int, re.findall(r"\d", zone))
    return ring - 1, spoke


def _around(state: State, stones: dict[Point, str], origin: Point) -> set[Point]:
    """What falls to a stone at `origin`: `OOX` seen from it, and with Cleopatra `O.XO` from behind it."""
    size, own, fallen = state.board.size, stones[origin], set[Point]()
    enemy = "1" if own == "0" else "0"
    for out, on in product((-1, 0, 1), repeat=2):
        ray = [(origin[0] + step * out, (origin[1] + step * on) % size) for step in (-1, 0, 1, 2, 3)]
        seen = [stones.get(point) for point in ray]
        fallen |= {ray[2], ray[3]} if seen[2:] == [enemy, enemy, own] else set()
        sandwiched = state.options.cleopatra and seen[:4] == [enemy, own, own, enemy]
        fallen |= {ray[0], ray[3]} if sandwiched else set()
    return fallen


def test_a_game_is_won_with_a_line_or_with_captures_and_not_before(games: list[Game]) -> None:
    for played in games:
        for step in played.steps:
            assert not _whole_lines(step.state, "0")
            assert not _whole_lines(step.state, "1")
            assert max(step.state.captured) < step.state.board.arbatta


def _whole_lines(state: State, stone: str) -> bool:
    return any(all(state.stones[place] == stone for place in line.places) for line in state.board.lines)
