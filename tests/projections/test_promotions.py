"""Who moves up and down: by the tables as published, then by the season before, never by lot."""

from collections.abc import Mapping, Sequence
from random import Random
from uuid import UUID

import pytest
from msgspec.structs import replace
from projection_logs import present
from seasons import LEAGUE, ORGANISER, Founded, member

from domain.league import decide
from domain.league.aggregate import League, evolve, league_record
from domain.league.events import Move
from domain.league.rules import BOX, BOX_1
from projections.leagues.boxes import Row
from projections.leagues.league_projection import Table
from projections.leagues.promotions import proposed_moves

Places = Mapping[int, int | None]
"""The places of players, by their numbers."""


def row(player: UUID, place: int | None) -> Row:
    return Row(player, place, 0, 1, 0, 0, 0, 0, 0, 0, ())


def table(division: int, places: Places, ids: Sequence[int] = range(100)) -> Table:
    return Table(
        LEAGUE, 1, division, BOX.id, tuple(row(member(ids[number]), place) for number, place in places.items())
    )


def closed(members: int = 18) -> League:
    """Divisions of six, in the order of the members' numbers."""
    made = Founded(members)
    made.say(*decide.close_season(made.it, 1, ORGANISER))
    return made.it


def in_order(first: int) -> dict[int, int | None]:
    return {first + place: place + 1 for place in range(6)}


def moves(league: League, tables: Sequence[Table], before: Sequence[Table] = ()) -> set[tuple[int, int]]:
    """Who moves, and by how many divisions."""
    assert league.season is not None
    proposed = proposed_moves(league, league.season, tables, before)
    return {(move.player.int - member(0).int, move.after - move.before) for move in proposed}


THREE = [table(number, in_order(6 * number)) for number in range(3)]
EXCHANGE = {(4, 1), (5, 1), (6, -1), (7, -1), (10, 1), (11, 1), (12, -1)}


def test_two_go_up_and_two_down_between_neighbours_under_older_rules_fewer() -> None:
    assert moves(closed(), THREE) == EXCHANGE | {(13, -1)}
    league = closed()
    assert moves(replace(league, founded=replace(league.founded, rules=BOX_1)), THREE) == EXCHANGE


SHARED = {8: 1, 6: 2, 7: 2, 9: 4, 10: 5, 11: 6}
LAST_SHARED = {0: 1, 1: 2, 2: 3, 3: 4, 4: 4, 5: 4}


@pytest.mark.parametrize(("upper", "lower", "before", "moving"), [
    (in_order(0), {6: 1, 7: 2, 8: 3, 9: 4}, [], {(5, 1), (6, -1)}),  # fewer than five are in a division
    # Who is unranked drops one division, but not out of the last, and if there is anybody to come for them.
    (in_order(0) | {0: None}, in_order(6) | {6: None, 7: 1}, [], {(0, 1), (5, 1), (7, -1), (8, -1)}),
    ({0: None, 1: None, 2: None, 3: 1, 4: 2, 5: 3}, in_order(6), [],
     {(0, 1), (1, 1), (2, 1), (6, -1), (7, -1), (8, -1)}),
    ({0: None, 1: None, 2: None, 3: 1, 4: 2, 5: 3}, dict.fromkeys(range(6, 12)), [], set()),
    # A place shared across the line goes to whoever stood better before: in a division, a place, or ranked at all.
    (in_order(0), SHARED, [table(0, {7: 6}), table(1, {6: 1})], {(4, 1), (5, 1), (7, -1), (8, -1)}),
    (in_order(0), SHARED, [table(1, {6: 2, 7: 3})], {(4, 1), (5, 1), (6, -1), (8, -1)}),
    (in_order(0), SHARED, [table(1, {6: None, 7: 6})], {(4, 1), (5, 1), (7, -1), (8, -1)}),
    (in_order(0), SHARED, [], {(5, 1), (8, -1)}),  # who is equal there too stays
    (in_order(0), SHARED, [table(1, {6: 2, 7: 2})], {(5, 1), (8, -1)}),
    # Of those who share the last places the worse of before go down; equal ones stay, and nobody comes for them.
    (LAST_SHARED, in_order(6), [table(0, {3: 1, 4: 2, 5: 3})], {(4, 1), (5, 1), (6, -1), (7, -1)}),
    (LAST_SHARED, in_order(6), [], set()),
    (LAST_SHARED | {5: 6}, in_order(6), [], {(5, 1), (6, -1)}),  # a tie across one line: fewer across the other
])  # fmt: skip
def test_who_moves_between_two_divisions(
    upper: Places, lower: Places, before: list[Table], moving: set[tuple[int, int]]
) -> None:
    assert moves(closed(6 + len(lower)), [table(0, upper), table(1, lower)], before) == moving


def test_leavers_are_replaced_from_below_before_the_exchange() -> None:
    made = Founded(18)
    for gone in (0, 6):
        made.say(*decide.leave(made.it, member(gone)))
    made.say(*decide.close_season(made.it, 1, ORGANISER))
    refills, exchange = {(7, -1), (12, -1), (13, -1)}, {(4, 1), (5, 1), (8, -1), (9, -1)}
    assert moves(made.it, THREE) == refills | exchange | {(10, 1), (11, 1), (14, -1), (15, -1)}


