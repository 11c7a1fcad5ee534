"""Leagues: the list; one with its rules, people, seasons, and what its organisers may do; its rulings."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from litestar import Response
from msgspec import Struct
from msgspec.structs import replace

from domain.league import decide
from domain.league.aggregate import League
from domain.league.rules import BoxRules
from domain.play import events as ev
from domain.play.table import join
from service.api.contests.contests import ContestShown, LeagueContestBody, announcement, contest_of
from service.api.contests.day_seasons import season_of, season_of_league, standing_of
from service.api.games.games import act_of_caller
from service.api.leagues import leagues as shapes
from service.api.leagues import rulings as told
from service.api.leagues.league_seasons import (
    PromotionsBody,
    ReplacementBody,
    SeasonBody,
    Standing,
    find_standing,
    number,
    promotions_of,
    record_promotions,
)
from service.api.leagues.league_tables import NotPlayedBody, WalkoverBody, fixtures_of, tables_of, unplayed_fixture
from service.api.leagues.leagues import (
    LeagueNameBody,
    LeaguesQuery,
    PlayerBody,
    ReasonBody,
    RemovalBody,
    listed_leagues,
    people_of,
    require_player,
)
from service.api.paging import PageQuery
from service.api.viewing import micros
from service.leagues import commands
from service.leagues.commands import fixture_game, require_admission
from service.problems import Refused
from service.web.days import own_row
from service.web.form import FormAction, FormFields, decode_form, form_route
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
    told = shapes.shown_league(found, {one.id: one.name for one in people.values() if one.name is not None})
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
    made = [told.ruling_of(record) for record in await commands.recorded_rulings(visit.services.store, league.id)]
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
        commands.require_organiser(league, visit.player)
        games = await commands.games_of(visit.services.room, event, league)
        await commands.rule_within(league.id, visit.services.leagues, event, visit.player, games)

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


_FIXTURES_PAGE = 50


async def _season_page(visit: Visit, refusal: str = "") -> Response[Any]:
    """Show the season."""
    found = await find_standing(visit)
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
    asked = visit.asking(PageQuery(cursor=visit.cursor, limit=_FIXTURES_PAGE))
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
    found = await find_standing(visit, known[0].number)
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
    leagues,
    page(_LEAGUE)(_league_page),
    form_route(_LEAGUE, _LEAGUE_ACTIONS, _league_page),
    page(_RULINGS)(_rulings_page),
    form_route(_RULINGS, _RULING_ACTIONS, _rulings_page),
    page(_SEASON)(_season_page),
    form_route(_SEASON, _SEASON_ACTIONS, _season_page),
    player,
    page(_FIXTURE)(_fixture_page),
    form_route(_FIXTURE, _FIXTURE_ACTIONS, _fixture_page),
)
