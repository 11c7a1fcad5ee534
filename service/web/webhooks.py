"""One's webhooks: where events go, what came of each delivery, and sending one again."""

from typing import Any
from uuid import UUID

from litestar import Response
from msgspec import Struct

from domain.game_type import Illegal
from projections.engine.reading import Cursor
from service.api.account.webhooks import WebhookBody, checked_url, shown_delivery, shown_webhook
from service.api.paging import PageQuery, id_page_start, next_cursor
from service.outbox import webhooks as outbox
from service.outbox.account_events import EventType
from service.problems import Refused
from service.web.account import require_authority
from service.web.form_actions import FormFields, decode_form, form_route
from service.web.page import Visit, page
from service.web.rendering import redirect

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
    return await _webhooks(visit)


async def _webhooks(visit: Visit, refusal: str = "") -> Response[Any]:
    await require_authority(visit)
    found = await outbox.webhooks(visit.services.store, visit.player)
    return await visit.show("webhooks.html", webhooks=[shown_webhook(one) for one in found], says=SAYS, refusal=refusal)


@page(_LIST, "POST")
async def add(visit: Visit) -> Response[Any]:
    """Add a webhook and show its secret this once; a refusal is shown on the list's page."""
    await require_authority(visit)
    said = await visit.form()
    types = [name for name in SAYS if f"type.{name}" in said]
    if unknown := said.keys() - {"url", *(f"type.{name}" for name in types)}:
        return await _webhooks(visit, f"There is no field {min(unknown)}.")
    if not types:
        return await _webhooks(visit, "Tick at least one thing that it is told.")
    services = visit.services
    try:
        body = decode_form(WebhookBody, said, types=types)
        url = checked_url(services, body.url)
        made = await outbox.add(services.store, services.seals, visit.player, url, body.types)
    except Refused as error:
        return await _webhooks(visit, error.problem.detail)
    except (Illegal, ValueError) as error:
        return await _webhooks(visit, str(error))
    return await visit.show("webhook_secret.html", webhook=made)


@page(_ONE)
async def webhook(visit: Visit) -> Response[Any]:
    """Show one webhook with a page of its deliveries, newest event first."""
    if visit.visitor is None:
        return redirect(f"/sign-in?back={_LIST}")
    return await _webhook(visit)


async def _webhook(visit: Visit, refusal: str = "") -> Response[Any]:
    await require_authority(visit)
    store = visit.services.store
    found = await outbox.webhook(store, visit.player, visit.id("webhook_id"))
    rows = await outbox.deliveries(store, found.id, _MOST + 1, id_page_start(PageQuery(visit.cursor)))
    end = Cursor(b"", str(rows[_MOST - 1].id)) if len(rows) > _MOST else None
    return await visit.show(
        "webhook.html",
        webhook=shown_webhook(found),
        deliveries=[shown_delivery(one) for one in rows[:_MOST]],
        next=next_cursor(end),
        says=SAYS,
        refusal=refusal,
    )


@page(f"{_ONE}/rotate", "POST")
async def rotate(visit: Visit) -> Response[Any]:
    """Make a new secret and show it this once."""
    await require_authority(visit)
    services = visit.services
    rotated = await outbox.rotate(services.store, services.seals, visit.player, visit.id("webhook_id"))
    return await visit.show("webhook_secret.html", webhook=rotated)


class _DeliveryForm(Struct, frozen=True, forbid_unknown_fields=True):
    """Which delivery."""

    delivery: UUID


async def _replay(visit: Visit, said: FormFields) -> None:
    await require_authority(visit)
    delivery = decode_form(_DeliveryForm, said).delivery
    await outbox.replay(visit.services.store, visit.player, visit.id("webhook_id"), delivery)


async def _enable(visit: Visit, said: FormFields) -> None:
    await require_authority(visit)
    await outbox.change(visit.services.store, visit.player, visit.id("webhook_id"), None, None, True)


async def _disable(visit: Visit, said: FormFields) -> None:
    await require_authority(visit)
    await outbox.change(visit.services.store, visit.player, visit.id("webhook_id"), None, None, False)


async def _remove(visit: Visit, said: FormFields) -> str:
    await require_authority(visit)
    await outbox.remove(visit.services.store, visit.player, visit.id("webhook_id"))
    return _LIST


_DEEDS = {"replay": _replay, "enable": _enable, "disable": _disable, "remove": _remove}

HANDLERS = (webhooks, add, webhook, rotate, form_route(_ONE, _DEEDS, _webhook))
