"""The WebSocket `/v1/play` (RFC 6455): one connection, many commands, each with the answer of the REST request.

Its upgrade is a GET whose answer, 101, lasts as long as the line: so quotas, request ids, counts and the bound on
streams apply as to every request, and a refusal is a problem document. Waiting commands of one game are said together
and stored in one transaction, up to the first that is not accepted. The application handles that one, and everything
else, as a REST request: refusals, repeats, forwarding and streams have one implementation.
"""

import asyncio
from collections import deque
from contextlib import suppress
from itertools import islice
from time import monotonic, perf_counter
from typing import Any
from uuid import UUID

import msgspec
import structlog
from litestar import Request, Response
from msgspec import Raw, Struct

from service.accounts import sessions
from service.api.play.play import UNACCEPTED, say_together
from service.event_store.errors import StoreUnavailable
from service.http import line_messages as messages
from service.http.bodies import check_depth, check_members, decode_body
from service.http.connections.upgraded import SOCKET, Socket
from service.http.front import Origins, count_answer
from service.http.limits import BYTES_PER_REQUEST, Quotas, too_many
from service.http.line_messages import PROTOCOL, SUBSCRIPTIONS, UNDER_WAY
from service.http.operation import Answer, Call, NoQuery, operation
from service.http.refusals import encode_problem, error_response
from service.problems import Refused, refused_header, refused_member
from service.telemetry import request_ids
from service.telemetry.background import start_task

_TOGETHER = 32  # most commands that are decided without yielding to other tasks
_DRAIN = 8.0  # seconds for commands under way when the service stops: less than the server waits
_IDENTITY_HEADERS = frozenset((b"authorization", b"cookie", b"host", b"origin", b"sec-fetch-site", b"user-agent"))
_OF_CONNECTION = (
    "type", "asgi", "http_version", "scheme", "method", "path", "query_string", "root_path", "server", "client", "app",
    "litestar_app",
)  # fmt: skip
_LOG = structlog.get_logger("lines")


class _HasId(Struct):
    id: messages.Id


