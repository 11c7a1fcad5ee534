"""What is said of one record: whether it is sound, whether it is signed, and in which words."""

from typing import NamedTuple

from domain.game.open_record import OpenRecord, Unreadable
from domain.game.verify_text import Verified, verified, verify_text
from service.signing import JwkSet, signed

_UNCHECKED = "signed by {key}, which was not checked (--keys says whose signatures count)"


class Verdict(NamedTuple):
    """`sound`: no fault was found; `signed`: by a key that was given; `line`: both in words."""

    sound: bool
    signed: bool
    line: str


def fault(name: str, what: str) -> Verdict:
    """A record that cannot even be read."""
    return Verdict(False, False, f"FAULT {name} {what}")


def of_text(name: str, text: bytes, keys: JwkSet | None) -> Verdict:
    """The verdict on an open record."""
    try:
        return _verdict(name, verify_text(text), keys)
    except Unreadable as error:
        return fault(name, str(error))


def of_record(name: str, record: OpenRecord, keys: JwkSet | None, *, tell_signature: bool) -> Verdict:
    """The verdict on records as they are stored; a signature that is wrong is told in any case."""
    found = verified(record)
    verdict = _verdict(name, found, keys)
    if tell_signature or not verdict.sound:
        return verdict
    return verdict._replace(line=f"OK    {name} {_told(found)}")


def _verdict(name: str, found: Verified, keys: JwkSet | None) -> Verdict:
    if found.faults:
        return fault(name, " ".join(f"Step {step}: {what}" for step, what in found.faults))
    said = "not_checked" if keys is None else signed(found.record, keys)
    if said == "wrong":
        return fault(name, f"The signature is not one of this record, or not by {_key(found.record)}.")
    return Verdict(
        True, said == "yes", f"OK    {name} {_told(found)}; {_consistent(found)}, {_signed(said, found.record)}"
    )


def _told(found: Verified) -> str:
    records = found.record.records
    return f"{records[0].type}, {records[-1].step} steps"


def _consistent(found: Verified) -> str:
    return "consistent" if found.fair else "consistent (the deal proves nothing)"


def _signed(said: str, record: OpenRecord) -> str:
    if record.signature is None:
        return "not signed"
    words = {"yes": "signed by {key}", "unknown_key": "signed by {key}, which nobody here knows"}
    return words.get(said, _UNCHECKED).format(key=_key(record))


def _key(record: OpenRecord) -> str:
    return "nobody" if record.signature is None else f"the key {record.signature.key}"
