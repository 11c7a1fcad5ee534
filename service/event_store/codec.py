"""Records as bytes: msgpack, read by one typed decoder over every event and command that this program knows."""

from collections.abc import Iterable
from functools import cache
from typing import Any, Union

import msgspec
from msgspec import Struct

from domain.contest.events import CONTEST_EVENTS
from domain.game.events import GAME_EVENTS, PLAY_COMMANDS, TABLE_COMMANDS
from domain.games import REVISIONS
from domain.league.events import LEAGUE_EVENTS
from domain.player import PLAYER_EVENTS
from domain.record import Record
from domain.rulings import RULINGS
from service.event_store.errors import UnknownTopic, UnreadableRecord

AnyRecord = Record[Any, Any]
_OTHERS = (*GAME_EVENTS, *PLAYER_EVENTS, *LEAGUE_EVENTS, *CONTEST_EVENTS, *RULINGS)
_COMMAND, _EVENT = Record.__struct_fields__.index("command"), Record.__struct_fields__.index("event")


class Codec:
    """Encodes and decodes records; the topic of a record is its event's tag, `klondike/moved`.

    Every revision of every game type is read, the newest and the oldest: stored names never change. `events` and
    `commands` are read besides. Raises TypeError if two different classes have one tag.
    """

    def __init__(self, events: Iterable[type[Struct]] = (), commands: Iterable[type[Struct]] = ()) -> None:
        types = REVISIONS.values()
        known_events = [*_OTHERS, *(event for found in types for event in found.events), *events]
        known_commands = [
            *TABLE_COMMANDS, *PLAY_COMMANDS, *(command for found in types for command in found.commands), *commands,
        ]  # fmt: skip
        self._topics = {event: topic_of(event) for event in known_events}
        self._commands = frozenset(known_commands)
        self._encoder = msgspec.msgpack.Encoder(uuid_format="bytes")
        self._decoder: msgspec.msgpack.Decoder[AnyRecord] = msgspec.msgpack.Decoder(
            _record_of(known_events, known_commands)
        )

    def topic(self, record: AnyRecord) -> str:
        """The record's topic; raises UnknownTopic for what could not be read back."""
        if record.command is not None and type(record.command) not in self._commands:
            raise UnknownTopic(topic_of(type(record.command)))
        try:
            return self._topics[type(record.event)]
        except KeyError:
            raise UnknownTopic(topic_of(type(record.event))) from None

    def encode(self, record: AnyRecord) -> bytes:
        """The whole record, stream and version included: bytes that can be read without their row."""
        return self._encoder.encode(record)

    def decode(self, state: bytes) -> AnyRecord:
        """The record of these bytes; raises UnknownTopic or UnreadableRecord."""
        try:
            return self._decoder.decode(state)
        except msgspec.DecodeError as error:
            raise self._unreadable(state, error) from error

    def _unreadable(self, state: bytes, error: msgspec.DecodeError) -> Exception:
        known = {*self._topics.values(), *map(topic_of, self._commands)}
        unknown = [topic for topic in _topics_in(state) if topic not in known]
        return UnknownTopic(unknown[0]) if unknown else UnreadableRecord(f"A stored record cannot be read: {error}.")


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
    """The tags that stand where a record has its command and its event, whatever else is wrong with the bytes."""
    try:
        fields = msgspec.msgpack.decode(state)
        return [str(fields[place]["type"]) for place in (_COMMAND, _EVENT) if fields[place] is not None]
    except (msgspec.DecodeError, LookupError, TypeError):
        return []


@cache
def standard_codec() -> Codec:
    """The codec of everything this program knows; built once, after the game types were found."""
    return Codec()
