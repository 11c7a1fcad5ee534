"""Power and points."""

from itertools import permutations

import pytest

from domain.games.decs_building.grid import alike_points, conductors, find_powered, score, two_away_points

from .positions import drawing, position


@pytest.mark.parametrize(
    ("grid", "works"),
    [
        ("small_star 8,1", [True]),
        ("small_star 7,1", [False]),
        ("snowflake 1,1", [True]),
        ("power_cable 8,3; power_cable 7,3; small_star 6,3", [True, True, True]),
        ("power_source 1,1; small_star 1,2; small_star 2,2", [True, True, False]),
        ("banner_angels 1,1; small_star 1,2", [False, False]),
        ("small_star 4,3; small_star 4,4; small_star 4,5", [False, True, False]),
        ("banner_angels 6,1; banner_angels 6,5; small_star 5,8", [True, True, True]),
        ("banner_angels 1,1; banner_angels 3,1; small_star 1,5", [True, True, True]),
        ("power_cable 4,4; power_cable 3,4; banner_angels 1,5; small_star 3,8", [True, True, False, False]),
        ("power_cable 4,4; power_cable 4,5; power_cable 3,5; banner_angels 1,5; small_star 3,8", [True] * 5),
    ],
)
def test_a_feature_works_beside_a_source_a_cable_or_a_powered_banner(grid: str, works: list[bool]) -> None:
    assert find_powered(drawing(grid)) == works


def test_banners_pass_power_on_in_whatever_order_they_were_drawn() -> None:
    chain = ["banner_angels 3,1", "banner_angels 1,1", "banner_angels 1,5"]
    for order in permutations(chain):
        assert find_powered(drawing("; ".join(order))) == [True, True, True]
    for broken in permutations(chain[1:]):
        assert find_powered(drawing("; ".join(broken))) == [False, False]
        assert conductors(drawing("; ".join(broken))) == conductors(())


def test_an_unpowered_feature_counts_for_nothing_and_still_fills_its_spaces() -> None:
    assert score(position("grid_0: reindeer 1,1"), 0) == score(position("grid_0: reindeer 1,2"), 0)
    assert score(position("grid_0: reindeer 1,2"), 0) == -2 * 50


def test_an_unpowered_santa_takes_away_nothing() -> None:
    assert score(position("grid_0: santa 1,1"), 0) == -2 * 57
    assert score(position("grid_0: santa 6,1"), 0) == -2 - 2 * 57


def test_an_unpowered_candle_neither_counts_nor_is_counted() -> None:
    assert score(position("grid_0: candle 5,3; candle 3,3"), 0) == 2 - 2 * 59


@pytest.mark.parametrize(
    ("grid", "points"),
    [
        ("candle 1,1", 0),
        ("candle 1,1; candle 1,3", 4),
        ("candle 1,1; candle 1,2", 0),
        ("candle 1,1; candle 1,4", 0),
        ("candle 1,1; candle 2,2", 0),
        ("candle 1,1; candle 1,3; candle 1,5", 8),
        ("candle 1,3; candle 3,1; candle 3,3; candle 3,5; candle 5,3", 16),
        ("candle 1,8; candle 2,2", 0),
    ],
)
def test_candles_count_each_other_two_apart_in_a_straight_line(grid: str, points: int) -> None:
    assert two_away_points(drawing(grid)) == points


@pytest.mark.parametrize(("santas", "points"), [(0, 0), (1, -2), (2, -8), (3, -18), (4, -32)])
def test_each_santa_takes_two_for_every_santa(santas: int, points: int) -> None:
    assert alike_points(drawing("; ".join("santa 1,1" for _ in range(santas)))) == points


def test_snowflakes_and_sources_need_no_power() -> None:
    assert score(position("grid_0: snowflake 1,1; power_source 1,8"), 0) == 1 - 2 * 59
