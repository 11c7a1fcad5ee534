"""Players' accounts: registering, names, tokens, erasure. The log keeps the facts, other tables what is personal."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from time import monotonic
from typing import Annotated, Any
from uuid import UUID

from msgspec import Meta, Struct
from msgspec.structs import replace

from domain import player as pl
from domain.player import Player, Scope
from domain.record import Micros
from service import imports, personal
from service.access import Access, Caller, hashed, new_secret, revoking
from service.event_store.errors import StaleVersion
from service.event_store.rows import Companion
from service.event_store.store import EventStore
from service.ids import now, uuid7
from service.problems import Refused
from service.sealing.personal import LABEL, NAME, new_key, shut

_DAY = 86_400_000_000
_TRIES = 50
_TOKENS = """
SELECT token, scopes, created_at, expires_at, label, sealed_label, key
FROM tokens LEFT JOIN player_keys USING (player) WHERE player = %s ORDER BY token
"""


class Token(Struct, frozen=True, omit_defaults=True):
    """A token of a player; `secret` is shown once, when the token is made."""

    id: UUID
    label: str
    scopes: tuple[Scope, ...]
    created_at: Micros
    expires_at: Micros
    secret: Annotated[str, Meta(description="The token itself; shown this once.")] | None = None


class Accounts:
    """Keeps players and their tokens."""

    def __init__(self, store: EventStore, access: Access) -> None:
        self._store = store
        self._access = access
        self._clear_until = 0.0

    def clear_for(self, seconds: float) -> None:
        """For so long what is personal is written in the clear, too: programs of before may still read it."""
        self._clear_until = monotonic() + seconds

    def _clear(self, text: str) -> str | None:
        return text if monotonic() < self._clear_until else None

    async def register(
        self, name: str, token_days: int, bot: bool = False, scopes: tuple[Scope, ...] = pl.SCOPES
    ) -> tuple[UUID, Token]:
        """A new player with a first token; unless scopes are named it may do everything that a player may."""
        player, at, key = uuid7(), now(), new_key()
        token = _token("first", scopes, token_days, at)
        records = [pl.recorded(player, 1, pl.Registered(bot), at), pl.recorded(player, 2, _minted(token), at)]
        named = (player, self._clear(name), shut(key, player, NAME, name))
        person = Companion("INSERT INTO persons (player, name, sealed_name) VALUES (%s, %s, %s)", named)
        await self._store.append(records, [personal.key_made(player, key), person, self._kept(key, player, token)])
        return player, token

    async def player(self, player: UUID) -> Player:
        """The player; raises Refused where there is none."""
        folded: Player | None = None
        for record in await self._store.records(player):
            if record.type != pl.STREAM_TYPE:
                break
            folded = pl.evolve(folded, record)
        if folded is None:
            raise Refused("no_such_thing", "There is no such player.")
        return folded

    async def names(self, players: Sequence[UUID]) -> dict[UUID, str]:
        """The names of these players; erased players have none."""
        return personal.names_of(await self._store.query(personal.NAMES, (list(players),)))

    async def rename(self, player: UUID, name: str) -> None:
        """The player is called so from now on, in old games too."""
        key = await self._key(player)
        named = (self._clear(name), shut(key, player, NAME, name), player)
        rename = Companion("UPDATE persons SET name = %s, sealed_name = %s WHERE player = %s", named)
        await self._store.append([], [rename])

    async def _key(self, player: UUID) -> bytes:
        """The player's key, made where there was none: players of before there were keys."""
        while not (rows := await self._store.query(personal.KEY, (player,))):
            await self._store.append([], [personal.key_made(player)])
        return bytes(rows[0][0])

    async def tokens(self, player: UUID) -> list[Token]:
        """The player's tokens, oldest first."""
        rows = await self._store.query(_TOKENS, (player,))
        return [Token(row[0], personal.label_of(player, *row[4:]), tuple(row[1]), row[2], row[3]) for row in rows]

    async def mint(
        self, player: UUID, label: str, scopes: tuple[Scope, ...], days: int, made_of: Caller | None = None
    ) -> Token:
        """A new token of this player; one that is made of another ends with it, and is revoked with it."""
        token = _token(label, scopes, days, now())
        parent = None if made_of is None else made_of.token
        if made_of is not None:
            token = replace(token, expires_at=min(token.expires_at, made_of.expires_at))
        key = await self._key(player)
        await self._record(player, lambda known: _child(known, token, parent), [self._kept(key, player, token, parent)])
        return token

    async def revoke(self, player: UUID, token: UUID) -> None:
        """The token is good for nothing from now on; raises Refused where the player has no such token."""
        gone = [Companion("DELETE FROM tokens WHERE token = %s OR parent = %s", (token, token)), revoking(player)]
        await self._record(player, lambda known: _revoked(known, token), gone)
        self._access.forget(token)

    async def erase(self, player: UUID) -> None:
        """The key is gone, and with it name and labels wherever they were copied to; all tokens; games keep the id."""
        gone = [*personal.erased(player), *imports.given_up(player), revoking(player)]
        known = await self._record(player, lambda known: pl.Erased(), gone)
        for token in known.tokens:
            self._access.forget(token.token_id)

    def _kept(self, key: bytes, player: UUID, token: Token, parent: UUID | None = None) -> Companion:
        columns = "hash, token, player, label, sealed_label, scopes, created_at, expires_at, parent"
        values: tuple[Any, ...] = (
            hashed(token.secret or ""), token.id, player, self._clear(token.label) or "",
            shut(key, player, LABEL, token.label), list(token.scopes), token.created_at, token.expires_at, parent,
        )  # fmt: skip
        return Companion(f"INSERT INTO tokens ({columns}) VALUES (%s,%s,%s,%s,%s,%s,%s,%s,%s)", values)

    async def _record(
        self, player: UUID, decide: Callable[[Player], Struct], companions: Sequence[Companion]
    ) -> Player:
        """Record what is decided about the player as they stand, again when somebody was faster; who they were."""
        for _ in range(_TRIES):
            known = await self.player(player)
            if known.erased:
                raise Refused("unauthenticated", "The token is unknown, expired or revoked.")
            with suppress(StaleVersion):
                record = pl.recorded(player, known.version + 1, decide(known), now())
                await self._store.append([record], companions)
                return known
        raise Refused("stale_version", "Others were faster, again and again.")


def _token(label: str, scopes: tuple[Scope, ...], days: int, at: Micros) -> Token:
    return Token(uuid7(), label, scopes, at, at + days * _DAY, new_secret())


def _revoked(known: Player, token: UUID) -> pl.TokenRevoked:
    if all(kept.token_id != token for kept in known.tokens):
        raise Refused("no_such_thing", "You have no such token.")
    return pl.TokenRevoked(token)


def _minted(token: Token, parent: UUID | None = None) -> pl.TokenMinted:
    return pl.TokenMinted(token.id, hashed(token.secret or ""), token.scopes, token.expires_at, parent)


def _child(known: Player, token: Token, parent: UUID | None) -> pl.TokenMinted:
    """The token, if the one that it is made of has not been revoked meanwhile."""
    if parent is not None and all(kept.token_id != parent for kept in known.tokens):
        raise Refused("unauthenticated", "The token is unknown, expired or revoked.")
    return _minted(token, parent)