def test_equal_ones_fill_a_gap_in_the_order_of_joining() -> None:
    made = Founded(12)
    made.say(*decide.leave(made.it, member(0)))
    made.say(*decide.close_season(made.it, 1, ORGANISER))
    tables = [table(0, in_order(0)), table(1, dict.fromkeys(range(6, 12), 1))]
    assert moves(made.it, tables) == {(6, -1)}


def test_who_leaves_after_the_decision_is_replaced_by_who_was_to_come_down() -> None:
    league = closed(12)
    for event in decide.decide_promotions(
        league, 1, "h", [Move(member(6), 1, 0), Move(member(4), 0, 1)], ORGANISER
    ):  # fmt: skip
        league = evolve(league, league_record(LEAGUE, league.version + 1, event, ORGANISER, 1))
    for event in decide.leave(league, member(0)):
        league = evolve(league, league_record(LEAGUE, league.version + 1, event, member(0), 1))
    opened = decide.open_season(league, 10, 20, ORGANISER)[0].divisions  # type: ignore[attr-defined]
    assert [len(division) for division in opened] == [6, 5]
    assert member(4) in opened[0], "would have come down"


@pytest.mark.parametrize("seed", range(4))
def test_divisions_keep_their_sizes_over_twenty_seasons_of_joining_and_leaving(seed: int) -> None:
    lots = Random(seed)
    made = Founded(22)
    for season in range(1, 21):
        _play_season(made, season, lots)
        made.say(*decide.open_season(made.it, 10 * season + 1, 10 * season + 2, ORGANISER))
        assert made.it.season is not None
        *upper, lowest = [len(division) for division in made.it.season.divisions]
        assert (set(upper), lowest in range(2, 8)) == ({6}, True), (season, upper, lowest)


def _play_season(made: Founded, number: int, lots: Random) -> None:
    """A season whose tables are drawn by lot; people leave and join before it, after it and after the decision."""
    _come_and_go(made, 100 * number, lots)
    made.say(*decide.close_season(made.it, number, ORGANISER))
    _come_and_go(made, 100 * number + 10, lots)
    season = present(made.it.season)
    tables = [
        Table(
            LEAGUE,
            number,
            at,
            BOX.id,
            tuple(row(player, lots.choice((None, 1, 2, 2, 3, 4, 5, 6))) for player in players),
        )
        for at, players in enumerate(season.places)
    ]
    decided = proposed_moves(made.it, season, tables, [])
    made.say(*decide.decide_promotions(made.it, number, "h", decided, ORGANISER))
    _come_and_go(made, 100 * number + 20, lots)


def _come_and_go(made: Founded, first: int, lots: Random) -> None:
    leavers = lots.sample(made.it.members, lots.choice((0, 0, 1, 2)))
    for player in leavers:
        made.say(*decide.leave(made.it, player), by=player)
    for new in range(len(made.it.members), 22):
        made.say(*decide.join(made.it, member(1000 + first + new)), by=member(1000 + first + new))


def test_a_substitute_moves_from_the_place_that_they_play_in() -> None:
    made = Founded(12)
    made.say(*decide.join(made.it, member(50)), by=member(50))
    made.say(*decide.replace_player(made.it, 1, member(6), member(50), ORGANISER))
    made.say(*decide.close_season(made.it, 1, ORGANISER))
    lower = in_order(6) | {50: 1, 6: 2}
    season = present(made.it.season)
    moves = proposed_moves(made.it, season, [table(0, in_order(0)), table(1, lower)])
    assert Move(member(50), 1, 0) in moves
    assert decide.decide_promotions(made.it, 1, "h", moves, ORGANISER)


@pytest.mark.parametrize("seed", range(6))
def test_permuting_the_ids_of_players_permutes_the_moves_and_nothing_else(seed: int) -> None:
    lots = Random(seed)
    places = [{6 * at + number: lots.randrange(1, 4) for number in range(6)} for at in range(3)]
    earlier = [{6 * at + number: lots.randrange(1, 3) for number in range(6)} for at in range(3)]
    ids = lots.sample(range(18), 18)
    league, other = closed(), _permuted(closed(), ids)
    plain = moves(league, _tables(places, range(18)), _tables(earlier, range(18)))
    there = moves(other, _tables(places, ids), _tables(earlier, ids))
    assert {(ids[player], by) for player, by in plain} == there


def _tables(places: Sequence[Places], ids: Sequence[int]) -> list[Table]:
    return [table(division, ranked, ids) for division, ranked in enumerate(places)]


def _permuted(league: League, ids: Sequence[int]) -> League:
    assert league.season is not None
    divisions = tuple(
        tuple(member(ids[player.int - member(0).int]) for player in division) for division in league.season.divisions
    )
    return replace(league, seasons=(replace(league.season, divisions=divisions),))


def test_what_was_decided_is_played_whatever_is_amended_later() -> None:
    league = closed(12)
    for event in decide.decide_promotions(league, 1, "h", [Move(member(0), 0, 1)], ORGANISER):
        league = evolve(league, league_record(LEAGUE, league.version + 1, event, ORGANISER, 1))
    opened = decide.open_season(league, 10, 20, ORGANISER)[0]
    assert member(0) in opened.divisions[1]  # type: ignore[attr-defined]
