"""The stock in PostgreSQL: taking a deal, which is then gone from it, noting what is wished, and putting deals in."""

from collections.abc import Collection
from typing import Any, NamedTuple

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
from service.keys.sealing import Seals
from service.keys.sealing.seals import SealError
from service.solving import SOLVERS
from service.solving.levels import LEVELS, level_of, levels_of

_TOPIC = "certified deal"
_KEPT = 7 * DAY
_MOST_WISHES = 20
"""Sets of options that were wished for last, for which deals are kept beside those for the usual ones."""

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
INSERT INTO deal_wishes (game_type, options, asked_at) VALUES (%s, %s, %s)
ON CONFLICT (game_type, options) DO UPDATE SET asked_at = greatest(deal_wishes.asked_at, excluded.asked_at)
"""
_FORGET = """
DELETE FROM deal_wishes WHERE asked_at < %s OR (game_type, options) NOT IN
    (SELECT game_type, options FROM deal_wishes ORDER BY asked_at DESC LIMIT %s)
"""
_WISHED = "SELECT game_type, options FROM deal_wishes ORDER BY asked_at DESC"
_COUNT = "SELECT game_type, options, revision, level, count(*) FROM certified_deals GROUP BY 1, 2, 3, 4"
_CLEAR = "DELETE FROM certified_deals WHERE game_type = %s AND options = %s AND revision = %s"
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


async def note_wish(store: EventStore, shelf: Shelf) -> None:
    """Note that deals of this shelf are wished for."""
    await store.append([], [Companion(_NOTE, (shelf.key, shelf.options, now()))])


def put(connection: Connection[Any], seals: Seals, shelf: Shelf, proven: Proven) -> None:
    """Put this deal on its shelf, sealed."""
    which, level = uuid7(), level_of(shelf.key, proven.positions)
    sealed = seals.seal(place(which, 0, _TOPIC), msgspec.json.encode(proven))
    connection.execute(_PUT, (which, shelf.key, shelf.revision, shelf.options, level, sealed))


def lacking(connection: Connection[Any], most: int) -> dict[Shelf, dict[DealLevel, int]]:
    """By shelf how many deals each level lacks to have `most`, what was wished for last first.

    Deals that nobody wishes for any more are thrown away.
    """
    connection.execute(_FORGET, (now() - _KEPT, _MOST_WISHES))
    wished = [Shelf(key, options) for key, options in connection.execute(_WISHED).fetchall() if key in SOLVERS]
    shelves = list(dict.fromkeys([*wished, *usual_shelves()]))
    kept = _count_deals(connection, shelves)
    missing = {
        shelf: {level: most - kept.get((shelf, level), 0) for level in levels_of(shelf.key)} for shelf in shelves
    }
    return {shelf: short for shelf, lacks in missing.items() if (short := {k: n for k, n in lacks.items() if n > 0})}


def _count_deals(connection: Connection[Any], shelves: Collection[Shelf]) -> dict[tuple[Shelf, str], int]:
    """How many deals lie on these shelves by level; other deals go."""
    by_name = {(shelf.key, shelf.options, shelf.revision): shelf for shelf in shelves}
    kept: dict[tuple[Shelf, str], int] = {}
    for *name, level, count in connection.execute(_COUNT).fetchall():
        if (shelf := by_name.get(tuple(name))) is None:
            connection.execute(_CLEAR, name)
        else:
            kept[shelf, level] = count
    return kept
