"""Games as text: open records and notations to download; records and move lists to import; verification."""

from contextlib import suppress
from typing import Annotated, Any
from uuid import UUID

import msgspec
from litestar import Response
from msgspec import Meta, Struct

from domain import chance
from domain.capabilities import Notation, Notations
from domain.game_type import Illegal
from domain.games import GAME_TYPES, AnyGameType
from domain.play.aggregate import Game
from domain.play.deciding import Act, Step
from domain.play.imported import NewGame, play_noted
from domain.play.open_record import MEDIA_TYPE, Unreadable
from domain.play.verify import deal_shuffles
from domain.play.verify_text import Verified, verify_record, verify_text
from domain.view import Card
from service import problems
from service.analysis import queue
from service.analysis.history import annotations
from service.analysis.kinds import findings_of
from service.analysis.report import PatienceReport
from service.api.examples import RECORD
from service.api.paging import PageQuery, next_cursor, timed_cursor, timed_page_start
from service.api.viewing import first_answer, opened_answer, reply_found, reply_opened
from service.event_store import keyed_writes
from service.event_store.ids import now
from service.http.bodies import Text
from service.http.operation import JSON, Answer, Call, Reply, operation, reply
from service.http.replies import NDJSON
from service.http.representation import OCTETS, TEXT, choose_media_type
from service.jobs.stored_games import GameRef, game_ref, record_of, text_of
from service.keys.signing import KeySets, Ring, Signed, check_signature
from service.live import openings, seats, shapes
from service.live.idempotency import request_companions
from service.problems import Refused
from service.records import exports, imports
from service.records.imports import Verifiers

TAG = "records"
NOTATIONS = {
    notation.media_type: notation for kind in GAME_TYPES.values() for notation in kind.get(Notations).notations
}
_NOTATION = "In this notation of the game type instead, as the game type lists them; then the media type is its own."
_ANNOTATED = (
    "With the verdicts of the analysis that was asked for, each with its line, behind the seal; `kibitz verify` checks "
    "them. Only of a patience."
)
MOVES = "text/vnd.kibitz.moves"
READERS = {
    kind.key: notation
    for kind in GAME_TYPES.values()
    for notation in kind.get(Notations).notations
    if notation.read is not None
}
"""The notation that is read, by game type."""


_MOVE_LISTS = dict.fromkeys((MOVES, TEXT, OCTETS), READERS["freecell"].example) | {
    notation.media_type: notation.example for notation in READERS.values()
}


class RecordQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """The viewer of a game that goes on, and the format."""

    seat: shapes.SeatNumber | None = None
    spectator: Annotated[bool, Meta(description="As a spectator sees it although you have a seat.")] = False
    notation: Annotated[str, Meta(max_length=40, pattern=problems.KEY, description=_NOTATION)] | None = None
    annotated: Annotated[bool, Meta(description=_ANNOTATED)] = False

    def __post_init__(self) -> None:
        seats.check_one_viewpoint(self.seat, self.spectator)
        if self.annotated and self.notation is not None:
            raise ValueError("`annotated` goes with the open record, not with a notation")


class ImportedGame(Struct, frozen=True):
    """A game that you have imported."""

    game_id: UUID
    game_type: str
    imported_at: shapes.Time


class ImportedGames(Struct, frozen=True):
    """A page of the games that you have imported, newest first; `next` is the cursor of the next page."""

    games: tuple[ImportedGame, ...]
    next: str | None


@operation(
    id="get_record", method="GET", path="/v1/games/{game_id:uuid}/record", tag=TAG, access="optional",
    query=RecordQuery, problems=("not_your_seat", "illegal", "not_acceptable", "busy"), answers={200: Answer(
        type=str, says="The game as text.", media_types=(MEDIA_TYPE, NDJSON, TEXT, *NOTATIONS), example=RECORD,
    )},
)  # fmt: skip
async def get_record(call: Call[None, RecordQuery]) -> Response[bytes]:
    """Download a game as an open record, or in a notation of its game type.

    Once the game is over and its deal revealed, the record is complete: with secrets, digests, and the service's
    signature and seal, which `openapi/examples/verify_record.py` checks without rules. Before that it holds what you
    may see, as a seat or with a spectator's delay, and says `complete: false`. The format is described in
    `openapi/record.md`. A notation has the moves that were not taken back.
    """
    game, query = await call.room.game(call.id("game_id")), call.query
    viewer = seats.viewer(game, call.caller, query.seat, query.spectator)
    if query.notation is None:
        media_type = choose_media_type(call, MEDIA_TYPE, NDJSON, TEXT)
        if not query.annotated:
            return Response(await exports.record(call, game, viewer), media_type=media_type)
        analysis = await queue.find(call.store, game_ref(game)) if seats.is_fully_known(game) else None
        if analysis is None or not isinstance(analysis.report, PatienceReport):
            raise Illegal("not_analysed", "There is no analysis of this game that is done and has verdicts.")
        notes = annotations(findings_of(analysis.notes, game.type))
        text = await call.in_child_process(exports.annotate_record, game_ref(game), notes)
        return Response(text, media_type=media_type)
    notation = exports.notation_of(game, query.notation)
    media_type = choose_media_type(call, notation.media_type, TEXT)
    return Response(await exports.export_notation(call, game, viewer, notation), media_type=media_type)


