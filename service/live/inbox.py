"""Inboxes: who may act now in games of several players, written in the transaction of each step."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import groupby
from typing import Any, NamedTuple
from uuid import UUID

from cachetools import LRUCache
from msgspec import Struct

from domain.play.aggregate import AnyRecord, Game, fold
from domain.play.deciding import Step
from domain.record import Micros
from domain.view import Seat
from service.event_store.codec import Codec
from service.event_store.connections import Rows, open_connection
from service.event_store.reading import read_stream
from service.event_store.store import EventStore
from service.event_store.writing.rows import Companion
from service.keys.sealing import SealingKeyMissing
from service.outbox.events import Turns

_COLUMNS = "game, player, game_type, seats, since, version"
_SET = f"""
WITH done AS (DELETE FROM waiting WHERE game = %s AND player <> ALL(%s::uuid[]))
INSERT INTO waiting ({_COLUMNS})
SELECT %s::uuid, player, %s::text, array_agg(seat ORDER BY seat), %s::bigint, %s::int
FROM unnest(%s::uuid[], %s::smallint[]) AS acting (player, seat) GROUP BY player
ON CONFLICT (game, player) DO UPDATE SET seats = excluded.seats, version = excluded.version
"""
# Rows change only with who may act, not with every step: the version is read from the log.
_NOW = "coalesce((SELECT max(events.version) FROM events WHERE events.stream = waiting.game), waiting.version)"
_SELECT = f"SELECT game, player, game_type, seats, since, {_NOW} FROM waiting WHERE player = %s"
_UNFINISHED = """
(SELECT stream FROM events WHERE topic = 'game/opened'
 EXCEPT SELECT stream FROM events WHERE topic IN ('game/finished', 'game/voided'))
