"""What a contest's organiser is told of attempts that look as if the hidden cards had been known."""

from collections.abc import Sequence
from typing import Annotated, Any
from uuid import UUID

from litestar import Response
from msgspec import Meta, Struct

from domain.contest.foreknowledge import choices, count_same_moves, sum_choices
from domain.game_type import Forbidden, Illegal
from domain.play.aggregate import AnyRecord
from projections.contests.days import DAYS_PROJECTION
from projections.contests.documents import ATTEMPTS, DAYS, SCORES, ContestRow
from projections.contests.results import Attempt, Score
from projections.engine.reading import Snapshot
from service.accounts.names import Names, Person, person
from service.api.contests.contests import TAG, contest_row
from service.api.paging import LogPosition
from service.api.showing import fill_struct
from service.http.operation import Answer, Call, operation, reply

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

    `worth_a_look`: so many choices and so much surprise as one honest player in a thousand has. It is no proof.
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
    """The best results of a contest, for who organises it: numbers to judge by, with the games to look at."""

    contest_id: UUID
    results: tuple[Looked, ...]
    log_position: LogPosition


@operation(
    id="get_foreknowledge", may_lag=True, method="GET", path="/v1/contests/{contest_id:uuid}/foreknowledge",
    tag=TAG, access="required", problems=("no_such_thing", "illegal", "busy"),
    answers={200: Answer(type=Foreknowledge, says="The best results, with what they tell.")},
)  # fmt: skip
async def get_foreknowledge(call: Call[None, None]) -> Response[bytes]:
    """Show whether the best of a closed contest chose as if they knew the hidden cards, and who had ended before.

    For organisers of its league and for moderators alone: luck can look the same, so nobody is accused in public.
    """
    async with call.services.reads.of(DAYS_PROJECTION) as found:
        row = await contest_row(call, found)
        await _require_organiser(call, row)
        if not row.closed:
            raise Illegal("contest_open", "That is told when the contest is closed.")
        best = [one.document for one in (await found.page(SCORES(row.contest), _RESULTS)).rows]
        attempts = [attempt for _, attempt in await found.documents(ATTEMPTS(row.contest))]
        days = {score.player: await _games(found, row, score.player) for score in best}
        position = str(found.position)
    names = await call.services.accounts.names([attempt.player for attempt in attempts])
    looked = [
        await _assess_result(call, score, attempts, days[score.player], names)
        for score in best
        if score.place is not None
    ]
    return reply(Foreknowledge(contest_id=row.contest, results=tuple(looked), log_position=position))


async def _require_organiser(call: Call[Any, Any], row: ContestRow) -> None:
    if call.caller is not None and "moderate" in call.caller.scopes:
        return
    league = row.announced.league
    if league is None or call.player not in (await call.services.leagues.of(league)).organisers:
        raise Forbidden("organisers_only", "That is told to the organisers of the contest's league and to moderators.")


async def _games(found: Snapshot, row: ContestRow, player: UUID) -> list[UUID]:
    """The player's games of the last such contests, this one among them."""
    line = row.announced.game_type if row.announced.league is None else str(row.announced.league)
    days = [day for _, day in await found.documents(DAYS(player, line)) if day.opens <= row.announced.opens]
    return [day.score.game for day in days[-_DAYS:]]


async def _assess_result(
    call: Call[Any, Any], score: Score, attempts: Sequence[Attempt], games: Sequence[UUID], names: Names
) -> Looked:
    own = next(attempt for attempt in attempts if attempt.player == score.player)
    records = call.services.store.records
    moves = await records(score.game)
    found = sum_choices([await call.services.verifiers.ask(choices, await records(game)) for game in games])
    before = [one for one in attempts if one.play.finish is not None and one.play.finished_at <= own.entered_at]
    earlier = [await _earlier_attempt(call, one, moves, names) for one in before[:_BEFORE]]
    return fill_struct(
        Looked, found, place=score.place or 0, player=person(score.player, names), game_id=score.game, days=len(games),
        expected=round(found.expected, 2), surprise=round(found.surprise, 2), worth_a_look=found.is_worth_a_look,
        earlier=tuple(earlier),
    )  # fmt: skip


async def _earlier_attempt(
    call: Call[Any, Any], one: Attempt, moves: Sequence[AnyRecord], names: Names
) -> Earlier:  # fmt: skip
    result = one.play.result
    return Earlier(
        player=person(one.player, names), game_id=one.play.game, moves=0 if result is None else result.moves,
        solved=result is not None and result.ending == "won",
        same_first_moves=count_same_moves(moves, await call.services.store.records(one.play.game)),
    )  # fmt: skip


HANDLERS = (get_foreknowledge,)