@operation(
    id="import_record", method="POST", path="/v1/records", tag=TAG, access="required", scope="records:write",
    texts=dict.fromkeys((MEDIA_TYPE, NDJSON, TEXT, OCTETS), RECORD), problems=("illegal", "not_verified", "busy"),
    answers={201: opened_answer("The game is here now."), 200: opened_answer("It was here already.")},
)  # fmt: skip
async def import_record(call: Call[Text, None]) -> Response[bytes]:
    """Import a game: a complete open record.

    It is verified from the first line to the last. Then you, and all whom its visibility allows, can look at it,
    replay, download and fork it like any game that is over, under an id that this service gives it. It always shows
    that it is imported, from which game, and who vouches for it: this service or one that it trusts, if a key of theirs
    has signed the record. It names no players, is in no list and no table, and never changes. Without a known signature
    it is never rated, and its deal never fair. For a record of a game that was played here, and that you may see, the
    answer is that game.
    """
    if (first := keyed_writes.first_use()) is not None:
        return await reply_opened(call, await call.room.game(first.stream), 200 if first.answer else 201)
    verified = await call.area(Verifiers).ask(imports.verify_import, call.body.content, call.area(Ring).public())
    if (played := await _local_game(call, verified)) is not None:
        return await reply_found(call, played)
    new = await imports.keep(call.store, call.player, verified, now(), call.settings.max_imports)
    call.room.forget(verified.id)
    return await (reply_opened if new else reply_found)(call, await call.room.game(verified.id))


async def _local_game(call: Call[Text, None], verified: imports.VerifiedImport) -> Game | None:
    """The game of this service with this record; None also if the caller may not see it."""
    stream = await call.store.find_stream(verified.game.id)
    if stream.importers is not None or not imports.is_same_game(verified.record, stream.records):
        return None
    with suppress(Refused):
        return seats.visible_game(await call.room.game(verified.game.id), call.caller)
    return None


@operation(
    id="list_imports", method="GET", path="/v1/records", tag=TAG, access="required", query=PageQuery,
    answers={200: Answer(type=ImportedGames, says="A page of the games that you have imported.")},
)  # fmt: skip
async def list_imports(call: Call[None, PageQuery]) -> Response[bytes]:
    """List the games that you have imported as records, newest first."""
    limit = call.query.limit
    games = await imports.page(call.store, call.player, limit + 1, timed_page_start(call.query))
    end = timed_cursor(games[limit - 1].imported_at, games[limit - 1].game) if len(games) > limit else None
    page = tuple(ImportedGame(game.game, game.game_type, shapes.moment(game.imported_at)) for game in games[:limit])
    return reply(ImportedGames(page, next_cursor(end)))


@operation(
    id="delete_import", method="DELETE", path="/v1/records/{game_id:uuid}", tag=TAG, access="required",
    scope="records:write", answers={204: Answer(type=None, says="It is yours no more.")},
)  # fmt: skip
async def delete_import(call: Call[None, None]) -> Response[Any]:
    """Delete your import of a game; the game is deleted with its last import."""
    if keyed_writes.first_use() is None:
        await imports.remove(call.store, call.player, call.id("game_id"))
    call.room.forget(call.id("game_id"))
    return Response(None, status_code=204)


