"""Leagues: the list; one with its rules, people, seasons, and what its organisers may do; its rulings."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from litestar import Response
from msgspec import Struct
from msgspec.structs import replace

from domain.league import decide
from domain.league.aggregate import League
from service.api.contests.contests import LeagueContestBody, announcement
from service.api.leagues import league_shapes as shapes
from service.api.leagues import rulings as told
from service.api.leagues.league_members import PlayerBody, RemovalBody, require_player
from service.api.leagues.league_seasons import SeasonBody
from service.api.leagues.leagues import LeagueNameBody, LeaguesQuery, ReasonBody, listed_leagues
from service.api.showing import micros
from service.leagues import rulings
from service.web.form_actions import FormAction, FormFields, decode_form, form_route
from service.web.page import Visit, page
from service.web.rule_sets import rule_sentences

_PAGE, _MOST_RULINGS = 30, 200


@page("/leagues")
async def leagues(visit: Visit) -> Response[Any]:
    """Show the visitor's leagues, and all of them page by page."""
    listed = await listed_leagues(visit.asking(LeaguesQuery(cursor=visit.cursor, limit=_PAGE)))
    own = None if visit.caller is None else LeaguesQuery(player_id=visit.player, limit=_PAGE)
    return await visit.show(
        "leagues.html",
        listed=listed,
        own=None if own is None or visit.cursor else await listed_leagues(visit.asking(own)),
    )


async def _league_page(visit: Visit, refusal: str = "") -> Response[Any]:
    """Show one league."""
    head = await visit.services.store.head()
    found = await visit.services.leagues.of(visit.id("league_id"))
    people = await visit.people.of(shapes.people_of(found))
    told = shapes.league(found, {one.id: one.name for one in people.values() if one.name is not None})
    return await visit.show(
        "league.html",
        league=told, rules=rule_sentences(told), people=people, refusal=refusal, position=head, **_roles(visit, found),
    )  # fmt: skip


def _roles(visit: Visit, found: League) -> dict[str, bool]:
    """The visitor's roles in the league, as template variables."""
    own = visit.visitor
    return {
        "organises": organises(visit, found),
        "member": own in found.members,
        "invited": own in found.invited,
        "may_join": not found.dissolved
        and own not in found.members
        and (found.founded.membership == "open" or own in (*found.invited, *found.organisers)),
    }


async def act_on_league(visit: Visit, decision: Callable[[League], Any]) -> None:
    """Change the league of the path by this decision; raises Illegal."""
    await visit.services.leagues.act(visit.id("league_id"), decision, visit.player)


def organises(visit: Visit, league: League) -> bool:
    """Whether the visitor may do what organisers may."""
    return visit.visitor in league.organisers and not league.dissolved


def _action(decision: Callable[[League, Any, UUID], Any], body: type[Struct] | None = None) -> FormAction:
    """The decision on the league, of what a form with the fields of this body says and of the visitor."""

    async def act(visit: Visit, said: FormFields) -> None:
        told = None if body is None else decode_form(body, said)
        await act_on_league(visit, lambda league: decision(league, told, visit.player))

    return act


def _action_on_player(decision: Callable[[League, UUID, UUID], Any]) -> FormAction:
    """The decision on a player whom the form names; raises Illegal if there is no such player."""

    async def act(visit: Visit, said: FormFields) -> None:
        player = decode_form(PlayerBody, said).player_id
        await require_player(visit, player)
        await act_on_league(visit, lambda league: decision(league, player, visit.player))

    return act


async def _remove(visit: Visit, said: FormFields) -> None:
    player, reason = decode_form(PlayerBody, said).player_id, decode_form(RemovalBody, said).reason
    await act_on_league(visit, lambda league: decide.remove(league, player, reason, visit.player))


async def _open_season(visit: Visit, said: FormFields) -> str:
    body = decode_form(SeasonBody, said)
    starts, ends = micros(body.starts), micros(body.ends)
    await act_on_league(visit, lambda one: decide.open_season(one, starts, ends, visit.player))
    league = await visit.services.leagues.of(visit.id("league_id"))
    return f"/leagues/{league.id}/seasons/{len(league.seasons)}"


