"""Play: what may be said now, and saying it: one command, a list of them, or a dry run."""

from collections.abc import Sequence
from itertools import groupby
from operator import attrgetter
from typing import Annotated, Any
from uuid import UUID

import msgspec
from litestar import Response
from msgspec import Meta, Struct

from domain.game_type import Illegal
from domain.play.aggregate import AnyRecord, Game, fold
from domain.play.deciding import Act, Step, check_length, legal_commands, play
from domain.play.frames import frame_after
from domain.view import Seat
from service.api import examples, headers
from service.api.play.partial import decode_partial, matching_commands
from service.event_store.codec import place
from service.event_store.errors import DuplicateCompanion
from service.event_store.ids import now
from service.http.limits import spend
from service.http.operation import Answer, Call, operation, reply
from service.keys.sealing import Seals
from service.live import idempotency, seats, shapes
from service.live.command_log import CommandLog
from service.live.room import require_version
from service.problems import Problem, Refused, problem
from service.telemetry import tracing

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
async def list_legal_commands(call: Call[None, LegalQuery]) -> Response[bytes]:
    """List what your seat may say now, one command per meaning; nothing when it is not your turn.

    Where they are many, ask for a page of them, or with a partial command for those that go on from it.
    """
    game = await call.services.room.game(call.id("game_id"))
    seat = seats.speaker(game, call.known_caller, call.query.seat)
    query, listed = call.query, list(legal_commands(game, seat))
    if query.like is not None:
        listed = matching_commands(listed, decode_partial(query.like))
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
async def post_command(call: Call[Any, PlayQuery]) -> Response[bytes]:
    """Say one command, or a list of them.

    A command that a rule forbids answers 409 and records nothing. A list runs in order and ends at the first
    refusal: what was accepted before it stands, and the answer tells both. A dry run takes one command and answers
    only whether it would be accepted.
    """
    if call.query.dry_run:
        return await _answer_dry_run(call)
    commands = call.body if isinstance(call.body, list) else [call.body]
    spend(call.request.scope, len(commands) - 1)
    caller, services, game_id = call.known_caller, call.services, call.id("game_id")
    with CommandLog(game_id, caller.player, services.settings.log_commands) as log:
        key = await idempotency.read_key(call, "play", game_id)
        expected = headers.expected_version(call)
        try:
            async with services.room.turn(game_id) as turn:
                while log.step is None:
                    game = await turn.game()
                    log.seat = seat = seats.speaker(game, caller, call.query.seat)
                    log.game = game  # not earlier: neither a log line nor a count may tell of a hidden game
                    require_version(game, expected)  # nor may a 412
                    with tracing.span("decide"):
                        step, refusal = _decide(game, commands, caller.player, seat)
                    sealed = _seal_refusal(services.seals, step, refusal)
                    if await turn.record(step, idempotency.key_companions(key, step, seat, sealed)):
                        log.step, log.refusal = step, refusal
        except (Illegal, Refused, DuplicateCompanion) as refused:
            return await _repeat_answer(call, key, refused)
        return _answer(game, step.records, seat, refusal, step.game)


def _decide(game: Game, commands: Sequence[Any], player: UUID, seat: Seat) -> tuple[Step, Problem | None]:
    """Decide the commands in order. A refusal ends the list and is returned; raises Illegal for the first one."""
    step = Step((), game)
    for command in commands:
        try:
            check_length(step.game, command)
            following = play(step.game, command, Act(player, seat, now()))
        except Illegal as illegal:
            if not step.records:
                raise
            return step, problem("illegal", illegal.message, rule=illegal.rule, version=step.game.version)
        step = Step((*step.records, *following.records), following.game) if step.records else following
    return step, None


def _seal_refusal(seals: Seals, step: Step, refusal: Problem | None) -> bytes | None:
    """The refusal that ended a list, sealed for storage, because its text may name a hidden card."""
    if refusal is None:
        return None
    return seals.closed(_place_of_answer(step.game.id, step.game.version), msgspec.json.encode(refusal))


def _open_refusal(seals: Seals, kept: idempotency.FirstUse) -> Problem | None:
    """The refusal in the first answer."""
    if kept.refusal is None:
        return None
    text = seals.opened(_place_of_answer(kept.stream, kept.last_version), bytes(kept.refusal))
    return msgspec.json.decode(text, type=Problem)


def _place_of_answer(game: UUID, version: int) -> bytes:
    return place(game, version, "answer")


async def _repeat_answer(
    call: Call[Any, PlayQuery], key: idempotency.Key | None, refused: Exception
) -> Response[bytes]:
    """The first answer to this key; raises `refused` if there is none."""
    if (kept := await idempotency.find(call.services.store, key)) is None:
        raise refused
    found = await call.services.store.records(kept.stream)
    records = [record for record in found if record.version <= kept.last_version]
    before = fold(record for record in records if record.version < kept.first_version)
    refusal = _open_refusal(call.services.seals, kept)
    recorded = tuple(record for record in records if record.version >= kept.first_version)
    seats.speaker(before, call.known_caller, kept.seat)
    return _answer(before, recorded, kept.seat, refusal)


def _answer(
    before: Game, records: tuple[AnyRecord, ...], seat: Seat | None, refusal: Problem | None, after: Game | None = None
) -> Response[bytes]:
    """The frames of the records, as this seat sees them; `after` is the game after the last one, if already folded."""
    frames, game = [], before
    steps = [tuple(step) for _, step in groupby(records, key=attrgetter("step"))]
    for step in steps:
        frame, game = frame_after(game, step, seat, after if step is steps[-1] else None)
        frames.append(shapes.frame(frame))
    version = frames[-1].version
    return reply(shapes.Played(before.id, version, len(frames), tuple(frames), refusal), ETag=headers.etag(version))


async def _answer_dry_run(call: Call[Any, PlayQuery]) -> Response[bytes]:
    """Whether one command would be accepted; its effects are not shown."""
    if isinstance(call.body, list):
        raise Illegal("dry_run_of_one", "A dry run takes one command: a list would tell what the first one turns up.")
    game = await call.services.room.game(call.id("game_id"))
    seat = seats.speaker(game, call.known_caller, call.query.seat)
    require_version(game, headers.expected_version(call))
    check_length(game, call.body)
    play(game, call.body, Act(call.player, seat, now()))
    return reply(shapes.WouldBeAccepted(), ETag=headers.etag(game.version))


HANDLERS = (list_legal_commands, post_command)
