"""Same-deal contests: the day's deals and a league's own, one attempt each; their best results for organisers."""

from collections.abc import Sequence
from datetime import date
from typing import Annotated, Any
from uuid import UUID

import msgspec
from litestar import Response
from msgspec import Meta, Struct

from domain.chance import bound
from domain.contest.aggregate import Announcement, Contest, witness
from domain.contest.events import Certificate
from domain.contest.foreknowledge import choices, count_same_moves, sum_choices
from domain.game_type import Forbidden, Illegal
from domain.games import GAME_TYPES, REVISIONS
from domain.league.aggregate import League
from domain.league.rules import BoxRules, DayRules
from domain.play.aggregate import AnyRecord
from domain.play.open_record import MEDIA_TYPE, OpenRecord, last_message, record_lines
from projections.contests.days import ATTEMPTS, CONTESTS, DAYS, DAYS_PROJECTION, SCORES, ContestRow, contest_list
from projections.contests.results import Attempt, Score
from projections.engine.reading import Snapshot
from service.accounts.names import Names, Person, person
from service.api import headers
from service.api.examples import RECORD
from service.api.paging import GameTypeKey, LogPosition, PageQuery, next_cursor, page_cursor
from service.api.viewing import fill_struct, first_answer, micros, opened_answer, reply_found, reply_opened
from service.contests.attempts import Contests
from service.event_store import keyed_writes
from service.http.operation import Answer, Call, NoQuery, operation, reply
from service.http.replies import NDJSON
from service.http.representation import TEXT, choose_media_type
from service.keys.signing import Ring
from service.leagues.commands import LeagueParts
from service.live import shapes
from service.live.openings import fresh_secret
from service.problems import Refused
from service.records.imports import Verifiers

TAG = "contests"
_MOST_OF_A_DAY = len(GAME_TYPES)
Day = Annotated[date, Meta(description="A day of UTC: `2026-11-20`.")]


class ContestShown(Struct, frozen=True, kw_only=True):
    """A contest: the same cards for everybody who enters.

    `commitment` is published with it: over `bound` and the seed, as in a game's proof; the seed is published when the
    contest is closed. `certificate`: whether a solver that sees every card has won the deal before it was announced
    (`winnable`), has not (`not_told`) or did not look. Other verdicts and the number of `positions` would reveal hidden
    cards, so they are published with the seed, as is `witness`: the path of a game in which the solver wins the deal,
    null without a win or a stored line. `your_game_id` is your attempt. Attempts begin from `opens` until `closes`; the
    contest is closed, and everything published, after `results`.
    """

    id: UUID
    game_type: str
    revision: int
    options: dict[str, Any]
    rules: DayRules
    day: str | None
    league_id: UUID | None
    opens: shapes.Time
    closes: shapes.Time
    results: shapes.Time
    commitment: str
    bound: str
    seed: str | None
    certificate: Certificate
    positions: int | None
    witness: str | None
    entries: int
    closed: bool
    your_game_id: UUID | None
    log_position: LogPosition


class ContestList(Struct, frozen=True):
    """A page of contests, newest first."""

    contests: tuple[ContestShown, ...]
    next: str | None
    log_position: LogPosition


class ContestsQuery(PageQuery, frozen=True, forbid_unknown_fields=True):
    """Which contests: those that fit every filter; the public ones without a league, and of today without any."""

    day: Day | None = None
    game_type: GameTypeKey | None = None
    league_id: Annotated[UUID, Meta(description="A league's own contests.")] | None = None


class LeagueContestBody(Struct, frozen=True, forbid_unknown_fields=True):
    """When a league's own contest is."""

    opens: shapes.Time
    closes: shapes.Time
    seasoned: Annotated[
        int,
        Meta(ge=0, le=1000, description="Who has played fewer games to their end before entering is not ranked."),
    ] = 0


@operation(
    id="list_contests", may_lag=True, method="GET", path="/v1/contests", tag=TAG, access="optional",
    query=ContestsQuery, answers={200: Answer(type=ContestList, says="A page of contests.")},
)  # fmt: skip
async def list_contests(call: Call[None, ContestsQuery]) -> Response[bytes]:
    """List same-deal contests, newest first.

    Without `league_id` they are the days' deals. A league's own contests have no day and are all of one game type.
    """
    return reply(await contests_of(call))


