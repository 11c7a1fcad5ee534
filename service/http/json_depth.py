"""JSON is not decoded before its depth and its number of arrays and objects are known to be bounded."""

from service.problems import Refused

MOST = 5_000
"""Arrays and objects of one body: several times what the longest list of commands has."""
_KEPT = b'"[]{}'
_ONE_KIND = bytes.maketrans(b"{}", b"[]")
_OTHERS = bytes(byte for byte in range(256) if byte not in _KEPT)


def check_depth(body: bytes, limit: int) -> None:
    """Raises Refused when arrays and objects are nested deeper than `limit`, or are more than `MOST`.

    Innermost brackets are taken away level by level, and no byte is looked at in Python: 256 kB take at most two
    milliseconds, a command a quarter of a microsecond.
    """
    if body.count(b"{") + body.count(b"[") <= limit:
        return
    left = _brackets(body)
    if left.count(b"[") > MOST:
        raise Refused("malformed", f"Body: more than {MOST} arrays and objects, or nested deeper than {limit} levels.")
    for _ in range(limit):
        before, left = left, left.replace(b"[]", b"")
        if len(left) == len(before):
            break
    if b"[]" in left or left.count(b"[") > limit:
        raise Refused("malformed", f"Body: nested deeper than {limit} levels.")


def _brackets(body: bytes) -> bytes:
    """All brackets outside strings, as square ones."""
    left = without_escapes(body).translate(_ONE_KIND, _OTHERS).replace(b'""', b"")  # strings without a bracket
    return b"".join(left.split(b'"')[::2]) if b'"' in left else left


def without_escapes(text: bytes) -> bytes:
    """JSON without the escapes that stand for a backslash or a quote: every quote left begins or ends a string."""
    return text.replace(b"\\\\", b"").replace(b'\\"', b"") if b"\\" in text else text
