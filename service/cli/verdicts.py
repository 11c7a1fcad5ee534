"""The verdict on one record, or one stored game: digests, rules, deal, ending and signature, and its words."""

from collections.abc import Iterable
from typing import Any, NamedTuple
from uuid import UUID

from psycopg import Connection

from domain.play.open_record import OpenRecord, Unreadable, signer_of
from domain.play.verify_text import Verified, verify_record, verify_text
from service.cli.store import game_records
from service.event_store.codec import Codec
from service.event_store.errors import LOG_ERRORS, StoreUnavailable
from service.event_store.imported import read_imported_text
from service.keys.signing import JwkSet, check_signature
from service.live.signatures import signature_in

FAULT, NOT_BY_THESE, UNSIGNED, NEVER_SIGNED = 1, 3, 4, 5
"""Exit codes."""
_GRAVEST_FIRST = (FAULT, UNSIGNED, NOT_BY_THESE, NEVER_SIGNED)
_NOT_SIGNED = "not signed"
_NEVER_SIGNED = "never signed: nothing shows that it was played anywhere"
_SIGNATURES = {
    "yes": "",
    "unknown_key": ", which nobody here knows",
    "not_checked": ", which was not checked (--keys says whose signatures count)",
}


class Verdict(NamedTuple):
    """`sound`: no fault was found; `signed`: by a key of the set; `line`: both in words; `code`: for the exit."""

    sound: bool
    signed: bool
    line: str
    code: int = 0


class Criteria(NamedTuple):
    """How games are judged: the codec to read with, the public keys that count, and whether to mention signatures."""

    codec: Codec
    keys: JwkSet | None
    mention_signatures: bool


class Judged(NamedTuple):
    """One game and its verdict; `steps` is how many were verified."""

    game: UUID
    verdict: Verdict
    steps: int


def exit_code(codes: Iterable[int]) -> int:
    """The gravest of these; 0 where all are 0."""
    present = set(codes)
    return next((code for code in _GRAVEST_FIRST if code in present), 0)


def fault(name: str, text: str) -> Verdict:
    """The verdict on a record that has a fault, or cannot be read."""
    return Verdict(False, False, f"FAULT {name} {text}", FAULT)


def verdict_of_text(name: str, text: bytes, keys: JwkSet | None) -> Verdict:
    """The verdict on an open record."""
    try:
        verdict = _verdict(name, verify_text(text), keys)
    except Unreadable as error:
        return fault(name, str(error))
    if verdict.code != NEVER_SIGNED:
        return verdict
    return verdict._replace(line=verdict.line.removesuffix(_NOT_SIGNED) + _NEVER_SIGNED)


def verdict_of_record(name: str, record: OpenRecord, keys: JwkSet | None, *, mention_signatures: bool) -> Verdict:
    """The verdict on records as they are stored; it mentions a wrong signature in any case."""
    verified = verify_record(record)
    verdict = _verdict(name, verified, keys)
    if verdict.code == NEVER_SIGNED:  # it is in the log of the service itself, perhaps from before there were keys
        verdict = verdict._replace(code=0)
    if mention_signatures or not verdict.sound or verdict.code == UNSIGNED:
        return verdict
    return verdict._replace(line=f"OK    {name} {_length_words(verified)}")


def judge_game(connection: Connection[Any], game: UUID, criteria: Criteria) -> Judged:
    """The verdict on a stored game; raises StoreUnavailable."""
    try:
        records = game_records(connection, game, criteria.codec)
    except StoreUnavailable:
        raise
    except LOG_ERRORS as error:
        return Judged(game, fault(str(game), str(error)), 0)
    if not records:
        return Judged(game, fault(str(game), "There is no such game."), 0)
    if records[0].event.source is not None and (text := read_imported_text(connection, game)) is not None:
        verdict = verdict_of_text(str(game), text, criteria.keys)
    else:
        record = OpenRecord(tuple(records), signature_in(connection, game))
        mention = criteria.mention_signatures
        verdict = verdict_of_record(str(game), record, criteria.keys, mention_signatures=mention)
    return Judged(game, verdict, records[-1].step + 1)


def _verdict(name: str, verified: Verified, keys: JwkSet | None) -> Verdict:
    if verified.faults:
        return fault(name, " ".join(f"Step {step}: {what}" for step, what in verified.faults))
    record, consistency = verified.record, "consistent" if verified.fair else "consistent (the deal proves nothing)"
    judgement = f"{name} {_length_words(verified)}; {consistency}"
    state: str = check_signature(record, JwkSet(()) if keys is None else keys)
    if state == "missing":
        signer = f"its opening names the key {signer_of(record.records)} of a service that signs"
        line = f"UNSIGNED {judgement}, but unsigned: {signer}, and the signature is missing"
        return Verdict(True, False, line, UNSIGNED)
    if record.signature is None:
        return Verdict(True, False, f"OK    {judgement}, {_NOT_SIGNED}", NEVER_SIGNED)
    key = f"the key {record.signature.key}"
    if state == "wrong":
        return fault(name, f"The signature is not one of this record, or not by {key}.")
    words = _SIGNATURES["not_checked" if keys is None else state]
    return Verdict(True, state == "yes", f"OK    {judgement}, signed by {key}{words}")


def _length_words(verified: Verified) -> str:
    records, annotations = verified.record.records, verified.record.annotations
    length = f"{records[0].type}, {records[-1].step} steps"
    if not annotations:
        return length
    won = sum(annotation.verdict == "won" for annotation in annotations)
    return f"{length}, {won} annotated with a line that wins, {len(annotations) - won} as impossible by a search"
