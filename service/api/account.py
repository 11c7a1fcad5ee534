"""The account: its events, passkeys and webhooks."""

from collections.abc import Sequence
from datetime import date
from typing import Annotated, Any
from uuid import UUID

from litestar import Response
from msgspec import Meta, Struct

from projections.engine.reading import Cursor
from service.accounts.passkeys import Passkey, SignInParts
from service.api import examples, headers, sse
from service.api.event_lists import LAST_EVENT_ID, EventSource, EventsQuery, StreamStart, answer_events
from service.api.paging import PageQuery, id_page_start, next_cursor
from service.event_store import keyed_writes
from service.http.operation import JSON, Answer, Call, operation, reply
from service.http.representation import NO_STORE
from service.live import shapes
from service.outbox import webhooks
from service.outbox.events import ACCOUNT_EVENTS, AccountEvent, EventType
from service.outbox.sending import check_url
from service.outbox.webhooks import DeliveryStatus, Disabled, Verification
from service.settings import Settings

TAG = "account"


class AccountEventList(Struct, frozen=True):
    """A page of your events, newest first; `next` is the cursor of the next page."""

    events: tuple[AccountEvent, ...]
    next: str | None


@operation(
    id="list_account_events", method="GET", path="/v1/account/events", tag=TAG, access="required", query=EventsQuery,
    request_headers=LAST_EVENT_ID, problems=("not_acceptable",), answers={200: Answer(
        type=AccountEventList, lines=(StreamStart, AccountEvent), media_types=(JSON, sse.MEDIA_TYPE),
        says="A page of your events; as server-sent events first `start` (unless it resumes), then `account_event`, "
        "and at last `end`.",
        example=examples.ACCOUNT_STREAM, events=("start", "account_event"),
    )},
)  # fmt: skip
async def list_account_events(call: Call[None, EventsQuery]) -> Response[Any]:
    """List the events of your account, newest first, or follow them live.

    The events: invitations, your turns in games of several, endings, voids, changed league tables, revealed attempts.
    Each is stored in one transaction with its cause, and kept for 30 days.

    With `Accept: text/event-stream` it is a stream. Every event's id is its own: a stream that broke resumes with
    Last-Event-ID and misses nothing. Without it `start` says after which event the stream begins; `after` with an id of
    zeros begins with all that is kept. An id of no event of yours that is kept is refused with 400: list the events
    and begin anew. Lines that begin with a colon are heartbeats. The event `end` says why the stream ends: `limit` or
    `access`.
    """
    return await answer_events(call, EventSource(
        events=ACCOUNT_EVENTS, owner=call.player, name="account_event", show=_show_events, lists=AccountEventList,
        unknown="No event of yours that is kept has this id.",
    ))  # fmt: skip


async def _show_events(events: Sequence[AccountEvent]) -> tuple[AccountEvent, ...]:
    return tuple(events)


PASSKEYS = "passkeys"
_MINE: dict[str, Any] = {"tag": PASSKEYS, "access": "required", "scope": "tokens:write"}
_PASSKEY_PATH = "/v1/passkeys/{passkey_id:uuid}"


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
    """The passkey's new label."""

    label: shapes.Name


@operation(
    id="list_passkeys", method="GET", path="/v1/passkeys", **_MINE,
    answers={200: Answer(type=PasskeyList, says="Your passkeys.")},
)  # fmt: skip
async def list_passkeys(call: Call[None, None]) -> Response[bytes]:
    """List your passkeys. A new one is made by a browser, on the page `/account`."""
    return reply(PasskeyList(tuple(map(_show_passkey, await call.area(SignInParts).passkeys.listed(call.player)))))


@operation(
    id="relabel_passkey", method="PATCH", keeps_answer=True, path=_PASSKEY_PATH, **_MINE,
    body=PasskeyLabelBody, answers={200: Answer(type=PasskeyShown, says="The passkey, relabelled.")},
    examples={"a label": {"label": "key ring"}},
)  # fmt: skip
async def relabel_passkey(call: Call[PasskeyLabelBody, None]) -> Response[bytes]:
    """Change the label of a passkey."""
    relabelled = await call.area(SignInParts).passkeys.relabel(call.player, call.id("passkey_id"), call.body.label)
    return reply(_show_passkey(relabelled))


@operation(
    id="delete_passkey", method="DELETE", path=_PASSKEY_PATH, **_MINE,
    answers={204: Answer(type=None, says="Removed.")},
)  # fmt: skip
async def delete_passkey(call: Call[None, None]) -> Response[Any]:
    """Remove a passkey; the sessions that began with it end.

    Without a passkey you sign in with a token or a recovery code.
    """
    if keyed_writes.first_use() is None:
        await call.area(SignInParts).passkeys.remove(call.player, call.id("passkey_id"), call.known_caller.token)
    return Response(None, status_code=204)


def _show_passkey(passkey: Passkey) -> PasskeyShown:
    return PasskeyShown(passkey.id, passkey.label, shapes.moment(passkey.created_at), passkey.used_on)