async def _announce(visit: Visit, said: FormFields) -> str:
    league = await visit.services.leagues.of(visit.id("league_id"))
    wanted = announcement(league, decode_form(LeagueContestBody, said))
    await visit.services.contests.announce_in(visit.services.leagues, wanted, visit.player)
    return f"/leagues/{league.id}/seasons/{len(league.seasons)}"


_LEAGUE_ACTIONS: dict[str, FormAction] = {
    "join": _action(lambda league, _, you: decide.join(league, you)),
    "leave": _action(lambda league, _, you: decide.leave(league, you)),
    "decline": _action(lambda league, _, you: decide.withdraw_invitation(league, you, you)),
    "invite": _action_on_player(decide.invite),
    "withdraw-invitation": _action(
        lambda league, told, you: decide.withdraw_invitation(league, told.player_id, you), PlayerBody
    ),
    "remove": _remove,
    "name-organiser": _action_on_player(decide.name_organiser),
    "dismiss-organiser": _action(
        lambda league, told, you: decide.dismiss_organiser(league, told.player_id, you), PlayerBody
    ),
    "rename": _action(lambda league, told, you: decide.rename(league, told.name, you), LeagueNameBody),
    "dissolve": _action(lambda league, told, you: decide.dissolve(league, told.reason, you), ReasonBody),
    "open-season": _open_season,
    "announce-contest": _announce,
}


async def _rulings_page(visit: Visit, refusal: str = "") -> Response[Any]:
    """Show the rulings; `?game_id=` fills the forms."""
    head = await visit.services.store.head()
    league = await visit.services.leagues.of(visit.id("league_id"))
    made = [told.ruling_of(record) for record in await rulings.recorded_rulings(visit.services.store, league.id)]
    return await visit.show(
        "rulings.html",
        league=league, rulings=made[::-1][:_MOST_RULINGS], more=max(len(made) - _MOST_RULINGS, 0),
        refusal=refusal, position=head,
        game=visit.request.query_params.get("game_id", "")[:60],
        organises=organises(visit, league),
    )  # fmt: skip


def _ruling(body: type[Struct]) -> FormAction:
    """The ruling that a form with the fields of this body asks for."""

    async def record_ruling(visit: Visit, said: FormFields) -> None:
        event = told.event_of(_from_zero(decode_form(body, said)))  # type: ignore[arg-type]  # one of the four bodies
        league = await visit.services.leagues.of(visit.id("league_id"))
        rulings.require_organiser(league, visit.player)
        games = await rulings.games_of(visit.services.room, event, league)
        await rulings.rule_within(league.id, visit.services.leagues, event, visit.player, games)

    return record_ruling


def _from_zero(ruling: Struct) -> Struct:
    """The ruling with players and places counted from 0; people count from 1. Raises ValueError for a 0."""
    if not isinstance(ruling, told.CorrectResult):
        return ruling
    if 0 in (*ruling.winners, *(ruling.places or ())):
        raise ValueError("Players and places are counted from 1.")
    places = None if ruling.places is None else tuple(place - 1 for place in ruling.places)
    return replace(ruling, winners=tuple(seat - 1 for seat in ruling.winners), places=places)


_RULING_ACTIONS: dict[str, FormAction] = {
    "void": _ruling(told.VoidGames),
    "withdraw-void": _ruling(told.WithdrawVoids),
    "correct": _ruling(told.CorrectResult),
    "withdraw-correction": _ruling(told.WithdrawCorrection),
}
_LEAGUE, _RULINGS = "/leagues/{league_id:uuid}", "/leagues/{league_id:uuid}/rulings"
HANDLERS = (
    leagues,
    page(_LEAGUE)(_league_page),
    form_route(_LEAGUE, _LEAGUE_ACTIONS, _league_page),
    page(_RULINGS)(_rulings_page),
    form_route(_RULINGS, _RULING_ACTIONS, _rulings_page),
)
