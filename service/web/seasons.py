"""A season's page: tables that explain themselves, what was published, fixtures; or the rows of a same-deal season."""

from typing import Any

from litestar import Response

from domain.league import decide
from domain.league.rules import BoxRules
from service.api.contests.contest_shapes import ContestShown
from service.api.contests.contests import contest_of
from service.api.contests.day_seasons import season_of, season_of_league, standing_of
from service.api.leagues.league_promotions import PromotionsBody, promotions_of, record_promotions
from service.api.leagues.league_seasons import ReplacementBody
from service.api.leagues.league_shapes import people_of
from service.api.leagues.league_standing import Standing, number, standing
from service.api.leagues.league_tables import fixtures_of, tables_of
from service.api.paging import PageQuery
from service.problems import Refused
from service.web.day_seasons import own_row
from service.web.form_actions import FormAction, FormFields, run_form_action
from service.web.form_body import decode_form
from service.web.page import Visit, page

_PAGE = 50


@page("/leagues/{league_id:uuid}/seasons/{season:int}")
async def season(visit: Visit) -> Response[Any]:
    """Show the season."""
    return await _season_page(visit)


async def _season_page(visit: Visit, refusal: str = "") -> Response[Any]:
    found = await standing(visit)
    shows = _box_season_page if isinstance(found.league.founded.rules, BoxRules) else _day_season_page
    return await shows(visit, found, {
        "league": found.league, "season": found.season, "number": found.season.number, "refusal": refusal,
        "organises": visit.caller is not None and visit.player in found.league.organisers
        and not found.league.dissolved, "status": 409 if refusal else 200,
    })  # fmt: skip


async def _box_season_page(visit: Visit, found: Standing, known: dict[str, Any]) -> Response[Any]:
    people = await visit.people.of(people_of(found.league))
    status = known.pop("status")
    return await visit.show(
        "season.html", status,
        tables=await tables_of(visit, found),
        fixtures=await fixtures_of(visit, found),
        promotions=promotions_of(found) if found.season.closed else None,
        people=people,
        playing={player for division in found.season.places for player in division},
        **known,
    )  # fmt: skip


async def _day_season_page(visit: Visit, found: Standing, known: dict[str, Any]) -> Response[Any]:
    asked = visit.asking(PageQuery(cursor=visit.cursor, limit=_PAGE))
    of = await season_of_league(asked)
    told = await season_of(asked, *of)
    status = known.pop("status")
    return await visit.show(
        "season_of_days.html", status,
        told=told, own=await own_row(visit, *of), contests=await _contests(visit, found),
        further=visit.cursor is not None, people=await visit.people.of(row.player.id for row in told.rows), **known,
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
    back = f"/leagues/{league.id}/seasons/{number(visit)}"
    return await visit.show(
        "standing.html", told=told, person=await visit.people.one(visit.id("player_id")),
        season=f"{league.name}, season {number(visit)}", back=back,
    )  # fmt: skip


@page("/leagues/{league_id:uuid}/seasons/{season:int}/{deed:str}", "POST")
async def act(visit: Visit) -> Response[Any]:
    """Do something in the season: what its forms say."""
    return await run_form_action(
        visit, FORM_ACTIONS, _season_page, f"/leagues/{visit.id('league_id')}/seasons/{number(visit)}"
    )


async def _close(visit: Visit, said: FormFields) -> None:
    await visit.services.leagues.act(
        visit.id("league_id"), lambda one: decide.close_season(one, number(visit), visit.player), visit.player
    )


async def _promote(visit: Visit, said: FormFields) -> None:
    """Decide the promotions as the rules propose."""
    await record_promotions(visit, PromotionsBody())


async def _replace(visit: Visit, said: FormFields) -> None:
    body = decode_form(ReplacementBody, said)
    await visit.services.leagues.act(
        visit.id("league_id"),
        lambda one: decide.replace_player(one, number(visit), body.player, body.by, visit.player),
        visit.player,
    )


FORM_ACTIONS: dict[str, FormAction] = {"close": _close, "promotions": _promote, "replace": _replace}
HANDLERS = (season, player, act)
