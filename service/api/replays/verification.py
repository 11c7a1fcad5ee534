"""Whether a game is what it says: every step decided again, every digest made again, the signature checked."""

from typing import Annotated
from uuid import UUID

import msgspec
from litestar import Response
from msgspec import Meta, Struct

from domain.game_type import Illegal
from domain.play.open_record import MEDIA_TYPE, Unreadable
from domain.play.verify_text import Verified, verify_record, verify_text
from service.api.examples import RECORD
from service.http.bodies import Text
from service.http.negotiation import NDJSON, OCTETS, TEXT
from service.http.operation import JSON, Answer, Call, Reply, operation
from service.jobs.stored_games import GameRef, game_ref, record_of, text_of
from service.keys.signing import KnownKeys, Signed, check_signature
from service.live import seats
from service.problems import Refused

TAG = "records"
_SIGNED = (
    "`yes`: by a key of this service; `no`: never; `missing`: not at all, although the opening names the key of a "
    "service that signs: it was cut off; `unknown_key`: by a key that is not this service's; `wrong`: the signature is "
    "not one of this record."
)
_VOUCHED = "Who vouches for it by a signature: this service, or one that it trusts, by its name."
_FAIR = (
    "The deal is the shuffle that was committed to, and nobody chose it. Of what was not played here: and a key that "
    "this service knows has signed it, for whoever makes up a game can commit to any deal."
)


class FaultTold(Struct, frozen=True):
    """A fault, and the step at which it shows."""

    step: int
    what: str


class Verification(Struct, frozen=True, kw_only=True):
    """What verifying a record found; the same as `kibitz verify` says of it."""

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


def _encode_verification(found: Verified, keys: KnownKeys, asked: GameRef | None = None) -> bytes:
    """The findings as JSON: for a stored game if `asked` is given, else for a text from anywhere."""
    record, imported = found.record, asked is not None and asked.imported is not None
    played_here, voucher = asked is not None and not imported, keys.voucher(record)
    opened, last = record.records[0].event, record.records[-1]
    told = Verification(
        game_id=last.stream if asked is None else asked.game,
        game_type=opened.game_type,
        revision=opened.revision,
        steps=last.step + 1,
        version=last.version,
        consistent=not found.faults,
        deal_fair=found.fair and (played_here or voucher is not None),
        signed=check_signature(record, keys.own),
        key=None if record.signature is None else record.signature.key,
        faults=tuple(FaultTold(fault.step, fault.what) for fault in found.faults),
        imported_from_game_id=last.stream if imported else None,
        vouched_for_by=None if found.faults else voucher,
    )
    return msgspec.json.encode(told)


@operation(
    id="verify_game", method="GET", path="/v1/games/{game_id:uuid}/verification", tag=TAG, access="optional",
    problems=("no_such_thing", "illegal", "busy"),
    answers={200: Answer(type=Verification, says="What was found.")},
)  # fmt: skip
async def verify_game(call: Call[None, None]) -> Response[bytes]:
    """Verify a game that is over and revealed: the service checks what it has recorded."""
    game = seats.visible_game(await call.services.room.game(call.id("game_id")), call.caller)
    if not game.revealed:
        raise Illegal("game_not_revealed", "A game is verified once it is over and its secrets are revealed.")
    return Reply(await call.beside(_verify_stored, game_ref(game), call.services.ring.known()), 200, JSON, {})


def _verify_stored(asked: GameRef, keys: KnownKeys) -> bytes:
    """The findings for a stored game; an imported game is verified in the text that was imported."""
    text = text_of(asked)
    return _encode_verification(verify_record(record_of(asked)) if text is None else verify_text(text), keys, asked)


def _verify_body(text: bytes, keys: KnownKeys) -> bytes:
    try:
        return _encode_verification(verify_text(text), keys)
    except Unreadable as error:
        raise Refused("malformed", f"Body: {error}") from error


@operation(
    id="verify_record", method="POST", path="/v1/records/verify", tag=TAG, access="open",
    records=False, keyless="Nothing is recorded: ask as often as you like.",
    texts=dict.fromkeys((MEDIA_TYPE, NDJSON, TEXT, OCTETS), RECORD), problems=("busy",),
    answers={200: Answer(type=Verification, says="What was found.")},
)  # fmt: skip
async def post_verification(call: Call[Text, None]) -> Response[bytes]:
    """Verify a complete open record from anywhere; nothing of it is kept.

    A text that is no record is refused, naming the line. Whatever else is wrong with it is told as a fault, naming the
    step: every command is decided again, and every digest, the deal and the ending are made again. The signature is
    looked for among this service's keys.
    """
    return Reply(await call.beside(_verify_body, call.body.content, call.services.ring.known()), 200, JSON, {})


HANDLERS = (verify_game, post_verification)