WEBHOOKS = "webhooks"
_OWN: Any = {"tag": WEBHOOKS, "access": "required", "scope": "account:write"}
_WEBHOOK: Any = {**_OWN, "path": "/v1/webhooks/{webhook_id:uuid}"}
_TYPES: tuple[EventType, ...] = ("invitation", "turn", "finished", "voided", "table_changed", "attempt_revealed")
_URL_TEXT = "Where to send: an https URL on the open internet."
Url = Annotated[str, Meta(min_length=1, max_length=2_000, description=_URL_TEXT)]
Types = Annotated[tuple[EventType, ...], Meta(min_length=1, max_length=20, description="Which events are sent.")]


class WebhookBody(Struct, frozen=True, forbid_unknown_fields=True):
    """The URL, and the types of the events to send to it."""

    url: Url
    types: Types = _TYPES


class WebhookChange(Struct, frozen=True, forbid_unknown_fields=True):
    """The changes; fields left out stay the same. A webhook that is enabled again gets its pending events."""

    url: Url | None = None
    types: Types | None = None
    enabled: bool | None = None


class Webhook(Struct, frozen=True):
    """A URL that gets your events.

    `verification` is `verified` once the receiver has answered the challenge at this URL. While it is `pending`
    (challenges are sent) or `failed` (no more are sent) it gets no events, and `verification_error` is the last
    challenge's result. `disabled` is the reason why nothing is sent, null while events are. `secret` is shown once,
    when it is made; after a change of secrets the previous one signs as well until `both_secrets_until`.
    """

    id: UUID
    url: str
    types: tuple[EventType, ...]
    enabled: bool
    disabled: Disabled | None
    created_at: shapes.Time
    verification: Verification
    verification_error: str | None
    failing_since: shapes.Time | None
    both_secrets_until: shapes.Time | None
    secret: Annotated[str, Meta(description="Signs what is sent; shown this once.")] | None = None


class WebhookList(Struct, frozen=True):
    """All your webhooks, oldest first; no more than ten. The list is whole: it has no pages."""

    webhooks: tuple[Webhook, ...]


class WebhookDelivery(Struct, frozen=True):
    """An event on its way to a webhook: how often it was sent, when it is sent next, and the last answer's beginning.

    `event_id` is the header `webhook-id` of every attempt.
    """

    id: UUID
    event_id: UUID
    type: EventType
    status: DeliveryStatus
    attempts: int
    next_attempt_at: shapes.Time | None
    answered_at: shapes.Time | None
    answer_status: int | None
    answer: Annotated[str, Meta(description="The answer's first 1,000 bytes, or why there was none.")] | None


class WebhookDeliveryList(Struct, frozen=True):
    """A page of deliveries, newest event first; `next` is the cursor of the next page."""

    deliveries: tuple[WebhookDelivery, ...]
    next: str | None


@operation(
    id="add_webhook", method="POST", keeps_answer=True, path="/v1/webhooks", **_OWN, body=WebhookBody,
    problems=("illegal",),
    answers={201: Answer(type=Webhook, says="The webhook; its secret is shown this once.", headers=headers.LOCATION)},
    examples={"turns": {"url": "https://example.org/kibitz", "types": ["turn", "invitation"]}},
)  # fmt: skip
async def add_webhook(call: Call[WebhookBody, None]) -> Response[bytes]:
    """Send your events to a URL, from now on, once its receiver has proved that it wants them.

    The receiver first gets a signed `WebhookVerification` with a random `challenge`, and answers 200 with
    `{"challenge": "..."}`, the same string. Until then it gets nothing else; events wait for it. Five challenges are
    sent within 49 minutes, then the webhook is disabled as `unverified`. `change_webhook` with `"enabled": true` sends
    one at once, and up to five again. `verification` and `verification_error` show the state.

    Each event is one POST of an `AccountEvent`, signed as [Standard Webhooks](https://www.standardwebhooks.com) has it:
    `webhook-id` is the event's id and stays the same over repeats, `webhook-timestamp`, `webhook-signature`. Any answer
    of 200 to 299 within 15 seconds accepts it. Otherwise it is sent again, after 5 seconds and then at growing
    intervals, for two days; then the webhook is disabled, and you get the event `webhook_disabled`. 410 disables it at
    once. Redirects are not followed. The same event may come twice, with the same id. At most three deliveries of a
    webhook, four of an account and eight to one host and port run at once.
    """
    url = checked_url(call.settings, call.body.url)
    types = tuple(dict.fromkeys(call.body.types))
    made = await webhooks.add(call.store, call.parts.seals, call.player, url, types)
    return reply(shown_webhook(made), 201, Location=f"/v1/webhooks/{made.id}", Cache_Control=NO_STORE)


@operation(
    id="list_webhooks", method="GET", path="/v1/webhooks", **_OWN,
    answers={200: Answer(type=WebhookList, says="Your webhooks, without their secrets.")},
)  # fmt: skip
async def list_webhooks(call: Call[None, None]) -> Response[bytes]:
    """List your webhooks."""
    return reply(WebhookList(tuple(map(shown_webhook, await webhooks.webhooks(call.store, call.player)))))


