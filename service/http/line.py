"""One connection, many commands: each message is carried out as the REST request that it is, by the whole application.

So checks, decisions, quotas, forwarding, counts and log lines are those of REST, and the answers are, too.
"""

import asyncio
from collections import deque
from contextlib import suppress
from time import monotonic
from typing import Any
from uuid import UUID

import msgspec
import structlog
from litestar import Request
from msgspec import Raw, Struct

from service.accounts import sessions
from service.event_store.errors import StoreUnavailable
from service.http import line_messages as messages
from service.http.bodies import check_depth, check_members, decode_body
from service.http.connections.upgraded import Socket
from service.http.limits import Quotas, too_many
from service.http.operation import Call
from service.http.refusals import encode_problem
from service.problems import Refused, refused_member
from service.telemetry.background import start_task

UNDER_WAY, SUBSCRIPTIONS = 128, 100
"""Commands of a line that wait or are carried out, beyond which nothing is read; most subscriptions of a line."""
_DRAIN = 8.0  # seconds for commands under way when the service stops: less than the server waits
_KEPT = frozenset((b"authorization", b"cookie", b"host", b"origin", b"sec-fetch-site", b"user-agent"))
_OF_CONNECTION = (
    "type", "asgi", "http_version", "scheme", "method", "root_path", "server", "client", "app", "litestar_app"
)  # fmt: skip
_LOG = structlog.get_logger("lines")


class _HasId(Struct):
    id: messages.Id


