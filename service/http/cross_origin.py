"""Cross-origin requests (the Fetch standard's CORS): which other origins' scripts may read our answers.

By bearer token or by none. `Access-Control-Allow-Credentials` is never sent: with a session's cookie no other origin
reads anything, whatever origins are allowed.
"""

from collections.abc import Iterable

_EXPOSED = (
    "Allow, Content-Disposition, ETag, Link, Location, Log-Position, RateLimit, RateLimit-Policy, Request-Id, "
    "Retry-After, WWW-Authenticate"
)
_ASKED = (
    "Accept, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, Min-Log-Position, "
    "Request-Id, Traceparent"
)
_SECONDS = b"600"
_ANY = b"*"

Header = tuple[bytes, bytes]


class Origins:
    """The origins that are allowed: none, some, or `*` for all. The setting separates them by blanks or commas."""

    def __init__(self, setting: str) -> None:
        self._allowed = frozenset(origin.encode() for origin in setting.replace(",", " ").split())
        self._any = _ANY in self._allowed
        self.varies = bool(self._allowed) and not self._any

    def __bool__(self) -> bool:
        return bool(self._allowed)

    def headers(self, origin: bytes | None) -> list[Header]:
        """What an answer to a request from this origin says; caches are told that another's would differ."""
        told: list[Header] = [(b"vary", b"Origin")] if self.varies else []
        if origin is not None and (self._any or origin in self._allowed):
            told += [
                (b"access-control-allow-origin", _ANY if self._any else origin),
                (b"access-control-expose-headers", _EXPOSED.encode()),
            ]
        return told

    def preflight(self, origin: bytes | None, answer: Iterable[Header]) -> list[Header]:
        """What the answer to OPTIONS says beside its `Allow`: which methods and headers may come from that origin."""
        allow = next((value for name, value in answer if name == b"allow"), None)
        if allow is None or origin is None or not (self._any or origin in self._allowed):
            return []
        return [
            (b"access-control-allow-methods", allow), (b"access-control-allow-headers", _ASKED.encode()),
            (b"access-control-max-age", _SECONDS),
        ]  # fmt: skip
