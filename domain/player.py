"""A player: registered, given tokens, erased. Events hold no personal data: a name lives outside the log."""

from collections.abc import Iterable
from functools import partial
from typing import Any, Literal
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from domain.record import Micros, Record, fold_records, stream_record

AppScope = Literal["games:read", "games:play", "contests:enter", "leagues:join", "leagues:organise", "records:write"]
OneScope = Literal[AppScope, "account:write", "tokens:write", "moderate"]
PlayerScope = Literal[AppScope, "account:write", "tokens:write", "read", "play", "account"]
Scope = Literal[PlayerScope, "moderate"]
APP_SCOPES: dict[AppScope, str] = {
    "games:read": "See your games as you see them, private ones too, and where it is your turn.",
    "games:play": "Open games, sit down, and play in your name.",
    "contests:enter": "Enter contests in your name; the first attempt is the one that counts.",
    "leagues:join": "Join and leave leagues.",
    "leagues:organise": "Found leagues, and run those that you organise.",
    "records:write": "Bring in records of games, and delete those that you brought.",
}
"""What an app may ask a player for, in words. The account itself and its tokens are never an app's."""
PARTS: dict[str, tuple[OneScope, ...]] = {
    "read": ("games:read",),
    "play": ("games:play", "contests:enter", "leagues:join", "leagues:organise", "records:write"),
    "account": ("account:write", "tokens:write"),
}
"""Scopes that hold several; tokens of before finer ones existed have no others."""
SCOPES: tuple[PlayerScope, ...] = ("read", "play", "account")
"""What a player's first token may do. Nobody gets `moderate` from the API."""
MODERATOR_SCOPES: tuple[Scope, ...] = ("read", "account", "moderate")
STREAM_TYPE = "player"


class Registered(Struct, frozen=True, tag="player/registered", omit_defaults=True):
    """The first event of every player; `bot` where a program plays."""

    bot: bool = False


class TokenMinted(Struct, frozen=True, tag="player/token_minted", omit_defaults=True):
    """A token was given out; only the SHA-256 of its text is kept. `parent`: the token that it is revoked with, None
    for a first one and for those minted before tokens named it."""

    token_id: UUID
    hash: bytes
    scopes: tuple[Scope, ...]
    expires_at: Micros
    parent: UUID | None = None

    def __repr__(self) -> str:
        return f"<TokenMinted {self.token_id}>"


class TokenRevoked(Struct, frozen=True, tag="player/token_revoked"):
    token_id: UUID


class Erased(Struct, frozen=True, tag="player/erased"):
    """The name is gone and every token with it; games keep the id, a pseudonym that leads nowhere."""


PLAYER_EVENTS: tuple[type[Struct], ...] = (Registered, TokenMinted, TokenRevoked, Erased)


def expand_scopes(scopes: Iterable[str]) -> frozenset[str]:
    """These scopes and all that they hold."""
    named = tuple(scopes)
    return frozenset(named).union(*(PARTS.get(scope, ()) for scope in named))


class Player(Struct, frozen=True):
    """A player after `version` records."""

    id: UUID
    registered_at: Micros
    version: int
    tokens: tuple[TokenMinted, ...] = ()
    erased: bool = False
    bot: bool = False


def evolve(player: Player | None, record: Record[Any, Any]) -> Player:
    """The player after one more record."""
    if player is None:
        return Player(record.stream, record.time, record.version, bot=record.event.bot)
    player, event = replace(player, version=record.version), record.event
    if isinstance(event, TokenMinted):
        return replace(player, tokens=(*player.tokens, event))
    if isinstance(event, TokenRevoked):
        gone = token_descendants(player, event.token_id)
        return replace(player, tokens=tuple(kept for kept in player.tokens if kept.token_id not in gone))
    if isinstance(event, Erased):
        return replace(player, tokens=(), erased=True)
    return player


def fold(records: Iterable[Record[Any, Any]], player: Player | None = None) -> Player:
    """The player after these records."""
    return fold_records(evolve, records, player)


player_record = partial(stream_record, STREAM_TYPE)
"""The record of one event of a player."""


def token_descendants(player: Player, token: UUID) -> frozenset[UUID]:
    """The ids of a token and of all tokens minted with it, directly or through other tokens."""
    found = {token}
    for kept in player.tokens:  # in the order of minting: a parent stands before its tokens
        if kept.parent in found:
            found.add(kept.token_id)
    return frozenset(found)


def token_ancestors(player: Player, token: UUID) -> frozenset[UUID]:
    """The ids of a token, of its parent, of that token's parent, and so on."""
    found = {token}
    for kept in reversed(player.tokens):
        if kept.token_id in found and kept.parent is not None:
            found.add(kept.parent)
    return frozenset(found)