async def contests_of(call: Call[Any, ContestsQuery]) -> ContestList:
    """A page of contests, as the caller sees them."""
    query, day = call.query, None if call.query.day is None else call.query.day.isoformat()
    contests = contest_list(query.league_id or day or query.game_type or shapes.today())
    one_at_most = day is not None and query.game_type is not None  # a day has one contest of a game type
    async with call.reads.of(DAYS_PROJECTION) as snapshot:
        listed = await snapshot.page(contests, _MOST_OF_A_DAY if one_at_most else query.limit, page_cursor(query))
        rows = [
            await _contest_for_caller(call, snapshot, row)
            for row in (entry.document for entry in listed.rows)
            if day in (None, row.announced.day)
            and query.game_type in (None, row.announced.game_type)
            and query.league_id in (None, row.announced.league)
        ]
        return ContestList(tuple(rows), next_cursor(listed.after if rows else None), str(snapshot.position))


async def _contest_for_caller(call: Call[Any, Any], snapshot: Snapshot, row: ContestRow) -> ContestShown:
    own = None if call.caller is None else await snapshot.document(ATTEMPTS(row.contest), str(call.caller.player))
    return shown_contest(row, None if own is None else own.play.game, str(snapshot.position))


@operation(
    id="get_contest", may_lag=True, method="GET", path="/v1/contests/{contest_id:uuid}", tag=TAG, access="optional",
    answers={200: Answer(type=ContestShown, says="The contest.")},
)  # fmt: skip
async def get_contest(call: Call[None, None]) -> Response[bytes]:
    """Show a contest; its seed once it is closed."""
    return reply(await contest_of(call))


async def contest_of(call: Call[Any, Any]) -> ContestShown:
    """The contest in the path, as the caller sees it; raises Refused."""
    async with call.reads.of(DAYS_PROJECTION) as snapshot:
        return await _contest_for_caller(call, snapshot, await contest_row(call, snapshot))


async def contest_row(call: Call[Any, Any], snapshot: Snapshot) -> ContestRow:
    """The row of the contest in the path; raises Refused."""
    row = await snapshot.document(CONTESTS(), str(call.id("contest_id")))
    if row is None:
        raise Refused("no_such_thing", "There is no such contest.")
    return row


_AS_TEXT = (MEDIA_TYPE, NDJSON, TEXT)


@operation(
    id="get_witness", method="GET", path="/v1/contests/{contest_id:uuid}/witness", tag=TAG, access="open",
    problems=("illegal", "not_acceptable", "busy"),
    answers={200: Answer(type=str, says="The game as text.", media_types=_AS_TEXT, example=RECORD)},
)  # fmt: skip
async def get_witness(call: Call[None, NoQuery]) -> Response[bytes]:
    """Download the game in which the solver won the deal of a closed contest, as an open record.

    It is an unrated game without a player, with the contest's deal and the line that the solver found when it certified
    the deal; `kibitz verify` decides every command of it again. The service signs it.
    """
    media_type = choose_media_type(call, *_AS_TEXT)
    contest, ring = await call.area(Contests).of(call.id("contest_id")), call.area(Ring)
    if not contest.revealed:
        raise Illegal("contest_open", "How the deal can be won is told when the contest and its grace have passed.")
    if not contest.line:
        raise Refused("no_such_thing", "No line is kept: no solver had won the deal, or it is from before they were.")
    text = await call.area(Verifiers).ask(_witness, contest, ring)
    return Response(text, media_type=media_type)


def _witness(contest: Contest, ring: Ring) -> bytes:
    records = witness(contest, ring.signer)
    return b"".join(record_lines(ring.seal(OpenRecord(records, ring.sign(last_message(records))))))


