"""What happens in a league: as a list, and live as one resumable stream."""

import re
from collections.abc import Sequence
from functools import partial
from typing import Annotated, Any
from uuid import UUID

from litestar import Response
from msgspec import Meta, Struct

from service.accounts.names import Names, Person, people
from service.api import examples, sse
from service.api.event_lists import LAST_EVENT_ID, EventSource, EventsQuery, StreamStart, answer_events
from service.api.leagues.leagues import TAG
from service.http.operation import JSON, Answer, Call, operation
from service.live import shapes
from service.outbox.league_events import EVENTS, LeagueEventType, LeagueHappening
from service.outbox.owned_events import POSITION_TEXT
from service.records.summaries import ERASED

_TAG = re.compile(r"<([0-9a-f-]{36})>")


class LeagueEvent(Struct, frozen=True, kw_only=True):
    """Something that happened in a league: of what type, when, and what it is about.

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
    id="list_league_events", method="GET", path="/v1/leagues/{league_id:uuid}/events", tag=TAG, access="optional",
    query=EventsQuery, request_headers=LAST_EVENT_ID, problems=("no_such_thing", "not_acceptable"),
    answers={200: Answer(
        type=LeagueEventList, lines=(StreamStart, LeagueEvent), media_types=(JSON, sse.MEDIA_TYPE),
        says="A page of the league's events; as server-sent events first `start` (unless it resumes), then "
        "`league_event`, and at last `end`.",
        example=examples.LEAGUE_STREAM, events=("start", "league_event"),
    )},
)  # fmt: skip
async def list_league_events(call: Call[None, EventsQuery]) -> Response[Any]:
    """List what happened in a league, newest first, or follow it live.

    Who came and went, seasons, contests, what became of fixtures, games opened, finished and voided, rulings: what
    everybody may see of the league. Each is stored in one transaction with what caused it.

    With `Accept: text/event-stream` it is a stream. Every event's id is its own: a stream that broke resumes with
    Last-Event-ID and misses nothing. Without it `start` says after which event the stream begins; `after` with an id of
    zeros begins with the first. An id of no event of this league is refused with 400. Lines that begin with a colon are
    heartbeats. The event `end` says why the stream ends: `limit` or `access`.
    """
    league = await call.services.leagues.of(call.id("league_id"))
    return await answer_events(call, EventSource(
        kept=EVENTS, owner=league.id, name="league_event", show=partial(_show_events, call), lists=LeagueEventList,
        unknown="No event of this league has this id.",
    ))  # fmt: skip


async def _show_events(call: Call[Any, Any], found: Sequence[LeagueHappening]) -> tuple[LeagueEvent, ...]:
    told = {UUID(player) for event in found for player in _TAG.findall(event.summary)}
    wanted = told.union(*(event.players for event in found))
    names = await call.services.accounts.names(list(wanted)) if wanted else {}
    return tuple(_event(event, names) for event in found)


def _event(found: LeagueHappening, names: Names) -> LeagueEvent:
    summary = _TAG.sub(lambda match: names.get(UUID(match[1])) or ERASED, found.summary)
    return LeagueEvent(
        id=found.id, type=found.type, time=shapes.moment(found.at), season=found.season, fixture_id=found.fixture,
        game_id=found.game, contest_id=found.contest, players=people(found.players, names),
        summary=f"A{summary[1:]}" if summary.startswith(ERASED) else summary, log_position=found.log_position,
    )  # fmt: skip


HANDLERS = (list_league_events,)
