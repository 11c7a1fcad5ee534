"""Players' accounts: registering, names, tokens, erasure. Facts are in the log, personal data in other tables."""

from collections.abc import Callable, Sequence
from time import monotonic
from typing import Annotated, Any
from uuid import UUID

from msgspec import Meta, Struct
from msgspec.structs import replace

from domain import player as pl
from domain.player import Player, Scope
from domain.record import Micros
from service.accounts import name_sealing
from service.accounts.access import Access, Caller, hash_secret, new_secret, revocation_notice
from service.event_store.ids import now, uuid7
from service.event_store.library.aggregates import Aggregates
from service.event_store.store import EventStore
from service.event_store.writing.rows import Companion
from service.keys.sealing.personal import LABEL, NAME, new_key, seal_text
from service.problems import Refused

_DAY = 86_400_000_000
_TOKENS = """
SELECT token, scopes, created_at, expires_at, parent, label, sealed_label, key
FROM tokens LEFT JOIN player_keys USING (player) WHERE player = %s ORDER BY token
"""


class Token(Struct, frozen=True, omit_defaults=True):
    """A token of a player; `parent` is the one that it was made of, `secret` is shown once, when it is made."""

    id: UUID
    label: str
    scopes: tuple[Scope, ...]
    created_at: Micros
    expires_at: Micros
    parent: UUID | None = None
    secret: Annotated[str, Meta(description="The token itself; shown this once.")] | None = None


class Accounts:
    """Keeps players and their tokens."""

    def __init__(self, store: EventStore, access: Access) -> None:
        self._store, self._access = store, access
        self._players = Aggregates(store, pl.STREAM_TYPE, pl.fold, pl.player_record)
        self._clear_until = 0.0

    def clear_for(self, seconds: float) -> None:
        """Write personal data in the clear too for so many seconds: the release before may still read it."""
        self._clear_until = monotonic() + seconds

    def _clear_text(self, text: str) -> str | None:
        return text if monotonic() < self._clear_until else None

    async def register(
        self, name: str, token_days: int, bot: bool = False, scopes: tuple[Scope, ...] = pl.SCOPES
    ) -> tuple[UUID, Token]:
        """A new player with a first token; unless scopes are named it may do everything that a player may."""
        player, key = uuid7(), new_key()
        token = _token("first", scopes, token_days, now())
        named = (player, self._clear_text(name), seal_text(key, player, NAME, name))
        person = Companion("INSERT INTO persons (player, name, sealed_name) VALUES (%s, %s, %s)", named)
        kept = [name_sealing.key_statement(player, key), person, self._token_statement(key, player, token)]
        await self._players.open(player, [pl.Registered(bot), _minted_event(token)], player, lambda made: kept)
        return player, token

    async def player(self, player: UUID) -> Player:
        """The player; raises Refused where there is none."""
        return await self._players.of(player)

    async def names(self, players: Sequence[UUID]) -> dict[UUID, str]:
        """The names of these players; erased players have none."""
        return name_sealing.names_of(await self._store.query(name_sealing.NAMES, (list(players),)))

    async def rename(self, player: UUID, name: str) -> None:
        """Change the player's name, in old games too."""
        key = await self._key(player)
        named = (self._clear_text(name), seal_text(key, player, NAME, name), player)
        rename = Companion("UPDATE persons SET name = %s, sealed_name = %s WHERE player = %s", named)
        await self._store.append([], [rename])

    async def _key(self, player: UUID) -> bytes:
        """The player's key, made if there is none: players registered before keys existed have none."""
        while not (rows := await self._store.query(name_sealing.KEY, (player,))):
            await self._store.append([], [name_sealing.key_statement(player)])
        return bytes(rows[0][0])

    async def tokens(self, player: UUID) -> list[Token]:
        """The player's tokens, oldest first."""
        rows = await self._store.query(_TOKENS, (player,))
        return [_listed_token(player, row) for row in rows]

    async def mint(
        self, made_of: Caller, label: str, scopes: tuple[Scope, ...], days: int, *, session: bool = False
    ) -> Token:
        """A new token made of the caller's: it ends no later, may do no more and is revoked with it. Raises Refused.

        `session`: it is for a browser's cookie.
        """
        if not made_of.scopes.issuperset(scopes):
            raise Refused("scope_missing", "A token gives no scope away that it does not carry itself.")
        token = _token(label, scopes, days, now())
        token = replace(token, expires_at=min(token.expires_at, made_of.expires_at), parent=made_of.token)
        kept = self._token_statement(await self._key(made_of.player), made_of.player, token, minted=not session)
        await self._players.act(
            made_of.player,
            lambda known: [_child_event(_require_living(known), token)],
            made_of.player,
            lambda known: [kept],
        )
        return token

    async def revoke(self, player: UUID, token: UUID) -> None:
        """Revoke the token and all tokens made of it; raises Refused if the player has no such token."""
        await self._revoke(player, lambda known: [_require_own(known, token)])

    async def revoke_all(self, caller: Caller, *, but_own: bool) -> None:
        """Revoke all tokens of the caller's player. `but_own`: except the caller's token and those it was made of."""

        def chosen_tokens(known: Player) -> list[UUID]:
            spared = pl.token_ancestors(known, caller.token) if but_own else frozenset()
            left = [kept for kept in known.tokens if kept.token_id not in spared]
            return [kept.token_id for kept in left if kept.parent is None or kept.parent in spared]

        await self._revoke(caller.player, chosen_tokens)

    async def _revoke(self, player: UUID, choose: Callable[[Player], list[UUID]]) -> None:
        """Revoke the chosen tokens and all made of them; `choose` sees the player's current tokens."""

        def revocations(known: Player) -> Sequence[Struct]:
            return [pl.TokenRevoked(token) for token in choose(_require_living(known))]

        def deletions(known: Player) -> Sequence[Companion]:
            gone = sorted(frozenset[UUID]().union(*(pl.token_descendants(known, token) for token in choose(known))))
            return [Companion("DELETE FROM tokens WHERE token = ANY(%s)", (gone,)), revocation_notice(player)]

        await self._players.act(player, revocations, player, deletions)
        self._access.forget_player(player)

    async def erase(self, player: UUID, also: Sequence[Companion] = ()) -> None:
        """Delete the key, which makes all copies of name and labels unreadable, and all tokens; games keep the id.

        `also`: statements for the same transaction.
        """
        gone = [*name_sealing.erasure_statements(player), *also, revocation_notice(player)]
        await self._players.act(player, _decide_erasure, player, lambda known: gone)
        self._access.forget_player(player)

    def _token_statement(self, key: bytes, player: UUID, token: Token, minted: bool = False) -> Companion:
        columns = "hash, token, player, label, sealed_label, scopes, created_at, expires_at, parent, minted"
        values: tuple[Any, ...] = (
            hash_secret(token.secret or ""), token.id, player, self._clear_text(token.label) or "",
            seal_text(key, player, LABEL, token.label), list(token.scopes), token.created_at, token.expires_at,
            token.parent, minted,
        )  # fmt: skip
        return Companion(f"INSERT INTO tokens ({columns}) VALUES (%s,%s,%s,%s,%s,%s,%s,%s,%s,%s)", values)


