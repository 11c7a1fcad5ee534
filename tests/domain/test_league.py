"""What members and organisers of a league do, and what it comes to."""

from itertools import combinations

import pytest
from msgspec import Struct
from msgspec.structs import replace

from domain.game_type import Illegal
from domain.league import decide
from domain.league import events as ev
from domain.league.aggregate import League, evolve, fold, league_record

from .leagues import (
    FOUNDING,
    LEAGUE,
    ORGANISER,
    after,
    founded,
    member,
    running,
    season,
)  # fmt: skip


def crowded(what: str, many: int) -> League:
    return replace(founded(), **{what: tuple(member(number) for number in range(many))})


def move(player: int, before: int, after_: int) -> ev.Move:
    return ev.Move(member(player), before, after_)


def test_who_is_invited_joins_and_so_does_an_organiser_and_the_invitation_is_used_up() -> None:
    league = founded(0, replace(FOUNDING, membership="invite"))
    league = after(league, decide.invite(league, member(0), ORGANISER))
    league = after(league, decide.join(league, member(0)))
    league = after(league, decide.join(league, ORGANISER))
    assert (league.members, league.invited) == ((member(0), ORGANISER), ())


def test_an_invitation_is_withdrawn_by_an_organiser_or_declined() -> None:
    league = crowded("invited", 2)
    for by in (ORGANISER, member(0)):
        assert after(league, decide.withdraw_invitation(league, member(0), by)).invited == (member(1),)
    with pytest.raises(Illegal):
        decide.withdraw_invitation(league, member(0), member(1))


def test_everybody_of_a_division_meets_everybody_once_a_round() -> None:
    made = season(running(5, replace(FOUNDING, rounds=2)))
    pairs = [frozenset(fixture.players) for fixture in made.fixtures]
    assert sorted(map(sorted, pairs)) == sorted([*map(sorted, combinations(map(member, range(5)), 2))] * 2)
    seats = [(fixture.round, frozenset(fixture.players), fixture.players[0]) for fixture in made.fixtures]
    assert all((1, pair, other) in seats for round_, pair, opens in seats if not round_ for other in pair - {opens})


def test_a_substitute_plays_what_is_left_and_inherits_the_place_in_the_division() -> None:
    league = running(4)
    league = after(league, decide.join(league, member(9)))
    league = after(league, decide.replace_player(league, 1, member(0), member(9), ORGANISER))
    made = season(league)
    assert (made.division_of(member(9)), made.division_of(member(0))) == (0, None)
    assert all(member(0) not in made.playing(fixture) for fixture in made.fixtures)
    assert after(league, decide.leave(league, member(9))).season == replace(made, left=(member(9),))


def test_who_was_replaced_may_come_back_for_the_substitute() -> None:
    league = running(4)
    league = after(league, decide.join(league, member(9)))
    league = after(league, decide.replace_player(league, 1, member(0), member(9), ORGANISER))
    league = after(league, decide.replace_player(league, 1, member(9), member(0), ORGANISER))
    assert season(league).places == season(league).divisions


def test_the_next_season_is_played_as_decided_with_newcomers_in_the_lowest_division() -> None:
    league = running(12)
    league = after(league, decide.join(league, member(50)))
    league = after(league, decide.leave(league, member(11)))
    league = after(league, decide.close_season(league, 1, ORGANISER))
    league = after(league, decide.decide_promotions(league, 1, "h", [move(0, 0, 1), move(6, 1, 0)], ORGANISER))
    league = after(league, decide.open_season(league, 30, 40, ORGANISER))
    upper, lower = season(league).divisions
    assert set(upper) == {member(number) for number in (1, 2, 3, 4, 5, 6)}
    assert set(lower) == {member(number) for number in (0, 7, 8, 9, 10, 50)}


def test_a_substitute_keeps_the_place_and_who_was_replaced_comes_as_a_newcomer() -> None:
    league = running(12)
    league = after(league, decide.join(league, member(50)))
    league = after(league, decide.replace_player(league, 1, member(0), member(50), ORGANISER))
    league = after(league, decide.close_season(league, 1, ORGANISER))
    league = after(league, decide.decide_promotions(league, 1, "h", [], ORGANISER))
    upper, lower = season(after(league, decide.open_season(league, 30, 40, ORGANISER))).divisions
    assert (member(50) in upper, member(0) in lower) == (True, True)


def test_divisions_too_small_for_a_table_join_their_neighbour_and_a_lowest_that_is_too_large_is_cut() -> None:
    one, two, three = [member(0)], [member(1), member(2)], [member(number) for number in range(3, 11)]
    balanced = decide._balanced_divisions([one, two, three], 6, 2)
    assert [len(row) for row in balanced] == [3, 6, 2]


def test_events_of_others_in_the_stream_only_count() -> None:
    league = founded()
    assert evolve(league, league_record(LEAGUE, 2, ev.Renamed("x"), None, 1)).name == "x"
    assert fold([league_record(LEAGUE, 2, Struct(), None, 1)], league) == replace(league, version=2)
