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
"""Microseconds after which another process may send a delivery that one has begun to send."""
GONE = 410
"""The status by which a receiver wants nothing more."""
_KEPT = 1_000
"""Bytes of an answer that are kept; no more is read."""
_METADATA = frozenset(map(ipaddress.ip_address, ("168.63.129.16", "100.100.100.200", "192.0.0.192")))
"""Metadata services of clouds at addresses that look public, or nearly."""
_NAT64 = ipaddress.ip_network("64:ff9b::/96")
_GLOBAL_UNICAST = ipaddress.ip_network("2000::/3")
_LOOKUPS = 64
"""Look-ups under way at once: each takes a thread for as long as a name server likes."""


class Attempt(NamedTuple):
    """One attempt to send: the answer's status, None without one, and its beginning or the error."""

    status: int | None
    text: str

    @property
    def delivered(self) -> bool:
        """Whether the receiver has the event."""
        return self.status is not None and 200 <= self.status < 300

    @property
    def outcome(self) -> str:
        """The result in one word, for the metrics."""
        return "taken" if self.delivered else "unanswered" if self.status is None else "refused"


class Forbidden(httpcore.ConnectError):
    """A name leads to an address to which nothing is sent."""


def check_url(url: str, *, http: bool, private: bool) -> str:
    """The URL, if a check without a look-up lets something be sent there; raises Refused."""
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
    try:
        public = host.lower().rstrip(".") != "localhost" and is_public(host)
    except ValueError:  # a name
        public = True
    if not private and not public:
        raise refused_member("url", "Nothing is sent to private addresses.")
    return url


def is_public(address: str) -> bool:
    """Whether this is an address of the open internet; an IPv6 address that stands for an IPv4 address counts as it.

    Raises ValueError for other texts.
    """
    value = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(value, ipaddress.IPv6Address):
        inner = value.ipv4_mapped or value.sixtofour
        if value in _NAT64:
            inner = ipaddress.IPv4Address(int(value) & 0xFFFFFFFF)
        if inner is not None:
            return is_public(str(inner))
        if value not in _GLOBAL_UNICAST:
            return False
    return value.is_global and not value.is_multicast and not value.is_reserved and value not in _METADATA


class _CheckedNetwork(AsyncNetworkBackend):
    """Connects to checked addresses alone: those of one look-up, of which all are checked."""

    def __init__(self, private: bool) -> None:
        self._network: Any = httpcore.AnyIOBackend()
        self._private = private
        self._threads = ThreadPoolExecutor(_LOOKUPS, "look-up")

    async def connect_tcp(
        self, host: str, port: int, timeout: float | None = None, local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> AsyncNetworkStream:  # fmt: skip
        """Connect to the first address that takes the connection; raises Forbidden if any is not public."""
        lookup = partial(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM)
        try:
            entries = await asyncio.get_running_loop().run_in_executor(self._threads, lookup)
        except (OSError, UnicodeError):
            raise httpcore.ConnectError("the name cannot be looked up") from None
        addresses = list(dict.fromkeys(str(entry[4][0]) for entry in entries))
        if not self._private and not all(map(is_public, addresses)):
            raise Forbidden("the name leads to a private address")
        error: Exception = httpcore.ConnectError("the name has no address")
        for address in addresses:
            try:
                stream: AsyncNetworkStream = await self._network.connect_tcp(
                    address, port, timeout, local_address, socket_options
                )
                return stream
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as refused:
                error = refused
        raise error

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

    async def send(self, url: str, event: str, body: bytes, secrets: Iterable[bytes]) -> Attempt:
        """One attempt: the body, signed with each secret. Errors of the receiver are in the result."""
        pool = httpcore.AsyncConnectionPool(ssl_context=self._tls, network_backend=self._network, retries=0)
        try:
            request = pool.stream("POST", url, headers=signed_headers(event, body, secrets), content=body)
            async with asyncio.timeout(self._seconds), pool, request as answer:
                beginning = b""
                async for part in answer.aiter_stream():
                    beginning += part
                    if len(beginning) >= _KEPT:
                        break
                return Attempt(answer.status, beginning[:_KEPT].decode("utf-8", "replace").replace("\0", ""))
        except TimeoutError:
            return Attempt(None, f"No answer within {self._seconds:g} seconds.")
        except httpcore.TimeoutException:
            return Attempt(None, "No connection in time.")
        except (httpcore.NetworkError, httpcore.ProtocolError, OSError, ValueError) as error:
            return Attempt(None, str(error)[:200] or type(error).__name__)


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