def _token(label: str, scopes: tuple[Scope, ...], days: int, at: Micros) -> Token:
    return Token(uuid7(), label, scopes, at, at + days * _DAY, secret=new_secret())


def _listed_token(player: UUID, row: Sequence[Any]) -> Token:
    token, scopes, created, expires, parent, *label = row
    return Token(token, name_sealing.label_of(player, *label), tuple(scopes), created, expires, parent)


def _require_living(known: Player) -> Player:
    """The player; raises Refused if the player was erased."""
    if known.erased:
        raise Refused("unauthenticated", "The token is unknown, expired or revoked.")
    return known


def _decide_erasure(known: Player) -> Sequence[Struct]:
    _require_living(known)
    return [pl.Erased()]


def _require_own(known: Player, token: UUID) -> UUID:
    """This token; raises Refused if the player does not have it."""
    if all(kept.token_id != token for kept in known.tokens):
        raise Refused("no_such_thing", "You have no such token.")
    return token


def _minted_event(token: Token) -> pl.TokenMinted:
    return pl.TokenMinted(token.id, hash_secret(token.secret or ""), token.scopes, token.expires_at, token.parent)


def _child_event(known: Player, token: Token) -> pl.TokenMinted:
    """The event of a token made of another one; raises Refused if that one was revoked meanwhile."""
    if all(kept.token_id != token.parent for kept in known.tokens):
        raise Refused("unauthenticated", "The token is unknown, expired or revoked.")
    return _minted_event(token)
