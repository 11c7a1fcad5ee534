"""The messages of `WS /v1/play`: the client's, each with its REST request, and the service's."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Annotated, Any, Literal, NamedTuple
from urllib.parse import urlencode
from uuid import UUID

import msgspec
from msgspec import Meta, Raw, Struct

from service.http.refusals import encode_problem
from service.live.shapes import SeatNumber
from service.problems import GAME_EVENT_ID, IDEMPOTENCY_KEY, problem

PROTOCOL = "kibitz.play.v1"
UNDER_WAY, SUBSCRIPTIONS = 128, 100
"""Commands of a line that wait or are carried out, beyond which nothing is read; most subscriptions of a line."""
CLOSES = {
    1000: "You closed it.",
    1002: "What you sent breaks the protocol of WebSockets (RFC 6455).",
    1003: "A binary message: all messages are text.",
    1007: "A text message that is no UTF-8.",
    1009: "A message longer than a request's body may be.",
    1012: "The service stops or starts again: what you sent is answered; open another line.",
    4401: "The token is revoked or expired, the session over.",
    4408: "You read too slowly, or answered no ping.",
    4410: "Idle: neither a subscription nor a command for as long as a connection may idle.",
    4429: "What you sent could not be read, again and again, beyond your quota.",
}
"""Close code -> when it is used."""


class RestRequest(NamedTuple):
    """The request that a message is."""

    method: str
    path: str
    query: bytes
    headers: tuple[tuple[bytes, bytes], ...]
    body: bytes = b""


def _encode_query(**parameters: object) -> bytes:
    """A query of these parameters, without those that are None."""
    return urlencode({name: value for name, value in parameters.items() if value is not None}).encode()


def _refer_to_schema(name: str) -> Meta:
    return Meta(extra_json_schema={"$ref": f"#/components/schemas/{name}"})


_JSON = (b"content-type", b"application/json")
_STREAM = ((b"accept", b"text/event-stream"),)


Version = Annotated[int, Meta(ge=0, le=2**31 - 1)]
Id = Annotated[str, Meta(min_length=1, max_length=100, description="Yours: every answer to the message has it.")]
EventId = Annotated[str, Meta(pattern=GAME_EVENT_ID)]
_KEY = "As `Idempotency-Key`: said again with it, the command is the same to the byte."
Key = Annotated[str, Meta(max_length=200, pattern=IDEMPOTENCY_KEY, description=_KEY)]


class _Message(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type"):
    id: Id


class Authenticate(_Message, frozen=True, kw_only=True, tag="authenticate"):
    """Once, where the upgrade had neither header nor cookie: who you are."""

    token: Annotated[str, Meta(pattern="^[!-~]{1,200}$(?!\n)")]


class SayCommand(_Message, frozen=True, kw_only=True, tag="command"):
    """As `post_command`. Commands of one game are carried out in the order sent, those of several at once."""

    game_id: UUID
    command: Annotated[Raw, _refer_to_schema("Command")]
    seat: SeatNumber | None = None
    version: Annotated[Version, Meta(description="As `If-Match`.")] | None = None
    key: Key | None = None

    def request(self) -> RestRequest:
        """The POST of this command."""
        headers = [_JSON]
        if self.version is not None:
            headers.append((b"if-match", b'"%d"' % self.version))
        if self.key is not None:
            headers.append((b"idempotency-key", self.key.encode()))
        query = b"" if self.seat is None else b"seat=%d" % self.seat
        return RestRequest("POST", f"/v1/games/{self.game_id}/commands", query, tuple(headers), bytes(self.command))


class SubscribeGame(_Message, frozen=True, kw_only=True, tag="subscribe_game"):
    """As `stream_game`; `id` is the subscription's from now on."""

    game_id: UUID
    seat: SeatNumber | None = None
    spectator: bool = False
    known: Literal["then", "now"] = "then"
    after: Annotated[Version | EventId, Meta(description="A version, or the `event_id` last heard.")] = 0

    def request(self) -> RestRequest:
        """The GET of this stream."""
        as_spectator = "true" if self.spectator else None
        version, headers = (self.after, _STREAM) if isinstance(self.after, int) else (
            0, (*_STREAM, (b"last-event-id", self.after.encode()))
        )  # fmt: skip
        query = _encode_query(seat=self.seat, spectator=as_spectator, known=self.known, after=version)
        return RestRequest("GET", f"/v1/games/{self.game_id}/events", query, headers)


