"""Players: register, me, a player as others know them, rename, erase; and their tokens."""

from typing import Annotated, Any, Literal
from uuid import UUID

from litestar import Response
from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import asdict

from domain.player import SCOPES, PlayerScope
from service.accounts import names
from service.accounts.names import Person, person
from service.accounts.players import Token
from service.api import examples, headers
from service.api.paging import PageQuery, next_cursor, timed_cursor, timed_page_start
from service.http.operation import Answer, Call, operation, reply
from service.http.representation import NO_STORE
from service.live import shapes
from service.records import imports

PLAYERS = "players"
TOKENS = "tokens"
_MINE = {"tag": PLAYERS, "path": "/v1/players/me", "access": "required"}


class NameBody(Struct, frozen=True, forbid_unknown_fields=True):
    """The player's name, and whether a program plays."""

    name: shapes.Name
    bot: Annotated[bool, Meta(description="A program plays; this is public and permanent.")] = False
    findable: Annotated[bool, Meta(description="Others may find the player by name.")] = False


class RenameBody(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The new name, and whether others may find the player by it; fields left out stay the same."""

    name: shapes.Name | UnsetType = UNSET
    findable: Annotated[bool | UnsetType, Meta(description="Others may find you by your name.")] = UNSET


class Me(shapes.PlayerShown, frozen=True):
    """You; `findable`: others may find you by your name."""

    findable: bool


@operation(
    id="register_player", method="POST", path="/v1/players", tag=PLAYERS, body=NameBody, answers={201: Answer(
        type=shapes.Registration, says="The player, and the first token.", headers=headers.LOCATION,
        links=examples.PLAYER_LINKS,
    )},
    keyless="No player owns the key yet, and the token's text is not stored: register again; a player without a used "
    "token does no harm.", examples={"a name": {"name": "Ada"}, "a bot": {"name": "Babbage", "bot": True}},
)  # fmt: skip
async def register_player(call: Call[NameBody, None]) -> Response[bytes]:
    """Register a player.

    The answer holds a token that may do everything; its text is shown this once.
    """
    days = call.settings.token_days
    player, token = await call.accounts.register(call.body.name, days, call.body.bot, findable=call.body.findable)
    made = shapes.Registration(await _public_player(call, player), _token(token))
    return reply(made, 201, Location=f"/v1/players/{player}", Cache_Control=NO_STORE)


@operation(id="get_me", method="GET", **_MINE, scope=None, answers={200: Answer(type=Me, says="You.")})
async def get_me(call: Call[None, None]) -> Response[bytes]:
    """Show the token's player."""
    return reply(await _me(call))


@operation(
    id="rename_me", method="PATCH", **_MINE, scope="account:write", body=RenameBody, keeps_answer=True,
    answers={200: Answer(type=Me, says="You, as you are shown now.")},
    examples={"a name": {"name": "Ada Byron"}, "to be found": {"findable": True}},
)  # fmt: skip
async def rename_me(call: Call[RenameBody, None]) -> Response[bytes]:
    """Change your name, in old games too, and whether others may find you by it."""
    if call.body.name is not UNSET:
        await call.accounts.rename(call.player, call.body.name)
    if call.body.findable is not UNSET:
        await call.accounts.allow_finding(call.player, call.body.findable)
    return reply(await _me(call))


async def _me(call: Call[Any, Any]) -> Me:
    public = await _public_player(call, call.player)
    return Me(**asdict(public), findable=await names.is_findable(call.store, call.player))


class PlayersQuery(PageQuery, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The beginning of the names."""

    name: Annotated[
        shapes.Name, Meta(description="The name, or two of its first characters or more, in upper or lower case.")
    ]


class PlayerList(Struct, frozen=True):
    """Players with such names, the shortest first, so that an exact match comes first."""

    players: tuple[Person, ...]
    next: str | None


@operation(
    id="list_players", method="GET", path="/v1/players", tag=PLAYERS, access="required", scope=None,
    query=PlayersQuery, answers={200: Answer(type=PlayerList, says="A page of the players.")},
)  # fmt: skip
async def list_players(call: Call[None, PlayersQuery]) -> Response[bytes]:
    """Find players by the beginning of their names, to invite them; only players who allow it are listed."""
    query, store = call.query, call.store
    after = timed_page_start(query) or (0, UUID(int=0))
    rows = await names.find_players(store, query.name, query.limit + 1, after)
    shown_names = await call.accounts.shown_names(player for _, player in rows)
    listed = tuple(person(player, shown_names) for _, player in rows[: query.limit])
    more = len(rows) > query.limit
    return reply(PlayerList(listed, next_cursor(timed_cursor(*rows[query.limit - 1]) if more else None)))


@operation(
    id="erase_me", method="DELETE", **_MINE, scope="account:write", answers={204: Answer(type=None, says="Erased.")},
    keyless="It can be done once: afterwards no player owns the key, and a repeat is answered with 401.",
)  # fmt: skip
async def erase_me(call: Call[None, None]) -> Response[Any]:
    """Erase yourself: your name and all tokens are deleted for ever; your games stay, under an anonymous id.

    Games that only you have imported are deleted too. Soon after, usually within a minute, no file of the service's
    database has your name or its key any more; for earlier copies, such as backups, ask the operator.
    """
    await call.accounts.erase(call.player, imports.delete_statements(call.player))
    call.room.forget()
    return Response(None, status_code=204)


@operation(
    id="get_player", method="GET", path="/v1/players/{player_id:uuid}", tag=PLAYERS,
    answers={200: Answer(type=shapes.PlayerShown, says="The player.")},
)  # fmt: skip
async def player(call: Call[None, None]) -> Response[bytes]:
    """Show a player's public data."""
    return reply(await _public_player(call, call.id("player_id")))


async def _public_player(call: Call[Any, Any], player_id: UUID) -> shapes.PlayerShown:
    player = await call.accounts.player(player_id)
    name = (await call.accounts.names([player_id])).get(player_id)
    return shapes.PlayerShown(player_id, name, shapes.moment(player.registered_at), player.erased, player.bot)


class TokenList(Struct, frozen=True):
    """All your tokens, oldest first. The list is whole: it has no pages."""

    tokens: tuple[shapes.TokenShown, ...]


class KeepQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """The tokens to keep."""

    keep: Annotated[
        Literal["asking"] | None, Meta(description="The token that asks, and those it was made of, stay.")
    ] = None


_SCOPES = "Its permissions. `read`, `play` and `account` include several others: see the description of `bearer`."


class MintBody(Struct, frozen=True, forbid_unknown_fields=True):
    """The new token's label, scopes and lifetime."""

    label: shapes.Name
    scopes: Annotated[tuple[PlayerScope, ...], Meta(min_length=1, max_length=11, description=_SCOPES)] = SCOPES
    days: Annotated[int, Meta(ge=1, le=366, description="Days until it expires, at most.")] = 90


@operation(
    id="list_tokens", method="GET", path="/v1/tokens", tag=TOKENS, access="required", scope="tokens:write",
    answers={200: Answer(type=TokenList, says="Your tokens, without their text.")},
)  # fmt: skip
async def tokens(call: Call[None, None]) -> Response[bytes]:
    """List your tokens."""
    return reply(TokenList(tuple(map(_token, await call.accounts.tokens(call.player)))))


@operation(
    id="mint_token", method="POST", path="/v1/tokens", tag=TOKENS, access="required", scope="tokens:write",
    body=MintBody, keeps_answer=True, answers={201: Answer(
        type=shapes.TokenShown, says="The token; its text is shown this once.", links=examples.TOKEN_LINKS,
    )}, examples={"a bot's": {"label": "my bot", "scopes": ["read", "play"], "days": 30}},
    problems=("scope_missing", "illegal"),
)  # fmt: skip
async def mint_token(call: Call[MintBody, None]) -> Response[bytes]:
    """Make another token, for a bot or another device.

    It ends no later than the token that asks for it, however many days are asked for; it may do no more, and is revoked
    with it. `expires_at` says when it ends.
    """
    scopes = tuple(dict.fromkeys(call.body.scopes))
    minted = await call.accounts.mint(call.known_caller, call.body.label, scopes, call.body.days)
    return reply(_token(minted), 201, Cache_Control=NO_STORE)


class LabelBody(Struct, frozen=True, forbid_unknown_fields=True):
    """The token's new label."""

    label: shapes.Name


@operation(
    id="relabel_token", method="PATCH", keeps_answer=True,
    path="/v1/tokens/{token_id:uuid}", tag=TOKENS, access="required",
    scope="tokens:write", body=LabelBody, answers={200: Answer(type=shapes.TokenShown, says="The token, relabelled.")},
    examples={"a label": {"label": "kitchen tablet"}},
)  # fmt: skip
async def relabel_token(call: Call[LabelBody, None]) -> Response[bytes]:
    """Change the label of a token; its scopes stay the same."""
    return reply(_token(await call.accounts.relabel(call.player, call.id("token_id"), call.body.label)))


@operation(
    id="revoke_tokens", method="DELETE", path="/v1/tokens", tag=TOKENS, access="required", scope="tokens:write",
    query=KeepQuery, answers={204: Answer(type=None, says="Revoked.")},
)  # fmt: skip
async def revoke_tokens(call: Call[None, KeepQuery]) -> Response[Any]:
    """Revoke all your tokens at once, browsers' too, and end the streams that were opened with them.

    The token that asks for it is revoked as well, and then only a passkey or a recovery code lets you in again, on the
    sign-in page. With `keep=asking` it stays, and those that it was made of.
    """
    await call.accounts.revoke_all(call.known_caller, but_own=call.query.keep is not None)
    return Response(None, status_code=204)


@operation(
    id="revoke_token", method="DELETE", path="/v1/tokens/{token_id:uuid}", tag=TOKENS, access="required",
    scope="tokens:write", answers={204: Answer(type=None, says="Revoked.")},
)  # fmt: skip
async def revoke_token(call: Call[None, None]) -> Response[Any]:
    """Revoke a token and every token made with it, browsers' too.

    Streams that were opened with one of them end at once.
    """
    await call.accounts.revoke(call.player, call.id("token_id"))
    return Response(None, status_code=204)


def _token(token: Token) -> shapes.TokenShown:
    created, expires = shapes.moment(token.created_at), shapes.moment(token.expires_at)
    return shapes.TokenShown(
        token.id, token.label, token.scopes, created, expires, token.secret, token.parent, token.session, token.used_on
    )
