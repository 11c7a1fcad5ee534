"""A finished game as one body: its records with their positions, column by column, compressed by zlib.

msgpack of [format, gaps between positions, one column per field of a record]. `stream` and `version` are left out: the
row names the game, and versions count from 1. A column of equal values holds one; times and steps are differences;
digests of 32 bytes are joined in one string, for they do not compress.
"""

import zlib
from collections.abc import Iterator, Sequence
from functools import lru_cache
from hashlib import blake2b
from itertools import accumulate, pairwise, repeat
from struct import Struct as Layout
from typing import Any, NamedTuple, get_args, get_type_hints
from uuid import UUID

import msgspec
from msgspec.msgpack import Decoder

from domain.record import Micros, Record
from service.event_store.codec import Codec
from service.event_store.errors import DamagedGame
from service.event_store.reading.decoding import Recorded

FORMAT = 1
_LEVEL = 6
_COLUMNS = Record.__struct_fields__[2:]
_DIFFERENCES = frozenset({"time", "step"})
_DIGEST_SIZE = 32
_ENCODER = msgspec.msgpack.Encoder(uuid_format="bytes")
_OUTER: msgspec.msgpack.Decoder[tuple[int, list[int], list[msgspec.Raw]]] = msgspec.msgpack.Decoder(
    tuple[int, list[int], list[msgspec.Raw]]
)
_NUMBERS = Layout(">qqi")


class Packed(NamedTuple):
    """A row of packed_games."""

    game: UUID
    first_position: int
    last_position: int
    last_version: int
    digest: bytes
    body: bytes


def packed_row(placed: Sequence[Recorded]) -> Packed:
    """The row of these records: one game, from version 1 on without a gap; raises ValueError."""
    positions, records = [one.position for one in placed], [one.record for one in placed]
    if [record.version for record in records] != list(range(1, len(records) + 1)):
        raise ValueError("A game is packed from its first record on, and whole.")
    columns = [_column(name, [getattr(record, name) for record in records]) for name in _COLUMNS]
    body = zlib.compress(_ENCODER.encode([FORMAT, _differences(positions)[1:], columns]), _LEVEL)
    said = (records[0].stream, positions[0], positions[-1], len(records))
    return Packed(*said, digest_of(*said, body), body)


def digest_of(game: UUID, first: int, last: int, version: int, body: bytes) -> bytes:
    """BLAKE2b, 32 bytes, over a row's other columns, so that a body in another game's row is noticed, too."""
    return blake2b(game.bytes + _NUMBERS.pack(first, last, version) + body, digest_size=_DIGEST_SIZE).digest()


def unpacked_records(row: Packed, codec: Codec) -> list[Recorded]:
    """The records of the row with their positions; raises DamagedGame, UnknownTopic or UnreadableRecord."""
    gaps, columns = _parts(row)
    fields = _fields(columns, row.last_version, codec)
    records = map(Record, repeat(row.game), range(1, row.last_version + 1), *fields)
    return list(map(Recorded, accumulate(gaps, initial=row.first_position), records))


def last_change(row: Packed) -> Micros:
    """When the last of the row's records was made; raises DamagedGame."""
    times = msgspec.msgpack.decode(_parts(row)[1][_COLUMNS.index("time")], type=list[int])
    return int(_values("time", times, row.last_version)[-1])


def _parts(row: Packed) -> tuple[list[int], list[msgspec.Raw]]:
    """The gaps between positions, and the columns."""
    game, first, last, version, digest, body = row
    if digest_of(game, first, last, version, body) != bytes(digest):
        raise DamagedGame(game, "its bytes are not those whose digest is kept")
    written, gaps, columns = _OUTER.decode(zlib.decompress(body))
    if written != FORMAT:
        raise DamagedGame(game, f"it is packed in format {written}, which this program does not know")
    return gaps, columns


def encoded_records(placed: Sequence[Recorded]) -> bytes:
    """The records as plain msgpack, to compare two lists."""
    return _ENCODER.encode([one.record for one in placed])


def _column(name: str, values: list[Any]) -> Any:
    if name == "digest" and all(len(value) == _DIGEST_SIZE for value in values):
        return b"".join(values)
    if name in _DIFFERENCES:
        values = _differences(values)
    return values[:1] if all(value == values[0] for value in values) else values


def _fields(columns: list[msgspec.Raw], count: int, codec: Codec) -> Iterator[Any]:
    """The columns' values for records; fields that are newer than the body have their defaults."""
    for name, decoder, column in zip(_COLUMNS, column_decoders(codec), columns, strict=False):
        yield _values(name, decoder.decode(column), count)


def _values(name: str, found: Any, count: int) -> Any:
    if isinstance(found, bytes):
        return [found[at : at + _DIGEST_SIZE] for at in range(0, len(found), _DIGEST_SIZE)]
    values = found * count if len(found) == 1 else found
    return list(accumulate(values)) if name in _DIFFERENCES else values


def _differences(numbers: list[int]) -> list[int]:
    return [numbers[0], *(after - before for before, after in pairwise(numbers))]


@lru_cache(maxsize=16)
def column_decoders(codec: Codec) -> tuple[Decoder[Any], ...]:
    """A decoder per field, from `time` on: a list of values, or the joined bytes of all digests."""
    events, commands = get_args(codec.record_type)
    types = get_type_hints(Record, include_extras=True) | {"event": events, "command": commands}
    return tuple(_decoder(name, types[name]) for name in Record.__struct_fields__[2:])


def _decoder(name: str, value: Any) -> Decoder[Any]:
    values = list[value]
    return Decoder(bytes | values if name == "digest" else values)