@operation(
    id="enter_contest", method="POST", path="/v1/contests/{contest_id:uuid}/enter", tag=TAG, access="required",
    scope="contests:enter", problems=("illegal",), answers={
        201: opened_answer("Your attempt."), 200: opened_answer("Your attempt, begun before."),
    },
)  # fmt: skip
async def enter_contest(call: Call[None, None]) -> Response[bytes]:
    """Be dealt the contest's cards: your one attempt; a repeat returns the same game.

    No other player sees it before the contest is closed. Without a move it is no attempt; one that is not finished when
    the contest and its grace have passed is lost. An attempt without undo is clean.
    """
    if (repeated := await first_answer(call)) is not None:
        return repeated
    await admit(call, await call.area(Contests).of(call.id("contest_id")))
    game, fresh = await call.area(Contests).enter(call.id("contest_id"), call.player)
    return await (reply_opened if fresh else reply_found)(call, game)


async def admit(call: Call[Any, Any], contest: Contest) -> None:
    """A league's contest is for its members; raises Illegal for others."""
    if contest.announced.league is not None:
        league = await call.area(LeagueParts).leagues.of(contest.announced.league)
        if call.player not in league.members:
            raise Forbidden("members_only", "That contest is for members of its league.")


@operation(
    id="announce_league_contest", method="POST", path="/v1/leagues/{league_id:uuid}/contests", tag=TAG,
    access="required", scope="leagues:organise", body=LeagueContestBody, problems=("illegal",),
    answers={201: Answer(type=ContestShown, says="The contest is announced.", headers=headers.LOCATION)},
    examples={"a day": {"opens": "2026-12-01T00:00:00Z", "closes": "2099-12-02T00:00:00Z"}},
)  # fmt: skip
async def announce_league_contest(call: Call[LeagueContestBody, None]) -> Response[bytes]:
    """Announce a contest of a league, in the season that runs. For organisers of same-deal leagues."""
    contests, leagues = call.area(Contests), call.area(LeagueParts).leagues
    if (first := keyed_writes.first_use()) is not None:
        made = await contests.of(first.stream)
    else:
        league = await leagues.of(call.id("league_id"))
        made = await contests.announce_in(leagues, announcement(league, call.body), call.player)
    row = ContestRow(contest=made.id, announced=made.announced, announced_at=0)
    return reply(shown_contest(row, None, "0"), 201, Location=f"/v1/contests/{made.id}")


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


def shown_contest(row: ContestRow, own: UUID | None, position: str) -> ContestShown:
    """A contest as this caller sees it."""
    contest = row.announced
    kind = REVISIONS[contest.game_type, contest.revision]
    options = shapes.read_options(contest.options, kind.options)
    certificate, positions = _certificate(row)
    return ContestShown(
        id=row.contest, game_type=contest.game_type, revision=contest.revision, options=contest.options,
        rules=contest.rules, day=contest.day, league_id=contest.league, opens=shapes.moment(contest.opens),
        closes=shapes.moment(contest.closes), commitment=contest.commitment,
        results=shapes.moment(contest.closes + contest.rules.grace_seconds * 1_000_000),
        bound=bound(row.contest, contest.game_type, options).decode(),
        seed=None if row.seed is None else row.seed.hex(), certificate=certificate, positions=positions,
        witness=f"/v1/contests/{row.contest}/witness" if row.closed and row.witness else None,
        entries=row.entries, closed=row.closed, your_game_id=own,
        log_position=position,
    )  # fmt: skip


def _certificate(row: ContestRow) -> tuple[Certificate, int | None]:
    """The solver's verdict and its number of positions, as far as they may be published."""
    announced = row.announced
    if not row.closed:
        return "not_told" if announced.certificate == "impossible" else announced.certificate, None
    return (row.certificate, row.positions) if row.positions else (announced.certificate, announced.positions)


_RESULTS, _DAYS, _BEFORE = 5, 5, 10
"""The numbers of results examined, of days examined for each player, and of earlier attempts listed."""


class Earlier(Struct, frozen=True, kw_only=True):
    """Another account's attempt that was over before this one began; with how many of the same moves both begin."""

    player: Person
    game_id: UUID
    moves: int
    solved: bool
    same_first_moves: int