class Line:
    """One client's line."""

    def __init__(self, call: Call[Any, Any], socket: Socket, cookie: bool) -> None:
        self._receive, self._send, _ = socket
        self._parts, self._player = call.parts, None if call.caller is None else call.caller.player
        scope: Any = call.request.scope
        self._sender, self._address, self._app = scope["sender"], scope["address"], scope["app"].asgi_handler
        names = _IDENTITY_HEADERS if cookie else _IDENTITY_HEADERS - {b"cookie"}
        headers = [header for header in scope["headers"] if header[0] in names]
        self._scope: dict[str, Any] = {name: scope[name] for name in _OF_CONNECTION} | {"headers": headers}
        self._lanes: dict[UUID, deque[messages.SayCommand]] = {}
        self._carrying: set[asyncio.Task[None]] = set()
        self._subscribed: dict[str, asyncio.Task[None]] = {}
        state = scope["app"].state
        self._quotas: tuple[Quotas, Quotas] = state["requests"], state["quotas"]["commands"]
        self._request: Request[Any, Any, Any] = Request(self._scope)  # type: ignore[arg-type]
        self._places = asyncio.Semaphore(UNDER_WAY)
        self._slow = self._parts.settings.slow_request_ms / 1_000
        self._heard, self._over = monotonic(), False

    async def serve(self, scope: Any, receive: Any, send: Any) -> None:
        """Take messages until the line ends; commands that have begun are always carried out."""
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
        """Take message after message; returns the code that the line is closed with."""
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
            check_depth(text, self._parts.settings.max_json_depth + 1)
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
                    self._charge()
                    raise refused_member("id", "A subscription has it.")
                if len(self._subscribed) >= SUBSCRIPTIONS:
                    self._charge()
                    raise Refused("too_many_requests", f"This line has {SUBSCRIPTIONS} subscriptions already.")
                self._subscribed[sent.id] = asyncio.create_task(self._follow(sent))
                await asyncio.sleep(0)  # a task that is cancelled before it has begun would not send its end

    async def _run_lane(self, game_id: UUID, lane: deque[messages.SayCommand]) -> None:
        """Carry out the commands of one game in order, together up to the first that is not accepted."""
        while lane and not self._over:
            for _ in range(await self._say_together(game_id, lane)):
                if not self._over:
                    await self._say_alone(lane.popleft())
        del self._lanes[game_id]
        for _ in lane:  # the line is over, and its reader may wait for a place
            self._places.release()

    async def _say_together(self, game_id: UUID, lane: deque[messages.SayCommand]) -> int:
        """Say the first commands of the lane, and answer the accepted ones; returns how many to say alone next."""
        began, answers = perf_counter(), list[messages.Accepted | messages.Refusal]()
        request_ids.begin(())
        try:
            caller = await sessions.caller(self._request)
        except (Refused, StoreUnavailable):
            return 1
        if caller is None or "games:play" not in caller.scopes:
            return 1
        who = caller.player.bytes, self._address
        sent = list(islice(lane, max(0, min(_TOGETHER, self._charge_commands(who, 0)))))
        if not sent:
            return 1
        self._charge_commands(who, len(sent))
        try:
            answers += await say_together(self._parts, caller, game_id, sent)
            status, alone = 200, 1 if len(answers) < len(sent) else 0
        except UNACCEPTED:
            status, alone = 0, len(sent)
        except Exception as error:  # noqa: BLE001  none of them is known to be stored
            response = error_response(self._request, error)
            later = response.headers.get("Retry-After")
            seconds, problem = None if later is None else int(later), Raw(response.content)
            answers += [messages.Refusal(id=command.id, problem=problem, retry_after=seconds) for command in sent]
            status, alone = response.status_code or 500, 0
        if len(answers) < len(sent):
            self._charge_commands(who, len(answers) - len(sent))
        if answers:
            count_answer("post_command", status, perf_counter() - began, self._slow, len(answers))
            await self._tell(*answers)
        for _ in answers:
            lane.popleft()
            self._places.release()
        return alone

    def _charge_commands(self, who: tuple[bytes, bytes], count: int) -> int:
        """Charge this many commands; returns how many are left."""
        requests, commands = self._quotas
        return min(requests.take(*who, count).requests, commands.take(*who, count).requests)

    async def _say_alone(self, sent: messages.SayCommand) -> None:
        """Carry out a command as a REST request."""
        answer = messages.Answered()
        await self._ask(sent.request(), answer)
        if answer.status == 200:
            position = int(answer.headers[b"log-position"])
            await self._tell(messages.Accepted(id=sent.id, answer=Raw(answer.body), log_position=position))
        else:
            await self._tell(answer.refusal(sent.id))
        self._places.release()

    async def _follow(self, sent: messages.Subscribe) -> None:
        """Send the events of a stream, until it or the subscription ends."""
        stream = messages.Streamed(sent.id, self._tell)
        try:
            await self._ask(sent.request(), stream)
        finally:
            del self._subscribed[sent.id]
            ended = stream.status in (None, 200, 204)
            await self._tell(messages.Ended(id=sent.id) if ended else stream.refusal(sent.id))

    async def _ask(self, request: messages.RestRequest, answer: messages.Answered) -> None:
        """Let the application handle this request."""
        scope: Any = {
            **self._scope, "method": request.method, "path": request.path, "raw_path": request.path.encode(),
            "query_string": request.query, "headers": [*self._scope["headers"], *request.headers],
            "state": {},
        }  # fmt: skip
        body = iter(({"type": "http.request", "body": request.body, "more_body": False},))

        async def receive() -> Any:
            if (part := next(body, None)) is None:
                await answer.complete.wait()
            return part or {"type": "http.disconnect"}

        try:
            await self._app(scope, receive, answer)
        except Exception as error:  # noqa: BLE001  over HTTP the connection would break off
            _LOG.error("request broke off", exc_info=error)

    async def _authenticate(self, sent: messages.Authenticate) -> None:
        """Act as this token's player from now on; raises Refused."""
        self._charge()
        if any(name in (b"authorization", b"cookie") for name, _ in self._scope["headers"]):
            raise Refused("malformed", "The line knows already who you are.")
        caller = await self._parts.accounts.access.caller(f"Bearer {sent.token}")
        self._player, self._sender = caller.player, caller.player.bytes
        self._scope["headers"].append((b"authorization", b"Bearer " + sent.token.encode()))
        self._request = Request(self._scope)  # type: ignore[arg-type]
        self._guard.cancel()
        self._guard = start_task(self._close_in_time, "line")
        await self._tell(messages.Authenticated(id=sent.id))

    async def _close_in_time(self) -> None:
        """Close the line when its token is no longer valid, or when nothing has been under way for too long."""
        settings = self._parts.settings
        with self._parts.room.watchers.watch_player(self._player) as queue:
            while not self._over:
                with suppress(TimeoutError):
                    await asyncio.wait_for(queue.get(), min(settings.heartbeat, settings.keep_alive_seconds))
                try:
                    await sessions.caller(self._request)
                except Refused:
                    await self._close(4401)
                except StoreUnavailable:
                    continue
                if self._lanes or self._subscribed:
                    self._heard = monotonic()
                elif monotonic() - self._heard >= settings.keep_alive_seconds:
                    await self._close(4410)

    def _charge(self, size: int = 0) -> None:
        """Charge the general quota for a message of this size that is no request; raises Refused."""
        if (left := self._quotas[0].take(self._sender, self._address, 1 + size // BYTES_PER_REQUEST)).requests < 0:
            raise too_many(left)

    async def _refuse_unread(self, text: bytes, refusal: Refused) -> None:
        """Send the refusal of a message that cannot be read; beyond the quota close the line."""
        try:
            self._charge(len(text))
        except Refused:
            await self._close(4429)
            return
        message_id = None
        with suppress(msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            message_id = msgspec.json.decode(text, type=_HasId).id
        await self._tell(_refusal(message_id, refusal))

    async def _tell(self, *replies: messages.Told) -> None:
        if not self._over:
            with suppress(OSError):  # the client has gone
                await self._send({"type": "websocket.send", "texts": list(map(messages.encode, replies))})

    async def _close(self, code: int) -> None:
        if not self._over:
            self._over = True
            with suppress(OSError):
                await self._send({"type": "websocket.close", "code": code, "reason": messages.CLOSES[code]})


def _refusal(id: str | None, refusal: Refused) -> messages.Refusal:
    return messages.Refusal(id=id, problem=Raw(encode_problem(refusal.problem)))


@operation(
    id="open_line", method="GET", path="/v1/play", tag="play", access="optional", scope=None,
    answers={101: Answer(type=None, says="The line is open.")},
)  # fmt: skip
async def open_line(call: Call[None, NoQuery]) -> Response[Any]:
    """Play and watch any number of games over one WebSocket."""
    scope: Any = call.request.scope
    socket: Socket | None = scope.get(SOCKET)
    if socket is None:
        what = "Expected the upgrade to a WebSocket."
        raise refused_header("Upgrade", what, "websocket", kind="upgrade_required")
    if PROTOCOL not in socket.subprotocols:
        raise refused_header("Sec-WebSocket-Protocol", "Expected the version of the messages.", PROTOCOL)
    return _Upgrade(Line(call, socket, cookie=_takes_cookie(call)))


def _takes_cookie(call: Call[Any, Any]) -> bool:
    """Whether a session counts: for our own pages, not for allowed origins; raises Refused for all others."""
    origin = call.headers_by_name.get(b"origin")
    if origin is None and not sessions.uses_cookie(call.request):
        return True
    try:
        sessions.check_own_origin(call.request)
    except Refused:
        if Origins(call.settings.allowed_origins).allows(origin):
            return False
        raise
    return True


class _Upgrade(Response[None]):
    """The answer 101, after which the line is served."""

    def __init__(self, line: Line) -> None:
        super().__init__(None)
        self._line = line

    def to_asgi_response(self, *args: Any, **kwargs: Any) -> Any:
        """The line itself."""
        return self._line.serve
