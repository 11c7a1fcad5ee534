"""Rulings on games, and the events of a league."""

import re
from collections.abc import Sequence
from functools import partial
from typing import Annotated, Any, Literal
from uuid import UUID

from litestar import Response
from msgspec import Meta, Struct

from domain import rulings as rl
from domain.game_type import Ending
from domain.play.aggregate import Game
from service.accounts.names import Names, Person, people
from service.api import examples, sse
from service.api.event_lists import LAST_EVENT_ID, EventSource, EventsQuery, StreamStart, answer_events
from service.api.leagues.leagues import TAG as LEAGUES
from service.api.paging import PageQuery, number_cursor, number_page_start
from service.api.viewing import fill_struct
from service.event_store import keyed_writes
from service.http.operation import JSON, Answer, Call, operation, reply
from service.leagues import commands
from service.leagues.commands import LeagueParts
from service.live import shapes
from service.outbox.events import LEAGUE_EVENTS, POSITION_TEXT, LeagueEventRow, LeagueEventType
from service.records.summaries import ERASED

TAG = "rulings"
Games = Annotated[tuple[UUID, ...], Meta(min_length=1, max_length=1000)]
Place = Annotated[int, Meta(ge=0, le=15)]
Score = Annotated[int, Meta(ge=-1_000_000_000, le=1_000_000_000)]
_GAME = "01890000-0000-7000-8000-000000000000"


class VoidGames(Struct, frozen=True, tag="void_games", forbid_unknown_fields=True):
    """These games count for nothing, whenever they finish."""

    game_ids: Games
    reason: shapes.Reason


class WithdrawVoids(Struct, frozen=True, tag="withdraw_voids", forbid_unknown_fields=True):
    """These games count again, as if they had never been voided."""

    game_ids: Games
    reason: shapes.Reason


class CorrectResult(Struct, frozen=True, kw_only=True, tag="correct_result", forbid_unknown_fields=True):
    """The result that counts instead. `places` by seat, 0 the first, equal ones share; left out: by winners and scores.

    An `abandoned` game counts for nothing.
    """

    game_id: UUID
    ending: Ending
    winners: Annotated[tuple[Place, ...], Meta(max_length=16)] = ()
    scores: Annotated[tuple[Score, ...], Meta(max_length=16)] = ()
    places: Annotated[tuple[Place, ...], Meta(max_length=16)] | None = None
    reason: shapes.Reason


class WithdrawCorrection(Struct, frozen=True, tag="withdraw_correction", forbid_unknown_fields=True):
    """The recorded result counts again."""

    game_id: UUID
    reason: shapes.Reason


RulingBody = VoidGames | WithdrawVoids | CorrectResult | WithdrawCorrection


class Ruling(Struct, frozen=True, kw_only=True):
    """A ruling as everybody may read it."""

    version: int
    at: shapes.Time
    kind: Literal["void_games", "withdraw_voids", "correct_result", "withdraw_correction"]
    game_ids: tuple[UUID, ...]
    reason: str


class RulingList(Struct, frozen=True):
    """A page of rulings, oldest first; `next` is the cursor of the next page."""

    rulings: tuple[Ruling, ...]
    next: str | None


_EXAMPLES = {"abuse": {"type": "void_games", "game_ids": [_GAME], "reason": "Both seats were one person."}}
_ANSWERS = {200: Answer(type=RulingList, says="The rulings.")}


@operation(
    id="make_ruling", method="POST", path="/v1/rulings", tag=TAG, access="required", scope="moderate",
    body=RulingBody, body_name="RulingBody",
    answers={201: Answer(type=Ruling, says="The ruling holds.")}, problems=("illegal",), examples=_EXAMPLES,
)  # fmt: skip
async def post_ruling(call: Call[RulingBody, None]) -> Response[bytes]:
    """Rule for every table. Needs the scope `moderate`."""
    event = event_of(call.body)
    first = keyed_writes.first_use() is None
    games = await commands.games_of(call.room, event) if first else ()
    leagues = await commands.leagues_of(call.reads, call.area(LeagueParts).leagues, games)
    made = await commands.rule(call.area(LeagueParts).rulings, event, call.player, leagues)
    call.room.listeners.end()
    return reply(ruling_of(made), 201)


@operation(id="list_rulings", method="GET", path="/v1/rulings", tag=TAG, query=PageQuery, answers=_ANSWERS)
async def list_rulings(call: Call[None, PageQuery]) -> Response[bytes]:
    """List the rulings that hold everywhere."""
    return reply(await _page(call, rl.SITE))


@operation(
    id="make_league_ruling", method="POST", path="/v1/leagues/{league_id:uuid}/rulings", tag=TAG, access="required",
    scope="leagues:organise", body=RulingBody, body_name="RulingBody",
    answers={201: Answer(type=Ruling, says="The ruling holds in the league.")},
    problems=("illegal",), examples=_EXAMPLES,
)  # fmt: skip
async def rule_in_league(call: Call[RulingBody, None]) -> Response[bytes]:
    """Rule for the tables of a league, on games played for it. For organisers."""
    event, league_id, leagues = event_of(call.body), call.id("league_id"), call.area(LeagueParts).leagues
    games: Sequence[Game] = ()
    if keyed_writes.first_use() is None:
        league = await leagues.of(league_id)
        commands.require_organiser(league, call.player)
        games = await commands.games_of(call.room, event, league)
    version = await commands.rule_within(league_id, leagues, event, call.player, games)
    call.room.listeners.end()
    made = await commands.recorded_rulings(call.store, league_id, version - 1)
    return reply(ruling_of(made[0]), 201)


