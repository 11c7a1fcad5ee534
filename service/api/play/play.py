"""Play: list the legal commands, send one, several or a dry run; ask for a hint."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, groupby
from operator import attrgetter
from typing import Annotated, Any, Literal
from uuid import UUID

import msgspec
from litestar import Response
from msgspec import Meta, Struct

from domain.game_type import Illegal
from domain.play.aggregate import AnyRecord, Game, fold
from domain.play.deciding import Act, Step, check_length, command_tags, legal_moves, other_commands, play
from domain.play.frames import frame_after
from domain.view import Seat
from service.accounts.access import Caller
from service.analysis.history import has_solver
from service.api import examples, headers
from service.api.paging import number_cursor, number_page_start
from service.event_store import log_positions
from service.event_store.codec import place
from service.event_store.errors import DuplicateCompanion, NotLeased
from service.event_store.ids import now
from service.event_store.keyed_writes import FirstUse
from service.event_store.store import count_tries
from service.hints import Hinted, find_hint
from service.http.bodies import decode_body
from service.http.call import HttpParts
from service.http.limits import BYTES_PER_REQUEST, spend
from service.http.line_messages import Accepted, SayCommand
from service.http.operation import JSON, Answer, Call, Reply, operation, read_key, reply
from service.jobs.process import JobParts
from service.jobs.stored_games import game_ref
from service.keys.sealing import Seals
from service.live import idempotency, seats, shapes
from service.live.command_log import CommandLog
from service.live.room import stale
from service.problems import Problem, Refused, problem, refused_parameter
from service.telemetry import tracing

TAG = "play"
_PLACE = "answer"
"""The kind of place that a refusal is sealed for, with its game and version."""


class CommandList(Struct, frozen=True, forbid_unknown_fields=True):
    """Commands to say one after the other, up to the first that is refused."""

    commands: Annotated[tuple[shapes.AnyPlayCommand, ...], Meta(min_length=1, max_length=500)]


class SeatQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which of your seats is meant, if you have several."""

    seat: shapes.SeatNumber | None = None


_LIKE = 'Only commands that go on from this partial one, as JSON: `{"type":"decs_building/take_action"}`.'


class LegalQuery(SeatQuery, frozen=True, forbid_unknown_fields=True):
    """Which of the listed commands."""

    like: Annotated[str, Meta(max_length=500, description=_LIKE)] | None = None
    cursor: shapes.Cursor | None = None
    limit: Annotated[int, Meta(ge=1, le=10_000, description="At most so many commands.")] = 10_000


class PlayQuery(SeatQuery, frozen=True, forbid_unknown_fields=True):
    """Which seat speaks, and whether it is meant."""

    dry_run: Annotated[bool, Meta(description="Only ask whether it would be accepted; nothing is recorded.")] = False


@operation(
    id="list_legal_commands", method="GET", path="/v1/games/{game_id:uuid}/legal-commands", tag=TAG, access="required",
    query=LegalQuery, problems=("not_your_seat",), answers={200: Answer(
        type=shapes.LegalCommands, says="What you may say.", headers=headers.ETAG, links=examples.COMMAND_LINKS,
    )},
)  # fmt: skip
async def list_legal_commands(call: Call[None, LegalQuery]) -> Response[bytes]:
    """List what your seat may say now: its moves, none when it is not your turn, and what else it may do.

    Where they are many, ask for a page of them, or with a partial command for those that go on from it.
    """
    game = await call.room.game(call.id("game_id"))
    seat = seats.speaker(game, call.known_caller, call.query.seat)
    query, moves, others = call.query, list(legal_moves(game, seat)), list(other_commands(game, seat))
    if query.like is not None:
        partial = decode_partial(query.like)
        moves, others = matching_commands(moves, partial), matching_commands(others, partial)
    first = number_page_start(query.cursor, 0)
    page, end = tuple(moves[first : first + query.limit]), first + query.limit
    more = number_cursor(end) if end < len(moves) else None
    answer = shapes.LegalCommands(game.id, game.type.key, game.version, seat, page, tuple(others), len(moves), more)
    return reply(answer, ETag=headers.etag(game.version))


async def _command_tags(call: Call[None, Any]) -> frozenset[str]:
    """The commands of the game's type, for those who may see the game; raises NoSuchGame."""
    game = seats.visible_game(await call.room.game(call.id("game_id")), call.caller)
    return frozenset(command_tags(game))


