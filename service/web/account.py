"""The account's page: tokens, apps, signed-in browsers, recovery, webhooks."""

from collections.abc import Collection, Iterable, Sequence
from datetime import date
from typing import Annotated, Any, Literal, NamedTuple, get_args
from uuid import UUID

from litestar import Response
from msgspec import Meta, Struct

from domain.game_type import Illegal
from domain.player import SCOPES, PlayerScope
from projections.engine.reading import Cursor
from service.accounts import names, sessions
from service.accounts.access import Caller
from service.accounts.passkeys import SignInParts, site_of
from service.accounts.players import Token
from service.api.account import WebhookBody, checked_url, shown_delivery, shown_webhook
from service.api.paging import PageQuery, id_page_start, next_cursor
from service.live import shapes
from service.oauth.grants import OAuthParts
from service.outbox import webhooks as outbox
from service.outbox.events import EventType
from service.problems import Refused
from service.web.form import FormAction, FormFields, decode_form, form_route
from service.web.page import Visit, page, redirect

_PATH = "/account"
_SCOPES: tuple[PlayerScope, ...] = get_args(PlayerScope)
SCOPE_TEXT: dict[PlayerScope, str] = {
    "read": "see what you may see",
    "play": "play in your name",
    "account": "change your account and mint tokens",
    "games:read": "see your games, private ones too",
    "games:play": "open games and play in your name",
    "contests:enter": "enter contests in your name",
    "leagues:join": "join and leave leagues",
    "leagues:organise": "found leagues and run yours",
    "records:write": "bring in records of games and delete them",
    "account:write": "rename and erase you, and keep webhooks and apps",
    "tokens:write": "make and revoke tokens and passkeys",
}
"""What a token may do, in words; those that hold others first."""


class AllowedApp(NamedTuple):
    """An app that may act for the player: its grant, and the last day on which it did."""

    grant: Token
    used_on: date | None


class TokenForm(Struct, frozen=True, forbid_unknown_fields=True):
    """The form of a new token."""

    label: shapes.Name
    days: Annotated[int, Meta(ge=1, le=366)] = 90


@page(_PATH)
async def account(visit: Visit) -> Response[Any]:
    """Show the account; who is not signed in is sent to do so, and comes back."""
    if visit.caller is None or not visit.caller.session:
        return redirect(f"/sign-in?back={_PATH}")
    return await _show_account(visit)


async def _show_account(visit: Visit, refusal: str = "") -> Response[Any]:
    accounts, caller = visit.accounts, visit.known_caller
    tokens, grants = await accounts.tokens(caller.player), await visit.area(OAuthParts).grants.of(caller.player)
    try:
        may_change, closed = await require_authority(visit), ""
    except Refused as error:
        may_change, closed = None, error.problem.detail
    return await visit.show(
        "account.html",
        tokens=[token for token in tokens if not token.session and not grants & {token.id, token.parent}],
        apps=_list_allowed_apps(tokens, grants),
        sessions=[token for token in tokens if token.session],
        own=caller.token,
        behind=_find_token_behind(caller, tokens),
        labels={token.id: token.label for token in tokens},
        whole=SCOPES,
        scopes=[
            (scope, text) for scope, text in SCOPE_TEXT.items() if may_change is not None and scope in may_change.scopes
        ],
        says=SCOPE_TEXT,
        moment=shapes.moment,
        closed=closed,
        findable=await names.is_findable(visit.store, caller.player),
        passkeys=await visit.area(SignInParts).passkeys.listed(caller.player),
        codes=await visit.area(SignInParts).recovery.left(caller.player),
        guest_until=next(shapes.moment(token.expires_at) for token in tokens if token.id == caller.token),
        device=sessions.label_of(visit.request),
        no_passkeys_here=_explain_missing_passkeys(visit),
        refusal=refusal,
    )


def _list_allowed_apps(tokens: Sequence[Token], grants: Collection[UUID]) -> list[AllowedApp]:
    """The apps of these grants, oldest first. An app acts by a token made of its grant, one after the other."""
    return [
        AllowedApp(
            grant, max((token.used_on for token in tokens if token.parent == grant.id and token.used_on), default=None)
        )
        for grant in tokens
        if grant.id in grants
    ]


async def require_authority(visit: Visit) -> Caller:
    """What the visitor may do to their account; raises Refused."""
    caller = visit.known_caller
    has_passkeys = bool(await visit.area(SignInParts).passkeys.listed(caller.player))
    return await visit.accounts.authority(caller, has_passkeys=has_passkeys)


def _explain_missing_passkeys(visit: Visit) -> str:
    """Why there can be no passkeys at this address; nothing where there can."""
    try:
        site_of(visit.request, visit.settings.public_address)
    except Refused as error:
        return error.problem.detail
    return ""


