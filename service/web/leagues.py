"""Leagues: the list, one league, its seasons and fixtures, and its rulings."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import datetime
from typing import Any
from uuid import UUID

from litestar import Response
from msgspec import Struct
from msgspec.structs import replace

from domain.game_type import Illegal
from domain.league import decide
from domain.league.aggregate import League
from domain.league.rules import BoxRules
from domain.play import events as ev
from domain.play.aggregate import Game
from domain.play.table import join
from service.api.contests.contests import ContestShown, LeagueContestBody, announcement, contest_of
from service.api.contests.day_seasons import season_of, season_of_league, standing_of
from service.api.games.games import act_of_caller
from service.api.leagues import league_seasons, rulings
from service.api.leagues import leagues as shapes
from service.api.leagues.league_tables import (
    FixtureList,
    FixtureShown,
    NotPlayedBody,
    TableRow,
    Tables,
    WalkoverBody,
    fixtures_of,
    tables_of,
    unplayed_fixture,
)
from service.api.paging import PageQuery
from service.api.viewing import micros
from service.contests.attempts import Contests
from service.leagues import commands
from service.leagues.commands import LeagueParts, fixture_game, require_admission
from service.live import seats
from service.live.shapes import moment
from service.problems import Refused
from service.web.days import own_row
from service.web.form import FormAction, FormFields, decode_form, form_route
from service.web.listing import sentence
from service.web.page import Person, Visit, page
from service.web.rule_sets import rule_sentences

_PAGE, _MOST_RULINGS = 30, 200


@page("/leagues")
async def leagues(visit: Visit) -> Response[Any]:
    """Show the visitor's leagues, and all of them page by page."""
    listed = await shapes.listed_leagues(visit.asking(shapes.LeaguesQuery(cursor=visit.cursor, limit=_PAGE)))
    own = None if visit.caller is None else shapes.LeaguesQuery(player_id=visit.player, limit=_PAGE)
    return await visit.show(
        "leagues.html",
        listed=listed,
        own=None if own is None or visit.cursor else await shapes.listed_leagues(visit.asking(own)),
    )


async def _show_league(visit: Visit, refusal: str = "") -> Response[Any]:
    head = await visit.store.head()
    league = await visit.area(LeagueParts).leagues.of(visit.id("league_id"))
    people = await visit.people.of(shapes.people_of(league))
    names = {person.id: person.name for person in people.values() if person.name is not None}
    shown_league, own = shapes.shown_league(league, names), visit.visitor
    return await visit.show(
        "league.html",
        league=shown_league, rules=rule_sentences(shown_league), people=people, refusal=refusal, position=head,
        outlook=await _look_out_of_league(visit, league),
        organises=organises(visit, league), member=own in league.members, invited=own in league.invited,
        may_join=not league.dissolved and own not in league.members
        and (league.founded.membership == "open" or own in (*league.invited, *league.organisers)),
    )  # fmt: skip


class Outlook(Struct, frozen=True):
    """Where a season of divisions stands: who leads each, the visitor's own row and division, and what they play next.

    `rows`: the players' rows of the tables, by id.
    """

    season: int
    ends: datetime
    leaders: tuple[tuple[int, tuple[TableRow, ...]], ...]
    rows: dict[UUID, TableRow]
    own: tuple[int, TableRow] | None
    next: tuple[FixtureShown, ...]


async def _look_out(visit: Visit, current: league_seasons.Standing, fixtures: FixtureList, tables: Tables) -> Outlook:
    """The outlook of this season for the visitor."""
    own, leaders, rows = None, [], dict[UUID, TableRow]()
    for division in tables.divisions:
        rows |= {row.player.id: row for row in division.rows}
        leaders.append((division.division, tuple(row for row in division.rows if row.place == 1)))
        own = next(((division.division, row) for row in division.rows if row.player.id == visit.visitor), own)
    to_play = (fixture for fixture in fixtures.fixtures if fixture.state == "to_play" and not current.season.closed)
    mine = tuple(one for one in to_play if visit.visitor in {player.id for player in one.players})
    return Outlook(current.season.number, moment(current.season.ends), tuple(leaders), rows, own, mine)


async def _look_out_of_league(visit: Visit, league: League) -> Outlook | None:
    """The outlook of the season that runs; None without one, of the same cards for all, or while its tables lag."""
    running = league.season
    if running is None or running.closed or not isinstance(league.founded.rules, BoxRules):
        return None
    with suppress(Refused):
        current = await league_seasons.find_standing(visit, running.number)
        return await _look_out(visit, current, await fixtures_of(visit, current), await tables_of(visit, current))
    return None