_POST = {
    "allowed_tags": _command_tags,
    "tag": TAG, "access": "required", "scope": "games:play",
    "request_headers": headers.IF_MATCH | headers.KEY | headers.PREFER,
    "problems": ("not_your_seat", "illegal", "stale_version", "key_reused"),
}  # fmt: skip


@operation(
    id="post_command", method="POST", path="/v1/games/{game_id:uuid}/commands", body=shapes.AnyPlayCommand,
    query=PlayQuery, examples=examples.COMMANDS, **_POST, answers={200: Answer(
        type=shapes.CommandAnswer, says="Accepted, with the frames of what happened.",
        headers=headers.ETAG | headers.APPLIED, links=examples.PLAY_LINKS,
    )},
)  # fmt: skip
async def post_command(call: Call[Any, PlayQuery]) -> Response[bytes]:
    """Say one command.

    A command that a rule forbids answers 409 and records nothing. A dry run answers only whether the command would be
    accepted: without frames, and with the version as it is.
    """
    return await (_answer_dry_run(call) if call.query.dry_run else _answer_commands(call, (call.body,)))


@operation(
    id="post_commands", method="POST", path="/v1/games/{game_id:uuid}/commands/batch", body=CommandList,
    query=SeatQuery, examples=examples.COMMAND_LISTS, **_POST, answers={200: Answer(
        type=shapes.CommandAnswer, says="What was accepted, and the refusal that ended the list, if one did.",
        headers=headers.ETAG | headers.APPLIED, links=examples.PLAY_LINKS,
    )},
)  # fmt: skip
async def post_commands(call: Call[CommandList, SeatQuery]) -> Response[bytes]:
    """Say several commands, which run in order and are stored together.

    The list ends at the first refusal: the commands accepted before it are recorded, and the answer shows both. If the
    first is refused, the answer is the same as for a single command, and nothing is recorded.
    """
    spend(call.request.scope, len(call.body.commands) - 1)
    return await _answer_commands(call, call.body.commands)


async def _answer_commands(call: Call[Any, Any], commands: Sequence[Any]) -> Response[bytes]:
    caller, room, game_id = call.known_caller, call.room, call.path["game_id"]
    with CommandLog(game_id, caller.player, call.settings.log_commands) as log:
        key = await read_key(call, "play", game_id) if b"idempotency-key" in call.headers_by_name else None
        try:
            async with room.lock(game_id):
                for _ in count_tries():
                    game, slot = await room.game_to_change(game_id)
                    log.seat = seat = seats.speaker(game, caller, call.query.seat)
                    log.game = game  # only now: no log line and no count may reveal a hidden game
                    try:
                        headers.check_if_match(call, game)  # nor may a 412 come before the seat
                        with tracing.span("decide"):
                            step, refusal = _decide(game, commands, caller.player, seat)
                    except (Illegal, Refused):
                        if await room.is_outdated(game):
                            continue
                        raise
                    sealed = None
                    if refusal is not None:  # sealed for storage, because its text may name a hidden card
                        put = place(step.game.id, step.game.version, _PLACE)
                        sealed = call.parts.seals.seal_if_sealing(put, msgspec.json.encode(refusal))
                    companions = [] if key is None else idempotency.key_companions(key, step, seat, sealed)
                    if await room.record(game, step, companions, slot):
                        log.step, log.refusal = step, refusal
                        break
        except (Illegal, Refused, DuplicateCompanion) as refused:
            return await _repeat_answer(call, key, refused)
        return _answer_frames(game, step.records, seat, refusal, step.games, headers.prefers_minimal(call))


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
        step = step.then(following) if step.records else following
    return step, None


UNACCEPTED = (Illegal, Refused, DuplicateCompanion, NotLeased)
"""Errors after which no command is stored: commands that were said together are then said one by one."""
_COMMAND: msgspec.json.Decoder[Any] = msgspec.json.Decoder(shapes.AnyPlayCommand)


