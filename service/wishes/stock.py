"""The stock in PostgreSQL: taking a deal, which is then gone from it, noting what is wished, and putting deals in."""

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
from service.event_store.codec import place
from service.event_store.ids import now, uuid7
from service.event_store.store import EventStore
from service.event_store.writing.rows import Companion
from service.keys.sealing import SealError, Seals
from service.solving import SOLVERS
from service.solving.levels import LEVELS, level_of, levels_of

_TOPIC = "certified deal"
_KEPT = 7 * DAY
_SHARE, _MOST_WISHES = 2, 100
"""Sets of options for which deals are looked for beside the usual ones: those that each player wished for last, and of
all players'."""

# Whoever comes at the same moment takes the next deal: a row that somebody is taking is skipped.
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
    """What somebody is dealt."""

    seed: bytes
    level: DealLevel


class Shelf(NamedTuple):
    """What deals are kept apart by: a game type, and its options as JSON. Undo is none of them: no deal hangs on it."""

    key: str
    options: str

    @property
    def revision(self) -> int:
        """The rules by which deals are dealt now."""
        return GAME_TYPES[self.key].revision


def shelf_of(kind: AnyGameType, options: Struct) -> Shelf:
    """The shelf of deals with these options; raises Illegal for options that the game type refuses."""
    settled = kind.get(OptionRules).settle(options, 1)
    if "undo" in settled.__struct_fields__:
        settled = replace(settled, undo=kind.options().undo)
    return Shelf(kind.key, msgspec.json.encode(settled, order="sorted").decode())


def usual_shelves() -> list[Shelf]:
    """The shelf of each game type's usual options."""
    return [shelf_of(GAME_TYPES[key], GAME_TYPES[key].options()) for key in SOLVERS]


def require_level(kind: AnyGameType, level: DealLevel | None) -> None:
    """Raises Illegal for a level that deals of this game type do not have."""
    if level is not None and level not in levels_of(kind.key):
        said = f"{kind.name} plays itself: its deals have no level but {LEVELS[0]}."
        raise Illegal("deal_level", said, "/deal/level")


async def take(store: EventStore, seals: Seals, shelf: Shelf, level: DealLevel | None) -> WishedDeal | None:
    """A deal that nobody has been dealt, of any level for None; None: there is none. It is gone from the stock."""
    wanted = (shelf.key, shelf.revision, shelf.options, level)
    while rows := await store.query(_TAKE, wanted):
        which, found, sealed = rows[0]
        try:
            text = seals.unseal(place(which, 0, _TOPIC), bytes(sealed))
        except SealError:  # its key is gone: the next one
            continue
        return WishedDeal(msgspec.json.decode(text, type=Proven).seed, found)
    return None


async def note_wish(store: EventStore, player: UUID, shelf: Shelf) -> None:
    """Note that this player wishes for deals of this shelf; the usual ones are kept anyway."""
    if shelf not in usual_shelves():
        await store.append([], [Companion(_NOTE, (player, *shelf, now()))])


def put(connection: Connection[Any], seals: Seals, shelf: Shelf, proven: Proven) -> None:
    """Put this deal on its shelf, sealed."""
    which, level = uuid7(), level_of(shelf.key, proven.positions)
    sealed = seals.seal(place(which, 0, _TOPIC), msgspec.json.encode(proven))
    connection.execute(_PUT, (which, shelf.key, shelf.revision, shelf.options, level, sealed))


def lacking(connection: Connection[Any], most: int) -> dict[Shelf, dict[DealLevel, int]]:
    """By shelf how many deals each level lacks to have `most`, what was wished for last first.

    Deals that nobody wishes for any more are thrown away, but none before it is a day old.
    """
    connection.execute(_FORGET, (now() - _KEPT, _SHARE))
    rows = connection.execute(_WISHED, (_MOST_WISHES,)).fetchall()
    wished = [Shelf(key, options) for key, options in rows if key in SOLVERS]
    shelves = list(dict.fromkeys([*wished, *usual_shelves()]))
    names = {(shelf.key, shelf.options, shelf.revision): shelf for shelf in shelves}
    yesterday = UUID(int=(now() - DAY) // 1000 << 80)  # ids are UUIDv7
    connection.execute(_CLEAR, (yesterday, *map(list, zip(*names, strict=True))))
    kept = {(names.get((*name,)), level): count for *name, level, count in connection.execute(_COUNT).fetchall()}
    missing = {
        shelf: {level: most - kept.get((shelf, level), 0) for level in levels_of(shelf.key)} for shelf in shelves
    }
    return {shelf: short for shelf, lacks in missing.items() if (short := {k: n for k, n in lacks.items() if n > 0})}
