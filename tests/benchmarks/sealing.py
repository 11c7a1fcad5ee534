"""Sealing: encoding and decoding the records of live games with a key and without, by whether their stream is known."""

from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from domain.games import GAME_TYPES
from service.event_store.codec import AnyRecord, Codec, place, standard_codec
from service.keys.sealing import Seals, is_sealed

from .measures import interleaved, ratio, say, spread
from .scripts import scripts

EVENTS = 20_000
Stored = list[tuple[bytes, bytes | None]]


def measured() -> dict[str, Any]:
    """The section of the document; every rate in records a second of processor time."""
    say("sealing")
    with TemporaryDirectory() as folder:
        clear, codec = standard_codec(), standard_codec().sealing(Seals(Path(folder)).open())
        records = _records()
        plain, kept = _stored(clear, records), _stored(codec, records)
        secret = sum(place is not None for _, place in kept)
        rates = interleaved({
            "encode": (partial(_encode, clear, records), len(records)),
            "encode_sealed": (partial(_encode, codec, records), len(records)),
            "decode": (partial(_decode, clear, plain), len(records)),
            "decode_sealed": (partial(_decode, codec, kept), len(records)),
        })  # fmt: skip
    told: dict[str, Any] = {f"{name}_per_second": spread(numbers) for name, numbers in rates.items()}
    more = sum(len(state) for state, _ in kept) - sum(len(state) for state, _ in plain)
    return {
        "records": len(records), "sealed": secret, "bytes_more_for_each": round(more / secret),
        **told, "encode_to_clear": ratio(rates["encode_sealed"], rates["encode"]),
        "decode_to_clear": ratio(rates["decode_sealed"], rates["decode"]),
    }  # fmt: skip


def _records() -> list[AnyRecord]:
    """Of every game type the same number."""
    each = EVENTS // len(GAME_TYPES)
    return [record for key in GAME_TYPES for record in _of(key, each)]


def _of(key: str, count: int) -> list[AnyRecord]:
    found: list[AnyRecord] = []
    for script in scripts(key, count):
        found += script.records
        if len(found) >= count:
            break
    return found[:count]


def _stored(codec: Codec, records: list[AnyRecord]) -> Stored:
    states = [(record, codec.encode(record)) for record in records]
    return [
        (state, place(record.stream, record.version, codec.topic(record)) if is_sealed(state) else None)
        for record, state in states
    ]


def _encode(codec: Codec, records: list[AnyRecord]) -> None:
    for record in records:
        codec.encode(record)


def _decode(codec: Codec, stored: Stored) -> None:
    for state, there in stored:
        codec.decode(state, there)