async def say_together(
    parts: HttpParts, caller: Caller, game_id: UUID, messages: Sequence[SayCommand]
) -> list[Accepted]:
    """Say these commands of a line in order, up to the first that is not accepted; returns the answers before it.

    They are stored together, each with its key. Raises one of UNACCEPTED if nothing is stored; after any other error it
    may be. None is accepted of a game that is not in memory or where the caller has no seat: the time of a refusal must
    not show which of the two it was.
    """
    room, log = parts.room, CommandLog(game_id, caller.player, parts.settings.log_commands)
    written = log_positions.begin_request()
    if (cached := room.games.game(game_id)) is None or not cached.seats_of(caller.player):
        return []
    try:
        with tracing.span("line"):
            async with room.lock(game_id):
                game, slot = await room.game_to_change(game_id)
                with tracing.span("decide"):
                    decided = list(_decide_each(game, caller, messages))
                if not decided:
                    return []
                log.step = Step(tuple(chain.from_iterable(step.records for step, _ in decided)), decided[-1][0].game)
                keys = [_key(parts.seals, caller.player, message) for message in messages[: len(decided)]]
                companions = [
                    row for key, (step, seat) in zip(keys, decided, strict=True)
                    for row in idempotency.key_companions(key, step, seat)
                ]  # fmt: skip
                if not await room.record(game, log.step, companions, slot):
                    raise stale(game)
    except UNACCEPTED:
        raise
    except Exception as error:
        for _ in messages:
            log.note(error)
        raise
    log.note()
    parts.writers.keep(caller.player, written.position)
    answers, position = list[Accepted](), written.position - len(log.step.records)
    for message, (step, seat) in zip(messages, decided, strict=False):
        position += len(step.records)
        frame, _ = frame_after(game, step.records, seat, step.games)
        answer = shapes.CommandAnswer(game_id, game.type.key, frame.version, 1, (shapes.frame(frame),))
        answers.append(Accepted(id=message.id, answer=answer, log_position=position))
        game = step.game
    return answers


def _decide_each(game: Game, caller: Caller, messages: Iterable[SayCommand]) -> Iterator[tuple[Step, Seat]]:
    """Decide the commands in order, each for its seat, up to the first that is out of the ordinary."""
    for message in messages:
        text = bytes(message.command)
        is_plain = len(text) < BYTES_PER_REQUEST and text.isascii() and b"\\u" not in text
        if not is_plain or message.version not in (None, game.version):
            return
        try:
            command, seat = decode_body(_COMMAND, text), seats.speaker(game, caller, message.seat)
            check_length(game, command)
            step = play(game, command, Act(caller.player, seat, now()))
        except Exception:  # noqa: BLE001  said alone it is refused for that, or a fault is logged
            return
        yield step, seat
        game = step.game


def _key(seals: Seals, player: UUID, message: SayCommand) -> idempotency.Key | None:
    """The idempotency key of a line's command, the same as of its request."""
    if message.key is None:
        return None
    request = message.request()
    return idempotency.bound_key(
        player, "play", message.game_id, message.key, request.query + b"\n" + request.body, seals
    )


def _open_refusal(seals: Seals, first_use: FirstUse) -> Problem | None:
    if first_use.answer is None:
        return None
    text = seals.unseal_if_sealed(place(first_use.stream, first_use.last_version, _PLACE), bytes(first_use.answer))
    return msgspec.json.decode(text, type=Problem)


async def _repeat_answer(
    call: Call[Any, PlayQuery], key: idempotency.Key | None, refused: Exception
) -> Response[bytes]:
    """The first answer to this key; raises `refused` if there is none."""
    if (first_use := await idempotency.find(call.store, key)) is None:
        raise refused
    stored, first = await call.store.records(first_use.stream), first_use.first_version - 1
    before, recorded = fold(stored[:first]), tuple(stored[first : first_use.last_version])
    refusal = _open_refusal(call.parts.seals, first_use)
    seats.speaker(before, call.known_caller, first_use.seat)
    return _answer_frames(before, recorded, first_use.seat, refusal, (), headers.prefers_minimal(call))


def _answer_frames(
    before: Game,
    records: tuple[AnyRecord, ...],
    seat: Seat | None,
    refusal: Problem | None,
    games: tuple[Game, ...] = (),
    minimal: bool = False,
) -> Response[bytes]:
    """The records' frames as this seat sees them, none if `minimal`; `games`: after each, if folded."""
    steps = [tuple(recorded) for _, recorded in groupby(records, key=attrgetter("step"))]
    frames, game, first, version = list[shapes.Frame](), before, 0, records[-1].version
    sent = {"ETag": headers.etag(version)}
    if minimal:
        sent["Preference-Applied"] = "return=minimal"
    else:
        for step in steps:
            frame, game = frame_after(game, step, seat, games[first : first + len(step)])
            frames.append(shapes.frame(frame))
            first += len(step)
    answer = shapes.CommandAnswer(before.id, before.type.key, version, len(steps), tuple(frames), refusal)
    return Reply(msgspec.json.encode(answer), 200, JSON, sent)


