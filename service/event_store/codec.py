"""Records as bytes: one as msgpack, read by one typed decoder, or a finished game as one body.

The secrets of a live game are sealed (service.keys.sealing): the events and commands of the game types, and the sealed
values of games and contests. The rest stays in the clear: tables, lists and the feed are made from it.

The body of a packed game is msgpack of [format, gaps between positions, one column per field of a record], compressed
by zlib. `stream` and `version` are left out: the row names the game, and versions count from 1. A column of equal
values holds one; times and steps are differences; digests of 32 bytes, which do not compress, are joined in one string.
"""

import copy
import zlib
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from hashlib import blake2b
from itertools import accumulate, pairwise, repeat
from struct import Struct as Layout
from typing import Any, NamedTuple, Self, Union, get_args, get_type_hints
from uuid import UUID

import msgspec
from msgspec import Struct
from msgspec.msgpack import Decoder, Encoder

from domain.contest import events as contest_events
from domain.contest.events import CONTEST_EVENTS
from domain.games import REVISIONS
from domain.league.events import LEAGUE_EVENTS
from domain.play import events as game_events
from domain.play.events import GAME_EVENTS, PLAY_COMMANDS, TABLE_COMMANDS
from domain.player import PLAYER_EVENTS
from domain.record import Micros, Record, Withheld
from domain.rulings import RULINGS
from service.event_store.errors import DamagedGame, UnknownTopic, UnreadableRecord
from service.event_store.writing.rows import Row
from service.keys.sealing import SealingKeyMissing, Seals

AnyRecord = Record[Any, Any]
_SECRETS = (game_events.Sealed, contest_events.Sealed)
_OTHERS = (*GAME_EVENTS, *PLAYER_EVENTS, *LEAGUE_EVENTS, *CONTEST_EVENTS, *RULINGS)
_ENCODER = Encoder(uuid_format="bytes")
_COMMAND, _EVENT = Record.__struct_fields__.index("command"), Record.__struct_fields__.index("event")


class Recorded(NamedTuple):
    """A record and its position in the log. Positions only grow and are never used twice."""

    position: int
    record: AnyRecord


class Codec:
    """Encodes and decodes records; the topic of a record is its event's tag, `klondike/moved`.

    Every revision of every game type is read, and `events` and `commands` too: stored names never change. Raises
    TypeError if two different classes have one tag.
    """

    seals = Seals()
    """Seals and unseals; without a key it does neither."""

    def __init__(self, events: Iterable[type[Struct]] = (), commands: Iterable[type[Struct]] = ()) -> None:
        types = REVISIONS.values()
        events = [*_OTHERS, *(event for game_type in types for event in game_type.events), *events]
        of_types = (command for game_type in types for command in game_type.commands)
        commands = [*TABLE_COMMANDS, *PLAY_COMMANDS, *of_types, *commands]
        self._topics = {event: topic_of(event) for event in events}
        self._commands = frozenset(commands)
        self._secret_events = frozenset(events) - frozenset(_OTHERS).difference(_SECRETS)
        self._open_commands = frozenset((*TABLE_COMMANDS, *PLAY_COMMANDS, type(None)))
        for structs in (events, commands):
            classes = {topic_of(struct): struct for struct in structs}
            if twice := [struct for struct in structs if classes[topic_of(struct)] is not struct]:
                raise TypeError(f"Two classes have the tag {topic_of(twice[0])!r}: stored records could be either.")
        # A union takes each class once: two revisions of a game type share classes.
        record: Any = Record[Union[tuple(events)], Union[(*commands, None)]]  # type: ignore[misc]  # noqa: UP007
        self._decoder: Decoder[AnyRecord] = Decoder(record)

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

    def row(self, record: AnyRecord) -> Row:
        """The record as it is stored; raises UnknownTopic."""
        stream, version, topic = record.stream, record.version, self.topic(record)
        state = _ENCODER.encode(record)
        if self.seals.sealing and self.secret(record):
            state = self.seals.seal(place(stream, version, topic), state)
        return Row(stream, version, topic, state)

    def encode(self, record: AnyRecord) -> bytes:
        """The record as bytes, with stream and version; readable without its row, unless sealed."""
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
            readable = {*self._topics.values(), *map(topic_of, self._commands)}
            if unknown := [topic for topic in _topics_in(state) if topic not in readable]:
                raise UnknownTopic(unknown[0]) from error
            raise UnreadableRecord(f"A stored record cannot be read: {error}.") from error

    def decode_or_withhold(self, state: bytes, sealed_at: bytes | None) -> AnyRecord:
        """As `decode`, but Withheld where the key is missing: readers of the log must not stop at one game."""
        try:
            return self.decode(state, sealed_at)
        except SealingKeyMissing as missing:
            row = sealed_at or b""  # stream, version and topic, as `place` joins them
            event = Withheld("" if missing.key in self.seals.given_up else row[20:].decode(), missing.key.hex())
            version = int.from_bytes(row[16:20], "big")
            return Record(missing.stream, version, 0, "withheld", 0, 0, None, None, None, event)


PLACE = """
CASE WHEN substr(state, 1, 1) = '\\xc1'::bytea
    THEN uuid_send(stream) || int4send(version) || convert_to(topic, 'UTF8') END
"""
"""The place of a row of `events` whose state is sealed (0xC1 begins no msgpack value); null where it is clear."""


def place(stream: UUID, version: int, topic: str) -> bytes:
    """The place as PLACE computes it."""
    return stream.bytes + version.to_bytes(4, "big") + topic.encode()


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


