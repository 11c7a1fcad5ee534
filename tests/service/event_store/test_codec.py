"""Records come back from their bytes as they were; what could not be read is not written."""

from uuid import uuid4

import msgspec
import pytest
from msgspec import Struct
from msgspec.structs import replace

from domain.games import REVISIONS, AnyGameType
from domain.play.aggregate import digest, fold
from domain.player import Erased, Registered, TokenMinted, TokenRevoked, player_record
from service.event_store import codec as module
from service.event_store.codec import Codec, standard_codec
from service.event_store.errors import UnknownTopic, UnreadableRecord

from .made import TIME, random_game, record


class Whispered(Struct, frozen=True, tag="toy/whispered"):
    words: str


class Whisper(Struct, frozen=True, tag="toy/whisper"):
    words: str


class Imposter(Struct, frozen=True, tag="game/undone"):
    pass


@pytest.mark.parametrize("game_type", REVISIONS.values(), ids=lambda found: f"{found.key}-{found.revision}")
def test_every_record_of_a_game_comes_back_as_it_was(game_type: AnyGameType) -> None:
    codec, played = standard_codec(), random_game(game_type, 7)
    written = [record for step in played for record in step.records]
    read = [codec.decode(codec.encode(record)) for record in written]
    assert read == written
    assert fold(read) == played[-1].game


@pytest.mark.parametrize("game_type", REVISIONS.values(), ids=lambda found: f"{found.key}-{found.revision}")
def test_what_comes_back_has_the_same_digest(game_type: AnyGameType) -> None:
    codec, opening = standard_codec(), random_game(game_type, 8)[0]
    assert opening.game.sealed is not None
    before = b""
    for at, written in enumerate(opening.records):
        read = codec.decode(codec.encode(written))
        state = fold(opening.records[: at + 1]).state
        assert digest(opening.game.sealed.digest_key, before, read, state) == written.digest
        before = written.digest


def test_the_events_of_a_player_come_back_as_they_were() -> None:
    codec, player, token = standard_codec(), uuid4(), uuid4()
    minted = TokenMinted(token, b"\x00\xff", ("read", "play"), TIME)
    for version, event in enumerate([Registered(), minted, TokenRevoked(token), Erased()], start=1):
        written = player_record(player, version, event, player, TIME)
        assert codec.decode(codec.encode(written)) == written


def test_the_topic_is_the_tag_of_the_event() -> None:
    assert standard_codec().topic(record(uuid4(), 1)) == "game/undone"


def test_ids_take_sixteen_bytes_each() -> None:
    written = record(uuid4(), 1)
    assert written.stream.bytes in standard_codec().encode(written)


def test_events_and_commands_passed_in_are_known_too() -> None:
    codec = Codec([Whispered], [Whisper])
    written = replace(record(uuid4(), 1), command=Whisper("knave"), event=Whispered("knave"))
    assert codec.decode(codec.encode(written)) == written


def test_without_any_game_type_the_codec_still_reads_the_events_of_every_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "REVISIONS", {})
    written = record(uuid4(), 1)
    assert Codec().decode(standard_codec().encode(written)) == written


def test_an_event_that_is_not_known_is_not_written() -> None:
    with pytest.raises(UnknownTopic, match="'toy/whispered'"):
        standard_codec().topic(replace(record(uuid4(), 1), event=Whispered("knave")))


def test_a_command_that_is_not_known_is_not_written() -> None:
    with pytest.raises(UnknownTopic, match="'toy/whisper'"):
        standard_codec().topic(replace(record(uuid4(), 1), command=Whisper("knave")))


def test_a_stored_topic_that_is_not_known_is_named() -> None:
    stored = Codec([Whispered]).encode(replace(record(uuid4(), 1), event=Whispered("knave")))
    with pytest.raises(UnknownTopic, match="'toy/whispered'"):
        standard_codec().decode(stored)


def test_bytes_that_do_not_fit_their_topic_are_unreadable() -> None:
    fields = msgspec.msgpack.decode(standard_codec().encode(record(uuid4(), 1)))
    fields[9]["to_version"] = "two"
    for stored in (msgspec.msgpack.encode(fields), b"", b"\xc1"):
        with pytest.raises(UnreadableRecord):
            standard_codec().decode(stored)


def test_two_classes_with_one_tag_are_refused() -> None:
    with pytest.raises(TypeError, match="the tag 'game/undone'"):
        Codec([Imposter])
