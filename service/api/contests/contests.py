"""Same-deal contests: the day's deals and a league's own, one attempt each, and their results."""

from collections.abc import Iterable
from datetime import date, datetime
from typing import Annotated, Any
from uuid import UUID

import msgspec
from litestar import Response
from msgspec import Meta, Struct

from domain.contest.aggregate import Announcement, Contest
from domain.contest.witness import witness
from domain.game_type import Illegal
from domain.games import GAME_TYPES
from domain.league.aggregate import League
from domain.league.rules import BoxRules
from domain.play.open_record import MEDIA_TYPE, OpenRecord, record_lines
from domain.play.signed import last_message
from projections.contests.days import ATTEMPTS, CONTESTS, DAYS_PROJECTION, SCORES, ContestRow, contest_list
from projections.contests.results import Score, scores, sort_of
from projections.engine.reading import Cursor, Listed, Page, Snapshot
from service.api import examples, headers
from service.api.contests import contest_shapes as shapes
from service.api.contests.texts import results_csv, results_text
from service.api.paging import GameTypeKey, PageQuery, next_cursor, page_cursor
from service.api.people import micros
from service.api.record_example import EXAMPLE
from service.api.viewing import reply_opened
from service.event_store.errors import DuplicateCompanion
from service.http.negotiation import CSV, NDJSON, TEXT, choose_media_type
from service.http.operation import Answer, Call, NoQuery, operation, reply
from service.keys.signing import Ring
from service.live import idempotency
from service.live import shapes as wire
from service.live.openings import fresh_secret
from service.problems import Refused

TAG = "contests"
Day = Annotated[date, Meta(description="A day of UTC: `2026-11-20`.")]


class ContestsQuery(PageQuery, frozen=True, forbid_unknown_fields=True):
    """Which contests: of a day, of a game type, or of a league; of today if none is named."""

    day: Day | None = None
    game_type: GameTypeKey | None = None
    league: Annotated[UUID, Meta(description="A league's own contests.")] | None = None


class LeagueContestBody(Struct, frozen=True, forbid_unknown_fields=True):
    """When a league's own contest is."""

    opens: datetime
    closes: datetime
    seasoned: Annotated[
        int,
        Meta(ge=0, le=1000, description="Who has played fewer games to their end before entering is not ranked."),
    ] = 0


@operation(
    may_lag=True,
    id="list_contests", method="GET", path="/v1/contests", tag=TAG, access="optional", query=ContestsQuery,
    answers={200: Answer(type=shapes.ContestList, says="A page of contests.")},
)  # fmt: skip
async def list_contests(call: Call[None, ContestsQuery]) -> Response[bytes]:
    """List same-deal contests, newest first: those of a day, of a game type or of a league, named in this order."""
    return reply(await contests_of(call))


async def contests_of(call: Call[Any, ContestsQuery]) -> shapes.ContestList:
    """A page of contests, as the caller sees them."""
    query, day = call.query, call.query.day
    wanted = contest_list((day and day.isoformat()) or query.game_type or query.league or wire.today())
    async with call.services.reads.of(DAYS_PROJECTION) as found:
        listed = await found.page(wanted, query.limit, page_cursor(query))
        rows = [await _contest_for_caller(call, found, one.document) for one in listed.rows]
        return shapes.ContestList(tuple(rows), next_cursor(listed.after), str(found.position))


async def _contest_for_caller(call: Call[Any, Any], found: Snapshot, row: ContestRow) -> shapes.ContestShown:
    own = None if call.caller is None else await found.document(ATTEMPTS(row.contest), str(call.caller.player))
    return shapes.contest(row, None if own is None else own.play.game, str(found.position))


@operation(
    id="get_contest", may_lag=True, method="GET", path="/v1/contests/{contest_id:uuid}", tag=TAG, access="optional",
    answers={200: Answer(type=shapes.ContestShown, says="The contest.")}, problems=("no_such_thing",),
)  # fmt: skip
async def contest(call: Call[None, None]) -> Response[bytes]:
    """Show a contest; its seed once it is closed."""
    return reply(await contest_of(call))


async def contest_of(call: Call[Any, Any]) -> shapes.ContestShown:
    """The contest in the path, as the caller sees it; raises Refused."""
    async with call.services.reads.of(DAYS_PROJECTION) as found:
        return await _contest_for_caller(call, found, await _row(call, found))


