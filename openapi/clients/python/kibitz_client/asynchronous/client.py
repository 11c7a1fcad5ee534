"""One player's way to a service: requests, pages, streams; its areas are attributes."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

import httpx

from kibitz_client import oauth, types
from kibitz_client.asynchronous.account import Account, Inbox
from kibitz_client.asynchronous.games import Games, Records
from kibitz_client.asynchronous.leagues import Contests, Leagues
from kibitz_client.calls import EVENTS, Call, prepare
from kibitz_client.decoding import decode, read_answer
from kibitz_client.event_stream import Event, EventReader, Lines
from kibitz_client.operations import OPERATIONS
from kibitz_client.problems import StreamClosed, Unreachable
from kibitz_client.retries import Attempts, Retries

_QUIET = httpx.Timeout(30.0)
_STREAMED = httpx.Timeout(30.0, read=90.0)
"""The read timeout is longer than the pause between two heartbeats of a stream."""


class Kibitz:
    """A service for one player, or for nobody without a token.

    What was written is read: reads wait for the log position of the last own write, unless `read_own_writes` is false.
    `renew` gives another token for one that is good no more, None where there is none; it may block.
    An `http` that is given stays open when this is closed.
    """

    def __init__(
        self,
        address: str,
        token: str | None = None,
        *,
        retries: Retries | None = None,
        read_own_writes: bool = True,
        renew: Callable[[str], str | None] | None = None,
        http: httpx.AsyncClient | None = None,
    ) -> None:
        if not address.startswith(("http://", "https://")):
            raise Unreachable(f"{address} is no address of a service.")
        self.address, self.token = address.rstrip("/"), token
        self.retries = retries or Retries()
        self.read_own_writes, self.renew = read_own_writes, renew
        self.log_position = 0
        """Of the newest own write."""
        self._owns_http = http is None
        self._http = http or httpx.AsyncClient(timeout=_QUIET)
        self.games, self.records = Games(self), Records(self)
        self.leagues, self.contests = Leagues(self), Contests(self)
        self.account, self.inbox = Account(self), Inbox(self)

    async def __aenter__(self) -> "Kibitz":
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close the connections."""
        if self._owns_http:
            await self._http.aclose()

    async def register(self, name: str, *, bot: bool = False) -> types.Registration:
        """A new player, and from now on this client's. The token is in `token.secret`, this once."""
        body = types.NameBody(name=name, bot=bot)
        made: types.Registration = await self.request("register_player", body, into=types.Registration)
        self.token = made.token.secret
        return made

    async def begin_sign_in(self, client_id: str, redirect_uri: str, *scopes: str) -> oauth.SignIn:
        """A sign-in of a person, for an app: send them to its `address`."""
        server = await self.request("describe_oauth", into=types.ServerDescription)
        return oauth.begin_sign_in(server.authorization_endpoint, client_id, redirect_uri, scopes)

    async def finish_sign_in(
        self, begun: oauth.SignIn, redirected_to: str, client_secret: str | None = None
    ) -> types.IssuedTokens:
        """The tokens of who was sent back to this address, and from now on this client's; raises SignInFailed."""
        return await self._issue(begun.form(redirected_to, client_secret))

    async def renew_tokens(
        self, client_id: str, refresh_token: str, client_secret: str | None = None
    ) -> types.IssuedTokens:
        """New tokens for a refresh token, which is good once."""
        form = {"grant_type": "refresh_token", "refresh_token": refresh_token, "client_id": client_id}
        return await self._issue({**form, "client_secret": client_secret})

    async def _issue(self, form: Mapping[str, str | None]) -> types.IssuedTokens:
        issued: types.IssuedTokens = await self.request("issue_token", form, into=types.IssuedTokens)
        self.token = issued.access_token
        return issued

    async def request(
        self,
        operation: str,
        body: Any = None,
        /,
        *,
        into: Any = Any,
        accept: str | None = None,
        content_type: str | None = None,
        version: int | None = None,
        **values: Any,
    ) -> Any:
        """Any operation of the description by its operationId, with the values of its path and its query.

        Returns JSON as the type `into`, or as it is; text as str, everything else as bytes; None where there is
        nothing. `version` goes as If-Match. Raises an exception of `kibitz_client.problems`.
        """
        call = self._prepare(operation, values, body, accept=accept, content_type=content_type, version=version)
        return read_answer(await self.send(call), into)

    async def pages(self, operation: str, member: str, /, *, into: Any = Any, **values: Any) -> AsyncIterator[Any]:
        """What is in this member of all pages of a list, asked for page by page as it is iterated over."""
        while True:
            page = await self.request(operation, into=into, **values)
            told = page if isinstance(page, dict) else {member: getattr(page, member), "next": page.next}
            for one in told[member]:
                yield one
            if told["next"] is None:
                return
            values["cursor"] = told["next"]

    async def events(self, operation: str, /, *, after: object = None, **values: Any) -> AsyncIterator[Event]:
        """The events of a stream, after the one with this id; a connection that breaks is resumed after the last one.

        Ends where the service says that there is no more; raises StreamClosed where it says that one may not look.
        """
        call, reader = self._prepare(operation, values, accept=EVENTS), EventReader()
        reader.last_id = None if after is None else str(after)
        attempts = self._attempts(call)
        failure: httpx.Response | httpx.TransportError
        while True:
            reader.begin()
            try:
                async with self._open(call, reader.last_id) as answer:
                    if answer.status_code == httpx.codes.NO_CONTENT:
                        return
                    if await self._has_new_token(answer):
                        continue
                    failure = answer
                    if not answer.is_error:
                        async for line in _lines(answer):
                            event = reader.read(line)
                            if reader.alive:
                                attempts.begin_anew()
                            if event is not None and event.name == "end":
                                _raise_unless_over(event)
                                return
                            if event is not None:
                                yield event
                        failure = httpx.RemoteProtocolError("The stream broke off.")
            except httpx.TransportError as error:
                failure = error
            await asyncio.sleep(attempts.pause_after(failure))

    async def feed(
        self, *, cursor: str | None = None, follow: bool = False, **filters: Any
    ) -> AsyncIterator[types.FeedLine]:
        """Finished games, oldest first, after the line with this cursor; with `follow` also those to come, for ever."""
        attempts: Attempts | None = None
        failure: httpx.Response | httpx.TransportError
        wait = 30 if follow else None
        while True:
            call = self._prepare("get_feed", {"wait": wait, **filters, "cursor": cursor})
            attempts = attempts or self._attempts(call)
            try:
                async with self._open(call) as answer:
                    failure, over = answer, False
                    if not answer.is_error:
                        async for line in _lines(answer):
                            attempts.begin_anew()
                            over = "end" in decode(line, dict)
                            if not over:
                                told = decode(line, types.FeedLine)
                                cursor = told.cursor
                                yield told
                            else:
                                cursor = decode(line, types.FeedEnd).cursor
                        failure = httpx.RemoteProtocolError("The feed broke off.")
                if over and not follow:
                    return
                if over:
                    continue
            except httpx.TransportError as error:
                failure = error
            await asyncio.sleep(attempts.pause_after(failure))

    async def send(self, call: Call) -> httpx.Response:
        """The answer to this call, repeated as `retries` say; raises Refused or Unreachable."""
        attempts = self._attempts(call)
        failure: httpx.Response | httpx.TransportError
        while True:
            try:
                failure = await self._http.request(
                    call.method, self.address + call.path, params=call.query, headers=self._headers(call),
                    content=call.content,
                )  # fmt: skip
                if not failure.is_error:
                    attempts.begin_anew()
                    self._note_position(failure)
                    return failure
                if await self._has_new_token(failure):
                    continue
            except httpx.TransportError as error:
                failure = error
            await asyncio.sleep(attempts.pause_after(failure))

    @asynccontextmanager
    async def _open(self, call: Call, last_id: str | None = None) -> AsyncIterator[httpx.Response]:
        """An answer whose lines are read as they come; that of a refusal is read."""
        headers = self._headers(call) | ({} if last_id is None else {"Last-Event-ID": last_id})
        address = self.address + call.path
        async with self._http.stream(
            call.method, address, params=call.query, headers=headers, timeout=_STREAMED
        ) as answer:
            if answer.is_error:
                await answer.aread()
            yield answer

    def _prepare(self, operation: str, values: Mapping[str, Any], body: Any = None, **more: Any) -> Call:
        if operation not in OPERATIONS:
            raise TypeError(f"There is no operation {operation}.")
        described = OPERATIONS[operation]
        own = self.log_position if described.positioned and self.read_own_writes else 0
        headers = {"Min-Log-Position": str(own)} if own else {}
        return prepare(described, values, body, headers=headers, **more)

    async def _has_new_token(self, answer: httpx.Response) -> bool:
        """Whether this answer refuses a token, and there is another one by now."""
        refused = answer.request.headers.get("authorization", "").removeprefix("Bearer ")
        if answer.status_code != httpx.codes.UNAUTHORIZED or self.renew is None or not refused:
            return False
        if self.token == refused:
            token = await asyncio.to_thread(self.renew, refused)
            if token is None or token == refused:
                return False
            self.token = token
        return True

    def _attempts(self, call: Call) -> Attempts:
        return Attempts(self.retries, call, self.address)

    def _headers(self, call: Call) -> dict[str, str]:
        return call.headers | ({} if self.token is None else {"Authorization": f"Bearer {self.token}"})

    def _note_position(self, answer: httpx.Response) -> None:
        text = answer.headers.get("log-position", "")
        if text.isdecimal():
            self.log_position = max(self.log_position, int(text))


async def _lines(answer: httpx.Response) -> AsyncIterator[str]:
    lines = Lines()
    async for piece in answer.aiter_bytes():
        for line in lines.read(piece):
            yield line


def _raise_unless_over(event: Event) -> None:
    reason = decode(event.data, types.StreamEnd).reason
    if reason == "access":
        raise StreamClosed(reason)
