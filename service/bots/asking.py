"""A bot's client of the service: requests are repeated until they are answered; some refusals end the bot."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any
from uuid import uuid4

import httpx

_FIRST_PAUSE, _LONGEST_PAUSE, _LONGEST_WISH = 0.1, 5.0, 120.0  # seconds
_QUIET = httpx.Timeout(30.0)
_STREAMED = httpx.Timeout(30.0, read=90.0)
"""The read timeout is longer than the pause between two heartbeats of a stream."""


class Refused(Exception):
    """The service refuses for good: the bot may not, or speaks to the wrong address; one sentence."""


class Gone(Exception):
    """The thing does not exist, or is not the bot's any more."""


class Answer:
    """An answer below 500: its status and what it says."""

    def __init__(self, answer: httpx.Response) -> None:
        self.status = answer.status_code
        self.body = _json(answer)

    @property
    def accepted(self) -> bool:
        return self.status < 300


class Service:
    """The service for one player. Repeated requests carry the same Idempotency-Key, so that they take effect once."""

    def __init__(self, server: str, token: str | None, say: Callable[[str], None]) -> None:
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        try:
            self._http = httpx.AsyncClient(base_url=server.rstrip("/"), headers=headers, timeout=_QUIET)
        except httpx.InvalidURL as error:
            raise Refused(f"{server} is no address: {error}.") from error
        self._say = say
        self._away = False

    async def close(self) -> None:
        await self._http.aclose()

    async def once(self, method: str, path: str, body: Any = None) -> Any:
        """The answer to a request that is not repeated; raises Refused for no answer or an error."""
        try:
            answer = await self._http.request(method, path, **_content(body))
        except httpx.HTTPError as error:
            raise Refused(f"{self._http.base_url} does not answer: {str(error) or type(error).__name__}.") from error
        if not answer.is_success:
            raise Refused(_detail(answer))
        return _json(answer)

    def speak_as(self, token: str) -> None:
        """From now on with this token."""
        self._http.headers["Authorization"] = f"Bearer {token}"

    async def look(self, path: str, **query: Any) -> Any:
        """The body of a GET; raises Gone for any other 4xx, Refused if the token is not sufficient."""
        answer = await self._ask("GET", path, params=query)
        if not answer.accepted:
            raise Gone(path)
        return answer.body

    async def say(self, path: str, body: Any = None, version: int | None = None, **query: Any) -> Answer:
        """A POST, made once however often it is sent; `version` goes as If-Match."""
        headers = {"Idempotency-Key": str(uuid4())} | ({} if version is None else {"If-Match": f'"{version}"'})
        return await self._ask("POST", path, params=query, headers=headers, **_content(body))

    async def _ask(self, method: str, path: str, **more: Any) -> Answer:
        """Send the request until the answer is neither a 5xx nor a 429."""
        pause = _FIRST_PAUSE
        while True:
            answer = await self._send(method, path, more)
            if answer is not None and answer.status_code < 500 and answer.status_code != 429:
                return self._accept_answer(answer)
            await asyncio.sleep(max(pause, _retry_after(answer)))
            pause = min(2 * pause, _LONGEST_PAUSE)

    async def _send(self, method: str, path: str, more: dict[str, Any]) -> httpx.Response | None:
        """None where nobody answers."""
        try:
            return await self._http.request(method, path, **more)
        except httpx.TransportError:
            if not self._away:
                self._say("The service is away; waiting for it.")
            self._away = True
            return None

    def _accept_answer(self, answer: httpx.Response) -> Answer:
        if self._away:
            self._say("The service is back.")
        self._away = False
        if answer.status_code == 401 or _kind(answer) == "scope_missing":
            raise Refused(_detail(answer))
        return Answer(answer)

    @asynccontextmanager
    async def stream(self, path: str, **query: Any) -> AsyncIterator[AsyncIterator[str]]:
        """The lines of a stream; raises httpx.HTTPError where it breaks off."""
        async with self._http.stream("GET", path, params=query, timeout=_STREAMED) as answer:
            answer.raise_for_status()
            yield answer.aiter_lines()


def _content(body: Any) -> dict[str, Any]:
    return {} if body is None else {"json": body}


def _retry_after(answer: httpx.Response | None) -> float:
    """The seconds that Retry-After asks for."""
    text = "" if answer is None else answer.headers.get("retry-after", "")
    return min(float(text), _LONGEST_WISH) if text.isdecimal() else 0.0


def _json(answer: httpx.Response) -> Any:
    try:
        return answer.json()
    except ValueError:
        return None


def _kind(answer: httpx.Response) -> str:
    """`stale_version`: the last part of the problem's type."""
    told = _json(answer)
    return str(told.get("type", "")).rpartition("/")[2] if isinstance(told, dict) else ""


def _detail(answer: httpx.Response) -> str:
    """The problem's `detail`, or the status if the answer is no problem document."""
    told = _json(answer)
    return str(told["detail"]) if isinstance(told, dict) and "detail" in told else f"It answered {answer.status_code}."