async def _row(call: Call[Any, Any], found: Snapshot) -> ContestRow:
    row = await found.document(CONTESTS(), str(call.id("contest_id")))
    if row is None:
        raise Refused("no_such_thing", "There is no such contest.")
    return row


@operation(
    id="get_witness", method="GET", path="/v1/contests/{contest_id:uuid}/witness", tag=TAG, access="open",
    problems=("no_such_thing", "illegal", "not_acceptable", "busy"),
    answers={200: Answer(type=str, says="The game as text.", media_types=(MEDIA_TYPE, NDJSON), example=EXAMPLE)},
)  # fmt: skip
async def get_witness(call: Call[None, NoQuery]) -> Response[bytes]:
    """Take along how the solver won the deal of a contest that is closed, as an open record.

    It is a game of its own that nobody has played, unrated, with the contest's deal, from the line that the solver had
    found when it certified the deal; `kibitz verify` decides every command of it again. The service signs it.
    """
    media_type = choose_media_type(call, MEDIA_TYPE, NDJSON)
    contest, ring = await call.services.contests.of(call.id("contest_id")), call.services.ring
    if not contest.revealed:
        raise Illegal("contest_open", "How the deal can be won is told when the contest and its grace have passed.")
    if not contest.line:
        raise Refused("no_such_thing", "No line is kept: no solver had won the deal, or it is from before they were.")
    text = await call.services.verifiers.ask(_witness, contest, ring)
    return Response(text, media_type=media_type)


def _witness(contest: Contest, ring: Ring) -> bytes:
    records = witness(contest, ring.signer)
    return b"".join(record_lines(OpenRecord(records, ring.sign(last_message(records)))))


_LOOK: dict[str, Any] = {
    "type": wire.GameLook, "headers": headers.ETAG | headers.LOCATION, "links": examples.GAME_LINKS,
}  # fmt: skip


@operation(
    id="enter_contest", method="POST", path="/v1/contests/{contest_id:uuid}/attempt", tag=TAG, access="required",
    scope="play", problems=("no_such_thing", "illegal"),
    answers={
        201: Answer(says="Your attempt.", **_LOOK), 200: Answer(says="Your attempt, begun before.", **_LOOK),
    },
)  # fmt: skip
async def enter_contest(call: Call[None, None]) -> Response[bytes]:
    """Be dealt the contest's cards: your one attempt, whoever asks again gets the same.

    Nobody else sees it before the contest is closed. Without a move it is no attempt; one that is not finished when
    the contest and its grace have passed is lost. Clean is what was played without undo.
    """
    await admit(call, await call.services.contests.of(call.id("contest_id")))
    game, fresh = await call.services.contests.enter(call.id("contest_id"), call.player)
    return await reply_opened(call, game, 201 if fresh else 200)


async def admit(call: Call[Any, Any], found: Contest) -> None:
    """A league's contest is for its members; raises Illegal for others."""
    if found.announced.league is not None:
        league = await call.services.leagues.of(found.announced.league)
        if call.player not in league.members:
            raise Illegal("members_only", "That contest is for members of its league.")


@operation(
    may_lag=True,
    id="list_results", method="GET", path="/v1/contests/{contest_id:uuid}/results", tag=TAG, access="optional",
    query=PageQuery, problems=("no_such_thing", "illegal", "not_acceptable"),
    answers={200: Answer(
        type=shapes.Results, says="A page of results.", media_types=("application/json", CSV, TEXT),
    )},
)  # fmt: skip
async def results(call: Call[None, PageQuery]) -> Response[Any]:
    """List a contest's results, best first: JSON, CSV (`Accept: text/csv`) or text.

    Matchpoints are over everybody who is ranked: without undo, without a void. Before the contest is closed only who
    has finished it is told, and only of those who have finished too, without their games.
    """
    media_type = choose_media_type(call, "application/json", CSV, TEXT)
    made = await results_of(call)
    if media_type == CSV:
        return Response(results_csv(made), media_type=CSV)
    return Response(results_text(made), media_type=TEXT) if media_type == TEXT else reply(made)


async def results_of(call: Call[None, PageQuery]) -> shapes.Results:
    """A page of the results as far as the caller may know them; raises Illegal, Refused."""
    async with call.services.reads.of(DAYS_PROJECTION) as found:
        row = await _row(call, found)
        listed = await (_results(call, found, row) if row.closed else _provisional_results(call, found, row))
        return await _results_page(call, row, listed, str(found.position))