class SubscribeInbox(_Message, frozen=True, kw_only=True, tag="subscribe_inbox"):
    """As `stream_inbox`."""

    def request(self) -> RestRequest:
        """The GET of this stream."""
        return RestRequest("GET", "/v1/inbox/events", b"", _STREAM)


class SubscribeAccountEvents(_Message, frozen=True, kw_only=True, tag="subscribe_account_events"):
    """As `list_account_events`, live."""

    after: UUID | None = None

    def request(self) -> RestRequest:
        """The GET of this stream."""
        return RestRequest("GET", "/v1/account/events", _encode_query(after=self.after), _STREAM)


class Unsubscribe(_Message, frozen=True, kw_only=True, tag="unsubscribe"):
    """End the subscription of this `id`: `ended` answers."""


Subscribe = SubscribeGame | SubscribeInbox | SubscribeAccountEvents
Sent = Authenticate | SayCommand | SubscribeGame | SubscribeInbox | SubscribeAccountEvents | Unsubscribe


class Authenticated(_Message, frozen=True, kw_only=True, tag="authenticated"):
    """From now on all is done as the token's player."""


class Accepted(_Message, frozen=True, kw_only=True, tag="accepted"):
    """A command was recorded for good: the answer of `post_command`, and where in the log, as `Log-Position`."""

    answer: Annotated[Any, _refer_to_schema("CommandAnswer")]
    log_position: int


class Refusal(Struct, frozen=True, kw_only=True, tag_field="type", tag="refused"):
    """The problem document that the request would have been answered with; `id` is null where none could be read."""

    id: Id | None
    problem: Annotated[Raw, _refer_to_schema("Problem")]
    retry_after: Annotated[int, Meta(description="Seconds, as `Retry-After`.")] | None = None


class Event(_Message, frozen=True, kw_only=True, tag="event"):
    """An event of a subscription, its data to the byte as the stream of server-sent events has them."""

    event: str
    data: Annotated[Raw, Meta(description="As the message of this name in the stream's own channel.")]
    event_id: Annotated[str, Meta(description="What to go on after: `after`.")] | None = None


class Ended(_Message, frozen=True, kw_only=True, tag="ended"):
    """A subscription is over; an event `end` before it says why, where nothing broke. Its `id` may be used again."""


Told = Authenticated | Accepted | Refusal | Event | Ended
DECODER: msgspec.json.Decoder[Sent] = msgspec.json.Decoder(Sent)
encode = msgspec.json.Encoder().encode


class Answered:
    """The answer to a request, in one piece."""

    def __init__(self) -> None:
        self.status: int | None = None
        self.headers: dict[bytes, bytes] = {}
        self.body = b""
        self.complete = asyncio.Event()

    async def __call__(self, message: Any) -> None:
        if message["type"] == "http.response.start":
            self.status, self.headers = message["status"], dict(message["headers"])
            return
        self.body += message["body"]
        if not message.get("more_body", False):
            self.complete.set()

    def refusal(self, id: str) -> Refusal:
        """The refusal that it is."""
        later = self.headers.get(b"retry-after")
        body = self.body or encode_problem(problem("broken", "The answer broke off; it has been logged."))
        return Refusal(id=id, problem=Raw(body), retry_after=None if later is None else int(later))


class Streamed(Answered):
    """An answer of server-sent events, each passed on as it comes; comments are heartbeats."""

    def __init__(self, id: str, tell: Callable[[Told], Awaitable[None]]) -> None:
        super().__init__()
        self._id, self._tell = id, tell

    async def __call__(self, message: Any) -> None:
        await super().__call__(message)
        if self.status == 200:
            *events, self.body = self.body.split(b"\n\n")
            for text in events:
                fields = dict(line.split(b": ", 1) for line in text.split(b"\n") if not line.startswith(b":"))
                if b"data" in fields:
                    number = fields[b"id"].decode() if b"id" in fields else None
                    name, data = fields[b"event"].decode(), Raw(fields[b"data"])
                    await self._tell(Event(id=self._id, event=name, data=data, event_id=number))
