"""Forwarding: a request that changes another process's game is sent to that process, and its answer sent back.

Only the owner's secret proves that a request was forwarded. A forwarded request is never forwarded again: a process
that does not own the game answers 421, and the sender looks up the owner again.
"""

import asyncio
from collections.abc import Awaitable
from contextlib import suppress
from hmac import compare_digest
from time import monotonic
from typing import Any

from litestar.types import ASGIApp, Receive, Send

from service.cluster.client import Answer, BrokenOff, Client, Unreached
from service.cluster.leases import Leases
from service.cluster.routed_request import (
    HOP,
    MISDIRECTED,
    RoutedRequest,
    TooLarge,
    changed_game,
    forward_header,
    request_to_owner,
)
from service.event_store.errors import StoreUnavailable
from service.http.bodies import too_large
from service.http.refusals import send_problem
from service.problems import problem
from service.telemetry.metrics import PASSED_ON

PATIENCE = 5.0
"""Seconds to find the owner; then the client gets `unavailable`."""
_ANSWER = 15.0  # seconds for the owner to answer: longer than it takes to notice that it is gone
_PAUSE = 0.02  # seconds between two looks for the owner


class Forwarding:
    """The application for our own games; the owner's for games of other processes."""

    def __init__(self, app: ASGIApp, leases: Leases, most_bytes: int) -> None:
        self._app, self._leases, self._most = app, leases, most_bytes
        self._client = Client()
        leases.left = self._client.drop

    def __call__(self, scope: Any, receive: Receive, send: Send) -> Awaitable[None]:
        """Serve or forward a request. A process without peers forwards nothing."""
        if not self._leases.company or (game := changed_game(scope)) is None:
            return self._app(scope, receive, send)
        passage = RoutedRequest(game, receive, send, self._most)
        if self._leases.holds(game) and forward_header(scope) is None:
            return self._try_here(scope, passage)
        return self._route_change(scope, passage)

    def close(self) -> None:
        """Close every connection to other processes."""
        self._client.close()

    async def _try_here(self, scope: Any, passage: RoutedRequest) -> None:
        """Serve here, as the owner we believe to be; forward if we turn out not to be."""
        fresh = _copied_scope(scope)
        scope["passage"] = passage
        await self._app(scope, passage.receive, passage.send)
        if passage.elsewhere:
            await self._route_change(fresh, passage)

    async def _route_change(self, scope: Any, passage: RoutedRequest) -> None:
        came = self._was_forwarded(scope)
        try:
            with suppress(ConnectionError):
                await self._run_somewhere(scope, passage, came)
        except StoreUnavailable:
            await _answer_unavailable(passage)
        except TooLarge:
            await send_problem(passage.send, too_large(self._most).problem)

    async def _run_somewhere(self, scope: Any, passage: RoutedRequest, came: bool) -> None:
        """Serve here or at the owner, until one of them has answered or time is over."""
        until = monotonic() + PATIENCE
        while monotonic() < until:
            if await self._run_here(scope, passage, came):
                return
            if came:
                await passage.answer(Answer(MISDIRECTED, [(HOP, b"no")], b""))
                return
            if await self._run_at_owner(scope, passage):
                return
            await self._leases.look()
            await asyncio.sleep(_PAUSE)
        await _answer_unavailable(passage)

    def _was_forwarded(self, scope: Any) -> bool:
        """Whether another process forwarded the request; then takes the client's address from the header."""
        if (hop := forward_header(scope)) is None or not compare_digest(hop.secret, self._leases.secret.encode()):
            return False
        scope["client"], scope["scheme"] = (hop.client, 0), hop.scheme
        return True

    async def _run_here(self, scope: Any, passage: RoutedRequest, came: bool) -> bool:
        """Serve here, if the game is ours or its owner cannot be reached; for a forwarded request look up the owner
        before saying no.
        """
        leases = self._leases
        if not leases.holds(passage.game) and not leases.is_cut_off(passage.game):
            if not came and leases.other_owner(passage.game) is not None:
                return False
            if not await leases.recheck_owner(passage.game):
                return False
        passage.begin()
        own = _copied_scope(scope) | {"passage": passage}
        await self._app(own, passage.receive, passage.send)
        return not passage.elsewhere

    async def _run_at_owner(self, scope: Any, passage: RoutedRequest) -> bool:
        """Forward to the owner; False: not carried out, or safe to repeat. If the connection breaks off the outcome is
        unknown.
        """
        if (owner := self._leases.other_owner(passage.game)) is None:
            return False
        request = request_to_owner(scope, await passage.body(), owner.secret)
        passage.begin()
        try:
            answer = await self._client.ask(owner.address, request, _ANSWER)
        except Unreached:
            PASSED_ON[("unreached",)] += 1
            self._leases.note_way(owner, reached=False)
            return False
        except BrokenOff:
            PASSED_ON[("broken",)] += 1
            if any(name == b"idempotency-key" for name, _ in request.headers):
                return False  # the key tells whether it was carried out, whoever is asked
            await _answer_unavailable(passage)
            return True
        if answer.status == MISDIRECTED and (HOP, b"no") in answer.headers:
            return False
        PASSED_ON[("answered",)] += 1
        await passage.answer(answer)
        return True


def _copied_scope(scope: Any) -> Any:
    """A copy of the scope, to serve the request again."""
    return {**scope, "state": dict(scope.get("state") or ())}


async def _answer_unavailable(passage: RoutedRequest) -> None:
    passage.elsewhere = False
    told = "The game's process cannot be reached; the request was carried out or not: its Idempotency-Key tells."
    await send_problem(passage.send, problem("unavailable", told), 1)
