"""Records as bytes: msgpack, read by one typed decoder over every event and command that this program knows.

What a live game must keep secret is sealed (service.keys.sealing): the events and commands of the game types, and the
secrets of games and contests. All else, from which tables, lists and the feed are made, stays in the clear.
"""

import copy
from collections.abc import Iterable
from functools import cache
from typing import Any, Self, Union
from uuid import UUID

import msgspec
from msgspec import Struct

from domain.contest import events as contest_events
from domain.contest.events import CONTEST_EVENTS
from domain.games import REVISIONS
from domain.league.events import LEAGUE_EVENTS
from domain.play import events as game_events
from domain.play.events import GAME_EVENTS, PLAY_COMMANDS, TABLE_COMMANDS
from domain.player import PLAYER_EVENTS
from domain.record import Record, Withheld
from domain.rulings import RULINGS
from service.event_store.errors import UnknownTopic, UnreadableRecord
from service.event_store.writing.rows import Row
from service.keys.sealing import SealingKeyMissing, Seals

AnyRecord = Record[Any, Any]
_SECRETS = (game_events.Sealed, contest_events.Sealed)
_OTHERS = (*GAME_EVENTS, *PLAYER_EVENTS, *LEAGUE_EVENTS, *CONTEST_EVENTS, *RULINGS)
_COMMAND, _EVENT = Record.__struct_fields__.index("command"), Record.__struct_fields__.index("event")


class Codec:
    """Encodes and decodes records; the topic of a record is its event's tag, `klondike/moved`.

    Every revision of every game type is read, the newest and the oldest: stored names never change. `events` and
    `commands` are read besides. Raises TypeError if two different classes have one tag.
    """

    seals = Seals()
    """Seals and unseals; without a key it does neither."""

    def __init__(self, events: Iterable[type[Struct]] = (), commands: Iterable[type[Struct]] = ()) -> None:
        types = REVISIONS.values()
        known_events = [*_OTHERS, *(event for found in types for event in found.events), *events]
        known_commands = [
            *TABLE_COMMANDS, *PLAY_COMMANDS, *(command for found in types for command in found.commands), *commands,
        ]  # fmt: skip
        self._topics = {event: topic_of(event) for event in known_events}
        self._commands = frozenset(known_commands)
        clear = frozenset(_OTHERS).difference(_SECRETS)
        self._secret_events = frozenset(event for event in known_events if event not in clear)
        self._open_commands = frozenset((*TABLE_COMMANDS, *PLAY_COMMANDS, type(None)))
        self._encoder = msgspec.msgpack.Encoder(uuid_format="bytes")
        self._decoder: msgspec.msgpack.Decoder[AnyRecord] = msgspec.msgpack.Decoder(
            _record_of(known_events, known_commands)
        )

    def sealing(self, seals: Seals) -> Self:
        """The same codec with these keys."""
        other = copy.copy(self)
        other.seals = seals
        return other

    def secret(self, record: AnyRecord) -> bool:
        """Whether the record may contain secrets."""
        return type(record.event) in self._secret_events or type(record.command) not in self._open_commands

    def topic(self, record: AnyRecord) -> str:
        """The record's topic; raises UnknownTopic for an event or command that could not be read back."""
        if record.command is not None and type(record.command) not in self._commands:
            raise UnknownTopic(topic_of(type(record.command)))
        try:
            return self._topics[type(record.event)]
        except KeyError:
            raise UnknownTopic(topic_of(type(record.event))) from None

    @property
    def record_type(self) -> Any:
        """The type of any record that this codec reads: `Record[events, commands]`."""
        return self._decoder.type

    def row(self, record: AnyRecord) -> Row:
        """The record as it is stored; raises UnknownTopic."""
        stream, version, topic = record.stream, record.version, self.topic(record)
        state = self._encoder.encode(record)
        if self.seals.sealing and self.secret(record):
            state = self.seals.seal(place(stream, version, topic), state)
        return Row(stream, version, topic, state)

    def encode(self, record: AnyRecord) -> bytes:
        """The whole record as bytes, with stream and version; readable without its row, unless sealed."""
        return self.row(record).state

    def decode(self, state: bytes, sealed_at: bytes | None = None) -> AnyRecord:
        """The record of these bytes; `sealed_at`: the row's place (SQL: PLACE) if they are sealed.

        Raises UnknownTopic, UnreadableRecord, SealingKeyMissing, BrokenSeal.
        """
        if sealed_at is not None:
            state = self.seals.unseal(sealed_at, state)
        try:
            return self._decoder.decode(state)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise self._decode_error(state, error) from error

    def decode_or_withhold(self, state: bytes, sealed_at: bytes | None) -> AnyRecord:
        """As `decode`, but Withheld where the key is missing: readers of the whole log must not stop at one game."""
        try:
            return self.decode(state, sealed_at)
        except SealingKeyMissing as missing:
            return _withheld_record(sealed_at or b"", missing, missing.key in self.seals.given_up)

    def _decode_error(self, state: bytes, error: Exception) -> Exception:
        known = {*self._topics.values(), *map(topic_of, self._commands)}
        unknown = [topic for topic in _topics_in(state) if topic not in known]
        return UnknownTopic(unknown[0]) if unknown else UnreadableRecord(f"A stored record cannot be read: {error}.")


PLACE = """
CASE WHEN substr(state, 1, 1) = '\\xc1'::bytea
    THEN uuid_send(stream) || int4send(version) || convert_to(topic, 'UTF8') END
"""
"""The place of a row of `events` whose state is sealed (0xC1 begins no msgpack value); null where it is clear."""


def place(stream: UUID, version: int, topic: str) -> bytes:
    """The place as PLACE computes it."""
    return stream.bytes + version.to_bytes(4, "big") + topic.encode()


def _withheld_record(sealed_at: bytes, missing: SealingKeyMissing, given_up: bool) -> AnyRecord:
    topic, version = "" if given_up else sealed_at[20:].decode(), int.from_bytes(sealed_at[16:20], "big")
    event = Withheld(topic, missing.key.hex())
    return Record(missing.stream, version, 0, "withheld", 0, 0, None, None, None, event)


def _record_of(events: list[type[Struct]], commands: list[type[Struct]]) -> Any:
    """The type of any record. Two revisions of a game type share classes: a union takes each once."""
    for structs in (events, commands):
        _require_one_class_per_tag(structs)
    return Record[Union[tuple(events)], Union[(*commands, None)]]  # type: ignore[misc]  # noqa: UP007


def _require_one_class_per_tag(structs: Iterable[type[Struct]]) -> None:
    classes: dict[str, type[Struct]] = {}
    for struct in structs:
        if classes.setdefault(topic_of(struct), struct) is not struct:
            raise TypeError(f"Two classes have the tag {topic_of(struct)!r}: stored records could be either.")


def topic_of(struct: type[Struct]) -> str:
    """The stored name of an event or a command: its tag."""
    return str(struct.__struct_config__.tag)


def _topics_in(state: bytes) -> list[str]:
    """The tags of command and event in bytes that may be damaged elsewhere."""
    try:
        fields = msgspec.msgpack.decode(state)
        return [str(fields[place]["type"]) for place in (_COMMAND, _EVENT) if fields[place] is not None]
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, LookupError, TypeError):
        return []


@cache
def standard_codec() -> Codec:
    """The codec of everything this program knows; built once, after the game types were found."""
    return Codec()
