"""A league refuses what may not be, each time with the rule's slug."""

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from uuid import UUID

import pytest
from msgspec.structs import replace

from domain.game_type import Illegal
from domain.league import decide
from domain.league import events as ev
from domain.league.aggregate import League
from domain.league.rules import BOX_TWO, DAYS_BOARDS

from .leagues import (
    FOUNDING,
    ORGANISER,
    PATIENCE,
    STRANGER,
    after,
    closed,
    first,
    founded,
    member,
    running,
)  # fmt: skip


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


def crowded(what: str, many: int) -> League:
    return replace(founded(), **{what: tuple(member(number) for number in range(many))})


def move(player: int, before: int, after_: int) -> ev.Move:
    return ev.Move(member(player), before, after_)


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
    with pytest.raises(Illegal) as refused:
        REFUSED[slug]()
    assert refused.value.rule == slug


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
    with pytest.raises(Illegal) as refused:
        promotions(closed(), *wrong)
    assert refused.value.rule == "divisions"


def test_a_player_moves_once() -> None:
    with pytest.raises(Illegal):
        promotions(closed(12), move(0, 0, 1), move(0, 0, 1))
