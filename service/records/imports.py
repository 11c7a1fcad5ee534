"""Imports: complete records of games from elsewhere, verified and stored in tables of their own, never in the log.

A thread makes games from records and commands for the event loop to store; exports are made in a child process of
`service.jobs`.
"""

import asyncio
from codecs import BOM_UTF8
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from typing import NamedTuple, ParamSpec, TypeVar
from uuid import UUID

from msgspec import Struct

from domain.game_type import Illegal
from domain.play.aggregate import AnyRecord, Game, fold
from domain.play.deciding import Act, play
from domain.play.events import Resign, Sealed
from domain.play.open_record import OpenRecord, Unreadable, record_lines
from domain.play.table import Opening, open_game
from domain.play.verify_text import verify_text
from domain.record import Micros
from service.event_store import keyed_writes
from service.event_store.connections import Rows
from service.event_store.imported import compressed_text, import_id
from service.event_store.store import EventStore
from service.event_store.writing.rows import Companion
from service.keys.signing import JwkSet, check_signature
from service.live import seats
from service.problems import Refused

P = ParamSpec("P")
R = TypeVar("R")
AT_ONCE = 1
QUEUE = 30
"""More threads would do no more work, since they share one interpreter, and each request would take longer."""

_INSERT_GAME = "INSERT INTO imports (game, game_type, digest, body) SELECT %s, %s, %s, %s {} ON CONFLICT DO NOTHING"
_INSERT_IMPORTER = "INSERT INTO importers (player, imported_at, game) SELECT %s, %s, %s {} ON CONFLICT DO NOTHING"
_IF_ANALYSED = "WHERE EXISTS (SELECT FROM analyses WHERE game = %s)"
_DELETE = "DELETE FROM importers WHERE player = %s AND game = %s"
_WITH_DEPENDENTS = """
WITH gone AS ({} RETURNING game), unsaid AS (DELETE FROM comments USING gone WHERE comments.game = gone.game)
DELETE FROM analyses USING gone WHERE analyses.game = gone.game
"""
_DROP = _WITH_DEPENDENTS.format(
    "DELETE FROM imports WHERE game = %s AND NOT EXISTS (SELECT FROM importers WHERE game = %s)"
)
_DELETE_ALL = "DELETE FROM importers WHERE player = %s"
_DROP_ALL = _WITH_DEPENDENTS.format(
    "DELETE FROM imports WHERE NOT EXISTS (SELECT FROM importers WHERE importers.game = imports.game)"
)
_PAGE = """
SELECT game, game_type, imported_at FROM importers JOIN imports USING (game)
WHERE player = %s AND (imported_at, game) < (%s, %s) ORDER BY imported_at DESC, game DESC LIMIT %s
"""
_NO_PLAYER = UUID(int=0)
_END = (2**63 - 1, UUID(int=2**128 - 1))


class VerifiedImport(NamedTuple):
    """A verified text of a game that is over and revealed. `id`: the game's id in this service."""

    id: UUID
    text: bytes
    record: OpenRecord
    game: Game


class Import(Struct, frozen=True):
    """An imported game in its importer's list."""

    game: UUID
    game_type: str
    imported_at: Micros


def resigned_game(opening: Opening, secret: Sealed) -> VerifiedImport:
    """The game of one seat that is resigned as soon as it is dealt, with no player and no time; raises Illegal.

    The same secret makes the same record."""
    act = Act(_NO_PLAYER, 0, 0)
    step = open_game(_NO_PLAYER, opening, secret, act)
    step = step._replace(records=(*step.records, *play(step.game, Resign(), act).records))
    record = OpenRecord(step.records, None)
    text = b"".join(record_lines(record))
    return VerifiedImport(import_id(text), text, record, fold(step.records))


def verify_import(text: bytes, keys: JwkSet | None = None) -> VerifiedImport:
    """The text, verified from its first line to its last; raises Refused with line, or step and fault.

    Annotations are verified and left out: with or without them it is the same game. A wrong signature in the name of
    one of these keys is a fault; signatures of other keys are not checked.
    """
    text = text.removeprefix(BOM_UTF8)
    try:
        record, faults, _ = verify_text(text)
    except Unreadable as error:
        raise Refused("malformed", str(error)) from error
    if faults:
        raise Refused("not_verified", " ".join(f"Step {step}: {what}" for step, what in faults))
    game = fold(record.records)
    if not seats.is_fully_known(game):
        raise Refused("not_verified", f"Step {game.step}: The game is not over, or its deal is not revealed.")
    if keys is not None and check_signature(record, keys) == "wrong":
        raise Refused("not_verified", f"Step {game.step}: The signature is not one of this record.")
    if record.annotations:
        record = record._replace(annotations=())
        text = b"".join(record_lines(record))
    return VerifiedImport(import_id(text), text, record, game)


