"""Text bodies with a media type of their own, such as open records; they may be longer than commands."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from litestar import Request

from service.http.bodies import check_encoding, media_type_of, too_large
from service.http.limits import weigh
from service.problems import Refused


class Text(NamedTuple):
    """A body's bytes, and its media type without parameters."""

    media_type: str
    content: bytes


async def read_text(request: Request[Any, Any, Any], media_types: Iterable[str]) -> Text:
    """The body of this request, of one of these media types; raises Refused.

    Reads at most `max_record_bytes`, whatever length was announced.
    """
    check_encoding(request.scope["headers"])
    media_type = media_type_of(request.scope["headers"])
    if media_type not in media_types:
        raise Refused("unsupported_media_type", f"The body must be {' or '.join(media_types)}.")
    limit: int = request.app.state.services.settings.max_record_bytes
    if (request.content_length or 0) > limit:
        raise too_large(limit)
    content = bytearray()
    async for chunk in request.stream():
        content += chunk
        if len(content) > limit:
            raise too_large(limit)
    weigh(request.scope, len(content))
    return Text(media_type, bytes(content))
