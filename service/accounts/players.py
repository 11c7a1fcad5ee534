"""Players' accounts: registering, names, tokens, erasure. Facts are in the log, personal data in other tables."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from datetime import date
from time import monotonic
from typing import Annotated, Any
from uuid import UUID

from msgspec import Meta, Struct
from msgspec.structs import replace

from domain import player as pl
from domain.game_type import Illegal
from domain.player import Player, Scope
from domain.record import Micros
from service.accounts import names
from service.accounts.access import Access, Caller, hash_secret, new_secret, revocation_notice
from service.accounts.names import LABEL, NAME, Names, new_key, seal_text
from service.event_store.aggregates import Aggregates
from service.event_store.errors import StaleVersion
from service.event_store.ids import now, uuid7
from service.event_store.store import EventStore
from service.event_store.writing.rows import Companion
from service.outbox.events import erasure_statements
from service.problems import Refused

_DAY = 86_400_000_000
_CONFIRMED = 3_600_000_000
"""Microseconds for which a session may change the account of a player who has passkeys; then one signs in again."""
_RELABEL = "UPDATE tokens SET label = %s, sealed_label = %s WHERE token = %s"
_NEVER = 2**62
MOST_TOKENS = 200
"""Tokens and sessions of one player that have not ended, from which on no further token is made."""
_TOKENS = """
SELECT token, scopes, created_at, expires_at, parent, parent IS NOT NULL AND NOT minted, used_on, label, sealed_label,
    key
