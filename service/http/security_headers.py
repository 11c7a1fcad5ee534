"""Headers that tell browsers what not to do with an answer: on every answer, whatever it is.

The sources: OWASP's lists for REST services and for HTTP headers; the Fetch standard (`X-Content-Type-Options`,
`Cross-Origin-Resource-Policy`); RFC 6797 (`Strict-Transport-Security`), which counts by https alone.
"""

Headers = tuple[tuple[bytes, bytes], ...]

EVERYWHERE: Headers = (
    (b"x-content-type-options", b"nosniff"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"referrer-policy", b"same-origin"),
)
"""With `no-referrer` browsers send `Origin: null` with our own forms too, and by plain HTTP nothing else tells them
from another site's."""

SHARED: Headers = (EVERYWHERE[0], (b"cross-origin-resource-policy", b"cross-origin"), EVERYWHERE[2])
"""The same where other origins may read: their pages may show our pictures then."""

DOCUMENTS: dict[str, str] = {
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
}
"""Of what a browser shows as a document of its own, beside its Content-Security-Policy."""

DRAWING = {"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox", **DOCUMENTS}
"""Of an SVG picture: a document too, in which nothing runs."""

BY_HTTPS = (b"strict-transport-security", b"max-age=31536000")

PRIVATE = (b"cache-control", b"private, no-cache")
"""An answer to somebody who is known, where the operation says nothing: for one's own cache, asked again each time."""

ANYBODYS = (b"cache-control", b"no-cache")

NO_STORE = "no-store"
"""Of an answer that holds a secret, such as a new token: it stays in no cache at all."""