async def _results_page(
    call: Call[None, PageQuery], row: ContestRow, page: Page[Score], position: str
) -> shapes.Results:
    names = await call.services.accounts.names([one.document.player for one in page.rows])
    return shapes.Results(
        contest=row.contest, game_type=row.announced.game_type, day=row.announced.day, provisional=not row.closed,
        results=tuple(shapes.score(one.document, names, row.closed) for one in page.rows), next=next_cursor(page.after),
        log_position=position,
    )  # fmt: skip


async def _results(call: Call[None, PageQuery], found: Snapshot, row: ContestRow) -> Page[Score]:
    return await found.page(SCORES(row.contest), call.query.limit, page_cursor(call.query))


async def _provisional_results(call: Call[None, PageQuery], found: Snapshot, row: ContestRow) -> Page[Score]:
    """A page of provisional results, only for players who have finished: knowing them cannot help their own attempt."""
    attempts = [attempt for _, attempt in await found.documents(ATTEMPTS(row.contest))]
    finished = {attempt.player for attempt in attempts if attempt.play.finish is not None}
    if call.caller is None or call.caller.player not in finished:
        raise Illegal("contest_open", "Results are told when the contest and its grace have passed, or you have ended.")
    return page(scores(row.announced, attempts), call.query.limit, page_cursor(call.query))


@operation(
    id="announce_league_contest", method="POST", path="/v1/leagues/{league_id:uuid}/contests", tag=TAG,
    access="required", scope="play", body=LeagueContestBody, request_headers=headers.KEY,
    problems=("no_such_thing", "illegal", "key_reused"),
    answers={201: Answer(type=shapes.ContestShown, says="The contest is announced.", headers=headers.LOCATION)},
    examples={"a day": {"opens": "2026-12-01T00:00:00Z", "closes": "2099-12-02T00:00:00Z"}},
)  # fmt: skip
async def announce_league_contest(call: Call[LeagueContestBody, None]) -> Response[bytes]:
    """Announce a contest of a league, in the season that runs. For organisers of same-deal leagues."""
    league = await call.services.leagues.of(call.id("league_id"))
    key = await idempotency.read_key(call, "announce_contest", league.id)
    try:
        made = await call.services.contests.announce_in(
            call.services.leagues, announcement(league, call.body), call.player, key
        )
    except DuplicateCompanion:
        if (kept := await idempotency.find(call.services.store, key)) is None:
            raise
        made = await call.services.contests.of(kept.stream)
    row = ContestRow(contest=made.id, announced=made.announced, announced_at=0)
    return reply(shapes.contest(row, None, "0"), 201, Location=f"/v1/contests/{made.id}")


def announcement(league: League, body: LeagueContestBody) -> Announcement:
    """The announcement of a league's contest: a fresh deal of the league's game type; raises Illegal."""
    founded = league.founded
    if isinstance(founded.rules, BoxRules):
        raise Illegal("box_league", "A box league plays fixtures, not same-deal contests.")
    kind = GAME_TYPES[founded.game_type]
    return Announcement(
        game_type=kind.key, options=msgspec.convert(founded.options, kind.options, strict=False),
        rules=founded.rules.asking(body.seasoned), opens=micros(body.opens), closes=micros(body.closes),
        seed=fresh_secret().seed, league=league.id,
    )  # fmt: skip


HANDLERS = (list_contests, contest, get_witness, enter_contest, results, announce_league_contest)


def page(found: Iterable[Score], limit: int, behind: Cursor | None) -> Page[Score]:
    """A page of results computed here, in the order and with the cursors of stored results."""
    listed = sorted(found, key=lambda score: (_descending_key(sort_of(score)), str(score.player)))
    places = [Cursor(sort_of(score), str(score.player)) for score in listed]
    first = 0 if behind is None else sum(_sort_key(place) <= _sort_key(behind) for place in places)
    rows = [Listed(0, str(score.player), score) for score in listed[first : first + limit]]
    more = first + limit < len(listed)
    return Page(tuple(rows), places[first + limit - 1] if more else None)


def _sort_key(place: Cursor) -> tuple[bytes, str]:
    return _descending_key(place.sort), place.key


def _descending_key(sort: bytes) -> bytes:
    return bytes(255 - byte for byte in sort)
