"""Passkeys: those that sign you in; renaming and removing them. They are made on the account's page, by a browser."""

from datetime import date
from typing import Any
from uuid import UUID

from litestar import Response
from msgspec import Struct

from service.accounts.passkeys import Passkey
from service.event_store import keyed_writes
from service.http.operation import Answer, Call, operation, reply
from service.live import shapes

TAG = "passkeys"
_MINE: dict[str, Any] = {"tag": TAG, "access": "required", "scope": "tokens:write"}
_ONE = "/v1/passkeys/{passkey_id:uuid}"


class PasskeyShown(Struct, frozen=True, omit_defaults=True):
    """A passkey; `last_used_on`: the last day (UTC) of signing in with it."""

    id: UUID
    label: str
    created_at: shapes.Time
    last_used_on: date | None = None


class PasskeyList(Struct, frozen=True):
    """All your passkeys, oldest first; no more than twenty. The list is whole: it has no pages."""

    passkeys: tuple[PasskeyShown, ...]


class PasskeyLabelBody(Struct, frozen=True, forbid_unknown_fields=True):
    """What the passkey is called from now on."""

    label: shapes.Name


@operation(
    id="list_passkeys", method="GET", path="/v1/passkeys", **_MINE,
    answers={200: Answer(type=PasskeyList, says="Your passkeys.")},
)  # fmt: skip
async def list_passkeys(call: Call[None, None]) -> Response[bytes]:
    """List your passkeys. A new one is made by a browser, on the page `/account`."""
    found = await call.services.passkeys.listed(call.player)
    return reply(PasskeyList(tuple(map(_show_passkey, found))))


@operation(
    id="relabel_passkey", method="PATCH", keeps_answer=True, path=_ONE, **_MINE,
    body=PasskeyLabelBody, answers={200: Answer(type=PasskeyShown, says="The passkey, relabelled.")},
    examples={"a label": {"label": "key ring"}}, problems=("no_such_thing",),
)  # fmt: skip
async def relabel_passkey(call: Call[PasskeyLabelBody, None]) -> Response[bytes]:
    """Change the label of a passkey."""
    relabelled = await call.services.passkeys.relabel(call.player, call.id("passkey_id"), call.body.label)
    return reply(_show_passkey(relabelled))


@operation(
    id="delete_passkey", method="DELETE", path=_ONE, **_MINE,
    answers={204: Answer(type=None, says="Removed.")}, problems=("no_such_thing",),
)  # fmt: skip
async def delete_passkey(call: Call[None, None]) -> Response[Any]:
    """Remove a passkey: it signs nobody in any more, and the sessions that were begun with it end.

    After the last one only a token or a recovery code lets you in.
    """
    if keyed_writes.first_use() is None:
        await call.services.passkeys.remove(call.player, call.id("passkey_id"), call.known_caller.token)
    return Response(None, status_code=204)


def _show_passkey(passkey: Passkey) -> PasskeyShown:
    return PasskeyShown(passkey.id, passkey.label, shapes.moment(passkey.created_at), passkey.used_on)


HANDLERS = (list_passkeys, relabel_passkey, delete_passkey)
