"""What members and organisers of a league do, what it comes to, and what may not be."""

import re
from collections.abc import Callable, Sequence
from itertools import combinations
from pathlib import Path
from uuid import UUID

import pytest
from msgspec import Struct
from msgspec.structs import replace

from domain.league import decide
from domain.league import events as ev
from domain.league.aggregate import League, Season, evolve, fold, league_record
from domain.league.rules import BOX, BOX_TWO, DAYS, DAYS_BOARDS, IN_WORDS, LEAGUE_RULES

from .played import refusal

ORGANISER = UUID(int=0x0B05)
LEAGUE = UUID(int=0x1EA6)
STRANGER = UUID(int=0xE0E)
FOUNDING = decide.Founding(name="Thursdays", game_type="spite_and_malice", rules=BOX.id)
PATIENCE = decide.Founding(name="Patience", game_type="klondike", rules=DAYS.id)


def member(number: int) -> UUID:
    return UUID(int=0xA00 + number)


def after(league: League | None, events: Sequence[Struct], by: UUID = ORGANISER) -> League:
    """The league after these events."""
    for event in events:
        version = 1 if league is None else league.version + 1
        league = evolve(league, league_record(LEAGUE, version, event, by, 1000 + version))
    assert league is not None
    return league


def founded(members: int = 0, wanted: decide.Founding = FOUNDING) -> League:
    league = after(None, decide.found_league(wanted, ORGANISER))
    for number in range(members):
        league = after(league, decide.join(league, member(number)))
    return league


def running(members: int = 4, wanted: decide.Founding = FOUNDING) -> League:
    """A league whose first season runs."""
    league = founded(members, wanted)
    return after(league, decide.open_season(league, 10, 20, ORGANISER))


def closed(members: int = 4, wanted: decide.Founding = FOUNDING) -> League:
    league = running(members, wanted)
    return after(league, decide.close_season(league, 1, ORGANISER))


def season(league: League) -> Season:
    assert league.season is not None
    return league.season


def first(league: League) -> ev.Fixture:
    return season(league).fixtures[0]


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
    assert refusal(decide.withdraw_invitation, league, member(0), member(1)) == "organisers_only"


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


def dissolved() -> League:
    league = founded(2)
    return after(league, decide.dissolve(league, "we move on", ORGANISER))


def walked_over() -> League:
    league = running()
    fixture = first(league)
    return after(league, decide.give_walkover(league, fixture.id, fixture.players[0], "nobody came", ORGANISER))


def without(league: League) -> League:
    """The league after the first player of the first fixture has left."""
    return after(league, decide.leave(league, first(league).players[0]))


def with_(wanted: decide.Founding, **changes: object) -> Callable[[], object]:
    return lambda: decide.found_league(replace(wanted, **changes), ORGANISER)


def promotions(league: League, *moves: ev.Move) -> object:
    return decide.decide_promotions(league, 1, "hash", moves, ORGANISER)


def open_(league: League, *given: Sequence[UUID], ends: int = 40) -> object:
    return decide.open_season(league, 30, ends, ORGANISER, given)


def absent(league: League, player: UUID) -> object:
    return decide.declare_not_played(league, first(league).id, [player], "nobody came", ORGANISER)


def opener(league: League, at: int = 15, by: int | None = None) -> object:
    fixture = first(league)
    return decide.fixture_players(league, fixture.id, fixture.players[0] if by is None else member(by), at)


