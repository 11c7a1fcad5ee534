"""Deals by wish: a stock in PostgreSQL of deals that a solver has won, filled beside the worker, each dealt once."""

import secrets
import time
from collections.abc import Iterable
from functools import partial
from time import monotonic
from typing import Any, NamedTuple
from uuid import UUID

import msgspec
from msgspec import Struct
from msgspec.structs import replace
from psycopg import Connection

from domain.capabilities import OptionRules
from domain.game_type import Concealed, Illegal
from domain.games import GAME_TYPES, AnyGameType
from domain.play.events import DealLevel
from domain.record import DAY
from service import solving
from service.event_store.codec import place
from service.event_store.ids import now, uuid7
from service.event_store.store import EventStore
from service.event_store.writing.rows import Companion
from service.jobs.process import write_note
from service.jobs.searching import Search, SearchThread
from service.keys.sealing import SealError, Seals
from service.solving import SOLVERS
from service.solving.levels import LEVELS, level_of, levels_of

_TOPIC = "certified deal"
_REMEMBERED = 7 * DAY
_SHARE, _MOST_WISHES = 2, 100
"""Sets of options for which deals are searched beside the usual ones: each player's newest wishes, and all players'."""
_LOCK = 0x776973686573  # "wishes"
_SLICE = 5.0
"""Seconds of processor time of one process."""
_FRUITLESS = 600.0
"""Seconds in which a pool is left alone once a process found nothing that it lacks."""
_FIRST = 100
"""Positions of a first search, which makes the machine code and does not count."""

# Two requests at the same moment take two deals: a row that is being taken is skipped.
_TAKE = """
WITH taken AS (
    SELECT id FROM certified_deals
    WHERE game_type = %s AND revision = %s AND options = %s AND level = coalesce(%s::text, level)
    ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED
)
DELETE FROM certified_deals USING taken WHERE certified_deals.id = taken.id
RETURNING certified_deals.id, level, sealed
"""
_NOTE = """
INSERT INTO player_wishes (player, game_type, options, asked_at) VALUES (%s, %s, %s, %s)
ON CONFLICT (player, game_type, options) DO UPDATE SET asked_at = excluded.asked_at
"""
_FORGET = """
DELETE FROM player_wishes AS wish WHERE asked_at < %s OR %s <= (
    SELECT count(*) FROM player_wishes AS later WHERE later.player = wish.player AND later.asked_at > wish.asked_at
)
"""
_WISHED = "SELECT game_type, options FROM player_wishes GROUP BY 1, 2 ORDER BY max(asked_at) DESC LIMIT %s"
_COUNT = "SELECT game_type, options, revision, level, count(*) FROM certified_deals GROUP BY 1, 2, 3, 4"
_READY = "SELECT DISTINCT game_type, options, revision, level FROM certified_deals"
_CLEAR = """
DELETE FROM certified_deals WHERE id < %s AND (game_type, options, revision) NOT IN
    (SELECT * FROM unnest(%s::text[], %s::text[], %s::int[]))
"""
_PUT = """
INSERT INTO certified_deals (id, game_type, revision, options, level, sealed) VALUES (%s, %s, %s, %s, %s, %s)
"""


class Proven(Concealed, frozen=True):
    """A seed whose deal was won, and how many positions that took."""

    seed: bytes
    positions: int


class WishedDeal(Concealed, frozen=True):
    """A deal that leaves the stock."""

    seed: bytes
    level: DealLevel


class DealPool(NamedTuple):
    """A game type and its options as JSON, without undo, as no deal depends on it."""

    key: str
    options: str

    @property
    def revision(self) -> int:
        """The rules by which deals are dealt now."""
        return GAME_TYPES[self.key].revision


def pool_of(kind: AnyGameType, options: Struct) -> DealPool:
    """The pool of deals with these options; raises Illegal for options that the game type refuses."""
    settled = kind.get(OptionRules).settle(options, 1)
    if "undo" in settled.__struct_fields__:
        settled = replace(settled, undo=kind.options().undo)
    return DealPool(kind.key, msgspec.json.encode(settled, order="sorted").decode())


def usual_pools() -> list[DealPool]:
    """The pool of each game type's usual options."""
    return [pool_of(GAME_TYPES[key], GAME_TYPES[key].options()) for key in SOLVERS]


def require_level(kind: AnyGameType, level: DealLevel | None) -> None:
    """Raises Illegal for a level that deals of this game type do not have."""
    if level is not None and level not in levels_of(kind.key):
        message = f"{kind.name} plays itself: its deals have no level but {LEVELS[0]}."
        raise Illegal("deal_level", message, "/deal/level")


async def take_deal(store: EventStore, seals: Seals, pool: DealPool, level: DealLevel | None) -> WishedDeal | None:
    """Take a deal out of the stock, of any level for None; None: there is none."""
    while rows := await store.query(_TAKE, (pool.key, pool.revision, pool.options, level)):
        deal_id, deal_level, sealed = rows[0]
        try:
            text = seals.unseal(place(deal_id, 0, _TOPIC), bytes(sealed))
        except SealError:  # its key is gone: the next one
            continue
        return WishedDeal(msgspec.json.decode(text, type=Proven).seed, deal_level)
    return None