@operation(
    id="list_league_rulings", method="GET", path="/v1/leagues/{league_id:uuid}/rulings", tag=TAG, query=PageQuery,
    answers=_ANSWERS,
)  # fmt: skip
async def list_league_rulings(call: Call[None, PageQuery]) -> Response[bytes]:
    """List a league's own rulings."""
    league = await call.area(LeagueParts).leagues.of(call.id("league_id"))
    return reply(await _page(call, league.id))


_EVENTS: dict[type[Struct], type[Struct]] = {
    VoidGames: rl.GamesVoided,
    WithdrawVoids: rl.VoidsWithdrawn,
    CorrectResult: rl.ResultCorrected,
    WithdrawCorrection: rl.CorrectionWithdrawn,
}
_KINDS: dict[type[Struct], Any] = {event: body.__struct_config__.tag for body, event in _EVENTS.items()}


def event_of(body: RulingBody) -> Struct:
    """The event that this body asks for."""
    match body:
        case VoidGames() | WithdrawVoids():
            return fill_struct(_EVENTS[type(body)], body, games=body.game_ids)
        case CorrectResult() | WithdrawCorrection():
            return fill_struct(_EVENTS[type(body)], body, game=body.game_id)


def ruling_of(record: Any) -> Ruling:
    """A ruling as everybody may read it."""
    event = record.event
    games = getattr(event, "games", None) or (event.game,)
    at, kind = shapes.moment(record.time), _KINDS[type(event)]
    return Ruling(version=record.version, at=at, kind=kind, game_ids=games, reason=event.reason)


async def _page(call: Call[None, PageQuery], where: UUID) -> RulingList:
    after = number_page_start(call.query.cursor, 0)
    rulings = [ruling_of(record) for record in await commands.recorded_rulings(call.store, where, after)]
    page = tuple(rulings[: call.query.limit])
    return RulingList(page, number_cursor(page[-1].version) if len(rulings) > len(page) else None)


_TAG = re.compile(r"<([0-9a-f-]{36})>")


class LeagueEvent(Struct, frozen=True, kw_only=True):
    """An event of a league.

    The same event has the same id in the list and in the stream. Names, also in `summary`, are those of now.
    """

    id: UUID
    type: LeagueEventType
    time: shapes.Time
    season: int | None
    fixture_id: UUID | None
    game_id: UUID | None
    contest_id: UUID | None
    players: tuple[Person, ...]
    summary: Annotated[str, Meta(description="One sentence for a person.")]
    log_position: Annotated[int, Meta(description=POSITION_TEXT)]


class LeagueEventList(Struct, frozen=True):
    """A page of a league's events, newest first; `next` is the cursor of the next page."""

    events: tuple[LeagueEvent, ...]
    next: str | None


@operation(
    id="list_league_events", method="GET", path="/v1/leagues/{league_id:uuid}/events", tag=LEAGUES, access="optional",
    query=EventsQuery, request_headers=LAST_EVENT_ID, problems=("not_acceptable",), answers={200: Answer(
        type=LeagueEventList, lines=(StreamStart, LeagueEvent), media_types=(JSON, sse.MEDIA_TYPE),
        says="A page of the league's events; as server-sent events first `start` (unless it resumes), then "
        "`league_event`, and at last `end`.",
        example=examples.LEAGUE_STREAM, events=("start", "league_event"),
    )},
)  # fmt: skip
async def list_league_events(call: Call[None, EventsQuery]) -> Response[Any]:
    """List the events of a league, newest first, or follow them live.

    Members, seasons, contests, fixtures, games opened, finished and voided, rulings: all that is public in the league.
    Each is stored in one transaction with its cause.

    With `Accept: text/event-stream` it is a stream. Every event's id is its own: a stream that broke resumes with
    Last-Event-ID and misses nothing. Without it `start` says after which event the stream begins; `after` with an id of
    zeros begins with the first. An id of no event of this league is refused with 400. Lines that begin with a colon are
    heartbeats. The event `end` has the reason: `limit` or `access`.
    """
    league = await call.area(LeagueParts).leagues.of(call.id("league_id"))
    return await answer_events(call, EventSource(
        events=LEAGUE_EVENTS, owner=league.id, name="league_event", show=partial(_show_events, call),
        lists=LeagueEventList, unknown="No event of this league has this id.",
    ))  # fmt: skip


async def _show_events(call: Call[Any, Any], events: Sequence[LeagueEventRow]) -> tuple[LeagueEvent, ...]:
    tagged = {UUID(player) for event in events for player in _TAG.findall(event.summary)}
    players = tagged.union(*(event.players for event in events))
    names = await call.accounts.names(list(players)) if players else {}
    return tuple(_event(event, names) for event in events)


def _event(event: LeagueEventRow, names: Names) -> LeagueEvent:
    summary = _TAG.sub(lambda match: names.get(UUID(match[1])) or ERASED, event.summary)
    return LeagueEvent(
        id=event.id, type=event.type, time=shapes.moment(event.at), season=event.season, fixture_id=event.fixture,
        game_id=event.game, contest_id=event.contest, players=people(event.players, names),
        summary=f"A{summary[1:]}" if summary.startswith(ERASED) else summary, log_position=event.log_position,
    )  # fmt: skip
