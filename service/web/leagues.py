"""Leagues: the list, and the page of one with its rules, its people, its seasons and what its organisers may do."""

from typing import Any
from uuid import UUID

from litestar import Response

from domain.league import decide
from domain.league.aggregate import League
from service.api.contests.contests import LeagueContestBody, announcement
from service.api.leagues import league_shapes as shapes
from service.api.leagues.league_members import PlayerBody, RemovalBody, require_player
from service.api.leagues.league_seasons import SeasonBody
from service.api.leagues.leagues import LeagueNameBody, LeaguesQuery, ReasonBody, listed_leagues
from service.api.people import micros
from service.web.form_actions import FormAction, FormFields, run_form_action
from service.web.form_body import decode_form
from service.web.league_words import rule_sentences
from service.web.page import Visit, page

_PAGE = 30


@page("/leagues")
async def leagues(visit: Visit) -> Response[Any]:
    """Show the visitor's leagues, and all of them page by page."""
    listed = await listed_leagues(visit.asking(LeaguesQuery(cursor=visit.cursor, limit=_PAGE)))
    own = None if visit.caller is None else LeaguesQuery(player=visit.player, limit=_PAGE)
    return await visit.show(
        "leagues.html",
        listed=listed,
        own=() if own is None or visit.cursor else (await listed_leagues(visit.asking(own))).leagues,
        further=visit.cursor is not None,
    )


@page("/leagues/{league_id:uuid}")
async def league(visit: Visit) -> Response[Any]:
    """Show one league."""
    return await _league_page(visit)


async def _league_page(visit: Visit, refusal: str = "") -> Response[Any]:
    head = await visit.services.store.head()
    found = await visit.services.leagues.of(visit.id("league_id"))
    people = await visit.people.of(shapes.people_of(found))
    told = shapes.league(found, {one.id: one.name for one in people.values() if one.name is not None})
    return await visit.show(
        "league.html", 409 if refusal else 200,
        league=told, rules=rule_sentences(told), people=people, refusal=refusal, position=head, **_roles(visit, found),
    )  # fmt: skip


def _roles(visit: Visit, found: League) -> dict[str, bool]:
    """The visitor's roles in the league, as template variables."""
    own = None if visit.caller is None else visit.player
    return {
        "organises": own in found.organisers and not found.dissolved,
        "member": own in found.members,
        "invited": own in found.invited,
        "may_join": not found.dissolved
        and own not in found.members
        and (found.founded.membership == "open" or own in (*found.invited, *found.organisers)),
    }


@page("/leagues/{league_id:uuid}/{deed:str}", "POST")
async def act(visit: Visit) -> Response[Any]:
    """Do something in the league: what its forms say."""
    return await run_form_action(visit, FORM_ACTIONS, _league_page, f"/leagues/{visit.id('league_id')}")


async def _act_on_league(visit: Visit, decision: Any) -> None:
    await visit.services.leagues.act(visit.id("league_id"), decision, visit.player)


async def _join(visit: Visit, said: FormFields) -> None:
    await _act_on_league(visit, lambda one: decide.join(one, visit.player))


async def _leave(visit: Visit, said: FormFields) -> None:
    await _act_on_league(visit, lambda one: decide.leave(one, visit.player))


async def _decline(visit: Visit, said: FormFields) -> None:
    await _act_on_league(visit, lambda one: decide.withdraw_invitation(one, visit.player, visit.player))


async def _player(visit: Visit, said: FormFields) -> UUID:
    """The player named in a form; raises Illegal if there is no such player."""
    player = decode_form(PlayerBody, said).player
    await require_player(visit, player)
    return player


async def _invite(visit: Visit, said: FormFields) -> None:
    player = await _player(visit, said)
    await _act_on_league(visit, lambda one: decide.invite(one, player, visit.player))


async def _withdraw(visit: Visit, said: FormFields) -> None:
    player = decode_form(PlayerBody, said).player
    await _act_on_league(visit, lambda one: decide.withdraw_invitation(one, player, visit.player))


async def _remove(visit: Visit, said: FormFields) -> None:
    player, reason = decode_form(PlayerBody, said).player, decode_form(RemovalBody, said).reason
    await _act_on_league(visit, lambda one: decide.remove(one, player, reason, visit.player))


async def _name_organiser(visit: Visit, said: FormFields) -> None:
    player = await _player(visit, said)
    await _act_on_league(visit, lambda one: decide.name_organiser(one, player, visit.player))


async def _dismiss_organiser(visit: Visit, said: FormFields) -> None:
    player = decode_form(PlayerBody, said).player
    await _act_on_league(visit, lambda one: decide.dismiss_organiser(one, player, visit.player))


async def _rename(visit: Visit, said: FormFields) -> None:
    name = decode_form(LeagueNameBody, said).name
    await _act_on_league(visit, lambda one: decide.rename(one, name, visit.player))


async def _dissolve(visit: Visit, said: FormFields) -> None:
    reason = decode_form(ReasonBody, said).reason
    await _act_on_league(visit, lambda one: decide.dissolve(one, reason, visit.player))


async def _open_season(visit: Visit, said: FormFields) -> str:
    body = decode_form(SeasonBody, said)
    starts, ends = micros(body.starts), micros(body.ends)
    await _act_on_league(visit, lambda one: decide.open_season(one, starts, ends, visit.player))
    league = await visit.services.leagues.of(visit.id("league_id"))
    return f"/leagues/{league.id}/seasons/{len(league.seasons)}"


async def _announce(visit: Visit, said: FormFields) -> str:
    league = await visit.services.leagues.of(visit.id("league_id"))
    wanted = announcement(league, decode_form(LeagueContestBody, said))
    await visit.services.contests.announce_in(visit.services.leagues, wanted, visit.player, None)
    return f"/leagues/{league.id}/seasons/{len(league.seasons)}"


FORM_ACTIONS: dict[str, FormAction] = {
    "join": _join, "leave": _leave, "decline": _decline, "invite": _invite, "withdraw-invitation": _withdraw,
    "remove": _remove, "name-organiser": _name_organiser, "dismiss-organiser": _dismiss_organiser, "rename": _rename,
    "dissolve": _dissolve, "open-season": _open_season, "announce-contest": _announce,
}  # fmt: skip
HANDLERS = (leagues, league, act)
