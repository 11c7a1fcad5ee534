"""Which media type an answer has, by the request's `Accept`."""

from typing import TYPE_CHECKING, Any

from service.problems import Refused

if TYPE_CHECKING:
    from service.http.operation import Call

NDJSON = "application/x-ndjson"
TEXT = "text/plain"
SVG = "image/svg+xml"
CSV = "text/csv"


def choose_media_type(call: "Call[Any, Any]", *offered: str) -> str:
    """The first media type offered that the request accepts; raises Refused."""
    accept = call.request.headers.get("accept", "*/*")
    wanted = {part.partition(";")[0].strip() for part in accept.split(",")}
    for media_type in offered:
        if wanted & {media_type, media_type.partition("/")[0] + "/*"}:
            return media_type
    if "*/*" in wanted:
        return offered[0]
    raise Refused("not_acceptable", f"This can be had as {' or '.join(offered)}.")