@page(f"{_PATH}/tokens", "POST")
async def mint(visit: Visit) -> Response[Any]:
    """Make a token and show it this once; a refusal is shown on the account's page."""
    made_of, fields = await require_authority(visit), await visit.form()
    scopes = tuple(scope for scope in _SCOPES if f"scope.{scope}" in fields)
    if not scopes:
        return await _show_account(visit, "Tick at least one thing that the token may do.")
    try:
        body = decode_form(TokenForm, {name: text for name, text in fields.items() if not name.startswith("scope.")})
    except ValueError as error:
        return await _show_account(visit, str(error))
    made = await visit.accounts.mint(made_of, body.label, scopes, body.days)
    return await visit.show("token.html", token=made, moment=shapes.moment, says=SCOPE_TEXT)


async def _relabel(visit: Visit, fields: FormFields) -> None:
    token = decode_form(_LabelForm, fields)
    await visit.accounts.relabel(visit.player, token.token, token.label)


async def _revoke(visit: Visit, fields: FormFields) -> None:
    form, accounts, caller = decode_form(_WhichForm, fields), visit.accounts, visit.known_caller
    sign_in = visit.area(SignInParts)
    behind = _find_token_behind(caller, await accounts.tokens(caller.player))
    if (
        form.token == behind
        and not form.sure
        and not (await sign_in.passkeys.listed(caller.player) or await sign_in.recovery.left(caller.player))
    ):
        raise ValueError("This browser was signed in with that token, and you have no passkey: say that you are sure.")
    await accounts.revoke(caller.player, form.token)


def _find_token_behind(caller: Caller, tokens: Iterable[Token]) -> UUID | None:
    """The token or passkey that began the caller's session."""
    return next((token.parent for token in tokens if token.id == caller.token), None)


async def _end_others(visit: Visit, fields: FormFields) -> None:
    for token in await visit.accounts.tokens(visit.player):
        if token.session and token.id != visit.known_caller.token:
            await visit.accounts.revoke(visit.player, token.id)


async def rename(visit: Visit, fields: FormFields) -> None:
    """Give the visitor, who has the authority, the name of this form; raises ValueError."""
    await visit.accounts.rename(visit.player, decode_form(_NameForm, fields).name)


def _allow_finding(allow: bool) -> FormAction:
    async def act(visit: Visit, fields: FormFields) -> None:
        await visit.accounts.allow_finding(visit.player, allow)

    return act


async def _relabel_passkey(visit: Visit, fields: FormFields) -> None:
    form = decode_form(_PasskeyLabelForm, fields)
    await visit.area(SignInParts).passkeys.relabel(visit.player, form.passkey, form.label)


async def _remove_passkey(visit: Visit, fields: FormFields) -> None:
    """Remove a passkey; the last one only if recovery codes are left, or the form says `sure`."""
    form, sign_in = decode_form(_PasskeyForm, fields), visit.area(SignInParts)
    last = len(await sign_in.passkeys.listed(visit.player)) == 1
    if last and not form.sure and not await sign_in.recovery.left(visit.player):
        raise ValueError(
            "This is your last passkey, and you have no recovery codes: make some first, or say you are sure."
        )
    await sign_in.passkeys.remove(visit.player, form.passkey, visit.known_caller.token)


@page(f"{_PATH}/recovery-codes", "POST")
async def renew_codes(visit: Visit) -> Response[Any]:
    """Make ten recovery codes and show them this once."""
    await require_authority(visit)
    return await visit.show("recovery_codes.html", codes=await visit.area(SignInParts).recovery.renew(visit.player))


class _NameForm(Struct, frozen=True, forbid_unknown_fields=True):
    """What the player is called from now on."""

    name: shapes.Name


class _PasskeyForm(Struct, frozen=True, forbid_unknown_fields=True):
    """Which passkey, and whether the last one may go although nothing else signs its player in."""

    passkey: UUID
    sure: Literal["on"] | None = None


class _PasskeyLabelForm(Struct, frozen=True, forbid_unknown_fields=True):
    """Which passkey, and its new label."""

    passkey: UUID
    label: shapes.Name


class _WhichForm(Struct, frozen=True, forbid_unknown_fields=True):
    """Which token, and whether it may go although nothing else may sign its player in."""

    token: UUID
    sure: Literal["on"] | None = None


class _LabelForm(Struct, frozen=True, forbid_unknown_fields=True):
    """Which token, and its new label."""

    token: UUID
    label: shapes.Name


