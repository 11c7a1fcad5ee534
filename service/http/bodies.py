"""The body of a request, read part by part up to a limit."""

import re
from collections.abc import Iterable
from typing import Any

from litestar.exceptions import InternalServerException
from litestar.types import Receive

from service.problems import Refused

_PARAMETER = re.compile(r';\s*([^\s=;"]+)\s*(?:=\s*(?:"(?:[^"\\]|\\.)*"|[^;]*))?')


def check_encoding(headers: Iterable[tuple[bytes, bytes]]) -> None:
    """Raises Refused for a body that has been compressed."""
    for name, value in headers:
        if name == b"content-encoding" and value.strip().lower() not in (b"", b"identity"):
            raise Refused("unsupported_encoding", "The body must be sent as it is, without a Content-Encoding.")


def media_type_of(headers: Iterable[tuple[bytes, bytes]]) -> str:
    """The body's media type without parameters; raises Refused where Content-Type or a parameter stands twice."""
    said = [value.decode("latin-1") for name, value in headers if name == b"content-type"]
    if len(said) > 1:
        raise Refused("malformed", "Content-Type: it stands twice.")
    media_type, semicolon, rest = said[0].partition(";") if said else ("", "", "")
    if semicolon:
        names = set[str]()
        for name in map(str.lower, _PARAMETER.findall(semicolon + rest)):
            if name in names:
                raise Refused("malformed", f"Content-Type: its parameter `{name[:40]}` stands twice.")
            names.add(name)
    return media_type.strip().lower()


async def read_body(receive: Receive, announced: str | None, most: int) -> bytes:
    """The whole body; raises Refused for more than `most` bytes, announced or sent."""
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
