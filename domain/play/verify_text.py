"""Verifying an open record: its records by `verify`, its annotations, and every line against its canonical form."""

import re
from collections.abc import Iterator
from itertools import zip_longest
from typing import NamedTuple

from domain.play import events as ev
from domain.play.aggregate import fold
from domain.play.annotations import annotation_faults
from domain.play.form import Fault, form_faults
from domain.play.open_record import OpenRecord, read_record, record_lines
from domain.play.verify import is_shuffled, verify

_KEY_NAME = re.compile("[0-9a-f]{16}")
_SIGNATURE_BYTES = 64
_ED25519_ORDER = 2**252 + 27742317777372353535851937790883648493


class Verified(NamedTuple):
    """What was read, and every fault of it. `fair`: the deal is the one that was committed to before anybody saw it."""

    record: OpenRecord
    faults: tuple[Fault, ...]
    fair: bool


def verify_text(text: bytes) -> Verified:
    """Every fault of one open record, by step; raises Unreadable.

    A line that differs from its canonical form is a fault too, so that no character of the text can change unnoticed.
    Of the signature only the form is checked here: the rest needs the service's keys.
    """
    record = read_record(text)
    if any(form_faults(record.records)):
        return verify_record(record)
    return verify_record(record, tuple(_wording_faults(text, record)))


def verify_record(record: OpenRecord, worded: tuple[Fault, ...] = ()) -> Verified:
    """Every fault of this record, by step, with those of the text that it was read from."""
    faults = tuple(sorted((*verify(record.records), *worded, *_signature_faults(record))))
    faults = faults or tuple(sorted(annotation_faults(record)))
    return Verified(record, faults, not faults and _is_fair(record))


def _signature_faults(record: OpenRecord) -> Iterator[Fault]:
    """The faults of signatures that no key can have made: they are not of Ed25519 (RFC 8032, 5.1.7)."""
    step = record.records[-1].step
    for signature in (record.signature, None if record.seal is None else record.seal.seal):
        if signature is None:
            continue
        key, value = signature.key, signature.value
        if not _KEY_NAME.fullmatch(key):
            yield Fault(step, f"The signature names {key[:20]!r}, and a key's name has 16 hex digits.")
        if len(value) != _SIGNATURE_BYTES:
            yield Fault(step, f"The signature has {len(value)} bytes, and one of Ed25519 has {_SIGNATURE_BYTES}.")
        elif int.from_bytes(value[32:], "little") >= _ED25519_ORDER:
            yield Fault(step, "The signature is not one of Ed25519: its second half is out of range.")


def _is_fair(record: OpenRecord) -> bool:
    dealt = any(type(one.event) not in ev.GAME_EVENTS for one in record.records)
    return dealt and is_shuffled(fold(record.records[:2]))


def _wording_faults(text: bytes, record: OpenRecord) -> Iterator[Fault]:
    """The first line that is not in canonical form."""
    try:
        again = list(record_lines(record))
    except Exception:  # noqa: BLE001  what cannot be folded has been told
        return
    last = record.records[-1].step
    for number, (line, made) in enumerate(zip_longest(text.splitlines(keepends=True), again), 1):
        if line != made:
            yield Fault(min(max(number - 2, 0), last), _wording_text(number, made))
            return


def _wording_text(number: int, made: bytes | None) -> str:
    if made is not None and made.startswith(b'{"status":'):
        return (
            f"Line {number}, the ending, does not tell the game as the steps make it, or is not written as it is made."
        )
    return f"Line {number} is not written as records are."
