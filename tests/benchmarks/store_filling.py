"""A store of very many finished games, written past the service by COPY: copies of a few hundred really played."""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any, NamedTuple
from uuid import UUID

import psycopg
from msgspec import Struct
from msgspec.structs import replace

from domain.games import GAME_TYPES
from domain.play import events as ev
from domain.player import SCOPES, Registered, TokenMinted
from domain.record import Record
from projections import PROJECTIONS as ALL
from projections.boards.scoreboards import SCOREBOARDS
from projections.engine.contract import Collection, D, Placed
from projections.engine.rows import DocumentRow, encode_document
from projections.games.game_lists import GAMES
from service.event_store.codec import AnyRecord, Recorded, digest_of, packed_row, standard_codec

from .scripts import script

START = 1_704_067_200_000  # 2024-01-01, in milliseconds
SPAN = 366 * 86_400_000
PROJECTIONS = (GAMES, SCOREBOARDS)
OTHERS = tuple(sorted(key for key in GAME_TYPES if key != "klondike" and GAME_TYPES[key].seats[0] <= 2))
OF_EACH = 20


class Original(NamedTuple):
    """A game that was played: its packed body, and those of its records that read models know."""

    key: str
    records: int
    body: bytes
    told: tuple[AnyRecord, ...]
    ending: int


def originals(key: str) -> list[Original]:
    """Twenty games of this type, by random listed commands, given up after 150 if they were not over."""
    return [_original(key, script(key, number, 150, True).records) for number in range(OF_EACH)]


def _original(key: str, records: tuple[AnyRecord, ...]) -> Original:
    row = packed_row([Recorded(position, record) for position, record in enumerate(records, 1)])
    told = tuple(one for one in records if isinstance(one.event, ev.Opened | ev.Finished | ev.Revealed))
    return Original(key, len(records), row.body, told, told[-1].version)


class Copy(NamedTuple):
    """A copy of an original: its id, its first position, when it was opened, and who is told to have played it."""

    original: Original
    game: UUID
    first: int
    opened_at: int
    players: tuple[UUID, ...]

    def told(self) -> Iterator[Placed]:
        """The records that read models know, of these players at these times."""
        shift = 1000 * self.opened_at - self.original.told[0].time
        for record in self.original.told:
            event = _moved(record.event, self.players, shift)
            moved = replace(record, stream=self.game, time=record.time + shift, event=event)
            yield Placed(self.first + record.version - 1, moved)


def _moved(event: Any, players: tuple[UUID, ...], shift: int) -> Any:
    if isinstance(event, ev.Opened):
        return replace(event, players=players, creator=players[0], visibility="public", rated=True)
    if isinstance(event, ev.Finished):
        return replace(event, players=players, rated=True, opened_at=event.opened_at + shift)
    return event