@operation(
    id="import_moves", method="POST", path="/v1/move-lists/{game_type:str}", tag=TAG, access="required",
    scope="records:write", texts=_MOVE_LISTS, problems=("illegal", "busy"),
    answers={201: opened_answer("A new game of yours.")},
)  # fmt: skip
async def import_moves(call: Call[Text, None]) -> Response[bytes]:
    """Import a game as a move list, in the notation of its game type that is read (`openapi/record.md`).

    It becomes a new game of yours, unrated and unlisted; the rules decide every move. If it is not over, play on.
    """
    if (repeated := await first_answer(call)) is not None:
        return repeated
    key = call.request.path_params["game_type"]
    if key not in READERS:
        raise Refused("no_such_thing", f"Move lists are read of {' and '.join(sorted(READERS))}.")
    if (media_type := call.body.media_type) in NOTATIONS and media_type != READERS[key].media_type:
        raise Refused("unsupported_media_type", f"Move lists of {key} are {READERS[key].media_type}.")
    room = call.room
    new, act = NewGame(room.new_id(), openings.fresh_secret()), Act(call.player, None, now(), room.signer)
    step = await call.area(Verifiers).ask(_play_moves, GAME_TYPES[key], READERS[key], call.body.content, new, act)
    return await reply_opened(call, (await room.open(step, request_companions(step))).game)


