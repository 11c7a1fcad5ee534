"""The body of a request, read part by part up to a limit."""

from collections.abc import Iterable
from typing import Any

from litestar.exceptions import InternalServerException
from litestar.types import Receive

from service.problems import Refused


def check_encoding(headers: Iterable[tuple[bytes, bytes]]) -> None:
    """Raises Refused for a body that has been compressed."""
    for name, value in headers:
        if name == b"content-encoding" and value.strip().lower() not in (b"", b"identity"):
            raise Refused("unsupported_encoding", "The body must be sent as it is, without a Content-Encoding.")


async def read_body(receive: Receive, announced: str | None, most: int) -> bytes:
    """All of it; raises Refused for more bytes than `most`, announced or sent."""
    if announced is not None and announced.isdigit() and int(announced) > most:
        raise too_large(most)
    part: Any = await receive()
    body: bytes = _part(part)
    while part.get("more_body", False):
        part = await receive()
        body += _part(part)
        if len(body) > most:
            raise too_large(most)
    if len(body) > most:
        raise too_large(most)
    return body


def _part(message: Any) -> bytes:
    if message["type"] == "http.disconnect":
        raise InternalServerException("client disconnected prematurely")
    return message.get("body", b"")  # type: ignore[no-any-return]


def too_large(most: int) -> Refused:
    """The refusal of a body of more bytes than this."""
    return Refused("body_too_large", f"The body is longer than {most} bytes.")