REFUSED: dict[str, Callable[[], object]] = {
    "unknown_game_type": with_(FOUNDING, game_type="chess"),
    "unknown_rules": with_(FOUNDING, rules="box-units-0"),
    "table_size": with_(FOUNDING, table=1),
    "two_players": with_(FOUNDING, game_type="decs_building", rules=BOX_TWO.id, table=3),
    "solo_only": with_(PATIENCE, game_type="decs_building"),
    "no_boards": with_(PATIENCE, rules=DAYS_BOARDS.id),
    "division_size": with_(FOUNDING, game_type="decs_building", table=3, division_size=2),
    "pure_luck": with_(PATIENCE, game_type="the_clock"),
    "options": with_(FOUNDING, options={"no_such_option": 1}),
    "organisers_only": lambda: decide.rename(founded(1), "Fridays", member(0)),
    "dissolved": lambda: decide.join(dissolved(), member(5)),
    "member": lambda: decide.join(founded(1), member(0)),
    "already_invited": lambda: decide.invite(crowded("invited", 2), member(1), ORGANISER),
    "too_many_invites": lambda: decide.invite(crowded("invited", decide.MOST_INVITED), STRANGER, ORGANISER),
    "not_invited": lambda: decide.join(founded(0, replace(FOUNDING, membership="invite")), member(0)),
    "league_full": lambda: decide.join(crowded("members", decide.MOST_MEMBERS), STRANGER),
    "not_a_member": lambda: decide.leave(founded(), member(0)),
    "organiser": lambda: decide.name_organiser(founded(), ORGANISER, ORGANISER),
    "too_many_organisers": lambda: decide.name_organiser(
        replace(founded(), organisers=(ORGANISER,) * decide.MOST_ORGANISERS), STRANGER, ORGANISER
    ),
    "not_an_organiser": lambda: decide.dismiss_organiser(founded(1), member(0), ORGANISER),
    "last_organiser": lambda: decide.dismiss_organiser(founded(), ORGANISER, ORGANISER),
    "season_open": lambda: open_(running()),
    "not_decided": lambda: open_(closed()),
    "season_ends": lambda: open_(founded(4), ends=30),
    "divisions": lambda: open_(founded(4), [member(0), member(0)]),
    "too_few_members": lambda: open_(founded(1)),
    "small_division": lambda: open_(founded(4), [member(0)], [member(1), member(2), member(3)]),
    "too_many_fixtures": lambda: open_(founded(150, replace(FOUNDING, division_size=50, rounds=10))),
    "season_closed": lambda: decide.close_season(closed(), 1, ORGANISER),
    "no_such_season": lambda: decide.close_season(running(), 2, ORGANISER),
    "not_to_decide": lambda: promotions(running()),
    "no_divisions": lambda: promotions(closed(2, PATIENCE)),
    "not_in_season": lambda: decide.replace_player(running(), 1, STRANGER, member(9), ORGANISER),
    "substitute": lambda: decide.replace_player(running(), 1, member(0), member(1), ORGANISER),
    "box_league": lambda: decide.add_contest(running(), UUID(int=5), ORGANISER),
    "no_season": lambda: decide.add_contest(closed(2, PATIENCE), UUID(int=5), ORGANISER),
    "no_such_fixture": lambda: decide.fixture_players(running(), UUID(int=5), member(0), 15),
    "not_in_fixture": lambda: absent(running(), STRANGER),
    "fixture_over": lambda: opener(walked_over()),
    "not_ended": lambda: decide.reopen_fixture(running(), first(running()).id, "a mistake", ORGANISER),
    "season_not_begun": lambda: opener(running(), at=9),
    "player_left": lambda: decide.fixture_players(
        without(running()), first(running()).id, first(running()).players[1], 15
    ),
}
"""For each slug something that is refused with it."""


@pytest.mark.parametrize("slug", REFUSED)
def test_what_may_not_be_is_refused_with_the_rules_slug(slug: str) -> None:
    assert refusal(REFUSED[slug]) == slug


def test_every_slug_of_a_league_is_tried() -> None:
    sources = Path(decide.__file__).parent.glob("*.py")
    slugs = {
        slug
        for source in sources
        for slug in re.findall(r'(?:Illegal|Forbidden|Missing)\(\s*"(\w+)"', source.read_text())
    }
    assert slugs == set(REFUSED)


@pytest.mark.parametrize("wrong", [
    [move(0, 1, 0)], [move(0, 0, 0)], [move(0, 0, 1)], [move(0, 0, -1)], [ev.Move(STRANGER, 0, 0)],
])  # fmt: skip
def test_a_move_is_from_a_players_own_division_to_another_one_that_there_is(wrong: list[ev.Move]) -> None:
    assert refusal(promotions, closed(), *wrong) == "divisions"


def test_a_player_moves_once() -> None:
    assert refusal(promotions, closed(12), move(0, 0, 1), move(0, 0, 1)) == "divisions"


def test_every_rule_set_has_its_words_and_no_other() -> None:
    assert set(IN_WORDS) == set(LEAGUE_RULES)


def test_what_is_recorded_of_an_earlier_season_leaves_the_later_ones() -> None:
    league = closed(12)
    league = after(league, decide.decide_promotions(league, 1, "h", [move(0, 0, 1), move(6, 1, 0)], ORGANISER))
    league = after(league, decide.open_season(league, 30, 40, ORGANISER))
    later = season(league)
    fixture = league.seasons[0].fixtures[0].id
    league = after(league, [ev.NotPlayed(fixture, (), "late")])
    assert league.seasons[0].ended[fixture] == ev.NotPlayed(fixture, (), "late")
    assert league.seasons[1:] == (later,)
