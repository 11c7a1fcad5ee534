"""A game as one body: whatever went in comes out, and what was changed is found out."""

import zlib
from collections.abc import Sequence
from random import Random
from uuid import uuid4

import pytest
from msgspec.structs import replace

from domain.games import GAME_TYPES
from service.event_store.codec import AnyRecord, standard_codec
from service.event_store.errors import DamagedGame
from service.event_store.packing.blob import Packed, digest_of, encoded_records, packed_row, unpacked_records
from service.event_store.reading.decoding import Recorded
from tests.corpus import files

from .packed_logs import played


def placed(records: Sequence[AnyRecord], seed: int = 1) -> list[Recorded]:
    """The records at growing positions with holes between them."""
    lots, position = Random(seed), 5
    found = []
    for record in records:
        position += lots.randrange(1, 400)
        found.append(Recorded(position, record))
    return found


@pytest.mark.parametrize("key", sorted(GAME_TYPES))
def test_the_stored_games_of_every_type_come_back_to_the_byte(key: str) -> None:
    for records in files.stored(GAME_TYPES[key])[:25]:
        went_in = placed(records)
        came_out = unpacked_records(packed_row(went_in), standard_codec())
        assert came_out == went_in
        assert encoded_records(came_out) == encoded_records(went_in)


def test_records_without_digests_and_with_few_records_come_back() -> None:
    for game in played(3, 2):
        for records in (game[:1], [replace(record, digest=b"") for record in game]):
            assert unpacked_records(packed_row(placed(records)), standard_codec()) == placed(records)


def test_a_game_is_packed_whole_or_not_at_all() -> None:
    game = placed(played(1)[0])
    for part in (game[1:], [*game[:2], *game[3:]]):
        with pytest.raises(ValueError, match="from its first record on"):
            packed_row(part)


def damaged(name: str, row: Packed, other: Packed) -> Packed:
    at = len(row.body) // 2
    body = row.body[:at] + bytes([row.body[at] ^ 1]) + row.body[at + 1 :]
    return {
        "a bit of the body": row._replace(body=body),
        "a shorter body": row._replace(body=row.body[:-1]),
        "another game's body": row._replace(body=other.body),
        "another game's body and digest": row._replace(body=other.body, digest=other.digest),
        "another id": row._replace(game=uuid4()),
        "another place in the log": row._replace(first_position=row.first_position + 1),
        "another length": row._replace(last_version=row.last_version - 1),
    }[name]


DAMAGES = [
    "a bit of the body", "a shorter body", "another game's body", "another game's body and digest", "another id",
    "another place in the log", "another length",
]  # fmt: skip


@pytest.mark.parametrize("name", DAMAGES)
def test_a_damaged_row_is_told_and_never_read(name: str) -> None:
    row, other = (packed_row(placed(game)) for game in played(2))
    with pytest.raises(DamagedGame, match="is damaged: its bytes are not those whose digest is kept"):
        unpacked_records(damaged(name, row, other), standard_codec())


def test_a_body_of_a_later_format_is_told() -> None:
    row = packed_row(placed(played(1)[0]))
    body = zlib.compress(b"\x93\x02" + zlib.decompress(row.body)[2:])
    digest = digest_of(*row[:4], body)
    with pytest.raises(DamagedGame, match="format 2"):
        unpacked_records(row._replace(body=body, digest=digest), standard_codec())