_ACCOUNT_ACTIONS = {
    "rename": rename,
    "be-found": _allow_finding(True),
    "hide": _allow_finding(False),
    "relabel-passkey": _relabel_passkey,
    "remove-passkey": _remove_passkey,
    "relabel": _relabel,
    "revoke": _revoke,
    "end-others": _end_others,
}
account_forms = form_route(_PATH, _ACCOUNT_ACTIONS, _show_account, require_authority)


_LIST = "/account/webhooks"
_ONE = f"{_LIST}/{{webhook_id:uuid}}"
_MOST = 50
SAYS: dict[EventType, str] = {
    "invitation": "somebody invites you",
    "turn": "it is your turn",
    "finished": "a game of yours is over",
    "voided": "a game of yours is void",
    "table_changed": "the table of a league of yours changes",
    "attempt_revealed": "a contest that you were in is over",
}
"""What each type of event means, in words."""


@page(_LIST)
async def webhooks(visit: Visit) -> Response[Any]:
    """Show the visitor's webhooks; who is not signed in is sent to do so, and comes back."""
    if visit.visitor is None:
        return redirect(f"/sign-in?back={_LIST}")
    return await _show_webhooks(visit)


async def _show_webhooks(visit: Visit, refusal: str = "") -> Response[Any]:
    await require_authority(visit)
    webhooks = await outbox.webhooks(visit.store, visit.player)
    return await visit.show(
        "webhooks.html", webhooks=[shown_webhook(webhook) for webhook in webhooks], says=SAYS, refusal=refusal
    )


@page(_LIST, "POST")
async def add(visit: Visit) -> Response[Any]:
    """Add a webhook and show its secret this once; a refusal is shown on the list's page."""
    await require_authority(visit)
    fields = await visit.form()
    types = [name for name in SAYS if f"type.{name}" in fields]
    if unknown := fields.keys() - {"url", *(f"type.{name}" for name in types)}:
        return await _show_webhooks(visit, f"There is no field {min(unknown)}.")
    if not types:
        return await _show_webhooks(visit, "Tick at least one thing that it is told.")
    try:
        body = decode_form(WebhookBody, fields, types=types)
        url = checked_url(visit.settings, body.url)
        made = await outbox.add(visit.store, visit.parts.seals, visit.player, url, body.types)
    except Refused as error:
        return await _show_webhooks(visit, error.problem.detail)
    except (Illegal, ValueError) as error:
        return await _show_webhooks(visit, str(error))
    return await visit.show("webhook_secret.html", webhook=made)


@page(_ONE)
async def webhook(visit: Visit) -> Response[Any]:
    """Show one webhook with a page of its deliveries, newest event first."""
    if visit.visitor is None:
        return redirect(f"/sign-in?back={_LIST}")
    return await _show_webhook(visit)


async def _show_webhook(visit: Visit, refusal: str = "") -> Response[Any]:
    await require_authority(visit)
    store = visit.store
    webhook = await outbox.webhook(store, visit.player, visit.id("webhook_id"))
    rows = await outbox.deliveries(store, webhook.id, _MOST + 1, id_page_start(PageQuery(visit.cursor)))
    end = Cursor(b"", str(rows[_MOST - 1].id)) if len(rows) > _MOST else None
    return await visit.show(
        "webhook.html",
        webhook=shown_webhook(webhook),
        deliveries=[shown_delivery(row) for row in rows[:_MOST]],
        next=next_cursor(end),
        says=SAYS,
        refusal=refusal,
    )


@page(f"{_ONE}/rotate", "POST")
async def rotate(visit: Visit) -> Response[Any]:
    """Make a new secret and show it this once."""
    await require_authority(visit)
    rotated = await outbox.rotate(visit.store, visit.parts.seals, visit.player, visit.id("webhook_id"))
    return await visit.show("webhook_secret.html", webhook=rotated)


class _DeliveryForm(Struct, frozen=True, forbid_unknown_fields=True):
    """Which delivery."""

    delivery: UUID


async def _replay(visit: Visit, fields: FormFields) -> None:
    delivery = decode_form(_DeliveryForm, fields).delivery
    await outbox.replay(visit.store, visit.player, visit.id("webhook_id"), delivery)


def _enable(enabled: bool) -> FormAction:
    async def act(visit: Visit, fields: FormFields) -> None:
        await outbox.change(visit.store, visit.player, visit.id("webhook_id"), None, None, enabled)

    return act


async def _remove(visit: Visit, fields: FormFields) -> str:
    await outbox.remove(visit.store, visit.player, visit.id("webhook_id"))
    return _LIST


_WEBHOOK_ACTIONS = {"replay": _replay, "enable": _enable(True), "disable": _enable(False), "remove": _remove}
webhook_forms = form_route(_ONE, _WEBHOOK_ACTIONS, _show_webhook, require_authority)
