"""Decodes rows of the log, and learns the keys of revealed games where they are needed."""

from collections.abc import Sequence
from uuid import UUID

from domain.record import Withheld
from service.event_store.codec import AnyRecord, Codec
from service.event_store.connections import Rows
from service.event_store.reading.multi_query import Asked
from service.event_store.reading.recorded import Recorded
from service.keys.sealing.errors import SealingKeyMissing

SELECT_KEYS = """
SELECT stream, key, value FROM unsealed WHERE stream = ANY(%s)
UNION ALL SELECT NULL, id, NULL FROM sealing_keys WHERE given_up
"""


def of_the_log(rows: Rows, codec: Codec) -> Asked[list[Recorded]]:
    """Rows of position, state and PLACE as records; Withheld where the key is missing."""
    batch = recorded(rows, codec)
    streams = withheld(batch)
    if streams and (yield from _learned(streams, codec)):
        return recorded(rows, codec)
    return batch


def of_a_stream(rows: Rows, stream: UUID, codec: Codec) -> Asked[list[AnyRecord]]:
    """Rows of state and PLACE of one stream as records; raises SealingKeyMissing."""
    try:
        return records(rows, codec)
    except SealingKeyMissing:
        if not (yield from _learned([stream], codec)):
            raise
        return records(rows, codec)


def _learned(streams: Sequence[UUID], codec: Codec) -> Asked[bool]:
    """Learn the keys of revealed streams, and which keys were given up; whether anything was new."""
    return codec.seals.learn((yield SELECT_KEYS, (list(streams),)))


def recorded(rows: Rows, codec: Codec) -> list[Recorded]:
    """Rows of position, state and PLACE as records, Withheld where a key is missing."""
    decode = codec.decode_or_withhold
    return [Recorded(position, decode(state, sealed_at)) for position, state, sealed_at in rows]


def withheld(batch: Sequence[Recorded]) -> list[UUID]:
    """The streams of these records that could not be unsealed."""
    return list({one.record.stream for one in batch if type(one.record.event) is Withheld})


def records(rows: Rows, codec: Codec) -> list[AnyRecord]:
    """Rows of state and PLACE as records; raises SealingKeyMissing."""
    return [codec.decode(state, sealed_at) for state, sealed_at in rows]
