"""JSON is not decoded before its depth is known to be bounded."""

import re

from service.problems import Refused

# What is never closed is a string up to the end: searched for its end from every quote, it would cost the square of
# the body's length.
_QUOTED = re.compile(rb'"(?:[^"\\]|\\.?)*(?:"|\Z)', re.DOTALL)


def check_depth(body: bytes, limit: int) -> None:
    """Raises Refused when arrays and objects are nested deeper than `limit`."""
    if body.count(b"{") + body.count(b"[") > limit and _depth(body) > limit:
        raise Refused("malformed", f"Body: nested deeper than {limit} levels.")


def _depth(body: bytes) -> int:
    depths = [0]
    for byte in _QUOTED.sub(b"", body):
        if byte in b"{[":
            depths.append(depths[-1] + 1)
        elif byte in b"}]":
            depths.append(depths[-1] - 1)
    return max(depths)