class Line:
    """One client's line."""

    def __init__(self, call: Call[Any, Any], socket: Socket, cookie: bool) -> None:
        self._receive, self._send, _ = socket
        self._services, self._player = call.services, None if call.caller is None else call.caller.player
        scope: Any = call.request.scope
        self._sender, self._address, self._app = scope["sender"], scope["address"], scope["app"].asgi_handler
        kept = [one for one in scope["headers"] if one[0] in _KEPT and (cookie or one[0] != b"cookie")]
        self._scope: dict[str, Any] = {name: scope[name] for name in _OF_CONNECTION} | {"headers": kept}
        self._lanes: dict[UUID, deque[messages.SayCommand]] = {}
        self._carrying: set[asyncio.Task[None]] = set()
        self._subscribed: dict[str, asyncio.Task[None]] = {}
        self._places = asyncio.Semaphore(UNDER_WAY)
        self._heard, self._over = monotonic(), False

    async def serve(self, scope: Any, receive: Any, send: Any) -> None:
        """Take messages until the line ends; commands that have begun are carried out in any case."""
        await send({"type": "http.response.start", "status": 101, "headers": [], "subprotocol": messages.PROTOCOL})
        self._guard = start_task(self._close_in_time, "line")
        try:
            if await self._take_messages() == 1012:
                if self._carrying:
                    await asyncio.wait(self._carrying, timeout=_DRAIN)
                await self._close(1012)
        finally:
            self._over = True
            for task in (self._guard, *self._subscribed.values()):
                task.cancel()
            if self._carrying:
                await asyncio.wait(self._carrying)

    async def _take_messages(self) -> int:
        """Take message after message; the code that the line is closed with."""
        while True:
            heard: Any = await self._receive()
            if heard["type"] == "websocket.disconnect":
                return int(heard["code"])
            if heard["type"] == "websocket.receive" and not self._over:
                self._heard = monotonic()
                if (text := heard.get("text")) is None:
                    await self._close(1003)
                else:
                    await self._take(text.encode())

    async def _take(self, text: bytes) -> None:
        try:
            check_depth(text, self._services.settings.max_json_depth + 1)
            sent = decode_body(messages.DECODER, text)
            check_members(text)
        except Refused as refusal:
            await self._refuse_unread(text, refusal)
            return
        try:
            await self._carry_out(sent)
        except Refused as refusal:
            await self._tell(_refusal(sent.id, refusal))

    async def _carry_out(self, sent: messages.Sent) -> None:
        match sent:
            case messages.SayCommand():
                await self._places.acquire()
                if (lane := self._lanes.get(sent.game_id)) is not None:
                    lane.append(sent)
                    return
                self._lanes[sent.game_id] = lane = deque((sent,))
                task = asyncio.create_task(self._run_lane(sent.game_id, lane))
                self._carrying.add(task)
                task.add_done_callback(self._carrying.discard)
            case messages.Unsubscribe():
                self._charge()
                if (following := self._subscribed.get(sent.id)) is None:
                    raise refused_member("id", "No subscription has it.")
                following.cancel()
            case messages.Authenticate():
                await self._authenticate(sent)
            case _:
                if sent.id in self._subscribed:
                    raise refused_member("id", "A subscription has it.")
                if len(self._subscribed) >= SUBSCRIPTIONS:
                    raise Refused("too_many_requests", f"This line has {SUBSCRIPTIONS} subscriptions already.")
                self._subscribed[sent.id] = asyncio.create_task(self._follow(sent))

    async def _run_lane(self, game_id: UUID, lane: deque[messages.SayCommand]) -> None:
        """Carry out the commands of one game in their order."""
        while lane and not self._over:
            sent, answer = lane.popleft(), messages.Answered()
            await self._ask(sent.request(), answer)
            if answer.status == 200:
                position = int(answer.headers[b"log-position"])
                await self._tell(messages.Accepted(id=sent.id, answer=Raw(answer.body), log_position=position))
            else:
                await self._tell(answer.refusal(sent.id))
            self._places.release()
        del self._lanes[game_id]

    async def _follow(self, sent: messages.Subscribe) -> None:
        """Tell what a stream tells, until it or the subscription ends."""
        stream = messages.Streamed(sent.id, self._tell)
        try:
            await self._ask(sent.request(), stream)
        finally:
            del self._subscribed[sent.id]
            ended = stream.status in (None, 200, 204)
            await self._tell(messages.Ended(id=sent.id) if ended else stream.refusal(sent.id))

    async def _ask(self, asked: messages.RestRequest, answer: messages.Answered) -> None:
        """Have the whole application carry out this request."""
        scope: Any = {
            **self._scope, "method": asked.method, "path": asked.path, "raw_path": asked.path.encode(),
            "query_string": asked.query, "headers": [*self._scope["headers"], *asked.headers],
            "state": {},
        }  # fmt: skip
        body = iter(({"type": "http.request", "body": asked.body, "more_body": False},))

        async def receive() -> Any:
            if (part := next(body, None)) is None:
                await answer.whole.wait()
            return part or {"type": "http.disconnect"}

        try:
            await self._app(scope, receive, answer)
        except Exception as error:  # noqa: BLE001  over HTTP the connection would break off
            _LOG.error("request broke off", exc_info=error)

    async def _authenticate(self, sent: messages.Authenticate) -> None:
        """Do all that follows as this token's player; raises Refused."""
        self._charge()
        if any(name in (b"authorization", b"cookie") for name, _ in self._scope["headers"]):
            raise Refused("malformed", "The line knows already who you are.")
        caller = await self._services.access.caller(f"Bearer {sent.token}")
        self._player, self._sender = caller.player, caller.player.bytes
        self._scope["headers"].append((b"authorization", b"Bearer " + sent.token.encode()))
        self._guard.cancel()
        self._guard = start_task(self._close_in_time, "line")
        await self._tell(messages.Authenticated(id=sent.id))

    async def _close_in_time(self) -> None:
        """Close the line when its token is no longer valid, or when nothing has been under way for too long."""
        settings = self._services.settings
        with self._services.room.watchers.watch_player(self._player) as queue:
            while not self._over:
                with suppress(TimeoutError):
                    await asyncio.wait_for(queue.get(), min(settings.heartbeat, settings.keep_alive_seconds))
                try:
                    await sessions.caller(Request(self._scope))  # type: ignore[arg-type]
                except Refused:
                    await self._close(4401)
                except StoreUnavailable:
                    continue
                if self._lanes or self._subscribed:
                    self._heard = monotonic()
                elif monotonic() - self._heard >= settings.keep_alive_seconds:
                    await self._close(4410)

    def _charge(self) -> None:
        """Charge the general quota for a message that is no request; raises Refused."""
        quotas: Quotas = self._scope["app"].state["requests"]
        if (left := quotas.take(self._sender, self._address)).requests < 0:
            raise too_many(left)

    async def _refuse_unread(self, text: bytes, refusal: Refused) -> None:
        """Tell what is wrong with a message; beyond the quota the line is closed."""
        try:
            self._charge()
        except Refused:
            await self._close(4429)
            return
        found = None
        with suppress(msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            found = msgspec.json.decode(text, type=_HasId).id
        await self._tell(_refusal(found, refusal))

    async def _tell(self, told: messages.Told) -> None:
        if not self._over:
            with suppress(OSError):  # the client has gone
                await self._send({"type": "websocket.send", "text": messages.encode(told).decode(), "bytes": None})

    async def _close(self, code: int) -> None:
        if not self._over:
            self._over = True
            with suppress(OSError):
                await self._send({"type": "websocket.close", "code": code, "reason": messages.CLOSES[code]})


def _refusal(id: str | None, refusal: Refused) -> messages.Refusal:
    return messages.Refusal(id=id, problem=Raw(encode_problem(refusal.problem)))
