"""Players found by how their name begins, as they allow it.

Names are sealed, so the table has hashes of each name's beginnings, keyed by a sealing key: the database alone finds
nobody. It has rows only of players who may be found; erasing a player deletes them.
"""

from collections.abc import Sequence
from typing import Any
from unicodedata import normalize
from uuid import UUID

from service.event_store.store import EventStore
from service.event_store.writing.rows import Companion

_LEAST = 2
"""Characters of the shortest beginning that finds a name, but for a name that is shorter."""
_ADD = """
INSERT INTO name_beginnings (beginning, player, length) SELECT beginning, persons.player, %s
FROM persons, unnest(%s::bytea[]) AS beginning
WHERE persons.player = %s AND (%s OR EXISTS (SELECT FROM name_beginnings AS old WHERE old.player = persons.player))
FOR KEY SHARE OF persons ON CONFLICT (beginning, player) DO UPDATE SET length = excluded.length
"""
_KEEP_ONLY = "DELETE FROM name_beginnings WHERE player = %s AND NOT beginning = ANY(%s)"
_FIND = """
SELECT length, player FROM name_beginnings WHERE beginning = ANY(%s) AND (length, player) > (%s, %s)
GROUP BY length, player ORDER BY length, player LIMIT %s
"""


def rename_statements(store: EventStore, player: UUID, name: str, *, allow: bool = False) -> list[Companion]:
    """Statements after which the player is found by this name and no other, if that was allowed or is from now on."""
    text = _searched_text(name)
    ends = range(min(_LEAST, len(text)), len(text) + 1)
    hashes = [newest for end in ends for newest in _hash_beginning(store, text[:end])[:1]]
    return [Companion(_ADD, (len(text), hashes, player, allow)), Companion(_KEEP_ONLY, (player, hashes))]


def forbid_statement(player: UUID) -> Companion:
    """The statement after which nobody finds the player by name."""
    return Companion(_KEEP_ONLY, (player, []))


async def is_findable(store: EventStore, player: UUID) -> bool:
    return bool(await store.query("SELECT FROM name_beginnings WHERE player = %s LIMIT 1", (player,)))


async def find_players(
    store: EventStore, beginning: str, limit: int, after: tuple[int, UUID]
) -> Sequence[Sequence[Any]]:
    """Length of name and id of players whose names begin so, the shortest name first, so a whole name stands first."""
    return await store.query(_FIND, (list(_hash_beginning(store, _searched_text(beginning))), *after, limit))


async def find_namesakes(store: EventStore, name: str) -> list[UUID]:
    """Up to two players of this whole name."""
    rows = await find_players(store, name, 2, (0, UUID(int=0)))
    return [player for length, player in rows if length == len(_searched_text(name))]


def _searched_text(name: str) -> str:
    """Case and compatible forms of letters make no difference."""
    return normalize("NFKC", name).casefold()


def _hash_beginning(store: EventStore, text: str) -> tuple[bytes, ...]:
    return store.codec.seals.hashes(b"name beginning\0" + text.encode())
