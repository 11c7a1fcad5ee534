"""What happens to one's account: as a list, and live as one resumable stream."""

from collections.abc import Sequence
from typing import Any

from litestar import Response
from msgspec import Struct

from service.api import examples, sse
from service.api.event_lists import LAST_EVENT_ID, EventSource, EventsQuery, StreamStart, answer_events
from service.http.operation import JSON, Answer, Call, operation
from service.outbox import account_events as outbox
from service.outbox.account_events import AccountEvent

TAG = "account"


class AccountEventList(Struct, frozen=True):
    """A page of your events, newest first; `next` is the cursor of the next page."""

    events: tuple[AccountEvent, ...]
    next: str | None


@operation(
    id="list_account_events", method="GET", path="/v1/account/events", tag=TAG, access="required",
    query=EventsQuery, request_headers=LAST_EVENT_ID, problems=("not_acceptable",),
    answers={200: Answer(
        type=AccountEventList, lines=(StreamStart, AccountEvent), media_types=(JSON, sse.MEDIA_TYPE),
        says="A page of your events; as server-sent events first `start` (unless it resumes), then `account_event`, "
        "and at last `end`.",
        example=examples.ACCOUNT_STREAM, events=("start", "account_event"),
    )},
)  # fmt: skip
async def list_account_events(call: Call[None, EventsQuery]) -> Response[Any]:
    """List what happened to you, newest first, or follow it live.

    The events: invitations, your turns in games of several, endings, voids, changed league tables, revealed attempts.
    Each is stored in one transaction with what caused it, and kept for 30 days.

    With `Accept: text/event-stream` it is a stream. Every event's id is its own: a stream that broke resumes with
    Last-Event-ID and misses nothing. Without it `start` says after which event the stream begins; `after` with an id of
    zeros begins with all that is kept. An id of no event of yours that is kept is refused with 400: list the events
    and begin anew. Lines that begin with a colon are heartbeats. The event `end` says why the stream ends: `limit` or
    `access`.
    """
    return await answer_events(call, EventSource(
        kept=outbox.EVENTS, owner=call.player, name="account_event", show=_as_kept, lists=AccountEventList,
        unknown="No event of yours that is kept has this id.",
    ))  # fmt: skip


async def _as_kept(found: Sequence[AccountEvent]) -> tuple[AccountEvent, ...]:
    return tuple(found)


HANDLERS = (list_account_events,)
