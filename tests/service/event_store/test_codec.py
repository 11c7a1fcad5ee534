"""Records and packed games come back from their bytes as they were; what could not be read is not written."""

import zlib
from collections.abc import Sequence
from random import Random
from uuid import uuid4

import msgspec
import pytest
from msgspec import Struct
from msgspec.structs import replace

from domain.games import GAME_TYPES, REVISIONS, AnyGameType
from domain.play.aggregate import digest, fold
from domain.player import Erased, Registered, TokenMinted, TokenRevoked, player_record
from service.event_store import codec as module
from service.event_store.codec import (
    AnyRecord,
    Codec,
    Recorded,
    digest_of,
    encoded_records,
    packed_row,
    standard_codec,
    unpacked_records,
)
from service.event_store.errors import DamagedGame, UnknownTopic, UnreadableRecord
from tests.corpus import files

from .made import TIME, random_game, record
from .packed_logs import played


class Whispered(Struct, frozen=True, tag="toy/whispered"):
    words: str


class Whisper(Struct, frozen=True, tag="toy/whisper"):
    words: str


class Imposter(Struct, frozen=True, tag="game/undone"):
    pass


@pytest.mark.parametrize("game_type", REVISIONS.values(), ids=lambda found: f"{found.key}-{found.revision}")
def test_every_record_of_a_game_comes_back_as_it_was_with_the_same_digest(game_type: AnyGameType) -> None:
    codec, played = standard_codec(), random_game(game_type, 7)
    written = [record for step in played for record in step.records]
    read = [codec.decode(codec.encode(record)) for record in written]
    assert read == written
    assert fold(read) == played[-1].game
    sealed, before = played[0].game.sealed, b""
    assert sealed is not None
    for at, one in enumerate(read[: len(played[0].records)]):
        assert digest(sealed.digest_key, before, one, fold(written[: at + 1]).state) == one.digest
        before = one.digest


def test_the_events_of_a_player_come_back_as_they_were() -> None:
    codec, player, token = standard_codec(), uuid4(), uuid4()
    minted = TokenMinted(token, b"\x00\xff", ("read", "play"), TIME)
    for version, event in enumerate([Registered(), minted, TokenRevoked(token), Erased()], start=1):
        written = player_record(player, version, event, player, TIME)
        assert codec.decode(codec.encode(written)) == written


def test_events_and_commands_passed_in_are_known_too() -> None:
    codec = Codec([Whispered], [Whisper])
    written = replace(record(uuid4(), 1), command=Whisper("knave"), event=Whispered("knave"))
    assert codec.decode(codec.encode(written)) == written


def test_without_any_game_type_the_codec_still_reads_the_events_of_every_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "REVISIONS", {})
    written = record(uuid4(), 1)
    assert Codec().decode(standard_codec().encode(written)) == written


def test_a_topic_is_the_tag_of_an_event_and_what_is_not_known_is_neither_written_nor_read() -> None:
    written, codec = record(uuid4(), 1), standard_codec()
    assert codec.topic(written) == "game/undone"
    assert written.stream.bytes in codec.encode(written), "ids take sixteen bytes each"
    event, command = replace(written, event=Whispered("knave")), replace(written, command=Whisper("knave"))
    for unknown, name, use in (
        (event, "whispered", codec.topic), (command, "whisper", codec.topic),
        (Codec([Whispered]).encode(event), "whispered", codec.decode),
    ):  # fmt: skip
        with pytest.raises(UnknownTopic, match=f"'toy/{name}'"):
            use(unknown)


def test_bytes_that_do_not_fit_their_topic_are_unreadable() -> None:
    fields = msgspec.msgpack.decode(standard_codec().encode(record(uuid4(), 1)))
    fields[9]["to_version"] = "two"
    for stored in (msgspec.msgpack.encode(fields), b"", b"\xc1"):
        with pytest.raises(UnreadableRecord):
            standard_codec().decode(stored)


def test_two_classes_with_one_tag_are_refused() -> None:
    with pytest.raises(TypeError, match="the tag 'game/undone'"):
        Codec([Imposter])


def placed(records: Sequence[AnyRecord], seed: int = 1) -> list[Recorded]:
    """The records at growing positions with holes between them."""
    lots, position = Random(seed), 5
    found = []
    for one in records:
        position += lots.randrange(1, 400)
        found.append(Recorded(position, one))
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
        for records in (game[:1], [replace(one, digest=b"") for one in game]):
            assert unpacked_records(packed_row(placed(records)), standard_codec()) == placed(records)


def test_a_game_is_packed_whole_or_not_at_all() -> None:
    game = placed(played(1)[0])
    for part in (game[1:], [*game[:2], *game[3:]]):
        with pytest.raises(ValueError, match="from its first record on"):
            packed_row(part)


def test_a_damaged_row_is_told_and_never_read() -> None:
    row, other = (packed_row(placed(game)) for game in played(2))
    at, body = len(row.body) // 2, row.body
    for damage in (
        {"body": body[:at] + bytes([body[at] ^ 1]) + body[at + 1 :]}, {"body": body[:-1]}, {"body": other.body},
        {"body": other.body, "digest": other.digest}, {"game": uuid4()},
        {"first_position": row.first_position + 1}, {"last_version": row.last_version - 1},
    ):  # fmt: skip
        with pytest.raises(DamagedGame, match="is damaged: its bytes are not those whose digest is kept"):
            unpacked_records(row._replace(**damage), standard_codec())


def test_a_body_of_a_later_format_is_told() -> None:
    row = packed_row(placed(played(1)[0]))
    body = zlib.compress(b"\x93\x02" + zlib.decompress(row.body)[2:])
    digest = digest_of(*row[:4], body)
    with pytest.raises(DamagedGame, match="format 2"):
        unpacked_records(row._replace(body=body, digest=digest), standard_codec())