async def act_on_league(visit: Visit, decision: Callable[[League], Any]) -> None:
    """Change the league of the path by this decision; raises Illegal."""
    await visit.area(LeagueParts).leagues.act(visit.id("league_id"), decision, visit.player)


def organises(visit: Visit, league: League) -> bool:
    """Whether the visitor may do what organisers may."""
    return visit.visitor in league.organisers and not league.dissolved


def _make_action(decision: Callable[[League, Any, Visit], Any], body: type[Struct] | None = None) -> FormAction:
    """The action that applies this decision to the league, the form decoded as this body, and the visit."""

    async def act(visit: Visit, fields: FormFields) -> None:
        form = None if body is None else decode_form(body, fields)
        await act_on_league(visit, lambda league: decision(league, form, visit))

    return act


def _make_action_on_player(decision: Callable[[League, UUID, UUID], Any]) -> FormAction:
    """The decision on a player whom the form names; raises Illegal if there is no such player."""

    async def act(visit: Visit, fields: FormFields) -> None:
        player = decode_form(shapes.PlayerBody, fields).player_id
        await shapes.require_player(visit, player)
        await act_on_league(visit, lambda league: decision(league, player, visit.player))

    return act


async def _remove(visit: Visit, fields: FormFields) -> None:
    player, reason = decode_form(shapes.PlayerBody, fields).player_id, decode_form(shapes.RemovalBody, fields).reason
    await act_on_league(visit, lambda league: decide.remove(league, player, reason, visit.player))


async def _open_season(visit: Visit, fields: FormFields) -> str:
    body = decode_form(league_seasons.SeasonBody, fields)
    starts, ends = micros(body.starts), micros(body.ends)
    await act_on_league(visit, lambda league: decide.open_season(league, starts, ends, visit.player))
    league = await visit.area(LeagueParts).leagues.of(visit.id("league_id"))
    return f"/leagues/{league.id}/seasons/{len(league.seasons)}"


async def _announce(visit: Visit, fields: FormFields) -> str:
    league = await visit.area(LeagueParts).leagues.of(visit.id("league_id"))
    contest = announcement(league, decode_form(LeagueContestBody, fields))
    await visit.area(Contests).announce_in(visit.area(LeagueParts).leagues, contest, visit.player)
    return f"/leagues/{league.id}/seasons/{len(league.seasons)}"


_LEAGUE_ACTIONS: dict[str, FormAction] = {
    "join": _make_action(lambda league, _, visit: decide.join(league, visit.player)),
    "leave": _make_action(lambda league, _, visit: decide.leave(league, visit.player)),
    "decline": _make_action(lambda league, _, visit: decide.withdraw_invitation(league, visit.player, visit.player)),
    "invite": _make_action_on_player(decide.invite),
    "withdraw-invitation": _make_action(
        lambda league, form, visit: decide.withdraw_invitation(league, form.player_id, visit.player), shapes.PlayerBody
    ),
    "remove": _remove,
    "name-organiser": _make_action_on_player(decide.name_organiser),
    "dismiss-organiser": _make_action(
        lambda league, form, visit: decide.dismiss_organiser(league, form.player_id, visit.player), shapes.PlayerBody
    ),
    "rename": _make_action(
        lambda league, form, visit: decide.rename(league, form.name, visit.player), shapes.LeagueNameBody
    ),
    "dissolve": _make_action(
        lambda league, form, visit: decide.dissolve(league, form.reason, visit.player), shapes.ReasonBody
    ),
    "open-season": _open_season,
    "announce-contest": _announce,
}
_LEAGUE = "/leagues/{league_id:uuid}"
league = page(_LEAGUE)(_show_league)
league_forms = form_route(_LEAGUE, _LEAGUE_ACTIONS, _show_league)


async def _show_rulings(visit: Visit, refusal: str = "") -> Response[Any]:
    """Show the rulings; `?game_id=` fills the forms."""
    head = await visit.store.head()
    league = await visit.area(LeagueParts).leagues.of(visit.id("league_id"))
    made = [rulings.ruling_of(record) for record in await commands.recorded_rulings(visit.store, league.id)]
    return await visit.show(
        "rulings.html",
        league=league, rulings=made[::-1][:_MOST_RULINGS], more=max(len(made) - _MOST_RULINGS, 0),
        refusal=refusal, position=head,
        game=visit.request.query_params.get("game_id", "")[:60],
        organises=organises(visit, league),
    )  # fmt: skip


