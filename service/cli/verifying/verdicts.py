"""The verdict on one record, or one stored game: digests, rules, deal, ending and signature, and its words."""

from collections.abc import Iterable
from typing import Any, NamedTuple
from uuid import UUID

from psycopg import Connection

from domain.play.open_record import OpenRecord, Unreadable
from domain.play.signed import signer_of
from domain.play.verify_text import Verified, verify_record, verify_text
from service.cli.games import game_records
from service.event_store.codec import Codec
from service.event_store.errors import LOG_ERRORS, StoreUnavailable
from service.event_store.imported import read_imported_text
from service.keys.signing import JwkSet, check_signature
from service.live.signatures import signature_in

_UNCHECKED = "signed by {key}, which was not checked (--keys says whose signatures count)"


FAULT, NOT_BY_THESE, UNSIGNED, NEVER_SIGNED = 1, 3, 4, 5
"""Exit codes, the gravest first but for UNSIGNED, which comes before NOT_BY_THESE."""
_GRAVEST = (FAULT, UNSIGNED, NOT_BY_THESE, NEVER_SIGNED)
_NOT_SIGNED = "not signed"
_NEVER_SIGNED = "never signed: nothing shows that it was played anywhere"


class Verdict(NamedTuple):
    """`sound`: no fault was found; `signed`: by a key that was given; `line`: both in words; `code`: for the exit."""

    sound: bool
    signed: bool
    line: str
    code: int = 0


class Criteria(NamedTuple):
    """How games are judged: the codec to read with, the public keys that count, and whether to mention signatures."""

    codec: Codec
    keys: JwkSet | None
    told: bool


class Judged(NamedTuple):
    """One game and what is said of it; `steps` is what it took to verify."""

    game: UUID
    verdict: Verdict
    steps: int


def exit_code(codes: Iterable[int]) -> int:
    """The gravest of these; 0 where there is nothing to complain of."""
    found = set(codes)
    return next((code for code in _GRAVEST if code in found), 0)


def fault(name: str, what: str) -> Verdict:
    """A record that cannot even be read."""
    return Verdict(False, False, f"FAULT {name} {what}", FAULT)


def verdict_of_text(name: str, text: bytes, keys: JwkSet | None) -> Verdict:
    """The verdict on an open record."""
    try:
        verdict = _verdict(name, verify_text(text), keys)
    except Unreadable as error:
        return fault(name, str(error))
    if verdict.code != NEVER_SIGNED:
        return verdict
    return verdict._replace(line=verdict.line.removesuffix(_NOT_SIGNED) + _NEVER_SIGNED)


def verdict_of_record(name: str, record: OpenRecord, keys: JwkSet | None, *, tell_signature: bool) -> Verdict:
    """The verdict on records as they are stored; a signature that is wrong is told in any case."""
    found = verify_record(record)
    verdict = _verdict(name, found, keys)
    if verdict.code == NEVER_SIGNED:  # it is in the log of the service itself, perhaps from before there were keys
        verdict = verdict._replace(code=0)
    if tell_signature or not verdict.sound or verdict.code == UNSIGNED:
        return verdict
    return verdict._replace(line=f"OK    {name} {_length_words(found)}")


def judge_game(connection: Connection[Any], game: UUID, by: Criteria) -> Judged:
    """What is said of this game; raises StoreUnavailable."""
    try:
        records = game_records(connection, game, by.codec)
    except StoreUnavailable:
        raise
    except LOG_ERRORS as error:
        return Judged(game, fault(str(game), str(error)), 0)
    if not records:
        return Judged(game, fault(str(game), "There is no such game."), 0)
    steps = records[-1].step + 1
    if records[0].event.source is not None and (text := read_imported_text(connection, game)) is not None:
        return Judged(game, verdict_of_text(str(game), text, by.keys), steps)
    record = OpenRecord(tuple(records), signature_in(connection, game))
    return Judged(game, verdict_of_record(str(game), record, by.keys, tell_signature=by.told), steps)


def _verdict(name: str, found: Verified, keys: JwkSet | None) -> Verdict:
    if found.faults:
        return fault(name, " ".join(f"Step {step}: {what}" for step, what in found.faults))
    judgement = f"{name} {_length_words(found)}; {_consistency_words(found)}"
    said: str = check_signature(found.record, JwkSet(()) if keys is None else keys)
    if said == "missing":
        return Verdict(True, False, f"UNSIGNED {judgement}, {_missing_signature_words(found)}", UNSIGNED)
    said = "not_checked" if keys is None else said
    if said == "wrong":
        return fault(name, f"The signature is not one of this record, or not by {_key(found.record)}.")
    line = f"OK    {judgement}, {_signature_words(said, found.record)}"
    return Verdict(True, said == "yes", line, 0 if found.record.signature else NEVER_SIGNED)


def _missing_signature_words(found: Verified) -> str:
    key = signer_of(found.record.records)
    return f"but unsigned: its opening names the key {key} of a service that signs, and the signature is missing"


def _length_words(found: Verified) -> str:
    records, said = found.record.records, found.record.annotations
    length = f"{records[0].type}, {records[-1].step} steps"
    if not said:
        return length
    won = sum(one.verdict == "won" for one in said)
    return f"{length}, {won} annotated with a line that wins, {len(said) - won} as impossible by a search"


def _consistency_words(found: Verified) -> str:
    return "consistent" if found.fair else "consistent (the deal proves nothing)"


def _signature_words(said: str, record: OpenRecord) -> str:
    if record.signature is None:
        return _NOT_SIGNED
    words = {"yes": "signed by {key}", "unknown_key": "signed by {key}, which nobody here knows"}
    return words.get(said, _UNCHECKED).format(key=_key(record))


def _key(record: OpenRecord) -> str:
    return "nobody" if record.signature is None else f"the key {record.signature.key}"