async def ready_levels(store: EventStore) -> dict[DealPool, set[str]]:
    """By pool the levels of which a deal lies ready now."""
    ready: dict[DealPool, set[str]] = {}
    for key, options, revision, level in await store.query(_READY):
        if (pool := DealPool(key, options)).key in SOLVERS and pool.revision == revision:
            ready.setdefault(pool, set()).add(level)
    return ready


async def note_wish(store: EventStore, player: UUID, pool: DealPool) -> None:
    """Note that this player wishes for deals of this pool; the usual pools are filled anyway."""
    if pool not in usual_pools():
        await store.append([], [Companion(_NOTE, (player, *pool, now()))])


def put_deal(connection: Connection[Any], seals: Seals, pool: DealPool, proven: Proven) -> None:
    """Put this deal on its pool, sealed."""
    deal_id, level = uuid7(), level_of(pool.key, proven.positions)
    sealed = seals.seal(place(deal_id, 0, _TOPIC), msgspec.json.encode(proven))
    connection.execute(_PUT, (deal_id, pool.key, pool.revision, pool.options, level, sealed))


def count_lacking(connection: Connection[Any], most: int) -> dict[DealPool, dict[DealLevel, int]]:
    """By pool how many deals each level lacks to have `most`, what was wished for last first.

    Deals of other pools are thrown away once they are a day old.
    """
    connection.execute(_FORGET, (now() - _REMEMBERED, _SHARE))
    rows = connection.execute(_WISHED, (_MOST_WISHES,)).fetchall()
    wished = [DealPool(key, options) for key, options in rows if key in SOLVERS]
    pools = list(dict.fromkeys([*wished, *usual_pools()]))
    names = {(pool.key, pool.options, pool.revision): pool for pool in pools}
    yesterday = UUID(int=(now() - DAY) // 1000 << 80)  # ids are UUIDv7
    connection.execute(_CLEAR, (yesterday, *map(list, zip(*names, strict=True))))
    counts = {(names.get((*name,)), level): count for *name, level, count in connection.execute(_COUNT).fetchall()}
    missing = {pool: {level: most - counts.get((pool, level), 0) for level in levels_of(pool.key)} for pool in pools}
    return {pool: short for pool, lacks in missing.items() if (short := {k: n for k, n in lacks.items() if n > 0})}


class Turns:
    """Whose turn it is: a wished pool and a usual one by turns, of each kind the one that has waited longest."""

    def __init__(self) -> None:
        self._waits_since: dict[DealPool, float] = {}
        self._usual, self._usual_next = frozenset(usual_pools()), False

    def next_of(self, lacking: Iterable[DealPool], at: float) -> DealPool | None:
        """The pool of these whose turn it is; None: all rest. A new one waits from now on, behind the others."""
        waits = self._waits_since = {pool: self._waits_since.get(pool, at) for pool in lacking}
        due = [pool for pool, since in waits.items() if since <= at]
        chosen = min(due, key=lambda pool: ((pool in self._usual) != self._usual_next, waits[pool]), default=None)
        self._usual_next = chosen not in self._usual
        return chosen

    def wait_from(self, pool: DealPool, at: float) -> None:
        """It has had its turn, and waits for the next one from then on."""
        self._waits_since[pool] = at


def find_deals(pool: DealPool, seconds: float) -> None:
    """The job for one pool: shuffle and search for so many seconds of processor time; send each deal that is won."""
    key, kind = pool.key, GAME_TYPES[pool.key]
    options = kind.get(OptionRules).settle(msgspec.json.decode(pool.options, type=kind.options), 1)
    solving.verdict(key, options, solving.seeded(kind, options, bytes(32)), _FIRST)
    until = time.process_time() + seconds
    while time.process_time() < until:
        seed = secrets.token_bytes(32)
        finding = solving.verdict(key, options, solving.seeded(kind, options, seed))
        if finding.verdict == "won":
            write_note(Proven(seed, finding.positions))


def stock_search(seals: Seals) -> Search:
    """The search that fills the stock: a quarter of one core at most, and that behind all else."""
    fill = partial(_fill_next, seals, Turns())
    return Search("wishes", 19, fill, poll=1.0, rest=3, lock=_LOCK, is_on=lambda settings: settings.certified_deals)


def _fill_next(seals: Seals, turns: Turns, thread: SearchThread, connection: Connection[Any]) -> bool:
    """Search for the pool whose turn it is, of those that lack deals, until it lacks none; False: none lacks any."""
    if not seals.ids:  # nothing is stored in the clear
        return False
    lacking = count_lacking(connection, thread.settings.certified_deals)
    if (pool := turns.next_of(lacking, monotonic())) is None:
        return False
    lacks, deals = lacking[pool], 0
    for proven in thread.notes_of(connection, (find_deals, (pool, _SLICE), {})):
        if proven is not None and lacks.get(level := level_of(pool.key, proven.positions), 0) > 0:
            put_deal(connection, seals, pool, proven)
            lacks[level], deals = lacks[level] - 1, deals + 1
        if not any(lacks.values()):
            break
    turns.wait_from(pool, monotonic() + (0.0 if deals else _FRUITLESS))
    return True
