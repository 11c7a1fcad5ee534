"""Analyses of finished games and of deals, and the losses they show; stored, the same for all viewers."""

import asyncio
from collections.abc import AsyncIterator
from functools import reduce
from typing import Annotated, Any
from uuid import UUID

import msgspec
from litestar import Response
from litestar.response import Stream
from msgspec import Meta, Struct

from domain.chance import Chance, deal_seed
from domain.game_type import Illegal
from domain.games import REVISIONS
from domain.play.aggregate import Game
from domain.view import View, Viewer
from projections.games.game_lists import ENTRY, GAMES, own_lists
from service.analysis import queue
from service.analysis.history import has_solver
from service.analysis.kinds import Foreseen, Found, Report, kind_of
from service.analysis.likeness import OpenCards, are_being_played, dealt_cards, find_alike, hides_none, open_cards
from service.analysis.report import (
    AnalysedGame,
    LossesOfType,
    LostGame,
    PatienceReport,
    VerdictSpan,
    lost_games,
    sum_losses,
)
from service.api import examples, sse
from service.api.paging import LogPosition
from service.api.viewing import ViewQuery, viewer_of
from service.contests.attempts import Contests
from service.event_store import ids
from service.event_store.ids import now
from service.event_store.store import EventStore
from service.http.operation import JSON, Answer, Call, Reply, operation, reply
from service.http.representation import choose_media_type
from service.jobs.stored_games import GameRef, game_ref, replay_of
from service.live import seats, shapes
from service.live.openings import AnyOpening, judged_deal
from service.live.replay import LiveParts, Replay
from service.problems import Refused
from service.records import imports
from service.records.imports import Verifiers
from service.workers.reads import Reads

TAG = "replay"
_BOUND = (
    "At most so many different positions are looked at for one verdict; left out, as many as the solver does by "
    "itself. One at least twice as large as before goes on with what was left open; less is refused as "
    "`bound_not_doubled`. Only for a patience with a solver."
)
_LOOK = 0.5  # seconds between two reads of an analysis that is followed
_EXPECTED = "About how many there will be; 0 before the first."
_SPANS = "What the verdicts so far tell of a patience's steps; none before the first, and once the report has them."


Bound = Annotated[int, Meta(ge=1_000, le=queue.MOST, description=_BOUND)]


class AnalysisBody(Struct, frozen=True, forbid_unknown_fields=True):
    """How far to search."""

    bound: Bound | None = None


class Analysis(Struct, frozen=True, kw_only=True):
    """The analysis of a game: its progress and, once it is `done`, its `report`; a repeated analysis shows the previous
    report until then."""

    game_id: UUID
    status: queue.Status
    bound: Annotated[int, Meta(description="As it was asked for; 0: the solver's own.")]
    verdicts: Annotated[int, Meta(description="How many verdicts, moves that were judged, or hands, there are.")]
    expected: Annotated[int, Meta(description=_EXPECTED)]
    spans: Annotated[tuple[VerdictSpan, ...], Meta(description=_SPANS)]
    report: Report | None


class AnalysisLine(Struct, frozen=True):
    """A patience's winning line: `views` has the table after each move of the report's `line`, which begins at
    `line_step`."""

    game_id: UUID
    game_type: str
    line_step: int
    views: tuple[shapes.View, ...]


