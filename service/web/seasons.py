"""A season: tables that explain themselves, or same-deal rows; a fixture: its game, or how it ends without one."""

from typing import Any

from litestar import Response

from domain.league import decide
from domain.league.rules import BoxRules
from domain.play import events as ev
from domain.play.table import join
from service.api.contests.contests import ContestShown, contest_of
from service.api.contests.day_seasons import season_of, season_of_league, standing_of
from service.api.games.games import act_of_caller
from service.api.leagues.league_fixtures import NotPlayedBody, WalkoverBody, fixtures_of, unplayed_fixture
from service.api.leagues.league_seasons import (
    PromotionsBody,
    ReplacementBody,
    Standing,
    number,
    promotions_of,
    record_promotions,
    standing,
)
from service.api.leagues.league_shapes import people_of
from service.api.leagues.league_tables import tables_of
from service.api.leagues.leagues import ReasonBody
from service.api.paging import PageQuery
from service.leagues.acting import fixture_game
from service.leagues.rulings import require_admission
from service.problems import Refused
from service.web.days import own_row
from service.web.form_actions import FormAction, FormFields, decode_form, form_route
from service.web.leagues import act_on_league, organises
from service.web.page import Visit, page

_PAGE = 50


async def _season_page(visit: Visit, refusal: str = "") -> Response[Any]:
    """Show the season."""
    found = await standing(visit)
    shows = _box_season_page if isinstance(found.league.founded.rules, BoxRules) else _day_season_page
    return await shows(visit, found, {
        "league": found.league, "season": found.season, "number": found.season.number, "refusal": refusal,
        "organises": organises(visit, found.league),
    })  # fmt: skip


async def _box_season_page(visit: Visit, found: Standing, known: dict[str, Any]) -> Response[Any]:
    people = await visit.people.of(people_of(found.league))
    return await visit.show(
        "season.html",
        tables=await tables_of(visit, found),
        fixtures=await fixtures_of(visit, found),
        promotions=await promotions_of(visit, found) if found.season.closed else None,
        people=people,
        playing={player for division in found.season.places for player in division},
        **known,
    )  # fmt: skip


async def _day_season_page(visit: Visit, found: Standing, known: dict[str, Any]) -> Response[Any]:
    asked = visit.asking(PageQuery(cursor=visit.cursor, limit=_PAGE))
    of = await season_of_league(asked)
    told = await season_of(asked, *of)
    return await visit.show(
        "season_of_days.html",
        told=told, own=await own_row(visit, *of), contests=await _contests(visit, found),
        people=await visit.people.of(row.player.id for row in told.rows), **known,
    )  # fmt: skip


async def _contests(visit: Visit, found: Standing) -> list[ContestShown]:
    """The season's contests, the newest first; leaves out a contest that the projection does not have yet."""
    told = []
    for contest in reversed(found.season.contests):
        try:
            told.append(await contest_of(visit.asking(None, contest_id=contest)))
        except Refused:
            continue
    return told


@page("/leagues/{league_id:uuid}/seasons/{season:int}/players/{player_id:uuid}")
async def player(visit: Visit) -> Response[Any]:
    """Show why a player stands where they stand in a same-deal season."""
    asked = visit.asking(None)
    told = await standing_of(asked, *await season_of_league(asked))
    league = await visit.services.leagues.of(visit.id("league_id"))
    return await visit.show(
        "standing.html", told=told, person=await visit.people.one(visit.id("player_id")),
        season=f"{league.name}, season {number(visit)}", back=f"/leagues/{league.id}/seasons/{number(visit)}",
    )  # fmt: skip


async def _close(visit: Visit, said: FormFields) -> None:
    await act_on_league(visit, lambda league: decide.close_season(league, number(visit), visit.player))


async def _promote(visit: Visit, said: FormFields) -> None:
    """Decide the promotions as the rules propose."""
    await record_promotions(visit, PromotionsBody())


async def _replace(visit: Visit, said: FormFields) -> None:
    body, season = decode_form(ReplacementBody, said), number(visit)
    before, by = body.player_id, body.by_player_id
    await act_on_league(visit, lambda league: decide.replace_player(league, season, before, by, visit.player))


_SEASON_ACTIONS: dict[str, FormAction] = {"close": _close, "promotions": _promote, "replace": _replace}


async def _fixture_page(visit: Visit, refusal: str = "") -> Response[Any]:
    """Show the fixture."""
    league = await visit.services.leagues.of(visit.id("league_id"))
    known = league.fixture(visit.id("fixture_id"))
    if known is None:
        raise Refused("no_such_thing", "There is no such fixture.")
    found = await standing(visit, known[0].number)
    told = await fixtures_of(visit, found)
    one = next(one for one in told.fixtures if one.id == visit.id("fixture_id"))
    return await visit.show(
        "fixture.html",
        league=league, season=found.season, fixture=one, refusal=refusal, position=told.log_position,
        people=await visit.people.of(player.id for player in one.players), 
        plays=visit.visitor in {player.id for player in one.players},
        organises=organises(visit, league),
    )  # fmt: skip


async def _play(visit: Visit, said: FormFields) -> str:
    """Open or join the fixture's game; returns its address. The second player to come takes the reserved seat."""
    league = await visit.services.leagues.of(visit.id("league_id"))
    game, _ = await fixture_game(visit.services, league, visit.id("fixture_id"), visit.player)
    if game.status == "waiting" and visit.player not in game.players:
        await require_admission(visit.services, visit.player, len(game.players), game.opening.rated)
        await visit.services.room.act(
            game.id, lambda found: join(found, ev.Join(), act_of_caller(visit, found)), of_service=True
        )
    return f"/games/{game.id}"


async def _give_walkover(visit: Visit, said: FormFields) -> None:
    body, one = decode_form(WalkoverBody, said), await unplayed_fixture(visit)
    to, reason = body.to_player_id, body.reason
    await act_on_league(visit, lambda league: decide.give_walkover(league, one, to, reason, visit.player))


async def _mark_not_played(visit: Visit, said: FormFields) -> None:
    named = [name.removeprefix("absent.") for name in said if name.startswith("absent.")]
    body, one = decode_form(NotPlayedBody, said, absent_player_ids=named), await unplayed_fixture(visit)
    await act_on_league(
        visit, lambda league: decide.declare_not_played(league, one, body.absent_player_ids, body.reason, visit.player)
    )


async def _reopen(visit: Visit, said: FormFields) -> None:
    body, one = decode_form(ReasonBody, said), visit.id("fixture_id")
    await act_on_league(visit, lambda league: decide.reopen_fixture(league, one, body.reason, visit.player))


_FIXTURE_ACTIONS: dict[str, FormAction] = {
    "play": _play,
    "walkover": _give_walkover,
    "not-played": _mark_not_played,
    "reopen": _reopen,
}
_SEASON = "/leagues/{league_id:uuid}/seasons/{season:int}"
_FIXTURE = "/leagues/{league_id:uuid}/fixtures/{fixture_id:uuid}"
HANDLERS = (
    page(_SEASON)(_season_page),
    form_route(_SEASON, _SEASON_ACTIONS, _season_page),
    player,
    page(_FIXTURE)(_fixture_page),
    form_route(_FIXTURE, _FIXTURE_ACTIONS, _fixture_page),
)