class Packed(NamedTuple):
    """A row of packed_games."""

    game: UUID
    first_position: int
    last_position: int
    last_version: int
    digest: bytes
    body: bytes


FORMAT = 1
_COLUMNS = Record.__struct_fields__[2:]
_DIFFERENCES = frozenset({"time", "step"})
_JOINT = _DIFFERENCES | {"digest"}
"""Columns whose values cannot be decoded one by one."""
_LIST_OF_ONE = b"\x91"
_RAWS: Decoder[list[msgspec.Raw]] = Decoder(list[msgspec.Raw])
_DIGEST_SIZE = 32
_BODY: Decoder[tuple[int, list[int], list[msgspec.Raw]]] = Decoder(tuple[int, list[int], list[msgspec.Raw]])
_NUMBERS = Layout(">qqi")


def packed_row(game: Sequence[Recorded]) -> Packed:
    """The row of these records: one game, from version 1 on without a gap; raises ValueError."""
    positions, records = [position for position, _ in game], [record for _, record in game]
    if [record.version for record in records] != list(range(1, len(records) + 1)):
        raise ValueError("A game is packed from its first record on, and whole.")
    columns = [_column(name, [getattr(record, name) for record in records]) for name in _COLUMNS]
    body = zlib.compress(_ENCODER.encode([FORMAT, _differences(positions)[1:], columns]), 6)
    head = (records[0].stream, positions[0], positions[-1], len(records))
    return Packed(*head, digest_of(*head, body), body)


def digest_of(game: UUID, first: int, last: int, version: int, body: bytes) -> bytes:
    """BLAKE2b, 32 bytes, over a row's other columns: a body in another game's row is noticed."""
    return blake2b(game.bytes + _NUMBERS.pack(first, last, version) + body, digest_size=_DIGEST_SIZE).digest()


def unpacked_records(row: Packed, codec: Codec) -> list[Recorded]:
    """The records of the row with their positions; raises DamagedGame, UnknownTopic or UnreadableRecord."""
    gaps, columns = _parts(row)
    # Fields that are newer than the body have their defaults.
    fields = [
        _values(name, decoder.decode(column), row.last_version)
        for name, decoder, column in zip(_COLUMNS, _column_decoders(codec), columns, strict=False)
    ]
    records = map(Record, repeat(row.game), range(1, row.last_version + 1), *fields)
    return list(map(Recorded, accumulate(gaps, initial=row.first_position), records))


class PackedRecords:
    """The records of the row, each decoded when it is read; raises as `unpacked_records`."""

    def __init__(self, row: Packed, codec: Codec) -> None:
        self._game, columns = row.game, zip(_COLUMNS, _column_decoders(codec), _parts(row)[1], strict=False)
        self._columns = [
            (decoder, _values(name, (decoder if name in _JOINT else _RAWS).decode(column), row.last_version))
            for name, decoder, column in columns
        ]

    def __getitem__(self, at: int) -> AnyRecord:
        fields = [
            decoder.decode(_LIST_OF_ONE + values[at])[0] if type(values[at]) is msgspec.Raw else values[at]
            for decoder, values in self._columns
        ]
        return Record(self._game, at + 1, *fields)


def last_change(row: Packed) -> Micros:
    """The time of the row's last record; raises DamagedGame."""
    times = msgspec.msgpack.decode(_parts(row)[1][_COLUMNS.index("time")], type=list[int])
    return int(_values("time", times, row.last_version)[-1])


def _parts(row: Packed) -> tuple[list[int], list[msgspec.Raw]]:
    """The gaps between positions, and the columns."""
    game, first, last, version, digest, body = row
    if digest_of(game, first, last, version, body) != bytes(digest):
        raise DamagedGame(game, "its bytes are not those whose digest is kept")
    form, gaps, columns = _BODY.decode(zlib.decompress(body))
    if form != FORMAT:
        raise DamagedGame(game, f"it is packed in format {form}, which this program does not know")
    return gaps, columns


def encoded_records(game: Sequence[Recorded]) -> bytes:
    """The records as plain msgpack, to compare two lists."""
    return _ENCODER.encode([record for _, record in game])


def _column(name: str, values: list[Any]) -> Any:
    if name == "digest" and all(len(value) == _DIGEST_SIZE for value in values):
        return b"".join(values)
    if name in _DIFFERENCES:
        values = _differences(values)
    return values[:1] if all(value == values[0] for value in values) else values


def _values(name: str, column: Any, count: int) -> Any:
    """The values of a column: the inverse of `_column`."""
    if isinstance(column, bytes):
        return [column[at : at + _DIGEST_SIZE] for at in range(0, len(column), _DIGEST_SIZE)]
    values = column * count if len(column) == 1 else column
    return list(accumulate(values)) if name in _DIFFERENCES else values


def _differences(numbers: list[int]) -> list[int]:
    return [numbers[0], *(after - before for before, after in pairwise(numbers))]


@lru_cache(maxsize=16)
def _column_decoders(codec: Codec) -> tuple[Decoder[Any], ...]:
    """A decoder for each column: a list of values, or the joined bytes of all digests."""
    events, commands = get_args(codec._decoder.type)
    types = get_type_hints(Record, include_extras=True) | {"event": events, "command": commands}
    lists = {name: list[types[name]] for name in _COLUMNS}  # type: ignore[valid-type]
    return tuple(Decoder(bytes | of if name == "digest" else of) for name, of in lists.items())
