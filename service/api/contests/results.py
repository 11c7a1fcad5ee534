"""The results of a same-deal contest: as JSON, CSV and text."""

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from litestar import Response
from msgspec import Struct

from domain.game_type import Illegal
from projections.contests.days import ATTEMPTS, DAYS_PROJECTION, SCORES, ContestRow
from projections.contests.results import Kind, Score, scores, sort_of
from projections.engine.reading import Cursor, Listed, Page, Snapshot
from service.accounts.names import Names, Person, person
from service.api import tabular
from service.api.contests.contests import TAG, contest_row
from service.api.paging import LogPosition, PageQuery, next_cursor, page_cursor
from service.api.viewing import fill_struct
from service.http.operation import Answer, Call, operation
from service.http.representation import choose_media_type


class ResultRow(Struct, frozen=True, kw_only=True):
    """A result. `kind`: `ranked`, `not_clean`, `void`, `no_attempt`, `fresh_account` or `unreadable`; of the ranked
    ones `place` counts from 1. `fresh_account`: entered with fewer games played to their end than the contest's rules
    ask (`seasoned`). `unreadable`: the key that the attempt was sealed under was lost before it was over.

    `points` are matchpoints, two for each result that is beaten and one for each that is equalled; `percent` is their
    share of the maximum, rounded to two places; `imps` are against the average of the field. `completed`: it was
    played to its end. `game_id` is there once the contest is closed. `outcome`: the result in words, where the game
    type has any (`4 spades, made, vulnerable: 620`).
    """

    place: int | None
    player: Person
    game_id: UUID | None
    kind: Kind
    solved: bool
    completed: bool
    clean: bool
    score: int | None
    moves: int
    seconds: float
    points: int
    of: int
    percent: float | None
    imps: int | None
    outcome: str | None


class ResultList(Struct, frozen=True, kw_only=True):
    """A page of a contest's results, best first, then those that are not ranked.

    `provisional`: the contest is not closed, and these are the attempts that are over so far.
    """

    contest_id: UUID
    game_type: str
    day: str | None
    provisional: bool
    results: tuple[ResultRow, ...]
    next: str | None
    log_position: LogPosition


@operation(
    id="list_results", may_lag=True, method="GET", path="/v1/contests/{contest_id:uuid}/results", tag=TAG,
    access="optional", query=PageQuery, problems=("illegal", "not_acceptable"),
    answers={200: Answer(type=ResultList, says="A page of results.", media_types=tabular.MEDIA_TYPES)},
)  # fmt: skip
async def list_results(call: Call[None, PageQuery]) -> Response[Any]:
    """List a contest's results, best first: JSON, CSV (`Accept: text/csv`) or text.

    Matchpoints are over all ranked results: without undo, without a void. Before the contest is closed, players who
    have finished it see the results of others who have finished, without their games.
    """
    media_type = choose_media_type(call, *tabular.MEDIA_TYPES)
    return tabular.tabular_response(media_type, await results_of(call), results_csv, results_text)


async def results_of(call: Call[None, PageQuery]) -> ResultList:
    """A page of the results as far as the caller may know them; raises Illegal, Refused."""
    async with call.reads.of(DAYS_PROJECTION) as snapshot:
        row = await contest_row(call, snapshot)
        if row.closed:
            page = await snapshot.page(SCORES(row.contest), call.query.limit, page_cursor(call.query))
        else:
            page = await _provisional_results(call, snapshot, row)
    names = await call.accounts.names([entry.document.player for entry in page.rows])
    return ResultList(
        contest_id=row.contest, game_type=row.announced.game_type, day=row.announced.day, provisional=not row.closed,
        results=tuple(_score(entry.document, names, row.closed) for entry in page.rows), next=next_cursor(page.after),
        log_position=str(snapshot.position),
    )  # fmt: skip


async def _provisional_results(call: Call[None, PageQuery], snapshot: Snapshot, row: ContestRow) -> Page[Score]:
    """A page of provisional results, only for players who have finished: knowing them cannot help their own attempt."""
    attempts = [attempt for _, attempt in await snapshot.documents(ATTEMPTS(row.contest))]
    finished = {attempt.player for attempt in attempts if attempt.play.finish is not None}
    if call.caller is None or call.caller.player not in finished:
        raise Illegal("contest_open", "Results are told when the contest and its grace have passed, or you have ended.")
    return _page(scores(row.announced, attempts), call.query.limit, page_cursor(call.query))


def _page(results: Iterable[Score], limit: int, behind: Cursor | None) -> Page[Score]:
    """A page of results computed here, in the order and with the cursors of stored results."""
    listed = sorted(results, key=lambda score: (_descending_key(sort_of(score)), str(score.player)))
    places = [Cursor(sort_of(score), str(score.player)) for score in listed]
    first = 0 if behind is None else sum(_sort_key(place) <= _sort_key(behind) for place in places)
    rows = [Listed(0, str(score.player), score) for score in listed[first : first + limit]]
    more = first + limit < len(listed)
    return Page(tuple(rows), places[first + limit - 1] if more else None)


def _sort_key(place: Cursor) -> tuple[bytes, str]:
    return _descending_key(place.sort), place.key


def _descending_key(sort: bytes) -> bytes:
    return bytes(255 - byte for byte in sort)


def _score(score: Score, names: Names, with_game: bool) -> ResultRow:
    percent = None if score.percent is None else round(100 * score.percent[0] / score.percent[1], 2)
    return fill_struct(
        ResultRow, score, player=person(score.player, names), game_id=score.game if with_game else None,
        seconds=score.took / 1_000_000, percent=percent, outcome=score.outcome or None,
    )  # fmt: skip


_COLUMNS = (
    "place", "kind", "solved", "completed", "clean", "score", "moves", "seconds", "points", "of", "percent", "imps",
    "outcome",
)  # fmt: skip


def results_csv(page: ResultList) -> str:
    """One line a result under a header line; each has the log position."""
    return tabular.people_csv(_COLUMNS, page.results, page.log_position)


def results_text(page: ResultList) -> str:
    """The results one below the other; unranked results come last."""
    what = page.game_type.replace("_", " ").capitalize() + ("" if page.day is None else f", {page.day}")
    head = f"{what}: {'so far, the contest is not closed' if page.provisional else 'results'}."
    columns = f"{'':>5} {'':<24}{'score':>7}{'moves':>7}{'time':>9}{'points':>8}{'percent':>9}{'imps':>6}"
    lines = [_text_row(*placed) for placed in tabular.placed_rows(page.results, [row.place for row in page.results])]
    return tabular.text_page([head, "", columns, *lines], page.next, page.log_position)


def _text_row(place: str, row: ResultRow) -> str:
    marks = " *" if row.solved else ""
    minutes, seconds = divmod(int(row.seconds), 60)
    moves, time = (
        ("-", "-") if row.kind == "unreadable" else (row.moves, f"{minutes // 60}:{minutes % 60:02}:{seconds:02}")
    )
    cells = f"{tabular.optional_cell(row.score):>7}{moves:>7}{time:>9}"
    worth = f"  {row.kind.replace('_', ' ')}"
    if row.kind == "ranked":
        worth = f"{row.points:>8}{tabular.optional_cell(row.percent):>9}{tabular.optional_cell(row.imps):>6}"
    outcome = f"  {row.outcome}" if row.outcome else ""
    return f"{place:>5} {tabular.short_name(row.player.name)[:22] + marks:<24}{cells}{worth}{outcome}"