UNION SELECT game FROM waiting
"""
_FINGERPRINT = "SELECT md5(coalesce(string_agg(waiting::text, chr(10) ORDER BY game, player), '')) FROM waiting"

Acting = tuple[tuple[UUID, Seat], ...]
"""Players who may act now, with the seats they may act for."""


class Wait(Struct, frozen=True):
    """A game that waits for a player: the player's seats that may act, since when, and the game's version."""

    game: UUID
    player: UUID
    game_type: str
    seats: tuple[Seat, ...]
    since: Micros
    version: int


def has_several_players(game: Game) -> bool:
    """Whether several players sit at the game. A game of one player always waits for that player."""
    return len({player for player in game.players if player is not None}) > 1


def find_acting(game: Game) -> Acting:
    """The players who may act now, with their seats. Every viewer may know whose move it is."""
    if game.status != "playing" or not has_several_players(game):
        return ()
    held = [(game.players[seat], seat) for seat in game.type.look(game.state, None).to_act]
    return tuple((player, seat) for player, seat in held if player is not None)


class ActingCache:
    """A cache of `find_acting`, which makes a view of the table."""

    def __init__(self, capacity: int = 10_000) -> None:
        self._cached: LRUCache[UUID, tuple[int, bytes, Acting]] = LRUCache(capacity)

    def find(self, game: Game) -> Acting:
        """As `find_acting`, from the cache."""
        cached = self._cached.get(game.id)
        if cached is not None and cached[:2] == (game.version, game.digest):
            return cached[2]
        acting = find_acting(game)
        self._cached[game.id] = game.version, game.digest, acting
        return acting


class Change(NamedTuple):
    """A game after a step that changed who may act, and both states."""

    game: Game
    before: Acting
    after: Acting


def changes(before: Game | None, step: Step, who: Callable[[Game], Acting] = find_acting) -> list[Change]:
    """The steps that change who may act."""
    if not step.records or step.game.state is None or not has_several_players(step.game):
        return []
    acting = () if before is None else who(before)
    changes: list[Change] = []
    for game in _fold_steps(before, step):
        could, acting = acting, who(game)
        if could != acting:
            changes.append(Change(game, could, acting))
    return changes


def companions(changes: Iterable[Change]) -> list[Companion]:
    """The statements to run with these changes."""
    statements = []
    for game, _, acting in changes:
        players, seats = [player for player, _ in acting], [seat for _, seat in acting]
        columns = (game.id, game.type.key, game.updated_at, game.version)
        statements.append(Companion(_SET, (game.id, players, *columns, players, seats)))
    return statements


def turns(changes: Iterable[Change]) -> list[Turns]:
    """Whose turn it became with these changes."""
    return [Turns(game, tuple(dict(after).keys() - dict(before).keys())) for game, before, after in changes]


def _fold_steps(game: Game | None, step: Step) -> Iterator[Game]:
    """The game after each step; a list of commands has several, and a player may have waited in between."""
    if step.records[0].step == step.records[-1].step:
        yield step.game
        return
    for _, records in groupby(step.records, key=lambda record: record.step):
        game = fold(records, game)
        yield game


async def page(store: EventStore, player: UUID, most: int, behind: tuple[Micros, UUID] | None) -> list[Wait]:
    """At most `most` games that wait for this player, newest first, after this `since` and game."""
    more = " AND (since, game) < (%s, %s)" if behind else ""
    order = " ORDER BY since DESC, game DESC LIMIT %s"
    return _read_waits(await store.query(_SELECT + more + order, (player, *(behind or ()), most)))


async def waits(store: EventStore, player: UUID, games: Collection[UUID] | None = None) -> list[Wait]:
    """Every game that waits for this player, newest first; only among `games`, if given."""
    more = "" if games is None else " AND game = ANY(%s)"
    values = (player,) if games is None else (player, list(games))
    return _read_waits(await store.query(f"{_SELECT}{more} ORDER BY since DESC, game DESC", values))


async def waiting_pairs(
    store: EventStore, games: Collection[UUID], players: Collection[UUID]
) -> set[tuple[UUID, UUID]]:
    """The pairs of game and player, among these, where the game waits for the player."""
    query = "SELECT game, player FROM waiting WHERE game = ANY(%s) AND player = ANY(%s)"
    return {(row[0], row[1]) for row in await store.query(query, (list(games), list(players)))}


def _read_waits(rows: Rows) -> list[Wait]:
    return [Wait(game, player, key, tuple(held), since, version) for game, player, key, held, since, version in rows]


def waits_after(waits: Sequence[Wait], game: Game) -> tuple[Wait, ...]:
    """The waits of a game after its last step, as the statement makes them; for a rebuild."""
    since = {wait.player: wait.since for wait in waits}
    seats: dict[UUID, tuple[Seat, ...]] = {}
    for player, seat in sorted(find_acting(game)):
        seats[player] = (*seats.get(player, ()), seat)
    if seats == {wait.player: wait.seats for wait in waits}:
        return tuple(waits)
    return tuple(
        Wait(game.id, player, game.type.key, held, since.get(player, game.updated_at), game.version)
        for player, held in seats.items()
    )


def rebuild(conninfo: str, codec: Codec | None = None) -> str:
    """Rebuild the table from the log, also while the service runs; the fingerprint of its rows.

    Locks the log game by game; a game whose sealing key is missing keeps its rows. Raises StoreUnavailable, and
    UnknownTopic or UnreadableRecord.
    """
    with open_connection(conninfo, "rebuild") as connection:
        for (game,) in connection.execute(_UNFINISHED).fetchall():
            with suppress(SealingKeyMissing), connection.transaction():
                connection.execute("SELECT FROM log FOR UPDATE")
                rows = [row(wait) for wait in folded_waits(read_stream(connection, game, codec=codec))]
                connection.execute("DELETE FROM waiting WHERE game = %s", (game,))
                insert = f"INSERT INTO waiting ({_COLUMNS}) VALUES (%s, %s, %s, %s, %s, %s)"
                connection.cursor().executemany(insert, rows)
        fingerprint = connection.execute(_FINGERPRINT).fetchone()
    return str(fingerprint and fingerprint[0])


def folded_waits(records: Sequence[AnyRecord]) -> tuple[Wait, ...]:
    """Who waits after these records of one game."""
    waits: tuple[Wait, ...] = ()
    game: Game | None = None
    for _, step in groupby(records, key=lambda record: record.step):
        game = fold(step, game)
        waits = waits_after(waits, game)
    return waits


def row(wait: Wait) -> tuple[Any, ...]:
    """The table's row of this wait."""
    return (wait.game, wait.player, wait.game_type, list(wait.seats), wait.since, wait.version)