@operation(
    id="analyse_game", method="POST", path="/v1/games/{game_id:uuid}/analysis", tag=TAG, access="optional",
    keyless="Asked for twice it is one analysis.", body=AnalysisBody, problems=("illegal", "busy"), answers={
        202: Answer(type=Analysis, says="It is asked for."),
        200: Answer(type=Analysis, says="It is done already."),
    }, examples={"as far as the solver looks by itself": {}},
)  # fmt: skip
async def analyse_game(call: Call[AnalysisBody, None]) -> Response[bytes]:
    """Ask where a game was lost.

    The game is over and its deal revealed. The report is one of three kinds.

    `patience`: a solver that knows all cards says at about seven of its steps whether it could still be won there.
    Without undo a lost game stays lost, so this finds the step. A verdict is `won`, with a line that the rules accept;
    `impossible`, after every position that matters was searched; or `open`, where the search came to its bound. It is
    never a guess.

    `bridge`: what each call and each card of Bridge Solitaire would have brought with the stock known.

    `several`: how each move of Spite & Malice, Screaming Yoda or Megiddo changed the mover's share of the win, by
    playing out worlds that the mover could not tell apart.

    A game has one analysis, shown to all who may see the game. One that is not `complete` may be requested again, and
    goes on; its report stays until there is another.
    """
    game = seats.visible_game(await call.room.game(call.id("game_id")), call.caller)
    _require_analysable(game)
    if game.opening.origin != "shuffled" or game.importers is not None:
        await require_no_live_deal(call, game, await call.area(LiveParts).replays.of(game))
    bound = (call.body.bound or 0) if has_solver(game.type) else 0
    player = None if call.caller is None else call.caller.player
    most = call.settings.analysis_queue
    analysis = await queue.ask(call.store, game_ref(game), bound, most, player)
    return reply(show_analysis(game.id, analysis), 200 if analysis.status == "done" else 202)


def _require_analysable(game: Game) -> None:
    if kind_of(game.type) is None:
        raise Illegal("no_solver", f"There is no solver of {game.type.name}, revision {game.type.revision}.")
    if game.status not in seats.OVER:
        raise Illegal("game_not_finished", "A game is analysed once it is over.")
    if not seats.is_fully_known(game):
        raise Illegal("game_not_revealed", "A game is analysed once its secrets are revealed.")
    if game.state is None:
        raise Illegal("game_not_started", "The game was never dealt.")


async def require_no_live_deal(call: Call[Any, Any], game: Game, replay: Replay) -> None:
    """Raises Illegal for typed-in cards that a running contest or rated game deals.

    Rated games with hidden cards are not compared.
    """
    key, cards = game.type.key, dealt_cards(replay)
    if cards is None:
        return
    store, reads, room = call.store, call.reads, call.room
    if await _is_contested(store, call.area(Contests), key, cards) or (
        hides_none(replay) and await are_being_played(key, cards, store, reads, room)
    ):
        raise Illegal("deal_withheld", "A contest or a rated game that is not over deals these cards, or most of them.")


async def _is_contested(store: EventStore, contests: Contests, game_type: str, typed: OpenCards) -> bool:
    """Whether a contest that has opened and is not revealed deals these open cards, or similar ones.

    Hidden cards and contests that have not opened are not compared: a refusal would confirm a guess.
    """
    for (due,) in await store.query("SELECT contest FROM contests_due"):
        contest = await contests.of(UUID(str(due)))
        announced = contest.announced
        if announced.game_type == game_type and announced.opens <= ids.now():
            kind = REVISIONS[game_type, announced.revision]
            options = shapes.read_options(announced.options, kind.options)
            dealt = kind.deal(options, Chance(deal_seed(contest.seed, (None,))), 1)
            cards, places = open_cards(kind.look(reduce(kind.evolve, dealt, kind.initial(options, 1)), None))
            if any(await asyncio.to_thread(find_alike, game_type, typed, [cards], places)):
                return True
    return False


class AnalysisQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """When the stream may end."""

    max_seconds: Annotated[float, Meta(ge=0, le=86_400, description="A stream ends after so many seconds.")] | None = (
        None
    )


