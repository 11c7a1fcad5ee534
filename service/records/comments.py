"""Comments on games that are over: each at a step, its text sealed under its writer's key."""

from uuid import UUID

from msgspec import Struct

from domain.game_type import Illegal
from domain.record import Micros
from service.accounts.names import read_sealed, seal_text
from service.accounts.players import Accounts
from service.event_store import keyed_writes
from service.event_store.ids import now, uuid7
from service.event_store.store import EventStore
from service.event_store.writing.rows import Companion

MOST_OF_GAME, MOST_IN_GAME, MOST_OF_PLAYER = 500, 50, 2_000
_FIELD = b"comment"
_ADD = """
INSERT INTO comments (comment, game, version, step, player, written_at, sealed)
SELECT %s, %s, %s, %s, %s, %s, %s WHERE EXISTS (SELECT FROM persons WHERE player = %s)
"""
_COUNT = """
SELECT count(*) FILTER (WHERE game = %s), count(*) FILTER (WHERE game = %s AND player = %s),
    count(*) FILTER (WHERE player = %s)
FROM comments WHERE game = %s OR player = %s
"""
_SELECT = """
SELECT comment, version, step, player, written_at, sealed, key
FROM comments JOIN player_keys USING (player) WHERE game = %s
"""
_FIND = f"{_SELECT} AND comment = %s"
_PAGE = f"{_SELECT} AND (step, comment) > (%s, %s) ORDER BY step, comment LIMIT %s"
_DELETE = "DELETE FROM comments WHERE game = %s AND comment = %s"


class StoredComment(Struct, frozen=True):
    """A stored comment, unsealed; None for a text that was changed or moved."""

    id: UUID
    version: int
    step: int
    player: UUID
    at: Micros
    text: str | None


async def add(
    store: EventStore, accounts: Accounts, game: UUID, place: tuple[int, int], player: UUID, text: str
) -> UUID:
    """The id of a new comment at this version and step; raises Illegal where there are too many."""
    counts = (await store.query(_COUNT, (game, game, player, player, game, player)))[0]
    if any(count >= most for count, most in zip(counts, (MOST_OF_GAME, MOST_IN_GAME, MOST_OF_PLAYER), strict=True)):
        raise Illegal(
            "too_many_comments",
            f"A game has {MOST_OF_GAME} comments at most; a player writes at most {MOST_IN_GAME} of them, and "
            f"{MOST_OF_PLAYER:,} in all games.",
        )
    comment, at = uuid7(), now()
    sealed = seal_text(await accounts.key(player), player, _FIELD + comment.bytes, text)
    values = (comment, game, *place, player, at, sealed, player)
    await store.append([], [Companion(_ADD, values), *keyed_writes.companions(comment)])
    return comment


async def are_any(store: EventStore, game: UUID) -> bool:
    """Whether the game has comments."""
    return bool(await store.query("SELECT FROM comments WHERE game = %s LIMIT 1", (game,)))


async def find(store: EventStore, game: UUID, comment: UUID) -> StoredComment | None:
    """This comment on this game; None: it was deleted."""
    rows = await store.query(_FIND, (game, comment))
    return _unseal(*rows[0]) if rows else None


async def page(store: EventStore, game: UUID, after: tuple[int, UUID], most: int) -> list[StoredComment]:
    """The comments after this step and id, in the order of the steps, at each the oldest first."""
    return [_unseal(*row) for row in await store.query(_PAGE, (game, *after, most))]


async def delete(store: EventStore, game: UUID, comment: UUID) -> None:
    """Delete this comment on this game."""
    await store.append([], [Companion(_DELETE, (game, comment))])


def _unseal(
    comment: UUID, version: int, step: int, player: UUID, at: Micros, sealed: bytes, key: bytes
) -> StoredComment:
    text = read_sealed(key, player, _FIELD + comment.bytes, sealed)
    return StoredComment(comment, version, step, player, at, text)
