"""Changing records as somebody might who reaches the store."""

from typing import Any

from msgspec.structs import replace

from domain.play.aggregate import AnyRecord, digest, fold
from domain.play.verify import Fault

from .played import SECRET

Records = list[AnyRecord]


def at_step(records: Records, step: int) -> int:
    """The index of the first record of a step."""
    return next(index for index, record in enumerate(records) if record.step == step)


def changed(records: Records, index: int, **fields: Any) -> Records:
    return [*records[:index], replace(records[index], **fields), *records[index + 1 :]]


def rechained(records: Records, key: bytes = SECRET.digest_key) -> Records:
    """The digests made anew, as somebody would who knows the key."""
    made: Records = []
    for record in records:
        bare = replace(record, digest=b"")
        state = fold([*made, bare]).state
        made.append(replace(bare, digest=digest(key, made[-1].digest if made else b"", bare, state)))
    return made


def steps(faults: list[Fault]) -> set[int]:
    return {fault.step for fault in faults}