async def _answer_dry_run(call: Call[Any, PlayQuery]) -> Response[bytes]:
    """The answer whether one command would be accepted, without its effects."""
    game = await call.room.game(call.id("game_id"))
    seat = seats.speaker(game, call.known_caller, call.query.seat)
    headers.check_if_match(call, game)
    check_length(game, call.body)
    play(game, call.body, Act(call.player, seat, now()))
    answer = shapes.CommandAnswer(game.id, game.type.key, game.version, 1, ())
    return reply(answer, ETag=headers.etag(game.version))


_OBJECT: msgspec.json.Decoder[dict[str, Any]] = msgspec.json.Decoder(dict[str, Any])


def decode_partial(text: str) -> dict[str, Any]:
    """The fields of the text; raises Refused if the text is no JSON object."""
    try:
        return _OBJECT.decode(text)
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError) as error:
        raise refused_parameter("like", f"{error}.", "a JSON object") from error


def matching_commands(commands: Iterable[Struct], like: dict[str, Any]) -> list[Struct]:
    """The commands that have every given field's value; a list matches if it begins with the given list."""
    fields = ((command, msgspec.to_builtins(command)) for command in commands)
    return [command for command, own in fields if all(_fits(own.get(name), value) for name, value in like.items())]


def _fits(value: Any, pattern: Any) -> bool:
    if isinstance(value, list | tuple) and isinstance(pattern, list):
        return list(value[: len(pattern)]) == pattern
    return bool(value == pattern)


_ADVISED = "What wins in most of these deals; null where none of them is known to be won."
_OUTLOOK = (
    "`winnable`: some of these deals can still be won; `impossible`: none of them can; `open`: the solver found no win "
    "and could not rule it out in all of them."
)
_UNDOS = (
    "Where none of them can be won: after how many undos some could; null without undo, or where that is not found."
)
_CERTAIN = "No other deal looks the same: every card is known, or all orders of those that are not were tried."


class Hint(Struct, frozen=True, kw_only=True):
    """A hint, made only from what your seat has seen: the same in every deal that looks the same from there."""

    game_id: UUID
    game_type: str
    version: int
    seat: Seat
    outlook: Annotated[Literal["winnable", "impossible", "open"], Meta(description=_OUTLOOK)]
    certain: Annotated[bool, Meta(description=_CERTAIN)]
    deals: Annotated[int, Meta(description="How many deals that look the same were tried.")]
    winnable_deals: Annotated[int, Meta(description="In how many of them there is a win from here.")]
    impossible_deals: Annotated[int, Meta(description="In how many of them there is none.")]
    command: Annotated[shapes.AnyPlayCommand | None, Meta(description=_ADVISED)]
    command_wins: Annotated[int, Meta(description="In how many of them a win begins with the command.")]
    undos: Annotated[int | None, Meta(description=_UNDOS)]
    sentence: str


@operation(
    id="get_hint", method="GET", path="/v1/games/{game_id:uuid}/hint", tag="play", access="required", query=SeatQuery,
    problems=("not_your_seat", "illegal", "busy"),
    answers={200: Answer(type=Hint, says="The hint.", headers=headers.ETAG)},
)  # fmt: skip
async def get_hint(call: Call[None, SeatQuery]) -> Response[bytes]:
    """Ask what to do next, and whether the game can still be won as far as you can know.

    Only for players of a game that was opened with `hints`, while it goes on. A solver looks at the position in deals
    that look the same from your seat: the cards that you have never seen lie in other orders, drawn at random from a
    seed that depends only on the cards that you have seen. The real order is not used. Hints are made one after the
    other; 503 means that too many wait.
    """
    game = await call.room.game(call.id("game_id"))
    seat = seats.speaker(game, call.known_caller, call.query.seat)
    _require_hints(game)
    text = await call.area(JobParts).hints.ask(call.player.bytes, find_hint, game_ref(game))
    result = msgspec.json.decode(text, type=Hinted)
    hint = Hint(
        game_id=game.id, game_type=game.type.key, version=game.version, seat=seat, outlook=result.outlook,
        certain=result.certain, deals=result.deals, winnable_deals=result.won, impossible_deals=result.lost,
        command=result.command, command_wins=result.command_wins, undos=result.undos,
        sentence=result.sentence,
    )  # fmt: skip
    return reply(hint, ETag=headers.etag(game.version))


def _require_hints(game: Game) -> None:
    if not game.opening.hints:
        raise Illegal("no_hints", "This game was opened without hints.")
    if game.status in seats.OVER:
        raise Illegal("game_finished", "The game is over: ask for its analysis.")
    if game.state is None:
        raise Illegal("game_not_started", "The game has not been dealt.")
    if not has_solver(game.type):
        raise Illegal("no_solver", f"There is no solver of {game.type.name}, revision {game.type.revision}.")
