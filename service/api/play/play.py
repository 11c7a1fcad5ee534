"""Play: what may be said now, and saying it: one command, a list of them, or a dry run."""

from collections.abc import Iterable
from itertools import groupby
from typing import Annotated, Any
from uuid import UUID

import msgspec
from litestar import Response
from msgspec import Meta, Struct

from domain.game_type import Illegal, Seat
from domain.play.aggregate import AnyRecord, Game, fold
from domain.play.deciding import Act, Step, check_length, legal_commands, play
from domain.play.frames import frame_after
from service.api import examples, headers
from service.api.play.partial import going_on, partial
from service.event_store.codec import place
from service.event_store.errors import DuplicateCompanion
from service.event_store.ids import now
from service.http.limits import spend
from service.http.operation import Answer, Call, operation, reply
from service.keys.sealing import Seals
from service.live import idempotency, seats, shapes
from service.live.command_log import REPEATED, CommandLog, Outcome, of_error
from service.problems import Problem, Refused, problem

TAG = "play"
Commands = shapes.AnyPlayCommand | Annotated[list[shapes.AnyPlayCommand], Meta(min_length=1, max_length=500)]


class SeatQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which of your seats is meant, if you have several."""

    seat: shapes.SeatNumber | None = None


_LIKE = 'Only commands that go on from this partial one, as JSON: `{"type":"decs_building/take_action"}`.'


class LegalQuery(SeatQuery, frozen=True, forbid_unknown_fields=True):
    """Which of the listed commands."""

    like: Annotated[str, Meta(max_length=500, description=_LIKE)] | None = None
    first: Annotated[int, Meta(ge=0, le=100_000, description="How many of them to pass over.")] = 0
    limit: Annotated[int, Meta(ge=1, le=10_000, description="At most so many commands.")] = 10_000


class PlayQuery(SeatQuery, frozen=True, forbid_unknown_fields=True):
    """Which seat speaks, and whether it is meant."""

    dry_run: Annotated[bool, Meta(description="Only ask whether it would be accepted; nothing is recorded.")] = False


@operation(
    id="list_legal_commands", method="GET", path="/v1/games/{game_id:uuid}/legal-commands", tag=TAG,
    access="required", query=LegalQuery, problems=("no_such_thing", "not_your_seat"),
    answers={200: Answer(
        type=shapes.LegalCommands, says="What you may say.", headers=headers.ETAG, links=examples.COMMAND_LINKS,
    )},
)  # fmt: skip
async def legal(call: Call[None, LegalQuery]) -> Response[bytes]:
    """List what your seat may say now, one command per meaning; nothing when it is not your turn.

    Where they are many, ask for a page of them, or with a partial command for those that go on from it.
    """
    game = await call.services.room.game(call.id("game_id"))
    seat = seats.speaker(game, _caller(call), call.query.seat)
    query, listed = call.query, list(legal_commands(game, seat))
    if query.like is not None:
        listed = going_on(listed, partial(query.like))
    page = tuple(listed[query.first : query.first + query.limit])
    more = query.first + query.limit if query.first + query.limit < len(listed) else None
    shown = shapes.LegalCommands(game.id, game.version, seat, page, len(listed), more)
    return reply(shown, ETag=headers.etag(game.version))


@operation(
    id="play", method="POST", path="/v1/games/{game_id:uuid}/commands", tag=TAG, access="required", scope="play",
    body=Commands, query=PlayQuery, request_headers=headers.IF_MATCH | headers.KEY,
    problems=("no_such_thing", "not_your_seat", "illegal", "stale_version", "key_reused"),
    answers={200: Answer(
        type=(shapes.Played, shapes.WouldBeAccepted), says="Accepted, with the frames of what happened.",
        headers=headers.ETAG, links=examples.PLAY_LINKS,
    )},
    examples=examples.COMMANDS,
)  # fmt: skip
async def play_(call: Call[Any, PlayQuery]) -> Response[bytes]:
    """Say one command, or a list of them.

    A command that a rule forbids answers 409 and records nothing. A list runs in order and ends at the first
    refusal: what was accepted before it stands, and the answer tells both. A dry run takes one command and answers
    only whether it would be accepted.
    """
    if call.query.dry_run:
        return await _dry_run(call)
    saying = _Saying(call)
    spend(call.request.scope, len(saying.commands) - 1)
    try:
        answer = await _said(call, saying)
    except Exception as error:
        saying.log.ended(of_error(error), saying.before, saying.seat)
        raise
    saying.noted()
    return answer


async def _said(call: Call[Any, PlayQuery], saying: "_Saying") -> Response[bytes]:
    saying.key = await idempotency.read_key(call, "play", call.id("game_id"))
    expected = headers.expected_version(call)
    if expected is not None:  # a stale version must not tell that a hidden game is there
        game = await call.services.room.game(call.id("game_id"))
        saying.seat = seats.speaker(game, _caller(call), call.query.seat)
        saying.before = game
    try:
        saying.step = await call.services.room.act(call.id("game_id"), saying.decide, expected, saying.accompany)
    except (Illegal, Refused, DuplicateCompanion) as refusal:
        return await _again(call, saying.key, refusal)
    assert saying.before is not None  # it has decided
    return played(saying.before, saying.step.records, saying.seat, saying.refusal, saying.step.game)


class _Saying:
    """One request's commands, said against the game as it stands when its turn comes."""

    def __init__(self, call: Call[Any, PlayQuery]) -> None:
        self.call = call
        self.commands = call.body if isinstance(call.body, list) else [call.body]
        self.key: idempotency.Key | None = None
        self.before: Game | None = None
        self.seat: Seat | None = None
        self.step: Step | None = None
        self.refusal: Problem | None = None
        self.log = CommandLog(call.id("game_id"), call.player, call.services.settings.log_commands)

    def decide(self, game: Game) -> Step:
        self.seat = seats.speaker(game, _caller(self.call), self.call.query.seat)
        self.before, self.refusal = game, None
        step = Step((), game)
        for number, command in enumerate(self.commands):
            try:
                check_length(step.game, command)
                said = play(step.game, command, Act(self.call.player, self.seat, now()))
            except Illegal as illegal:
                if number == 0:
                    raise
                self.refusal = problem("illegal", illegal.message, rule=illegal.rule, version=step.game.version)
                break
            step = Step((*step.records, *said.records), said.game)
        return step

    def accompany(self, step: Step) -> list[Any]:
        refusal = None
        if self.refusal is not None and step.records:
            there = _answer_of(step.game.id, step.game.version)
            refusal = self.call.services.seals.closed(there, msgspec.json.encode(self.refusal))
        return idempotency.keep(self.key, step, self.seat, refusal)

    def noted(self) -> None:
        """What became of the commands goes to the log; one whose answer was given before recorded nothing now."""
        if self.step is None:
            self.log.ended(REPEATED, self.before, self.seat)
            return
        self.log.accepted(self.step, self.seat)
        if self.refusal is not None:
            self.log.ended(Outcome("rule", self.refusal.rule or ""), self.step.game, self.seat)


