"""A league's rulings: what was ruled and why; its organisers void a game, correct a result, and take both back."""

from typing import Any

from litestar import Response
from msgspec import Struct

from service.api.leagues import rulings as told
from service.leagues import rulings
from service.web.form_actions import FormAction, FormFields, run_form_action
from service.web.form_body import decode_form
from service.web.page import Visit, page

_SHOWN = 200


@page("/leagues/{league_id:uuid}/rulings")
async def league_rulings(visit: Visit) -> Response[Any]:
    """Show the rulings; `?game=` fills the forms."""
    return await _rulings_page(visit)


async def _rulings_page(visit: Visit, refusal: str = "") -> Response[Any]:
    head = await visit.services.store.head()
    league = await visit.services.leagues.of(visit.id("league_id"))
    made = [told.ruling_of(record) for record in await rulings.recorded_rulings(visit.services.store, league.id)]
    return await visit.show(
        "rulings.html", 409 if refusal else 200,
        league=league, rulings=made[::-1][:_SHOWN], more=max(len(made) - _SHOWN, 0), refusal=refusal, position=head,
        game=visit.request.query_params.get("game", "")[:60],
        organises=visit.caller is not None and visit.player in league.organisers and not league.dissolved,
    )  # fmt: skip


@page("/leagues/{league_id:uuid}/rulings/{deed:str}", "POST")
async def rule(visit: Visit) -> Response[Any]:
    """Rule: what the forms say."""
    return await run_form_action(visit, FORM_ACTIONS, _rulings_page, f"/leagues/{visit.id('league_id')}/rulings")


def _act(body: type[Struct]) -> FormAction:
    """The ruling that a form with the fields of this body asks for."""

    async def record_ruling(visit: Visit, said: FormFields) -> None:
        event = told.event_of(decode_form(body, said))  # type: ignore[arg-type]  # one of the four bodies
        league = await visit.services.leagues.of(visit.id("league_id"))
        rulings.require_organiser(league, visit.player)
        games = await rulings.games_of(visit.services.room, event, league)
        await rulings.rule_within(league.id, visit.services.leagues, event, visit.player, games)

    return record_ruling


FORM_ACTIONS: dict[str, FormAction] = {
    "void": _act(told.VoidGames), "withdraw-void": _act(told.WithdrawVoids), "correct": _act(told.CorrectResult),
    "withdraw-correction": _act(told.WithdrawCorrection),
}  # fmt: skip
HANDLERS = (league_rulings, rule)
