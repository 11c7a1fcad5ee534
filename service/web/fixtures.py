"""A fixture's page: who plays whom, what became of it, its game; how it ends without one."""

from typing import Any

from litestar import Response

from domain.league import decide
from domain.play import events as ev
from domain.play.table import join
from service.api.games.games import act_of_caller
from service.api.leagues.league_fixtures import NotPlayedBody, WalkoverBody, unplayed_fixture
from service.api.leagues.league_standing import standing
from service.api.leagues.league_table_shapes import FixtureShown
from service.api.leagues.league_tables import fixtures_of
from service.api.leagues.leagues import ReasonBody
from service.leagues.acting import fixture_game
from service.leagues.reliability import require_admission
from service.problems import Refused
from service.web.form_actions import FormAction, FormFields, run_form_action
from service.web.form_body import decode_form
from service.web.page import Visit, page


@page("/leagues/{league_id:uuid}/fixtures/{fixture_id:uuid}")
async def fixture(visit: Visit) -> Response[Any]:
    """Show the fixture."""
    return await _fixture_page(visit)


async def _fixture_page(visit: Visit, refusal: str = "") -> Response[Any]:
    league = await visit.services.leagues.of(visit.id("league_id"))
    known = league.fixture(visit.id("fixture_id"))
    if known is None:
        raise Refused("no_such_thing", "There is no such fixture.")
    found = await standing(visit, known[0].number)
    told = await fixtures_of(visit, found)
    one = next(one for one in told.fixtures if one.fixture == visit.id("fixture_id"))
    return await visit.show(
        "fixture.html", 409 if refusal else 200,
        league=league, season=found.season, fixture=one, refusal=refusal, position=told.log_position,
        people=await visit.people.of(player.id for player in one.players), plays=_plays(visit, one),
        organises=visit.caller is not None and visit.player in league.organisers and not league.dissolved,
    )  # fmt: skip


def _plays(visit: Visit, one: FixtureShown) -> bool:
    return visit.caller is not None and visit.player in {player.id for player in one.players}


@page("/leagues/{league_id:uuid}/fixtures/{fixture_id:uuid}/{deed:str}", "POST")
async def act(visit: Visit) -> Response[Any]:
    """Do something with the fixture: what its forms say."""
    return await run_form_action(
        visit, FORM_ACTIONS, _fixture_page, f"/leagues/{visit.id('league_id')}/fixtures/{visit.id('fixture_id')}"
    )


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
    await _act_on_league(visit, lambda league: decide.give_walkover(league, one, body.to, body.reason, visit.player))


async def _mark_not_played(visit: Visit, said: FormFields) -> None:
    named = [name.removeprefix("absent.") for name in said if name.startswith("absent.")]
    body, one = decode_form(NotPlayedBody, said, absent=named), await unplayed_fixture(visit)
    await _act_on_league(
        visit, lambda league: decide.declare_not_played(league, one, body.absent, body.reason, visit.player)
    )


async def _reopen(visit: Visit, said: FormFields) -> None:
    body, one = decode_form(ReasonBody, said), visit.id("fixture_id")
    await _act_on_league(visit, lambda league: decide.reopen_fixture(league, one, body.reason, visit.player))


async def _act_on_league(visit: Visit, decision: Any) -> None:
    await visit.services.leagues.act(visit.id("league_id"), decision, visit.player)


FORM_ACTIONS: dict[str, FormAction] = {
    "play": _play,
    "walkover": _give_walkover,
    "not-played": _mark_not_played,
    "reopen": _reopen,
}
HANDLERS = (fixture, act)