def _make_ruling_action(body: type[Struct]) -> FormAction:
    """The action that records the ruling of a form with the fields of this body."""

    async def record_ruling(visit: Visit, fields: FormFields) -> None:
        event = rulings.event_of(_count_from_zero(decode_form(body, fields)))  # type: ignore[arg-type]  # one of the four bodies
        league = await visit.area(LeagueParts).leagues.of(visit.id("league_id"))
        commands.require_organiser(league, visit.player)
        games = await commands.games_of(visit.room, event, league)
        await commands.rule_within(league.id, visit.area(LeagueParts).leagues, event, visit.player, games)

    return record_ruling


def _count_from_zero(ruling: Struct) -> Struct:
    """The ruling with players and places counted from 0; people count from 1. Raises ValueError for a 0."""
    if not isinstance(ruling, rulings.CorrectResult):
        return ruling
    if 0 in (*ruling.winners, *(ruling.places or ())):
        raise ValueError("Players and places are counted from 1.")
    places = None if ruling.places is None else tuple(place - 1 for place in ruling.places)
    return replace(ruling, winners=tuple(seat - 1 for seat in ruling.winners), places=places)


_RULING_ACTIONS: dict[str, FormAction] = {
    "void": _make_ruling_action(rulings.VoidGames),
    "withdraw-void": _make_ruling_action(rulings.WithdrawVoids),
    "correct": _make_ruling_action(rulings.CorrectResult),
    "withdraw-correction": _make_ruling_action(rulings.WithdrawCorrection),
}
_RULINGS = f"{_LEAGUE}/rulings"
league_rulings = page(_RULINGS)(_show_rulings)
ruling_forms = form_route(_RULINGS, _RULING_ACTIONS, _show_rulings)
_FIXTURES_PAGE = 50


async def _show_season(visit: Visit, refusal: str = "") -> Response[Any]:
    current = await league_seasons.find_standing(visit)
    shows = _show_box_season if isinstance(current.league.founded.rules, BoxRules) else _show_day_season
    return await shows(visit, current, {
        "league": current.league, "season": current.season, "number": current.season.number, "refusal": refusal,
        "organises": organises(visit, current.league),
    })  # fmt: skip


async def _show_box_season(visit: Visit, current: league_seasons.Standing, common: dict[str, Any]) -> Response[Any]:
    people = await visit.people.of(shapes.people_of(current.league))
    tables, fixtures = await tables_of(visit, current), await fixtures_of(visit, current)
    return await visit.show(
        "season.html",
        tables=tables,
        fixtures=fixtures,
        outlook=await _look_out(visit, current, fixtures, tables),
        promotions=await league_seasons.promotions_of(visit, current) if current.season.closed else None,
        people=people,
        playing={player for division in current.season.places for player in division},
        **common,
    )  # fmt: skip


async def _show_day_season(visit: Visit, current: league_seasons.Standing, common: dict[str, Any]) -> Response[Any]:
    call = visit.asking(PageQuery(cursor=visit.cursor, limit=_FIXTURES_PAGE))
    of = await season_of_league(call)
    standings = await season_of(call, *of)
    return await visit.show(
        "season_of_days.html",
        told=standings, own=await own_row(visit, *of), contests=await _list_contests(visit, current),
        people=await visit.people.of(row.player.id for row in standings.rows), **common,
    )  # fmt: skip


async def _list_contests(visit: Visit, current: league_seasons.Standing) -> list[ContestShown]:
    """The season's contests, the newest first; leaves out a contest that the projection does not have yet."""
    contests = []
    for contest in reversed(current.season.contests):
        try:
            contests.append(await contest_of(visit.asking(None, contest_id=contest)))
        except Refused:
            continue
    return contests


@page("/leagues/{league_id:uuid}/seasons/{season:int}/players/{player_id:uuid}")
async def player(visit: Visit) -> Response[Any]:
    """Show how a player got their place in a same-deal season."""
    call = visit.asking(None)
    standing, number = await standing_of(call, *await season_of_league(call)), league_seasons.number(visit)
    league = await visit.area(LeagueParts).leagues.of(visit.id("league_id"))
    return await visit.show(
        "standing.html", told=standing, person=await visit.people.one(visit.id("player_id")),
        season=f"{league.name}, season {number}", back=f"/leagues/{league.id}/seasons/{number}",
    )  # fmt: skip


