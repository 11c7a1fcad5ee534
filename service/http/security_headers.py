"""Headers that restrict what browsers do with an answer, on every answer.

The sources: OWASP's lists for REST services and for HTTP headers; the Fetch standard (`X-Content-Type-Options`,
`Cross-Origin-Resource-Policy`); RFC 6797 (`Strict-Transport-Security`), which has effect on https only.
"""

Headers = tuple[tuple[bytes, bytes], ...]

EVERYWHERE: Headers = (
    (b"x-content-type-options", b"nosniff"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"referrer-policy", b"same-origin"),
)
"""With `no-referrer` browsers send `Origin: null` with our own forms too, and on plain HTTP nothing else distinguishes
them from another site's."""

SHARED: Headers = (EVERYWHERE[0], (b"cross-origin-resource-policy", b"cross-origin"), EVERYWHERE[2])
"""EVERYWHERE where other origins may read: their pages may show our pictures."""

DOCUMENTS: dict[str, str] = {
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
}
"""For documents, beside their Content-Security-Policy."""

DRAWING = {"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox", **DOCUMENTS}
"""For an SVG picture: a document in which no script runs."""

BY_HTTPS = (b"strict-transport-security", b"max-age=31536000")

PRIVATE = (b"cache-control", b"private, no-cache")
"""The default for a known caller: only their own cache keeps the answer, and asks again each time."""

ANYBODYS = (b"cache-control", b"no-cache")

NO_STORE = "no-store"
"""For an answer with a secret, such as a new token: no cache keeps it."""