class Looked(Struct, frozen=True, kw_only=True):
    """One result. `choices`: how often several commands of one kind would each have turned up other hidden cards, over
    the player's last `days` of these contests; `paid`: how often a card that was turned up could be moved on at once;
    `expected`: how often luck would have found one; `surprise`: the difference in standard deviations.

    `worth_a_look`: one honest player in a thousand has as many choices and as much surprise. It is no proof.
    """

    place: int
    player: Person
    game_id: UUID
    days: int
    choices: int
    paid: int
    expected: Annotated[float, Meta(description="Rounded to two places.")]
    surprise: Annotated[float, Meta(description="Rounded to two places.")]
    worth_a_look: bool
    earlier: tuple[Earlier, ...]


class Foreknowledge(Struct, frozen=True, kw_only=True):
    """The best results of a contest for its organisers: numbers to judge by, and the games."""

    contest_id: UUID
    results: tuple[Looked, ...]
    log_position: LogPosition


@operation(
    id="get_foreknowledge", may_lag=True, method="GET", path="/v1/contests/{contest_id:uuid}/foreknowledge",
    tag=TAG, access="required", problems=("illegal", "busy"),
    answers={200: Answer(type=Foreknowledge, says="The best results, with what they tell.")},
)  # fmt: skip
async def get_foreknowledge(call: Call[None, None]) -> Response[bytes]:
    """Show whether the best of a closed contest chose as if they knew the hidden cards, and who had finished before.

    Only for organisers of its league and for moderators, because luck can look the same.
    """
    async with call.reads.of(DAYS_PROJECTION) as snapshot:
        row = await contest_row(call, snapshot)
        if call.caller is None or "moderate" not in call.caller.scopes:
            league = row.announced.league
            if league is None or call.player not in (await call.area(LeagueParts).leagues.of(league)).organisers:
                message = "That is told to the organisers of the contest's league and to moderators."
                raise Forbidden("organisers_only", message)
        if not row.closed:
            raise Illegal("contest_open", "That is told when the contest is closed.")
        best = [entry.document for entry in (await snapshot.page(SCORES(row.contest), _RESULTS)).rows]
        attempts = [attempt for _, attempt in await snapshot.documents(ATTEMPTS(row.contest))]
        days = {score.player: await _games(snapshot, row, score.player) for score in best}
        position = str(snapshot.position)
    names = await call.accounts.names([attempt.player for attempt in attempts])
    looked = [
        await _assess_result(call, score, attempts, days[score.player], names)
        for score in best
        if score.place is not None
    ]
    return reply(Foreknowledge(contest_id=row.contest, results=tuple(looked), log_position=position))


async def _games(snapshot: Snapshot, row: ContestRow, player: UUID) -> list[UUID]:
    """The player's games of the last such contests, this one among them."""
    line = row.announced.game_type if row.announced.league is None else str(row.announced.league)
    days = [day for _, day in await snapshot.documents(DAYS(player, line)) if day.opens <= row.announced.opens]
    return [day.score.game for day in days[-_DAYS:]]


async def _assess_result(
    call: Call[Any, Any], score: Score, attempts: Sequence[Attempt], games: Sequence[UUID], names: Names
) -> Looked:
    own = next(attempt for attempt in attempts if attempt.player == score.player)
    records = call.store.records
    moves = await records(score.game)
    total = sum_choices([await call.area(Verifiers).ask(choices, await records(game)) for game in games])
    over = [attempt for attempt in attempts if attempt.play.finish is not None]
    before = [attempt for attempt in over if attempt.play.finished_at <= own.entered_at][:_BEFORE]
    earlier = [await _earlier_attempt(call, attempt, moves, names) for attempt in before]
    return fill_struct(
        Looked, total, place=score.place or 0, player=person(score.player, names), game_id=score.game, days=len(games),
        expected=round(total.expected, 2), surprise=round(total.surprise, 2), worth_a_look=total.is_worth_a_look,
        earlier=tuple(earlier),
    )  # fmt: skip


async def _earlier_attempt(
    call: Call[Any, Any], attempt: Attempt, moves: Sequence[AnyRecord], names: Names
) -> Earlier:  # fmt: skip
    result = attempt.play.result
    return Earlier(
        player=person(attempt.player, names), game_id=attempt.play.game, moves=0 if result is None else result.moves,
        solved=result is not None and result.ending == "won",
        same_first_moves=count_same_moves(moves, await call.store.records(attempt.play.game)),
    )  # fmt: skip
