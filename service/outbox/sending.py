"""Sending one signed POST to a public address: looked up once, checked, and connected to as it was checked."""

import asyncio
import ipaddress
import socket
import ssl
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from functools import partial
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import httpcore
from httpcore import AsyncNetworkBackend, AsyncNetworkStream
from standardwebhooks import Webhook

from domain.record import SECOND, Micros
from service.problems import refused_member

SECONDS = 15.0
"""Seconds that a receiver has for all of its answer."""
LEASE: Micros = round(4 * SECONDS) * SECOND
"""Microseconds after which another process may send what one has begun to."""
GONE = 410
"""The status by which a receiver says: never again."""
_KEPT = 1_000
"""Bytes of an answer that are kept; no more is read."""
_METADATA = frozenset(map(ipaddress.ip_address, ("168.63.129.16", "100.100.100.200", "192.0.0.192")))
"""Metadata services of clouds at addresses that look public, or nearly."""
_NAT64 = ipaddress.ip_network("64:ff9b::/96")
_GLOBAL_UNICAST = ipaddress.ip_network("2000::/3")
_LOOKUPS = 64
"""Look-ups under way at once: each takes a thread for as long as a name server likes."""


class Answered(NamedTuple):
    """What came of one attempt: the status, None without an answer, and its beginning or what went wrong."""

    status: int | None
    text: str

    @property
    def taken(self) -> bool:
        """Whether the receiver has the event."""
        return self.status is not None and 200 <= self.status < 300

    @property
    def outcome(self) -> str:
        """What came of it in one word, for the metrics."""
        return "taken" if self.taken else "unanswered" if self.status is None else "refused"


class Forbidden(httpcore.ConnectError):
    """A name leads to an address to which nothing is sent."""


def check_url(url: str, *, http: bool, private: bool) -> str:
    """The URL, if something may be sent there, as far as can be told without a look-up; raises Refused."""
    try:
        parts = urlsplit(url)
        port, host = parts.port, parts.hostname
    except ValueError:
        raise refused_member("url", "This is no URL.") from None
    if parts.scheme != "https" and not (http and parts.scheme == "http"):
        raise refused_member("url", "It must begin with https://.")
    if not host or port == 0 or not url.isascii() or not url.isprintable() or " " in url or "\\" in url:
        raise refused_member("url", "This is no URL of ASCII letters with a host.")
    if parts.username is not None or parts.password is not None or parts.fragment:
        raise refused_member("url", "No name, password or fragment may be in it.")
    if not private and (host.lower().rstrip(".") == "localhost" or _is_private_text(host)):
        raise refused_member("url", "Nothing is sent to private addresses.")
    return url


def _is_private_text(host: str) -> bool:
    try:
        return not is_public(host)
    except ValueError:
        return False


def is_public(address: str) -> bool:
    """Whether this is an address of the open internet; one of IPv6 that stands for one of IPv4 is judged as that.

    Raises ValueError for what is no address.
    """
    found = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(found, ipaddress.IPv6Address):
        inner = found.ipv4_mapped or found.sixtofour
        if found in _NAT64:
            inner = ipaddress.IPv4Address(int(found) & 0xFFFFFFFF)
        if inner is not None:
            return is_public(str(inner))
        if found not in _GLOBAL_UNICAST:
            return False
    return found.is_global and not found.is_multicast and not found.is_reserved and found not in _METADATA


class _CheckedNetwork(AsyncNetworkBackend):
    """Connects to checked addresses alone: the one look-up is what is checked and what is connected to."""

    def __init__(self, private: bool) -> None:
        self._network: Any = httpcore.AnyIOBackend()
        self._private = private
        self._threads = ThreadPoolExecutor(_LOOKUPS, "look-up")

    async def connect_tcp(
        self, host: str, port: int, timeout: float | None = None, local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> AsyncNetworkStream:  # fmt: skip
        """Connect to the first address that takes the connection; raises Forbidden if any is not public."""
        error: Exception = httpcore.ConnectError("the name has no address")
        for address in await self._checked_addresses(host, port):
            try:
                stream: AsyncNetworkStream = await self._network.connect_tcp(
                    address, port, timeout, local_address, socket_options
                )
                return stream
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as refused:
                error = refused
        raise error

    async def _checked_addresses(self, host: str, port: int) -> list[str]:
        try:
            lookup = partial(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM)
            found = await asyncio.get_running_loop().run_in_executor(self._threads, lookup)
        except (OSError, UnicodeError):
            raise httpcore.ConnectError("the name cannot be looked up") from None
        addresses = list(dict.fromkeys(str(one[4][0]) for one in found))
        if not self._private and not all(map(is_public, addresses)):
            raise Forbidden("the name leads to a private address")
        return addresses

    async def connect_unix_socket(
        self, path: str, timeout: float | None = None, socket_options: Iterable[Any] | None = None
    ) -> AsyncNetworkStream:
        raise Forbidden("no socket of this machine")

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


class Sender:
    """Sends to any receiver; each attempt has a connection of its own, so that none waits for another's."""

    def __init__(
        self, *, private: bool = False, trusted: ssl.SSLContext | None = None, seconds: float = SECONDS
    ) -> None:
        self._network = _CheckedNetwork(private)
        self._tls = ssl.create_default_context() if trusted is None else trusted
        self._seconds = seconds

    async def send(self, url: str, event: str, body: bytes, secrets: Iterable[bytes]) -> Answered:
        """One attempt: the body, signed with each secret. Never raises for what a receiver does."""
        try:
            async with asyncio.timeout(self._seconds):
                return await self._post(url, signed_headers(event, body, secrets), body)
        except TimeoutError:
            return Answered(None, f"No answer within {self._seconds:g} seconds.")
        except httpcore.TimeoutException:
            return Answered(None, "No connection in time.")
        except (httpcore.NetworkError, httpcore.ProtocolError, OSError, ValueError) as error:
            return Answered(None, str(error)[:200] or type(error).__name__)

    async def _post(self, url: str, headers: list[tuple[str, str]], body: bytes) -> Answered:
        pool = httpcore.AsyncConnectionPool(ssl_context=self._tls, network_backend=self._network, retries=0)
        async with pool, pool.stream("POST", url, headers=headers, content=body) as answer:
            kept = b""
            async for part in answer.aiter_stream():
                kept += part
                if len(kept) >= _KEPT:
                    break
            return Answered(answer.status, kept[:_KEPT].decode("utf-8", "replace").replace("\0", ""))


def signed_headers(event: str, body: bytes, secrets: Iterable[bytes]) -> list[tuple[str, str]]:
    """The headers of Standard Webhooks: id, time, and a signature for each secret."""
    at = datetime.now(UTC)
    signatures = [Webhook(secret).sign(event, at, body.decode()) for secret in secrets]
    return [
        ("content-type", "application/json"),
        ("content-length", str(len(body))),
        ("user-agent", "Kibitz-Webhooks"),
        ("webhook-id", event),
        ("webhook-timestamp", str(int(at.timestamp()))),
        ("webhook-signature", " ".join(signatures)),
    ]
