"""What goes wrong, as exceptions: one for each kind of refusal, made of the service's problem documents."""

import re
from collections.abc import Sequence

import httpx
import msgspec
from msgspec import Struct

from kibitz_client.types import InputFault


class KibitzError(Exception):
    """Something that the client could not do."""


class Unreachable(KibitzError):
    """The service does not answer, or its answers broke off, for longer than the client was told to wait."""


class StreamClosed(KibitzError):
    """The service has ended a stream, since its reader may not see it any more; `reason` is its word for it."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"The service has ended the stream: {reason}.")
        self.reason = reason


class Refused(KibitzError):
    """The service's problem document (RFC 9457), whatever the kind; `kind` is the last part of its `type`.

    `errors` are the faults of the request, each with its place: a `pointer` into the body, a `parameter` or a `header`.
    """

    def __init__(self, status: int, told: "_Document", retry_after: float | None = None) -> None:
        super().__init__(told.detail or told.title or f"The service answered {status}.")
        self.status, self.type, self.title, self.detail = status, told.type, told.title, told.detail
        self.kind = told.type.rpartition("/")[2]
        self.rule, self.version, self.request_id = told.rule, told.version, told.request_id
        self.errors: Sequence[InputFault] = told.errors
        self.retry_after = retry_after


class Malformed(Refused):
    """400: the request cannot be read; `errors` are all of its faults."""


class Unauthenticated(Refused):
    """401: the token is missing, unknown, expired or revoked."""


class NotAllowed(Refused):
    """403: others may do that; `rule` is the slug of the rule that says who, where there is one."""


class ScopeMissing(NotAllowed):
    """403: the token lacks a scope."""


class NotFound(Refused):
    """404: there is no such thing, or you may not see it."""


class RuleRefused(Refused):
    """409: a rule of the game forbids it now; `rule` is its slug."""


class VersionConflict(Refused):
    """412: the game has moved on; `version` is the one at which it stands."""


class NotTaken(Refused):
    """422: what was sent is readable and cannot be taken, as a record that does not verify."""


class RateLimited(Refused):
    """429: too many requests; `retry_after` is in seconds."""


class Unavailable(Refused):
    """5xx: the service is busy or in trouble; `retry_after` is in seconds, None where it does not say."""


class _Document(Struct, frozen=True):
    type: str = ""
    title: str = ""
    detail: str = ""
    rule: str | None = None
    version: int | None = None
    request_id: str | None = None
    errors: tuple[InputFault, ...] = ()


_BY_STATUS: dict[int, type[Refused]] = {
    400: Malformed,
    401: Unauthenticated,
    403: NotAllowed,
    404: NotFound,
    409: RuleRefused,
    412: VersionConflict,
    422: NotTaken,
    429: RateLimited,
}
"""Of a kind that is newer than this client, the status says what to do."""


def refusal(answer: httpx.Response) -> Refused:
    """The exception for an answer with an error status, whose body has been read."""
    try:
        told = msgspec.json.decode(answer.content, type=_Document)
    except (msgspec.DecodeError, UnicodeDecodeError):  # a proxy's answer, say
        told = _Document()
    status = answer.status_code
    chosen = _BY_STATUS.get(status, Unavailable if status >= 500 else Refused)
    if told.type.endswith("/scope_missing"):
        chosen = ScopeMissing
    return chosen(status, told, retry_after(answer))


def retry_after(answer: httpx.Response) -> float | None:
    """The seconds that Retry-After asks for."""
    text = answer.headers.get("retry-after", "")
    return float(text) if re.fullmatch(r"\d{1,6}", text) else None