FROM tokens LEFT JOIN player_keys USING (player) WHERE player = %s ORDER BY created_at, token
"""


class Token(Struct, frozen=True, omit_defaults=True):
    """A token of a player; `secret` is shown once, when it is made.

    `parent`: the token that it was made of, or what a browser signed in with; `session`: it is a browser's;
    `used_on`: the last day (UTC) of use.
    """

    id: UUID
    label: str
    scopes: tuple[Scope, ...]
    created_at: Micros
    expires_at: Micros
    parent: UUID | None = None
    session: bool = False
    used_on: date | None = None
    secret: Annotated[str, Meta(description="The token itself; shown this once.")] | None = None


class Accounts:
    """Keeps players and their tokens."""

    def __init__(self, store: EventStore, access: Access) -> None:
        self._store, self.access = store, access
        self._players = Aggregates(store, pl.STREAM_TYPE, pl.fold, pl.player_record)
        self._clear_until = 0.0

    def clear_for(self, seconds: float) -> None:
        """Write personal data in the clear too for so many seconds: the release before may still read it."""
        self._clear_until = monotonic() + seconds

    def _clear_text(self, text: str) -> str | None:
        return text if monotonic() < self._clear_until else None

    async def register(
        self, name: str, token_days: int, bot: bool = False, scopes: tuple[Scope, ...] = pl.SCOPES,
        label: str = "first", findable: bool = False,
    ) -> tuple[UUID, Token]:  # fmt: skip
        """A new player with a first token; unless scopes are named it may do everything that a player may."""
        player, key = uuid7(), new_key()
        token = _make_token(label, scopes, token_days, now())
        named = (player, self._clear_text(name), seal_text(key, player, NAME, name))
        person = Companion("INSERT INTO persons (player, name, sealed_name) VALUES (%s, %s, %s)", named)
        statements = [names.key_statement(player, key), person, self._make_token_statement(key, player, token)]
        statements += names.rename_statements(self._store, player, name, allow=True) if findable else []
        await self._players.open(
            player, [pl.Registered(bot), _make_minted_event(token)], player, lambda made: statements
        )
        return player, token

    async def register_program(self, player: UUID, name: str) -> None:
        """The player of this id, a program that has no token, registered unless that was done before."""
        if await self.names([player]):
            return
        key = new_key()
        named = (player, self._clear_text(name), seal_text(key, player, NAME, name))
        person = Companion("INSERT INTO persons (player, name, sealed_name) VALUES (%s, %s, %s)", named)
        statements = [names.key_statement(player, key), person]
        with suppress(StaleVersion):  # another process was faster
            await self._players.open(player, [pl.Registered(bot=True)], player, lambda made: statements)
        self.access.forget_player(player)

    async def player(self, player: UUID) -> Player:
        """The player; raises Refused where there is none."""
        return await self._players.of(player)

    async def names(self, players: Sequence[UUID]) -> dict[UUID, str]:
        """The names of these players; erased players have none."""
        return names.names_of(await self._store.query(names.NAMES, (list(players),)))

    async def shown_names(self, players: Iterable[UUID | None]) -> Names:
        """The names of these players, from the cache where possible."""
        return await self.access.names.of(players)

    async def rename(self, player: UUID, name: str) -> None:
        """Change the player's name, in old games too."""
        key = await self.key(player)
        named = (self._clear_text(name), seal_text(key, player, NAME, name), player)
        rename = Companion("UPDATE persons SET name = %s, sealed_name = %s WHERE player = %s", named)
        index = names.rename_statements(self._store, player, name)
        await self._store.append([], [rename, *index, revocation_notice(player)])
        self.access.forget_player(player)

    async def allow_finding(self, player: UUID, allow: bool) -> None:
        """Let others find the player by name, or no longer."""
        name = (await self.names([player])).get(player, "")
        allowed = names.rename_statements(self._store, player, name, allow=True)
        await self._store.append([], allowed if allow else [names.forbid_statement(player)])

    async def key(self, player: UUID) -> bytes:
        """The player's key, made if there is none: players registered before keys existed have none."""
        while not (rows := await self._store.query(names.KEY, (player,))):
            await self._store.append([], [names.key_statement(player)])
        return bytes(rows[0][0])

    async def tokens(self, player: UUID) -> list[Token]:
        """The player's tokens, oldest first."""
        rows = await self._store.query(_TOKENS, (player,))
        return [
            Token(token, names.label_of(player, *label), tuple(scopes), created, expires, parent, session, used)
            for token, scopes, created, expires, parent, session, used, *label in rows
        ]

    async def mint(
        self, made_of: Caller, label: str, scopes: tuple[Scope, ...], days: int, *, session: bool = False
    ) -> Token:
        """A new token made of the caller's: it ends no later, may do no more and is revoked with it.

        Raises Refused, and Illegal for one too many.

        `session`: it is for a browser's cookie. A session that began without a token mints tokens without a parent.
        """
        if not made_of.scopes.issuperset(scopes):
            raise Refused("scope_missing", "A token gives no scope away that it does not carry itself.")
        token = _make_token(label, scopes, days, now())
        parent = None if made_of.session else made_of.token
        token = replace(token, expires_at=min(token.expires_at, made_of.expires_at), parent=parent, session=session)

        def check(state: Player) -> None:
            if all(held.token_id != made_of.token for held in state.tokens):  # revoked meanwhile
                raise Refused("unauthenticated", "The token is unknown, expired or revoked.")
            if not session and sum(held.expires_at > now() for held in state.tokens) >= MOST_TOKENS:
                raise Illegal("too_many_tokens", f"A player has {MOST_TOKENS} tokens at most; revoke one first.")

        await self._store_token(made_of.player, token, check)
        return token

    async def begin_session(
        self, player: UUID, label: str, days: int, by: UUID, also: Sequence[Companion] = ()
    ) -> Token:  # fmt: skip
        """A session's token for a player who has signed in `by` a passkey, or a code of their own; raises Refused.

        `also`: statements for the same transaction.
        """
        token = replace(_make_token(label, ("read", "play"), days, now()), parent=by, session=True)
        await self._store_token(player, token, lambda _: None, also)
        return token

    async def _store_token(
        self, player: UUID, token: Token, check: Callable[[Player], object], also: Sequence[Companion] = ()
    ) -> None:  # fmt: skip
        statements = [self._make_token_statement(await self.key(player), player, token), *also]

        def minted(state: Player) -> Sequence[Struct]:
            check(_require_living(state))
            return [_make_minted_event(token)]

        await self._players.act(player, minted, player, lambda state: statements)

    async def relabel(self, player: UUID, token: UUID, label: str) -> Token:
        """Call the token so; raises Refused if the player has no such token."""
        existing = next((held for held in await self.tokens(player) if held.id == token), None)
        if existing is None:
            raise Refused("no_such_thing", "You have no such token.")
        values = (self._clear_text(label) or "", seal_text(await self.key(player), player, LABEL, label), token)
        await self._store.append([], [Companion(_RELABEL, values)])
        return replace(existing, label=label)

    async def authority(self, caller: Caller, *, has_passkeys: bool) -> Caller:
        """The session's authority on the account's page; raises Refused if it may not change the account.

        It is the token that the session was made of. A session without such a token may do all that players may,
        and stays a `session`. A player with passkeys must have signed in within the last hour.
        """
        own, made_of = await self._find_session_tokens(caller)
        if has_passkeys and own.created_at + _CONFIRMED < now():
            raise Refused("scope_missing", "You signed in more than an hour ago. Sign in again to change your account.")
        if made_of is None:
            return replace(caller, scopes=pl.expand_scopes(pl.SCOPES), expires_at=_NEVER)
        if "account" not in made_of.scopes:
            raise Refused("scope_missing", "You are signed in with a token that may not change your account.")
        return Caller(caller.player, made_of.id, pl.expand_scopes(made_of.scopes), made_of.expires_at)

    async def source_of(self, session: Caller) -> tuple[UUID | None, Micros]:
        """The token that a browser signed in with, and its end; none for a person who signed in without a token."""
        _, made_of = await self._find_session_tokens(session)
        return (None, _NEVER) if made_of is None else (made_of.id, made_of.expires_at)

    async def _find_session_tokens(self, session: Caller) -> tuple[Token, Token | None]:
        """The session's own token, and the one that it was made of, if any; raises Refused.

        A token sent as such has only its own authority, though it was made of one that may do more.
        """
        if not session.session:
            raise Refused("scope_missing", "Only a browser that is signed in may do that; programs use the API.")
        tokens = {token.id: token for token in await self.tokens(session.player)}
        if (own := tokens.get(session.token)) is None:
            raise Refused("unauthenticated", "The token is unknown, expired or revoked.")
        return own, tokens.get(own.parent) if own.parent else None

    async def give_to_app(
        self, player: UUID, tokens: Sequence[Token], also: Sequence[Companion], *, renewed: UUID | None = None
    ) -> None:
        """Mint these tokens: a grant and its access token, or a further access token of the grant that is `renewed`.

        It replaces those before. `also`: statements for the same transaction. Raises Refused, DuplicateCompanion.
        """
        key, parents = await self.key(player), {token.parent for token in tokens} - {token.id for token in tokens}
        minted = [self._make_token_statement(key, player, token) for token in tokens]

        def replaced(state: Player) -> list[UUID]:
            return [held.token_id for held in state.tokens if renewed is not None and held.parent == renewed]

        def events(state: Player) -> Sequence[Struct]:
            for parent in parents:
                if parent is not None:
                    _require_own(state, parent)
            _require_living(state)
            return [*map(pl.TokenRevoked, replaced(state)), *map(_make_minted_event, tokens)]

        def statements(state: Player) -> Sequence[Companion]:
            old = Companion("DELETE FROM tokens WHERE token = ANY(%s)", (replaced(state),))
            return [old, revocation_notice(player), *minted, *also]

        await self._players.act(player, events, player, statements)
        self.access.forget_player(player)

    async def revoke(self, player: UUID, token: UUID) -> None:
        """Revoke the token and all tokens made of it; raises Refused if the player has no such token."""
        await self._revoke(player, lambda state: [_require_own(state, token)])

    async def revoke_all(self, caller: Caller, *, but_own: bool) -> None:
        """Revoke all tokens of the caller's player. `but_own`: except the caller's token and those it was made of."""

        def chosen_tokens(state: Player) -> list[UUID]:
            spared = pl.token_ancestors(state, caller.token) if but_own else frozenset()
            left = [token for token in state.tokens if token.token_id not in spared]
            ids = {token.token_id for token in state.tokens}
            return [token.token_id for token in left if token.parent not in ids or token.parent in spared]

        await self._revoke(caller.player, chosen_tokens)

    async def end_sessions(self, player: UUID, by: UUID, but: UUID, also: Sequence[Companion] = ()) -> None:
        """Revoke the tokens of sessions that were begun `by` this passkey, except one.

        `also`: statements for the same transaction; they are not run where no session ends.
        """

        def chosen_tokens(state: Player) -> list[UUID]:
            return [token.token_id for token in state.tokens if token.parent == by and token.token_id != but]

        await self._revoke(player, chosen_tokens, also)

    async def _revoke(
        self, player: UUID, choose: Callable[[Player], list[UUID]], also: Sequence[Companion] = ()
    ) -> None:
        """Revoke the chosen tokens and all made of them; `choose` sees the player's current tokens."""

        def revocations(state: Player) -> Sequence[Struct]:
            return [pl.TokenRevoked(token) for token in choose(_require_living(state))]

        def deletions(state: Player) -> Sequence[Companion]:
            gone = sorted(frozenset[UUID]().union(*(pl.token_descendants(state, token) for token in choose(state))))
            return [Companion("DELETE FROM tokens WHERE token = ANY(%s)", (gone,)), revocation_notice(player), *also]

        await self._players.act(player, revocations, player, deletions)
        self.access.forget_player(player)

    async def erase(self, player: UUID, also: Sequence[Companion] = ()) -> None:
        """Delete the key, which makes all copies of name and labels unreadable, and all tokens; games keep the id.

        `also`: statements for the same transaction.
        """
        forgotten = erasure_statements(player)
        gone = [*names.erasure_statements(player), *forgotten, *also, revocation_notice(player)]
        await self._players.act(player, _decide_erasure, player, lambda state: gone)
        self.access.forget_player(player)

    def _make_token_statement(self, key: bytes, player: UUID, token: Token) -> Companion:
        columns = "hash, token, player, label, sealed_label, scopes, created_at, expires_at, parent, minted"
        values: tuple[Any, ...] = (
            hash_secret(token.secret or ""), token.id, player, self._clear_text(token.label) or "",
            seal_text(key, player, LABEL, token.label), list(token.scopes), token.created_at, token.expires_at,
            token.parent, token.parent is not None and not token.session,
        )  # fmt: skip
        return Companion(f"INSERT INTO tokens ({columns}) VALUES (%s,%s,%s,%s,%s,%s,%s,%s,%s,%s)", values)


def _make_token(label: str, scopes: tuple[Scope, ...], days: int, at: Micros) -> Token:
    return Token(uuid7(), label, scopes, at, at + days * _DAY, secret=new_secret())


def _require_living(player: Player) -> Player:
    if player.erased:
        raise Refused("unauthenticated", "The token is unknown, expired or revoked.")
    return player


def _decide_erasure(player: Player) -> Sequence[Struct]:
    _require_living(player)
    return [pl.Erased()]


def _require_own(player: Player, token: UUID) -> UUID:
    if all(held.token_id != token for held in player.tokens):
        raise Refused("no_such_thing", "You have no such token.")
    return token


def _make_minted_event(token: Token) -> pl.TokenMinted:
    return pl.TokenMinted(token.id, hash_secret(token.secret or ""), token.scopes, token.expires_at, token.parent)