def _play_moves(kind: AnyGameType, notation: Notation, content: bytes, new: NewGame, act: Act) -> Step:
    assert notation.read is not None  # it is one of READERS
    try:
        noted = notation.read(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise Refused("malformed", f"Body: {error}.") from error
    return play_noted(kind, noted, new, act)


GAMES = "games"


class Shuffled(Struct, frozen=True):
    """One shuffle of the deal: its number, the cards as they lay before it and as they lie after it."""

    number: int
    before: tuple[Card, ...]
    after: tuple[Card, ...]


class Proof(Struct, frozen=True, kw_only=True):
    """The data to check the deal with; the seeds are there once the game is over.

    `commitment` = hex SHA-256 of the tag `kibitz/commitment/1` and a zero byte, the length of the bound text as 8
    bytes, the bound text, the server seed; `bound` is that text: algorithm, game id, game type and options. The
    seed of the shuffles is the SHA-256 of `kibitz/deal-seed/1`, a zero byte, the server seed and the client seeds
    as a JSON array. Shuffle n draws from blocks SHA-256(`kibitz/shuffle/1`, zero byte, that seed, n, block; both
    numbers as 8 bytes) read as big-endian 32-bit words, Fisher-Yates from the last card down, a word at or above
    the largest multiple of the range thrown away. The cards before the first shuffle: per pack spades, hearts,
    diamonds, clubs, each from the ace to the king; one pack after the other; then the jokers. `shuffles` are the
    shuffles of this deal, in order, each of which can be repeated without the game's rules; the rules say where the
    cards went from there: in most game types an event of the deal holds them in that order.
    """

    game_id: UUID
    algorithm: str
    bound: Annotated[str, Meta(description="Of an imported game with the id that its record gives it.")]
    commitment: str
    fair: Annotated[bool, Meta(description="False for a given deal, and for an imported game without a voucher.")]
    client_seeds: tuple[str | None, ...]
    server_seed: Annotated[str, Meta(description="Hex; null until the game is over.")] | None
    shuffles: tuple[Shuffled, ...] | None = None
    imported_from_game_id: UUID | None = None
    vouched_for_by: str | None = None


@operation(
    id="get_deal_proof", method="GET", path="/v1/games/{game_id:uuid}/proof", tag=GAMES, access="optional",
    answers={200: Answer(type=Proof, says="The proof so far.")},
)  # fmt: skip
async def get_proof(call: Call[None, None]) -> Response[bytes]:
    """Show the commitment made before the deal, and after the game the seeds that prove it."""
    game = seats.visible_game(await call.room.game(call.id("game_id")), call.caller)
    source, revealed = game.opening.source, game.sealed if game.revealed else None
    dealt = revealed is not None and game.state is not None
    proof = Proof(
        game_id=game.id,
        algorithm=chance.ALGORITHM,
        bound=chance.bound(game.id if source is None else source.game, game.type.key, game.options).decode(),
        commitment=game.opening.commitment,
        fair=game.opening.origin == "shuffled",
        client_seeds=(revealed and revealed.client_seeds) or game.seeds,  # a fork has its parent's
        server_seed=None if revealed is None else revealed.seed.hex(),
        shuffles=tuple(Shuffled(*made) for made in deal_shuffles(game)) if dealt else None,
        imported_from_game_id=None if source is None else source.game,
        vouched_for_by=None if source is None else source.vouched_for_by,
    )
    return reply(proof)


_SIGNED = (
    "`yes`: by a key of this service; `no`: never; `missing`: not at all, although the opening names the key of a "
    "service that signs: it was cut off; `unknown_key`: by a key that is not this service's; `wrong`: the signature is "
    "not one of this record."
)
_VOUCHED = "Who vouches for it by a signature: this service, or one that it trusts, by its name."
_FAIR = (
    "The deal is the shuffle that was committed to, and was not chosen. A game from elsewhere must also be signed by a "
    "key that this service knows, for an invented game can commit to any deal."
)


class FaultTold(Struct, frozen=True):
    """A fault, and the step at which it shows."""

    step: int
    what: str


class Verification(Struct, frozen=True, kw_only=True):
    """The result of verifying a record, the same as `kibitz verify` prints."""

    game_id: UUID
    game_type: str
    revision: Annotated[int, Meta(description="The revision of the rules that it was played by.")]
    steps: Annotated[int, Meta(description="How many steps the record has.")]
    version: Annotated[int, Meta(description="How many events the record has.")]
    consistent: Annotated[bool, Meta(description="No fault: digests, rules, deal and ending fit together.")]
    deal_fair: Annotated[bool, Meta(description=_FAIR)]
    signed: Annotated[Signed, Meta(description=_SIGNED)]
    key: Annotated[str, Meta(description="The name of the key that signed it.")] | None
    faults: tuple[FaultTold, ...]
    imported_from_game_id: (
        Annotated[UUID, Meta(description="Of an imported game the id that its record gives it.")] | None
    ) = None
    vouched_for_by: Annotated[str, Meta(description=_VOUCHED)] | None = None


def _encode_verification(verified: Verified, keys: KeySets, ref: GameRef | None = None) -> bytes:
    """The findings as JSON: for a stored game if `asked` is given, else for a text from anywhere."""
    record, imported = verified.record, ref is not None and ref.imported is not None
    played_here, voucher = ref is not None and not imported, keys.voucher(record)
    opened, last = record.records[0].event, record.records[-1]
    verification = Verification(
        game_id=last.stream if ref is None else ref.game,
        game_type=opened.game_type,
        revision=opened.revision,
        steps=last.step + 1,
        version=last.version,
        consistent=not verified.faults,
        deal_fair=verified.fair and (played_here or voucher is not None),
        signed=check_signature(record, keys.own),
        key=None if record.signature is None else record.signature.key,
        faults=tuple(FaultTold(fault.step, fault.what) for fault in verified.faults),
        imported_from_game_id=last.stream if imported else None,
        vouched_for_by=None if verified.faults else voucher,
    )
    return msgspec.json.encode(verification)


@operation(
    id="verify_game", method="GET", path="/v1/games/{game_id:uuid}/verification", tag=TAG, access="optional",
    problems=("illegal", "busy"), answers={200: Answer(type=Verification, says="What was found.")},
)  # fmt: skip
async def verify_game(call: Call[None, None]) -> Response[bytes]:
    """Verify a game that is over and revealed: the service checks what it has recorded."""
    game = seats.visible_game(await call.room.game(call.id("game_id")), call.caller)
    if not game.revealed:
        raise Illegal("game_not_revealed", "A game is verified once it is over and its secrets are revealed.")
    return Reply(await call.in_child_process(_verify_stored, game_ref(game), call.area(Ring).key_sets()), 200, JSON, {})


def _verify_stored(ref: GameRef, keys: KeySets) -> bytes:
    """The findings for a stored game; an imported game is verified in the text that was imported."""
    text = text_of(ref)
    return _encode_verification(verify_record(record_of(ref)) if text is None else verify_text(text), keys, ref)


def _verify_body(text: bytes, keys: KeySets) -> bytes:
    try:
        return _encode_verification(verify_text(text), keys)
    except Unreadable as error:
        raise Refused("malformed", f"Body: {error}") from error


@operation(
    id="verify_record", method="POST", path="/v1/records/verify", tag=TAG, access="open",
    changes_state=False, keyless="Nothing is recorded: ask as often as you like.",
    texts=dict.fromkeys((MEDIA_TYPE, NDJSON, TEXT, OCTETS), RECORD), problems=("busy",),
    answers={200: Answer(type=Verification, says="What was found.")},
)  # fmt: skip
async def post_verification(call: Call[Text, None]) -> Response[bytes]:
    """Verify a complete open record from anywhere; it is not stored.

    A text that is no record is refused, naming the line. All other errors are faults of the answer, naming the step:
    every command is decided again, and every digest, the deal and the ending are made again. The signature is checked
    with this service's keys.
    """
    return Reply(
        await call.in_child_process(_verify_body, call.body.content, call.area(Ring).key_sets()), 200, JSON, {}
    )
