"""Rulings: games that count for nothing, results that were wrong, and taking that back."""

from collections.abc import Iterable
from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from litestar import Response
from msgspec import Meta, Struct

from domain import rulings as rl
from domain.game_type import Ending
from service.http.operation import Answer, Call, operation, reply
from service.leagues import rulings
from service.live import shapes

TAG = "rulings"
Games = Annotated[tuple[UUID, ...], Meta(min_length=1, max_length=1000)]
Place = Annotated[int, Meta(ge=0, le=15)]
Score = Annotated[int, Meta(ge=-1_000_000_000, le=1_000_000_000)]
_GAME = "01890000-0000-7000-8000-000000000000"


class VoidGames(Struct, frozen=True, tag="void_games", forbid_unknown_fields=True):
    """These games count for nothing, whenever they finish."""

    games: Games
    reason: shapes.Reason


class WithdrawVoids(Struct, frozen=True, tag="withdraw_voids", forbid_unknown_fields=True):
    """These games count again, as if they had never been voided."""

    games: Games
    reason: shapes.Reason


class CorrectResult(Struct, frozen=True, kw_only=True, tag="correct_result", forbid_unknown_fields=True):
    """The result that counts instead. `places` by seat, 0 the first, equal ones share; left out: by winners and scores.

    One that is `abandoned` was no game: nobody gets anything for it.
    """

    game: UUID
    ending: Ending
    winners: Annotated[tuple[Place, ...], Meta(max_length=16)] = ()
    scores: Annotated[tuple[Score, ...], Meta(max_length=16)] = ()
    places: Annotated[tuple[Place, ...], Meta(max_length=16)] | None = None
    reason: shapes.Reason


class WithdrawCorrection(Struct, frozen=True, tag="withdraw_correction", forbid_unknown_fields=True):
    """The recorded result counts again."""

    game: UUID
    reason: shapes.Reason


RulingBody = VoidGames | WithdrawVoids | CorrectResult | WithdrawCorrection


class Ruling(Struct, frozen=True, kw_only=True):
    """A ruling as everybody may read it."""

    version: int
    at: datetime
    kind: Literal["void_games", "withdraw_voids", "correct_result", "withdraw_correction"]
    games: tuple[UUID, ...]
    reason: str


class Rulings(Struct, frozen=True):
    """Rulings, oldest first; `next` is the version to go on after, None at the end."""

    rulings: tuple[Ruling, ...]
    next: int | None


class RulingsQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which rulings."""

    after: Annotated[int, Meta(ge=0, le=2**31 - 1, description="Only those behind this version.")] = 0
    limit: shapes.Limit = 50


_EXAMPLES = {"abuse": {"type": "void_games", "games": [_GAME], "reason": "Both seats were one person."}}
_ANSWERS = {200: Answer(type=Rulings, says="The rulings.")}


@operation(
    id="rule", method="POST", path="/v1/rulings", tag=TAG, access="required", scope="moderate", body=RulingBody,
    answers={201: Answer(type=Ruling, says="The ruling holds.")}, problems=("illegal",), examples=_EXAMPLES,
)  # fmt: skip
async def post_ruling(call: Call[RulingBody, None]) -> Response[bytes]:
    """Rule for every table. Needs the scope `moderate`."""
    event = event_of(call.body)
    await rulings.games_of(call.services.room, event)
    return reply(ruling_of(await rulings.rule(call.services.rulings, event, call.player)), 201)


@operation(id="list_rulings", method="GET", path="/v1/rulings", tag=TAG, query=RulingsQuery, answers=_ANSWERS)
async def list_rulings(call: Call[None, RulingsQuery]) -> Response[bytes]:
    """List the rulings that hold everywhere."""
    return reply(_page(call, await rulings.recorded_rulings(call.services.store, rl.SITE, call.query.after)))


@operation(
    id="rule_in_league", method="POST", path="/v1/leagues/{league_id:uuid}/rulings", tag=TAG, access="required",
    scope="play", body=RulingBody, answers={201: Answer(type=Ruling, says="The ruling holds in the league.")},
    problems=("no_such_thing", "illegal"), examples=_EXAMPLES,
)  # fmt: skip
async def rule_in_league(call: Call[RulingBody, None]) -> Response[bytes]:
    """Rule for the tables of a league, on games played for it. For organisers."""
    event, league_id = event_of(call.body), call.id("league_id")
    league = await call.services.leagues.of(league_id)
    rulings.require_organiser(league, call.player)
    games = await rulings.games_of(call.services.room, event, league)
    await rulings.rule_within(league_id, call.services.leagues, event, call.player, games)
    made = [one for one in await rulings.recorded_rulings(call.services.store, league_id) if one.event == event]
    return reply(ruling_of(made[-1]), 201)


@operation(
    id="list_league_rulings", method="GET", path="/v1/leagues/{league_id:uuid}/rulings", tag=TAG, query=RulingsQuery,
    answers=_ANSWERS, problems=("no_such_thing",),
)  # fmt: skip
async def list_league_rulings(call: Call[None, RulingsQuery]) -> Response[bytes]:
    """List a league's own rulings."""
    league = await call.services.leagues.of(call.id("league_id"))
    return reply(_page(call, await rulings.recorded_rulings(call.services.store, league.id, call.query.after)))


def event_of(body: RulingBody) -> Struct:
    """The event that this body asks for."""
    if isinstance(body, VoidGames):
        return rl.GamesVoided(body.games, body.reason)
    if isinstance(body, WithdrawVoids):
        return rl.VoidsWithdrawn(body.games, body.reason)
    if isinstance(body, WithdrawCorrection):
        return rl.CorrectionWithdrawn(body.game, body.reason)
    return rl.ResultCorrected(
        game=body.game, ending=body.ending, winners=body.winners, scores=body.scores, places=body.places,
        reason=body.reason,
    )  # fmt: skip


_KINDS: dict[type, Any] = {
    rl.GamesVoided: "void_games",
    rl.VoidsWithdrawn: "withdraw_voids",
    rl.ResultCorrected: "correct_result",
    rl.CorrectionWithdrawn: "withdraw_correction",
}


def ruling_of(record: Any) -> Ruling:
    """A ruling as everybody may read it."""
    event = record.event
    games = getattr(event, "games", None) or (event.game,)
    return Ruling(
        version=record.version,
        at=shapes.moment(record.time),
        kind=_KINDS[type(event)],
        games=games,
        reason=event.reason,
    )


def _page(call: Call[None, RulingsQuery], found: Iterable[Any]) -> Rulings:
    shown = [ruling_of(record) for record in found]
    page = tuple(shown[: call.query.limit])
    return Rulings(page, page[-1].version if len(shown) > len(page) else None)


HANDLERS = (post_ruling, list_rulings, rule_in_league, list_league_rulings)