def keep_statements(player: UUID, game: VerifiedImport, at: Micros, *, if_analysed: bool = False) -> list[Companion]:
    """The statements that store a game and its importer; they change nothing if both are stored.

    `if_analysed`: only where its analysis is requested.
    """
    where, key = (_IF_ANALYSED, (game.id,)) if if_analysed else ("", ())
    values = (game.id, game.game.type.key, sha256(game.text).digest(), compressed_text(game.text))
    return [
        Companion(_INSERT_GAME.format(where), (*values, *key)),
        Companion(_INSERT_IMPORTER.format(where), (player, at, game.id, *key)),
    ]


async def keep(store: EventStore, player: UUID, game: VerifiedImport, at: Micros, most: int) -> bool:
    """Store the game for this player; whether it is new here. Raises Illegal if the player has too many imports."""
    importers = await store.query("SELECT player FROM importers WHERE game = %s", (game.id,))
    if (player,) not in importers:
        await _require_space(store, player, most)
        status = keyed_writes.companions(game.id, answer=b"200" if importers else None)
        await store.append([], [*keep_statements(player, game, at), *status])
    return not importers


def is_same_game(record: OpenRecord, records: Sequence[AnyRecord]) -> bool:
    """Whether a record equals the records of a game of this service, or their beginning."""
    return bool(records) and tuple(records[: len(record.records)]) == record.records


async def statements_if_analysed(
    store: EventStore, player: UUID, game: VerifiedImport, at: Micros, most: int
) -> list[Companion]:
    """The statements that store the game for this player where its analysis is requested; none if they have it.

    Raises Illegal if the player has too many imports.
    """
    if await store.query("SELECT FROM importers WHERE player = %s AND game = %s", (player, game.id)):
        return []
    await _require_space(store, player, most)
    return keep_statements(player, game, at, if_analysed=True)


async def _require_space(store: EventStore, player: UUID, most: int) -> None:
    rows = await store.query("SELECT count(*) FROM importers WHERE player = %s", (player,))
    if rows[0][0] >= most:
        raise Illegal("too_many_imports", f"You have imported {most} games: delete some.")


async def remove(store: EventStore, player: UUID, game: UUID) -> None:
    """Delete the player's import, and the game with its last importer; raises Refused."""
    rows = await store.query("SELECT FROM importers WHERE player = %s AND game = %s", (player, game))
    if not rows:
        raise Refused("no_such_thing", "You have not imported such a game.")
    statements = [Companion(_DELETE, (player, game)), Companion(_DROP, (game, game))]
    await store.append([], [*statements, *keyed_writes.companions(game)])


def delete_statements(player: UUID) -> list[Companion]:
    """The statements that delete every import of a player."""
    return [Companion(_DELETE_ALL, (player,)), Companion(_DROP_ALL)]


async def page(store: EventStore, player: UUID, limit: int, behind: tuple[Micros, UUID] | None) -> list[Import]:
    """Up to `limit` of this player's imports, newest first, after the last of the page before."""
    rows: Rows = await store.query(_PAGE, (player, *(behind or _END), limit))
    return [Import(*row) for row in rows]


class Verifiers:
    """The thread: one request at a time, a few in a queue, more are refused."""

    def __init__(self, at_once: int = AT_ONCE, queue: int = QUEUE) -> None:
        self._threads = ThreadPoolExecutor(at_once, "verifying")
        self._most = at_once + queue
        self._under_way = 0

    async def ask(self, work: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """The result of the work; raises its errors, or Refused if the queue is full."""
        if self._under_way >= self._most:
            raise Refused("busy", "Much of this kind is asked for already; ask again soon.")
        self._under_way += 1
        try:
            return await asyncio.wrap_future(self._threads.submit(work, *args, **kwargs))
        finally:
            self._under_way -= 1

    def close(self) -> None:
        """Cancel the queue; work under way ends by itself."""
        self._threads.shutdown(wait=False, cancel_futures=True)