def _refusal(seals: Seals, kept: idempotency.Kept) -> Problem | None:
    """What the first answer refused: it is sealed, for the sentence of a rule may name a card of a hidden hand."""
    if kept.refusal is None:
        return None
    text = seals.opened(_answer_of(kept.stream, kept.last_version), bytes(kept.refusal))
    return msgspec.json.decode(text, type=Problem)


def _answer_of(game: UUID, version: int) -> bytes:
    return place(game, version, "answer")


async def _again(call: Call[Any, PlayQuery], key: idempotency.Key | None, refused: Exception) -> Response[bytes]:
    """The first answer to this key; where there is none, the refusal at hand goes on."""
    if (kept := await idempotency.find(call.services.store, key)) is None:
        raise refused
    records = [
        record for record in await call.services.store.records(kept.stream) if record.version <= kept.last_version
    ]
    before = fold(record for record in records if record.version < kept.first_version)
    refusal = _refusal(call.services.seals, kept)
    said = tuple(record for record in records if record.version >= kept.first_version)
    seats.speaker(before, _caller(call), kept.seat)
    return played(before, said, kept.seat, refusal)


def played(
    before: Game, records: tuple[AnyRecord, ...], seat: Seat | None, refusal: Problem | None, after: Game | None = None
) -> Response[bytes]:
    """The answer to what was said against this game, as this seat sees it; `after`, if it is known, is not folded."""
    frames = tuple(_frames(before, records, seat, after))
    version = frames[-1].version
    answer = shapes.Played(before.id, version, len(frames), frames, refusal)
    return reply(answer, ETag=headers.etag(version))


def _frames(game: Game, records: Iterable[AnyRecord], seat: Seat | None, after: Game | None) -> Iterable[shapes.Frame]:
    steps = [tuple(step) for _, step in groupby(records, key=lambda record: record.step)]
    for step in steps:
        shown, game = frame_after(game, step, seat, after if step is steps[-1] else None)
        yield shapes.frame(shown)


async def _dry_run(call: Call[Any, PlayQuery]) -> Response[bytes]:
    """Whether one command would be accepted, and nothing of what it would do."""
    if isinstance(call.body, list):
        raise Illegal("dry_run_of_one", "A dry run takes one command: a list would tell what the first one turns up.")
    game = await call.services.room.game(call.id("game_id"))
    seat = seats.speaker(game, _caller(call), call.query.seat)
    expected = headers.expected_version(call)
    if expected is not None and expected != game.version:
        raise Refused("stale_version", f"The game stands at version {game.version}.", version=game.version)
    check_length(game, call.body)
    play(game, call.body, Act(call.player, seat, now()))
    return reply(shapes.WouldBeAccepted(), ETag=headers.etag(game.version))


def _caller(call: Call[Any, Any]) -> Any:
    return call.caller


HANDLERS = (legal, play_)