async def _promote(visit: Visit, fields: FormFields) -> None:
    """Decide the promotions as the rules propose."""
    await league_seasons.record_promotions(visit, league_seasons.PromotionsBody())


_SEASON_ACTIONS: dict[str, FormAction] = {
    "close": _make_action(
        lambda league, _, visit: decide.close_season(league, league_seasons.number(visit), visit.player)
    ),
    "promotions": _promote,
    "replace": _make_action(
        lambda league, form, visit: decide.replace_player(
            league, league_seasons.number(visit), form.player_id, form.by_player_id, visit.player
        ),
        league_seasons.ReplacementBody,
    ),
}
_SEASON = f"{_LEAGUE}/seasons/{{season:int}}"
season = page(_SEASON)(_show_season)
season_forms = form_route(_SEASON, _SEASON_ACTIONS, _show_season)


async def _show_fixture(visit: Visit, refusal: str = "") -> Response[Any]:
    league = await visit.area(LeagueParts).leagues.of(visit.id("league_id"))
    located = league.fixture(visit.id("fixture_id"))
    if located is None:
        raise Refused("no_such_thing", "There is no such fixture.")
    current = await league_seasons.find_standing(visit, located[0].number)
    fixtures = await fixtures_of(visit, current)
    fixture = next(fixture for fixture in fixtures.fixtures if fixture.id == visit.id("fixture_id"))
    people, game = await visit.people.of(player.id for player in fixture.players), None
    with suppress(Illegal):
        game = fixture.game_id and seats.visible_game(await visit.room.game(fixture.game_id), visit.caller)
    return await visit.show(
        "fixture.html",
        league=league, season=current.season, fixture=fixture, refusal=refusal, position=fixtures.log_position,
        people=people, plays=visit.visitor in people, organises=organises(visit, league),
        outlook=await _look_out(visit, current, fixtures, await tables_of(visit, current)),
        game=game, outcome=_describe_result(game, people) if game else "",
    )  # fmt: skip


def _describe_result(game: Game, people: Mapping[UUID, Person]) -> str:
    """How the game ended, in a sentence; "" while it goes on."""
    players = tuple(None if player is None else people.get(player) for player in game.players)
    return "" if game.result is None else sentence(game.result, players)


async def _play(visit: Visit, fields: FormFields) -> str:
    """Open or join the fixture's game; returns its address. The second player to come takes the reserved seat."""
    league = await visit.area(LeagueParts).leagues.of(visit.id("league_id"))
    game, _ = await fixture_game(visit, league, visit.id("fixture_id"))
    if game.status == "waiting" and visit.player not in game.players:
        await require_admission(visit, visit.player, len(game.players), game.opening.rated)
        await visit.room.act(game.id, lambda game: join(game, ev.Join(), act_of_caller(visit, game)), of_service=True)
    return f"/games/{game.id}"


async def _give_walkover(visit: Visit, fields: FormFields) -> None:
    body, fixture = decode_form(WalkoverBody, fields), await unplayed_fixture(visit)
    to, reason = body.to_player_id, body.reason
    await act_on_league(visit, lambda league: decide.give_walkover(league, fixture, to, reason, visit.player))


async def _mark_not_played(visit: Visit, fields: FormFields) -> None:
    named = [name.removeprefix("absent.") for name in fields if name.startswith("absent.")]
    body, fixture = decode_form(NotPlayedBody, fields, absent_player_ids=named), await unplayed_fixture(visit)
    await act_on_league(
        visit,
        lambda league: decide.declare_not_played(league, fixture, body.absent_player_ids, body.reason, visit.player),
    )


_FIXTURE_ACTIONS: dict[str, FormAction] = {
    "play": _play,
    "walkover": _give_walkover,
    "not-played": _mark_not_played,
    "reopen": _make_action(
        lambda league, form, visit: decide.reopen_fixture(league, visit.id("fixture_id"), form.reason, visit.player),
        shapes.ReasonBody,
    ),
}
_FIXTURE = f"{_LEAGUE}/fixtures/{{fixture_id:uuid}}"
fixture = page(_FIXTURE)(_show_fixture)
fixture_forms = form_route(_FIXTURE, _FIXTURE_ACTIONS, _show_fixture)