@operation(
    id="get_analysis", method="GET", path="/v1/games/{game_id:uuid}/analysis", tag=TAG, access="optional",
    query=AnalysisQuery, problems=("not_acceptable",), answers={200: Answer(
        type=Analysis, lines=(Analysis,), media_types=(JSON, sse.MEDIA_TYPE), events=("analysis",),
        says="The analysis, or how far it has come; as server-sent events each time it has come further.",
        example=examples.ANALYSIS_STREAM,
    )},
)  # fmt: skip
async def get_analysis(call: Call[None, AnalysisQuery]) -> Response[Any]:
    """Show where a game was lost, once an analysis was requested.

    With `Accept: text/event-stream` it is a stream: `analysis` has the progress, at once and after each change. The
    event `end` has the reason: `finished` after the report, `limit` or `access`.
    """
    game = seats.visible_game(await call.room.game(call.id("game_id")), call.caller)
    if (now := await _find_analysis(call.store, game)) is None:
        raise Refused("no_such_thing", "Nobody has asked for an analysis of this game.")
    if choose_media_type(call, JSON, sse.MEDIA_TYPE) == sse.MEDIA_TYPE:
        return Stream(_follow_analysis(call, game, now), media_type=sse.MEDIA_TYPE, headers=sse.HEADERS)
    return reply(now)


async def _find_analysis(store: EventStore, game: Game) -> Analysis | None:
    analysis = await queue.find(store, game_ref(game))
    return None if analysis is None else show_analysis(game.id, analysis)


async def _follow_analysis(call: Call[None, AnalysisQuery], game: Game, now: Analysis | None) -> AsyncIterator[bytes]:
    """The text of the stream; reads the database, to which another process writes each verdict."""
    ended, sent = False, None

    async def read() -> AsyncIterator[bytes]:
        nonlocal ended, sent
        if now is not None and now != sent:
            sent = now
            yield sse.event("analysis", now)
        ended = now is None or now.status == "done"
        if ended:
            yield sse.end("access" if now is None else "finished")

    async def wait(seconds: float) -> bool:
        nonlocal now
        before, deadline = now, sse.Deadline(seconds)
        while now == before and not deadline.passed:
            await asyncio.sleep(deadline.within(_LOOK))
            now = await _find_analysis(call.store, game)
        return now != before

    async for text in sse.follow(call, call.query.max_seconds, read, wait):
        yield text
        if ended:
            return


def show_analysis(game: UUID, analysis: queue.StoredAnalysis) -> Analysis:
    """The API's form of an analysis."""
    notes = [note for note in analysis.notes if not isinstance(note, Foreseen)]
    last = notes[-1] if notes and analysis.status != "done" else None
    return Analysis(
        game_id=game,
        status=analysis.status,
        bound=analysis.bound,
        verdicts=len(notes),
        expected=analysis.expected,
        spans=last.spans if isinstance(last, Found) else (),
        report=analysis.report,
    )


@operation(
    id="get_analysis_line", method="GET", path="/v1/games/{game_id:uuid}/analysis/line", tag=TAG, access="optional",
    query=ViewQuery, problems=("not_your_seat", "illegal", "busy"),
    answers={200: Answer(type=AnalysisLine, says="The table after each of its moves.")},
)  # fmt: skip
async def get_analysis_line(call: Call[None, ViewQuery]) -> Response[bytes]:
    """Show the table after each move of the winning line that the analysis of a patience has found."""
    game = seats.visible_game(await call.room.game(call.id("game_id")), call.caller)
    viewer, analysis = viewer_of(call, game), await queue.find(call.store, game_ref(game))
    report = None if analysis is None else analysis.report
    if not isinstance(report, PatienceReport) or report.line_step is None or not seats.is_fully_known(game):
        raise Refused("no_such_thing", "No analysis of this game has found a winning line.")
    commands = tuple(move.command for move in report.line)
    body = await call.in_child_process(_encode_line, game_ref(game), report.line_step, commands, viewer)
    return Reply(body, 200, JSON, {})


def _encode_line(ref: GameRef, start: int, commands: tuple[Any, ...], viewer: Viewer) -> bytes:
    game, views = replay_of(ref).after(start), list[View[Any]]()
    kind, state = game.type, game.state
    for command in commands:
        for event in kind.decide(state, 0, command):
            state = kind.evolve(state, event)
        views.append(kind.look(state, viewer))
    return msgspec.json.encode(AnalysisLine(ref.game, kind.key, start, tuple(views)))  # type: ignore[arg-type]  # encodes alike


class DealQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """How far to search."""

    bound: Bound | None = None


@operation(
    id="judge_deal", method="POST", path="/v1/deals", tag=TAG, access="required", scope="records:write",
    keyless="Asked for twice it is one analysis.", body=AnyOpening, query=DealQuery, problems=("illegal", "busy"),
    answers={
        202: Answer(type=Analysis, says="It is asked for."),
        200: Answer(type=Analysis, says="It is done already."),
    }, examples={"a FreeCell that cannot be won": {"game_type": "freecell", "deal_number": 11982}},
)  # fmt: skip
async def judge_deal(call: Call[Any, DealQuery]) -> Response[bytes]:
    """Ask whether a deal can be won.

    The body is an opening of a game with `deal`, `seed` or `deal_number`; of the other fields only `options` are read.
    The answer is the analysis of a game with this deal that is resigned at once, imported by you under `game_id`:
    follow it there. The same deal has the same analysis. In its report the outcome is `given_up`: the deal can be won,
    by `line`, and `/record?annotated=true` is the record with that line, which `kibitz verify` plays; `unwinnable`; or
    `open`. Refused for cards that a running contest or rated game deals.
    """
    analysis = await ask_about(call, call.body, call.query.bound or 0)
    return reply(analysis, 200 if analysis.status == "done" else 202)


async def ask_about(call: Call[Any, Any], body: Any, bound: int = 0) -> Analysis:
    """Request the analysis of the deal of this body; raises Illegal or Refused, with nothing stored."""
    opening, secret = judged_deal(body)
    if not has_solver(opening.type):
        raise Illegal("no_solver", f"There is no solver of {opening.type.name}.", "/game_type")
    deal, replay = await call.area(Verifiers).ask(imports.resigned_game, opening, secret), Replay()
    replay.extend(deal.record.records)
    await require_no_live_deal(call, deal.game, replay)
    ref, most = GameRef(deal.id, deal.game.version, deal.game.digest), call.settings.max_imports
    statements = await imports.statements_if_analysed(call.store, call.player, deal, now(), most)
    analysis = await queue.ask(call.store, ref, bound, call.settings.analysis_queue, call.player, statements)
    call.room.forget(deal.id)
    return show_analysis(deal.id, analysis)


_NEWEST = 200


class Losses(Struct, frozen=True):
    """Of the newest finished games: how many there are, what their analyses tell by game type, and which were lost."""

    games: Annotated[int, Meta(description=f"Finished games of yours that were looked through, {_NEWEST} at most.")]
    analysed: Annotated[int, Meta(description="How many of them are patiences with an analysis.")]
    types: tuple[LossesOfType, ...]
    lost: Annotated[tuple[LostGame, ...], Meta(description="Newest first.")]
    log_position: LogPosition


@operation(
    id="get_losses", method="GET", path="/v1/account/losses", tag="account", access="required", may_lag=True,
    answers={200: Answer(type=Losses, says="What your analysed games tell.")},
)  # fmt: skip
async def get_losses(call: Call[None, None]) -> Response[bytes]:
    """Show how often, where and in which games you lost a winnable position.

    Only patiences with an analysis count: request more of them for better figures.
    """
    return reply(await losses_of(call.reads, call.store, call.player))


async def losses_of(reads: Reads, store: EventStore, player: UUID) -> Losses:
    """The losses in the analyses of this player's newest finished games."""
    async with reads.of(GAMES) as snapshot:
        page = await snapshot.gather(own_lists(player, None, "finished"), ENTRY(), _NEWEST, None)
        listed, position = page.documents, str(snapshot.position)
    reports = await queue.reports_of(store, [game.id for game in listed])
    analysed = [
        AnalysedGame(game.id, game.game_type, report)
        for game in listed
        if isinstance(report := reports.get(game.id), PatienceReport)
    ]
    return Losses(len(listed), len(analysed), sum_losses(analysed), lost_games(analysed), position)