def person(number: int, people: int) -> UUID:
    """One of the people: half of them play Klondike, the others one of the other types each."""
    return _id(START + SPAN * number // people // 400, number, 1)


def kind(number: int) -> str:
    """The type that this person plays."""
    return "klondike" if number % 2 == 0 else OTHERS[number // 2 % len(OTHERS)]


def copies(games: int, people: int) -> Iterator[Copy]:
    """So many copies, one after the other in time and in the log, each person's turn coming round."""
    played = {key: originals(key) for key in ("klondike", *OTHERS)}
    first, apart = 1, 2 * len(OTHERS)
    for number in range(games):
        one, key = number % people, kind(number % people)
        original = played[key][number // people % OF_EACH]
        seats = GAME_TYPES[key].seats[0]
        players = tuple(person((one + apart * seat) % people, people) for seat in range(seats))
        opened_at = START + SPAN * number // games
        yield Copy(original, _id(opened_at, number, 2), first, opened_at, players)
        first += original.records


def _id(millis: int, number: int, kind: int) -> UUID:
    return UUID(int=millis << 80 | 7 << 76 | 2 << 62 | kind << 48 | number)


class Passing:
    """Documents of a fold that are handed on game by game; boards are kept to the end, for every game changes them."""

    def __init__(self) -> None:
        self._boards: dict[tuple[str, str], tuple[bytes | None, Struct]] = {}
        self._passing: dict[tuple[str, str], tuple[bytes | None, Struct]] = {}

    def _of(self, collection: Collection[Any]) -> dict[tuple[str, str], tuple[bytes | None, Struct]]:
        return self._boards if collection.name.startswith("board/") else self._passing

    def get(self, collection: Collection[D], key: str) -> D | None:
        held: Any = self._of(collection).get((collection.name, key))
        found: D | None = held and held[1]
        return found

    def put(self, collection: Collection[D], key: str, document: D, sort: bytes | None = None) -> None:
        self._of(collection)[collection.name, key] = (sort, document)

    def delete(self, collection: Collection[D], key: str) -> None:
        self._of(collection).pop((collection.name, key), None)

    def scan(self, collection: Collection[D], since: str = "") -> Iterator[tuple[str, D]]:
        raise NotImplementedError("A game that comes last needs none of the earlier ones.")

    def before(self, collection: Collection[D], key: str) -> D | None:
        raise NotImplementedError("Neither lists nor boards ask for it.")

    def handed_on(self) -> Iterator[DocumentRow]:
        """What the games since the last call have left, boards aside."""
        yield from _rows(self._passing)
        self._passing.clear()

    def boards(self) -> Iterator[DocumentRow]:
        """The boards as they stand in the end."""
        return _rows(self._boards)


def _rows(held: dict[tuple[str, str], tuple[bytes | None, Struct]]) -> Iterator[DocumentRow]:
    for (name, key), (sort, document) in held.items():
        yield name, key, sort, encode_document(document)


def documents_of(games: int, people: int, share: int) -> Iterator[tuple[int, DocumentRow]]:
    """Every document of lists and boards, with the number of its projection in PROJECTIONS.

    Two shares: those of Klondike and of all else; they have no document in common.
    """
    passing = [Passing() for _ in PROJECTIONS]
    for copied in copies(games, people):
        for told in copied.told() if (copied.original.key == "klondike") == (share == 0) else ():
            for projection, into in zip(PROJECTIONS, passing, strict=True):
                if projection.reads(told.record):
                    projection.fold(into, told)
        for at, into in enumerate(passing):
            yield from ((at, row) for row in into.handed_on())
    for at, into in enumerate(passing):
        yield from ((at, row) for row in into.boards())


_PACKED = (
    "COPY packed_games (game, first_position, last_position, last_version, digest, body) FROM STDIN (FORMAT binary)"
)
_PACKED_TYPES = ("uuid", "int8", "int8", "int4", "bytea", "bytea")
_ENDINGS = "COPY packed_endings (position, game, version) FROM STDIN (FORMAT binary)"
_SIGNATURES = "COPY signatures (game, version, key, value) FROM STDIN (FORMAT binary)"
_EVENTS = "COPY events (stream, version, position, topic, state) FROM STDIN (FORMAT binary)"
_PERSONS = "COPY persons (player, name) FROM STDIN (FORMAT binary)"
_DOCUMENTS = "COPY documents (build, collection, key, sort, body) FROM STDIN (FORMAT binary)"
_INDEXES = ("packed_games_opened", "packed_games_span", "documents_listed", "documents_pkey")


def people(games: int) -> int:
    """How many have played so many games: ten each."""
    return games // 10


def filled(conninfo: str, games: int) -> None:
    """The store, its read models at the head of the log, its tables vacuumed and analysed."""
    with psycopg.connect(conninfo, autocommit=True) as connection:
        made = _without_indexes(connection)
        builds = _builds(connection)
        with ProcessPoolExecutor(3, get_context("spawn")) as processes:
            packing = processes.submit(_fill_games, conninfo, games)
            shares = [processes.submit(_documents, conninfo, games, builds, share) for share in (0, 1)]
            head = packing.result()
            for share in shares:
                share.result()
        known = [person(number, people(games)) for number in range(people(games))]
        with connection.transaction():
            _copy(connection, _PERSONS, ("uuid", "text"), ((one, f"Player {at}") for at, one in enumerate(known)))
            _copy(connection, _EVENTS, ("uuid", "int4", "int8", "text", "bytea"), _registrations(known, head))
        head += 2 * len(known)
        connection.execute("UPDATE log SET head = %s", (head,))
        connection.execute("UPDATE positions SET position = %s", (head,))
        for sql in made:
            connection.execute(sql.encode())
        connection.execute("VACUUM ANALYZE")
        connection.execute("CHECKPOINT")


def _without_indexes(connection: psycopg.Connection[Any]) -> list[str]:
    """The indexes go, to be made when the rows are there; the statements that make them."""
    sql = "SELECT indexname, indexdef FROM pg_indexes WHERE indexname = ANY(%s) AND schemaname = 'public'"
    found = dict(connection.execute(sql, (list(_INDEXES),)).fetchall())
    connection.execute("ALTER TABLE documents DROP CONSTRAINT documents_pkey")
    for name in found.keys() - {"documents_pkey"}:
        connection.execute(f"DROP INDEX {name}".encode())
    key = "ALTER TABLE documents ADD CONSTRAINT documents_pkey PRIMARY KEY (build, collection, key)"
    return [key, *(sql for name, sql in found.items() if name != "documents_pkey")]


def _builds(connection: psycopg.Connection[Any]) -> list[int]:
    """A live build of every projection; the numbers of those whose documents are made."""
    numbers: dict[str, int] = {}
    for name, one in ALL.items():
        sql = "INSERT INTO positions (projection, version, live) VALUES (%s, %s, true) RETURNING build"
        row = connection.execute(sql, (name, one.version)).fetchone()
        numbers[name] = int(row[0]) if row else 0
    return [numbers[one.name] for one in PROJECTIONS]


def _fill_games(conninfo: str, games: int) -> int:
    """Packed games and what goes with each; the last position."""
    with psycopg.connect(conninfo) as connection:
        found = [(one.game, one.first, one.original) for one in copies(games, people(games))]
        _copy(connection, _PACKED, _PACKED_TYPES, (_packed(*one) for one in found))
        endings = ((first + one.ending - 1, game, one.ending) for game, first, one in found)
        _copy(connection, _ENDINGS, ("int8", "uuid", "int4"), endings)
        signed = ((game, one.records, "0123456789abcdef", bytes(64)) for game, _, one in found)
        _copy(connection, _SIGNATURES, ("uuid", "int4", "text", "bytea"), signed)
    _, first, last = found[-1]
    return first + last.records - 1


def _packed(game: UUID, first: int, one: Any) -> tuple[Any, ...]:
    said = (game, first, first + one.records - 1, one.records)
    return *said, digest_of(*said, one.body), one.body


def _documents(conninfo: str, games: int, builds: list[int], share: int) -> None:
    with psycopg.connect(conninfo) as connection:
        rows = ((builds[at], *row) for at, row in documents_of(games, people(games), share))
        _copy(connection, _DOCUMENTS, ("int8", "text", "text", "bytea", "bytea"), rows)


def _registrations(known: Iterable[UUID], head: int) -> Iterator[tuple[Any, ...]]:
    codec = standard_codec()
    for one in known:
        minted = TokenMinted(one, bytes(32), SCOPES, START)
        for version, event in enumerate((Registered(), minted), 1):
            head += 1
            record: Record[Any, Any] = Record(one, version, 1000 * START, "player", 1, version, one, None, None, event)
            yield one, version, head, codec.topic(record), codec.encode(record)


def _copy(
    connection: psycopg.Connection[Any], sql: str, types: tuple[str, ...], rows: Iterable[tuple[Any, ...]]
) -> None:
    with connection.cursor().copy(sql.encode()) as copy:
        copy.set_types(types)
        write: Callable[[Any], None] = copy.write_row
        for row in rows:
            write(row)
