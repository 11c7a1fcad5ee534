"""The reconstructed board agrees with itself and with what the text gives."""

from domain.capabilities import Reconstructed
from domain.games.decs_building import DECS_BUILDING as GAME
from domain.games.decs_building.grid import PLACEMENTS, around, bits_of, orientations
from domain.games.decs_building.state import EMPTY_SPACE, KINDS, PAWNS, PRINTED_SOURCES, RUNS, SPACES
from domain.games.decs_building.view import OFFERS


def test_the_board_says_that_it_is_reconstructed() -> None:
    assert GAME.has(Reconstructed)
    assert "reconstructed" in GAME.rules


def test_no_cost_is_larger_than_a_plain_hand() -> None:
    assert max(len(way.cost) for space in SPACES.values() for way in space.ways) == 3


def test_the_costs_that_the_text_gives() -> None:
    assert [way.cost for way in SPACES["small_star"].ways] == ["D?"]
    assert [way.cost for way in SPACES["snowflake"].ways] == ["???"]


def test_the_points_that_the_text_gives() -> None:
    points = {feature: kind.points for feature, kind in KINDS.items()}
    assert points == {
        "power_cable": 0, "power_source": 0, "small_star": 2, "snowflake": 1, "big_star": 14, "large_angel": 14,
        "candy_cane": 10, "banner_angels": 14, "santa": 0, "candle": 2, "santas_sleigh": 30, "comet": 30,
        "herald_angel": 30, "reindeer": 70,
    }  # fmt: skip


def test_there_are_as_many_baubles_as_the_most_pawns() -> None:
    assert sum(space.bauble for space in SPACES.values()) == max(seats * pawns for seats, pawns in PAWNS.items()) == 9


def test_the_shapes_have_their_sizes_and_turns() -> None:
    sizes = {feature: (kind.shape.count("X"), len(orientations(kind))) for feature, kind in KINDS.items()}
    assert sizes == {
        "power_cable": (1, 1), "power_source": (1, 1), "small_star": (1, 1), "snowflake": (1, 1), "candle": (1, 1),
        "big_star": (5, 1), "candy_cane": (4, 4), "comet": (7, 4), "santa": (4, 1), "large_angel": (6, 1),
        "banner_angels": (6, 1), "santas_sleigh": (8, 1), "herald_angel": (8, 1), "reindeer": (11, 1),
    }  # fmt: skip


def test_every_place_lies_in_the_grid_and_is_there_once() -> None:
    for short, rows in ((False, range(1, 9)), (True, range(3, 9))):
        for feature, places in PLACEMENTS[short].items():
            assert len({place.bits for place in places}) == len(places), feature
            assert all(row in rows and 1 <= column <= 8 for place in places for row, column in place.cells)
            assert all(place.bits.bit_count() == len(place.cells) for place in places)
    assert len(PLACEMENTS[False]["candy_cane"]) == 4 * 6 * 7
    assert len(PLACEMENTS[True]["small_star"]) == 48


def test_neighbours_are_side_by_side_and_do_not_run_round_the_edge() -> None:
    assert around(bits_of([(4, 8)])) == bits_of([(3, 8), (5, 8), (4, 7)])
    assert around(bits_of([(1, 1)])) == bits_of([(1, 2), (2, 1)])
    assert around(bits_of([(8, 8)])) == bits_of([(7, 8), (8, 7)])
    assert bits_of(PRINTED_SOURCES).bit_count() == 3


def test_the_rules_in_prose_name_what_the_tables_hold() -> None:
    lines = dict(line.removeprefix("* ").split(": ", 1) for line in GAME.rules.splitlines() if line.startswith("* "))
    for space in SPACES.values():
        line = lines[f"{space.name}{' (bauble)' if space.bauble else ''}"]
        assert line.startswith(f"{' or '.join(' '.join(way.cost) for way in space.ways)} - ")
        assert all(plate.gain in line for plate in OFFERS.plates if plate.name == space.name)
        if space.feature:
            kind = KINDS[space.feature]
            assert line.endswith(f"; `{kind.shape}`{' upright' if kind.upright else ''}.")
    sources = ", ".join(f"row {row} column {column}" for row, column in PRINTED_SOURCES)
    assert f"with power sources at {sources};" in GAME.rules
    assert all(" ".join(RUNS[seats]) in GAME.rules for seats in (3, 4))
    assert f"Pawns: {PAWNS[2]}, {PAWNS[3]} or {PAWNS[4]}\neach for 2, 3 or 4 players" in GAME.rules
    assert f"less {-EMPTY_SPACE} for each empty space" in GAME.rules