@operation(id="get_webhook", method="GET", **_WEBHOOK, answers={200: Answer(type=Webhook, says="The webhook.")})
async def get_webhook(call: Call[None, None]) -> Response[bytes]:
    """Show a webhook of yours."""
    return reply(shown_webhook(await webhooks.webhook(call.store, call.player, call.id("webhook_id"))))


@operation(
    id="change_webhook", method="PATCH", keeps_answer=True, **_WEBHOOK, body=WebhookChange,
    answers={200: Answer(type=Webhook, says="The webhook, changed.")}, examples={"off": {"enabled": False}},
)  # fmt: skip
async def change_webhook(call: Call[WebhookChange, None]) -> Response[bytes]:
    """Change the URL or the types, disable or enable it. A webhook that is enabled again gets its pending events.

    Another URL is unverified: its receiver has to answer a challenge, as for a new webhook. `"enabled": true` for a
    webhook that is not verified sends the challenge again at once.
    """
    body = call.body
    url = None if body.url is None else checked_url(call.settings, body.url)
    types = None if body.types is None else tuple(dict.fromkeys(body.types))
    store, which = call.store, call.id("webhook_id")
    return reply(shown_webhook(await webhooks.change(store, call.player, which, url, types, body.enabled)))


@operation(
    id="delete_webhook", method="DELETE", keeps_answer=True, **_WEBHOOK,
    answers={204: Answer(type=None, says="Deleted.")},
)  # fmt: skip
async def delete_webhook(call: Call[None, None]) -> Response[Any]:
    """Delete a webhook and its deliveries."""
    await webhooks.remove(call.store, call.player, call.id("webhook_id"))
    return Response(None, status_code=204)


@operation(
    id="rotate_webhook_secret", method="POST", keeps_answer=True, path="/v1/webhooks/{webhook_id:uuid}/rotate", **_OWN,
    answers={200: Answer(type=Webhook, says="The webhook; its new secret is shown this once.")},
)  # fmt: skip
async def rotate_webhook_secret(call: Call[None, None]) -> Response[bytes]:
    """Make a new secret. For a day the one before signs as well, so that no event is refused while you change over."""
    rotated = await webhooks.rotate(call.store, call.parts.seals, call.player, call.id("webhook_id"))
    return reply(shown_webhook(rotated), Cache_Control=NO_STORE)


@operation(
    id="list_webhook_deliveries", method="GET", path="/v1/webhooks/{webhook_id:uuid}/deliveries", **_OWN,
    query=PageQuery, answers={200: Answer(type=WebhookDeliveryList, says="A page of deliveries.")},
)  # fmt: skip
async def list_webhook_deliveries(call: Call[None, PageQuery]) -> Response[bytes]:
    """List the deliveries to a webhook and their results, newest event first."""
    store, limit = call.store, call.query.limit
    webhook = await webhooks.webhook(store, call.player, call.id("webhook_id"))
    deliveries = await webhooks.deliveries(store, webhook.id, limit + 1, id_page_start(call.query))
    end = Cursor(b"", str(deliveries[limit - 1].id)) if len(deliveries) > limit else None
    return reply(WebhookDeliveryList(tuple(map(shown_delivery, deliveries[:limit])), next_cursor(end)))


@operation(
    id="replay_webhook_delivery", method="POST", keeps_answer=True,
    path="/v1/webhooks/{webhook_id:uuid}/deliveries/{delivery_id:uuid}/replay", **_OWN,
    answers={202: Answer(type=WebhookDelivery, says="It is sent again.")}, problems=("illegal",),
)  # fmt: skip
async def replay_webhook_delivery(call: Call[None, None]) -> Response[bytes]:
    """Send an event to a webhook once more, taken or not, under the id it had."""
    store, which, delivery = call.store, call.id("webhook_id"), call.id("delivery_id")
    return reply(shown_delivery(await webhooks.replay(store, call.player, which, delivery)), 202)


def checked_url(settings: Settings, url: str) -> str:
    """The URL, if this service may send to it; raises Refused."""
    return check_url(url, http=settings.webhooks_by_http, private=settings.webhooks_to_private)


def _moment(micros: int | None) -> Any:
    return None if not micros else shapes.moment(micros)


def shown_webhook(webhook: webhooks.Webhook) -> Webhook:
    """The API's form of a webhook."""
    return Webhook(
        webhook.id, webhook.url, webhook.types, webhook.disabled is None, webhook.disabled,
        shapes.moment(webhook.created_at), webhook.verification, webhook.verification_error,
        _moment(webhook.failing_since), _moment(webhook.both_until), webhook.secret,
    )  # fmt: skip


def shown_delivery(delivery: webhooks.Delivery) -> WebhookDelivery:
    """The API's form of a delivery."""
    return WebhookDelivery(
        delivery.id, delivery.event, delivery.type, delivery.status, delivery.attempts, _moment(delivery.due),
        _moment(delivery.answered_at), delivery.http_status, delivery.answer,
    )  # fmt: skip
